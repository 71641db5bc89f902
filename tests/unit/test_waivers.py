"""What the verdict would be under a policy, in both implementations."""

from collections.abc import Iterable
from itertools import product
from typing import Any

import polars as pl
import pytest

from grounding.causetable import NUMBER_CAUSES, WAIVABLE
from grounding.policies import ADVICE_KINDS, NEVER_WAIVED, NO_POLICY, RECOMMENDED, Policy
from grounding.reference import waivers as reference
from grounding.reference.causes import Explained
from grounding.waivers import UNDER_POLICY, WAIVED, under_policy, with_waivers

Refusal = tuple[str, str, list[str]]

LIST: Refusal = ("ungrounded_number", "list_marker", ["list_marker"])
ASKED: Refusal = ("ungrounded_number", "in_question", ["in_question", "scale"])
TENFOLD: Refusal = ("ungrounded_number", "list_marker", ["list_marker", "separator_dropped"])
SWAPPED: Refusal = ("ungrounded_number", "digit_script", ["digit_script", "separator_swapped"])
CITATION: Refusal = ("invalid_citation", "zero_based", ["zero_based"])
UNEXPLAINED: Refusal = ("ungrounded_number", None, None)  # type: ignore[assignment]  # as published

BOTH = Policy(waive=("list_marker", "digit_script"))

# What was refused, the policy, grounded with waivers.
CASES: list[tuple[list[Refusal], Policy, bool]] = [
    ([], NO_POLICY, True),
    ([], BOTH, True),
    ([LIST], NO_POLICY, False),
    ([LIST], BOTH, True),
    ([LIST, LIST], BOTH, True),
    ([LIST, ASKED], BOTH, False),
    ([ASKED], Policy(waive=("scale",)), False),
    ([ASKED], Policy(waive=("in_question",)), True),
    ([TENFOLD], BOTH, False),
    ([SWAPPED], BOTH, False),
    ([LIST, CITATION], BOTH, False),
    ([CITATION], Policy(waive=("zero_based",)), False),
]


def frame(rows: Iterable[tuple[int, Refusal]]) -> pl.LazyFrame:
    return pl.LazyFrame(
        [(row, *refusal) for row, refusal in rows],
        {"row": pl.Int64, "kind": pl.String, "cause": pl.String, "causes": pl.List(pl.String)},
        orient="row",
    )


def vectorised(refused: list[list[Refusal]], policy: Policy) -> list[bool | None]:
    """Of answers with these refusals, and one, the last, that grounding did not run on."""
    grounded = [*(not found for found in refused), None]
    verdicts = pl.LazyFrame({"row": range(len(grounded)), "grounded": grounded})
    rows = frame((row, refusal) for row, found in enumerate(refused) for refusal in found)
    done = with_waivers(verdicts, rows, policy).collect()
    assert done.columns == ["row", "grounded", WAIVED[0].name]
    assert done["row"].to_list() == list(range(len(grounded)))
    found: list[bool | None] = done["grounded_with_waivers"].to_list()
    return found


@pytest.mark.parametrize(("refused", "policy", "expected"), CASES)
def test_an_answer_is_grounded_with_waivers_where_all_that_was_refused_is_waived(
    refused: list[Refusal], policy: Policy, expected: bool
) -> None:
    assert vectorised([refused, [], [LIST, TENFOLD]], policy) == [expected, True, False, None]
    explained = [
        Explained(kind, "1", 0, 1, cause, tuple(causes), None, None)
        for kind, cause, causes in refused
    ]
    assert reference.grounded_with_waivers(explained, policy) is expected


def test_what_is_not_explained_is_not_waived() -> None:
    assert vectorised([[UNEXPLAINED]], BOTH) == [False, None]


def test_without_a_policy_it_is_the_verdict_itself() -> None:
    refused = [found for found, _, _ in CASES]
    assert vectorised(refused, NO_POLICY) == [*(not found for found in refused), None]


CHECKS = [True, False, None]
POLICIES = [NO_POLICY, Policy(demand=("unread_numeral",)), Policy(demand=ADVICE_KINDS)]
FOUND = [[], ["unread_numeral"], ["ungrounded_number"], ["unknown_input", "unread_numeral"]]


@pytest.mark.parametrize("policy", POLICIES)
def test_an_answer_passes_with_policy_where_its_checks_do_and_nothing_demanded_is_found(
    policy: Policy,
) -> None:
    cases = list(product(CHECKS, CHECKS, FOUND))
    verdicts = pl.LazyFrame(
        {
            "row": range(len(cases)),
            "grounded_with_waivers": [grounded for grounded, _, _ in cases],
            "response_evidence_valid": [clean for _, clean, _ in cases],
            "unsupported_claim_count": [None if clean is None else 0 for _, clean, _ in cases],
        },
        {
            "row": pl.Int64,
            "grounded_with_waivers": pl.Boolean,
            "response_evidence_valid": pl.Boolean,
            "unsupported_claim_count": pl.Int64,
        },
    )
    findings: dict[str, Any] = {"row": [], "kind": []}
    for row, (_, _, kinds) in enumerate(cases):
        findings["row"] += [row] * len(kinds)
        findings["kind"] += kinds
    schema = {"row": pl.Int64, "kind": pl.String}
    done = under_policy(verdicts, pl.LazyFrame(findings, schema), policy).collect()
    assert done.columns[-1] == UNDER_POLICY[0].name
    assert done["passed_with_policy"].to_list() == [
        reference.passed_with_policy(grounded, clean, kinds, policy)
        for grounded, clean, kinds in cases
    ]


def test_a_claim_that_nothing_supports_fails_under_any_policy() -> None:
    verdict = pl.LazyFrame(
        {
            "row": [0],
            "grounded_with_waivers": [True],
            "response_evidence_valid": [True],
            "unsupported_claim_count": [1],
        }
    )
    nothing = pl.LazyFrame(schema={"row": pl.Int64, "kind": pl.String})
    for policy in POLICIES:
        assert under_policy(verdict, nothing, policy).collect()["passed_with_policy"][0] is False


def test_the_recommended_policy_waives_only_what_may_be_waived_in_the_order_of_the_table() -> None:
    assert [name for name in WAIVABLE if name in RECOMMENDED] == list(RECOMMENDED)
    assert set(NEVER_WAIVED) <= {cause.name for cause in NUMBER_CAUSES} - set(WAIVABLE)
