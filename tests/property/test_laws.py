"""What must hold of any answers at all, whatever a verdict says."""

import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from grounding.tables import GRADED
from grounding.truth import Truth
from tests.property.adversarial import generator, rows
from tests.property.side_by_side import (
    ENGINES,
    VERDICT_COLUMNS,
    Engine,
    Tables,
    answers,
    evaluated,
    truth,
)

COUNTED = {
    "n_unsupported_numbers": ["ungrounded_number"],
    "n_invalid_citations": ["invalid_citation"],
    "unsupported_claim_count": ["invented_claim", "unknown_negative_fact"],
    "unknown_input_count": ["unknown_input"],
}
OF_PASSED = [(True, 0), (None, None)]

Frames = tuple[pl.DataFrame, Truth, Tables]


@cache
def graded(seed: int) -> Frames:
    """Rows of a generator, the truth of all their books, and their tables."""
    drawn = list(rows(generator(seed), 1_000))
    books = truth(row.fixture for row in drawn if row.fixture is not None)
    return answers(drawn), books, evaluated(answers(drawn), books)


@pytest.fixture(params=[5, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(6, 12))])
def whole(request: pytest.FixtureRequest) -> Frames:
    return graded(request.param)


def assert_equal(got: Tables, wanted: Tables) -> None:
    for mine, other in zip(got, wanted, strict=True):
        assert_frame_equal(mine, other)


def test_the_streaming_engine_gives_the_same_tables(whole: Frames) -> None:
    frame, books, tables = whole
    assert_equal(evaluated(frame, books, "streaming"), tables)


def test_many_morsels_and_threads_give_the_same_tables() -> None:
    # Read once, when polars is first used, so it takes a process of its own.
    environment = {"POLARS_IDEAL_MORSEL_SIZE": "17", "POLARS_MAX_THREADS": "5"}
    script = (
        "from tests.property.adversarial import generator, rows\n"
        "from tests.property.side_by_side import differences\n"
        "assert differences(list(rows(generator(8), 300)), 'streaming') == []"
    )
    root = Path(__file__).parents[2]
    subprocess.run(
        [sys.executable, "-c", script], cwd=root, env=os.environ | environment, check=True
    )


@pytest.mark.parametrize("pieces", [2, 20])
def test_any_split_of_the_rows_gives_the_whole(whole: Frames, pieces: int) -> None:
    frame, books, tables = whole
    cuts = sorted(generator().sample(range(frame.height), pieces - 1))
    slices = zip([0, *cuts], [*cuts, frame.height], strict=True)
    parts = [evaluated(frame[start:end], books) for start, end in slices]
    assert_equal(Tables(*map(pl.concat, zip(*parts, strict=True))), tables)


def test_a_row_alone_gets_the_verdict_that_it_gets_among_others(whole: Frames) -> None:
    frame, books, tables = whole
    for start in generator().sample(range(frame.height), 10):
        alone = evaluated(frame[start : start + 1], books)
        assert_equal(alone, Tables(*(t.filter(pl.col("row") == start) for t in tables)))


@pytest.mark.parametrize("engine", ENGINES)
def test_the_order_of_the_rows_changes_nothing(whole: Frames, engine: Engine) -> None:
    frame, books, tables = whole
    shuffled = frame.sample(fraction=1, shuffle=True, seed=generator().randrange(2**32))
    got = evaluated(shuffled, books, engine)
    assert got.verdicts["row"].to_list() == shuffled["row"].to_list()
    assert_equal(got._replace(verdicts=got.verdicts.sort("row")), tables)


def test_chunks_and_offsets_of_a_column_change_nothing(whole: Frames) -> None:
    frame, books, tables = whole
    chunks = [frame[:1], frame[1:333], frame[333:333], frame[333:]]
    assert_equal(evaluated(pl.concat(chunks, rechunk=False), books), tables)


def test_the_numbers_of_the_rows_are_only_names(whole: Frames) -> None:
    frame, books, tables = whole
    step, first = 7_919, 10**15
    renamed = pl.col("row") * step + first
    got = evaluated(frame.with_columns(renamed), books)
    assert_equal(got, Tables(*(table.with_columns(renamed) for table in tables)))


