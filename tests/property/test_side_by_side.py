"""On adversarial rows the vectorised rules and the reference say the same, in either engine."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grounding.tables import GRADED
from tests.property.adversarial import fixtures, generator, row_strategy, rows
from tests.property.side_by_side import (
    ENGINES,
    VERDICT_COLUMNS,
    Engine,
    Row,
    differences,
    referred,
)

BOOKS = fixtures(generator(16))


def test_every_column_of_a_verdict_but_the_digests_is_compared() -> None:
    elsewhere = ["answer_digest", "evidence_digest", "n_evidence_numbers"]
    assert [c.name for c in GRADED if c.name not in elsewhere] == VERDICT_COLUMNS


@given(
    st.lists(row_strategy(BOOKS), min_size=20, max_size=20),
    st.sampled_from(ENGINES),
)
def test_rows_that_hypothesis_draws(drawn: list[Row], engine: Engine) -> None:
    assert differences(drawn, engine) == []


def test_two_thousand_rows_of_a_seeded_generator() -> None:
    drawn = list(rows(generator(), 2_000))
    for engine in ENGINES:
        assert differences(drawn, engine)[:5] == []


def test_the_generator_draws_every_verdict_and_every_finding() -> None:
    said = referred(list(rows(generator(1), 2_000)))
    kinds = [kind for _, kind, *_ in said.findings]
    for kind in (
        *("ungrounded_number", "invalid_citation", "malformed_annotation", "duplicate_fact"),
        *("invented_claim", "unknown_negative_fact", "unknown_input"),
    ):
        assert kinds.count(kind) >= 20, kind
    for name, floor in {"grounded": 200, "response_evidence_valid": 200, "passed": 200}.items():
        values = [verdict[1 + VERDICT_COLUMNS.index(name)] for verdict in said.verdicts]
        assert min(values.count(True), values.count(False)) >= floor, name
    assert sum(supported for *_, supported in said.claims) >= 100
    missing = [verdict[1 + VERDICT_COLUMNS.index("missing_inputs")] for verdict in said.verdicts]
    assert sum(value == [] for value in missing) >= 50
    assert sum(bool(value) for value in missing) >= 50


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(50))
def test_a_hundred_thousand_rows_of_a_seeded_generator(batch: int) -> None:
    drawn = list(rows(generator(), 2_000))
    for engine in ENGINES:
        assert differences(drawn, engine)[:5] == []
