"""The vectorised rules give every golden case the verdict that it must get, in either engine."""

from functools import cache
from typing import Any

import polars as pl
import pytest

from grounding.reference.integers import integer
from tests.golden.golden_cases import COUNTS, cases, each, golden_book
from tests.property.side_by_side import (
    ENGINES,
    LARGEST,
    Engine,
    Row,
    answers,
    differences,
    evaluated,
    truth,
)

Case = dict[str, Any]

FILES = list(COUNTS)


def row(name: str, case: Case) -> Row:
    evidence = tuple(case["evidence"]) if "evidence" in case else None
    annotated = name == "annotations" or case.get("fixture", False)
    answer = case["response"] if name == "annotations" else case["answer"]
    return Row(answer, evidence, golden_book() if annotated else None)


@cache
def verdicts(name: str) -> list[dict[str, Any]]:
    """The verdicts on all cases of a file, graded together, with the kinds of their findings."""
    frame = answers([row(name, case) for case in cases(name)])
    tables = evaluated(frame, truth([golden_book()]))
    kinds = tables.findings.group_by("row").agg(kinds=pl.col("kind").unique())
    return tables.verdicts.join(kinds, on="row", how="left", maintain_order="left").to_dicts()


def of(name: str, case: Case) -> dict[str, Any]:
    return verdicts(name)[cases(name).index(case)]


@pytest.mark.parametrize("case", each("grounding"))
def test_grounding(case: Case) -> None:
    got = of("grounding", case)
    for key in ("grounded", "reason", "unsupported_numbers", "cited_indices"):
        assert got[key] == case[key], key
    assert got["invalid_citations"] == [stored(value) for value in case["invalid_citations"]]


@pytest.mark.parametrize("case", each("reports"))
def test_cases_from_reports_of_real_failures(case: Case) -> None:
    got = of("reports", case)
    assert got["unsupported_numbers"] == case["unsupported_numbers"]
    assert got["invalid_citations"] == [stored(value) for value in case["invalid_citations"]]


@pytest.mark.parametrize("case", each("annotations"))
def test_annotations(case: Case) -> None:
    got = of("annotations", case)
    assert ("malformed_annotation" in (got["kinds"] or [])) == case["malformed"]
    assert ("duplicate_fact" in (got["kinds"] or [])) == case["duplicate"]
    assert got["response_evidence_valid"] == case["response_evidence_valid"]
    claims = {claim["fact"]: claim["value"] for claim in got["response_claims"]}
    assert claims == case["response_claims"]
    for key in ("unsupported_fact_ids", "unsupported_claim_count", "derivation_inputs_used"):
        assert got[key] == case[key], key


@pytest.mark.parametrize("case", each("both"))
def test_both_checks_on_one_answer(case: Case) -> None:
    got = of("both", case)
    for key in case.keys() - {"answer", "evidence", "fixture"}:
        assert got[key] == case[key], key


@pytest.mark.parametrize("engine", ENGINES)
def test_every_column_finding_and_claim_of_all_cases_is_that_of_the_reference(
    engine: Engine,
) -> None:
    rows = [row(name, case) for name in FILES for case in cases(name)]
    assert differences(rows, engine) == []


def stored(value: str) -> int:
    """A cited value, which the cases spell as text, as the tables hold it."""
    return min(integer(value), LARGEST)