def test_a_row_twice_gets_its_verdict_twice(whole: Frames) -> None:
    frame, books, tables = whole
    again = pl.col("row") + frame.height
    got = evaluated(pl.concat([frame, frame.with_columns(again)]), books)
    assert_equal(got, Tables(*(pl.concat([t, t.with_columns(again)]) for t in tables)))


def test_truth_of_other_books_changes_nothing(whole: Frames) -> None:
    frame, books, tables = whole
    stranger = truth(row.fixture for row in rows(generator(7), 500) if row.fixture is not None)
    named = [
        pl.concat([theirs.with_columns(pl.col("fixture_id") + " elsewhere"), ours], how="vertical")
        for theirs, ours in zip(stranger, books, strict=True)
    ]
    assert_equal(evaluated(frame, Truth(*named)), tables)


def test_without_truth_an_answer_is_graded_as_one_without_a_fixture(whole: Frames) -> None:
    frame, books, _ = whole
    frame = frame.filter(pl.col("evidence").is_not_null())
    bare = frame.with_columns(pl.lit(None, pl.String).alias("fixture_id"))
    assert_equal(evaluated(frame, None), evaluated(bare, books))


def test_adding_evidence_never_makes_a_number_unsupported(whole: Frames) -> None:
    frame, books, tables = whole
    more = pl.concat_list(pl.lit("7,5 [1] 3."), pl.col("evidence").shuffle(seed=3).fill_null([]))
    for grown in (pl.concat_list("evidence", more), pl.concat_list(more, "evidence")):
        grown = pl.when(pl.col("evidence").is_not_null()).then(grown)
        got = evaluated(frame.with_columns(evidence=grown), books).verdicts
        both = got.select(after="unsupported_numbers", cited="invalid_citations").hstack(
            tables.verdicts.select("unsupported_numbers", "invalid_citations", "grounded")
        )
        assert both.filter(
            (pl.col("after").list.set_difference("unsupported_numbers").list.len() > 0)
            | (pl.col("after").list.len() > pl.col("unsupported_numbers").list.len())
            | (pl.col("cited").list.len() > pl.col("invalid_citations").list.len())
        ).is_empty()
        was_grounded = tables.verdicts["grounded"].fill_null(False)
        assert got.filter(was_grounded)["grounded"].all()


def test_removing_a_passage_never_grounds_an_answer(whole: Frames) -> None:
    frame, books, tables = whole
    refused = tables.verdicts["grounded"] == False  # noqa: E712  # a Series, where null is neither
    for kept in (pl.col("evidence").list.slice(1), pl.col("evidence").list.head(1)):
        got = evaluated(frame.with_columns(evidence=kept), books).verdicts
        assert not got.filter(refused.fill_null(False))["grounded"].any()


def test_the_order_of_the_passages_is_only_for_citations(whole: Frames) -> None:
    frame, books, tables = whole
    reversed_ = frame.with_columns(pl.col("evidence").list.reverse())
    assert_equal(
        evaluated(reversed_, books)._replace(verdicts=tables.verdicts, held=tables.held),
        tables,
    )


def test_the_columns_of_a_verdict_agree_with_each_other(whole: Frames) -> None:
    for verdict in whole[2].verdicts.iter_rows(named=True):
        assert list(_broken_laws(verdict)) == [], verdict


def _broken_laws(verdict: dict[str, Any]) -> Iterator[str]:
    of_grounding = VERDICT_COLUMNS[: VERDICT_COLUMNS.index("n_annotations")]
    of_annotations = VERDICT_COLUMNS[len(of_grounding) : VERDICT_COLUMNS.index("missing_facts")]
    of_questions = [name for name in VERDICT_COLUMNS if name.startswith("missing_")]
    for block in (of_grounding, of_annotations, of_questions):
        if len({verdict[name] is None for name in block}) > 1:
            yield f"null as one: {block}"
    numbers, citations = verdict["unsupported_numbers"], verdict["invalid_citations"]
    if numbers is not None:
        if verdict["grounded"] != (not numbers and not citations):
            yield "grounded where both lists are empty"
        first = "ungrounded_number" if numbers else "invalid_citation" if citations else "grounded"
        if verdict["reason"] != first:
            yield "the reason is the first that holds"
        if verdict["n_unsupported_numbers"] != len(numbers) <= verdict["n_numbers"]:
            yield "n_unsupported_numbers is a length"
        if verdict["n_invalid_citations"] != len(citations) <= verdict["n_citations"]:
            yield "n_invalid_citations is a length"
        cited, valid = verdict["cited_indices"], range(1, verdict["n_passages"] + 1)
        if cited != sorted(set(cited)) or not set(cited) <= set(valid) or set(cited) & {*citations}:
            yield "cited indices are distinct, ascending and valid"
        if not len(cited) <= verdict["n_citations"] - len(citations):
            yield "each cited index is cited"
    annotated = verdict["response_evidence_valid"], verdict["unsupported_claim_count"]
    if verdict["passed"] != (verdict["grounded"] is not False and annotated in OF_PASSED):
        yield "passed is the AND of the checks that ran"
    facts = [claim["fact"] for claim in verdict["response_claims"] or ()]
    if len(facts) != len(set(facts)):
        yield "one claim a fact"


def test_a_verdict_holds_its_findings_gathered(whole: Frames) -> None:
    tables = whole[2]
    found: dict[tuple[int, str], list[str]] = {}
    for row, kind, text in tables.findings.select("row", "kind", "text").iter_rows():
        found.setdefault((row, kind), []).append(text)
    for verdict in tables.verdicts.iter_rows(named=True):
        row = verdict["row"]
        assert found.get((row, "ungrounded_number"), []) == (verdict["unsupported_numbers"] or [])
        for column, kinds in COUNTED.items():
            counted = sum(len(found.get((row, kind), [])) for kind in kinds)
            assert counted == (verdict[column] or 0), column
        broken = [(row, kind) in found for kind in ("malformed_annotation", "duplicate_fact")]
        assert any(broken) == (verdict["response_evidence_valid"] is False)
    assert {kind for _, kind in found} == {
        *("ungrounded_number", "malformed_annotation", "duplicate_fact"),
        *(kind for kinds in COUNTED.values() for kind in kinds),
    }


def test_the_text_of_a_finding_is_what_stands_there(whole: Frames) -> None:
    frame, _, tables = whole
    there = [
        (answer[start:end], kind == "unknown_input")
        for answer, start, end, kind in tables.findings.join(frame, on="row", maintain_order="left")
        .select("answer", "start", "end", "kind")
        .iter_rows()
    ]
    assert there == tables.findings.select("text", ~pl.col("refusal")).rows()
    order = ["row", "start", "end", "kind"]
    assert_frame_equal(tables.findings.sort(order), tables.findings)
    assert not tables.findings.select("row", "start", "end", "kind").is_duplicated().any()


def test_a_claim_row_is_an_entry_of_the_claims_of_its_answer(whole: Frames) -> None:
    _, _, tables = whole
    entries = (
        tables.verdicts.select("row", "response_claims")
        .explode("response_claims", keep_nulls=False, empty_as_null=False)
        .unnest("response_claims")
    )
    named = tables.claims.select("row", fact="fact_id", value="value")
    assert_frame_equal(entries, named)
    assert (tables.claims["accepted"].list.len() > 0).filter(tables.claims["supported"]).all()


def test_the_tables_have_their_declared_columns_even_without_rows() -> None:
    frame, books, tables = graded(5)
    for some in (None, books):
        for rows_of in (frame.clear(), frame[:1]):
            got = evaluated(rows_of, some)
            assert got.verdicts.columns == ["row", *(column.name for column in GRADED)]
            for mine, other in zip(got, tables, strict=True):
                assert mine.schema == other.schema


def test_truth_tables_without_rows_know_nothing() -> None:
    frame, books, _ = graded(5)
    graded_rows = frame.filter(pl.col("fixture_id").is_not_null())
    got = evaluated(graded_rows, Truth(*(table.clear() for table in books)))
    assert not got.claims["supported"].any()
    assert got.claims["accepted"].list.len().sum() == 0
    assert got.verdicts["missing_facts"].is_null().all()
