"""The whole plan: which checks run, what comes out, and in which order."""

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from grounding import evaluate, evidence
from grounding.fixtures import BookFixture, Question
from grounding.holders import PASSAGE, evidence_tokens
from grounding.schema import polars_schema
from grounding.tables import CLAIM, FOUND, GRADED
from tests.property.side_by_side import ENGINES, Engine, Row, answers, evaluated, truth

BOOK = BookFixture.build("book", {"year": ["1911"]}, ["fire"], [Question("q", None, ("year",))])
ROWS = [
    Row("1911 [assert:year=1911] [2]", ("1911",), BOOK, "q"),
    Row("1911 [assert:year=1911]", (), None),
    Row("[assert:year=1912][input:7][unsupported:x]", None, BOOK),
    Row("none", ("none",)),
    Row("[assert:year=1911", ("1911",), BOOK),
]


def test_each_check_runs_where_its_input_is() -> None:
    table = evaluated(answers(ROWS), truth([BOOK])).verdicts
    columns = ["grounded", "response_evidence_valid", "missing_facts", "passed"]
    assert table.select(columns).rows() == [
        (False, True, [], False),
        (False, None, None, False),
        (None, True, None, False),
        (True, None, None, True),
        (True, False, None, False),
    ]
    assert table["evidence_digest"].is_null().to_list() == [False, False, True, False, False]
    assert table["answer_digest"].null_count() == 0


def test_an_answer_that_no_check_was_run_on_has_neither_passed_nor_failed() -> None:
    table = evaluated(answers([Row("5 [1]", None), Row("", None)]), truth([BOOK])).verdicts
    assert table["passed"].to_list() == [None, None]
    assert evaluated(answers([Row("5 [1]", None)]), None).verdicts["passed"].to_list() == [None]


def test_a_question_that_stands_twice_counts_once_as_it_stands_first() -> None:
    book = truth([BOOK])
    again = book.questions.with_columns(facts=pl.lit([], pl.List(pl.String)))
    twice = book._replace(questions=pl.concat([book.questions, again]))
    rows = answers([Row("[assert:keeper=1]", (), BOOK, "q")])
    table = evaluated(rows, twice).verdicts
    assert_frame_equal(table, evaluated(rows, book).verdicts)
    assert table["missing_facts"].to_list() == [["year"]]


def test_without_truth_no_annotation_is_graded() -> None:
    tables = evaluated(answers(ROWS), None)
    assert tables.verdicts["n_annotations"].is_null().all()
    assert tables.claims.is_empty()
    assert tables.verdicts["unsupported_numbers"][1].to_list() == ["1911", "1911"]
    assert set(tables.findings["kind"]) == {"ungrounded_number", "invalid_citation"}


def test_unknown_inputs_are_advice_and_all_else_is_a_refusal() -> None:
    found = evaluated(answers(ROWS), truth([BOOK])).findings
    assert found.filter(~pl.col("refusal"))["kind"].to_list() == ["unknown_input"]
    assert found.filter("refusal")["kind"].to_list() == [
        *("invalid_citation", "ungrounded_number", "ungrounded_number"),
        *("invented_claim", "unknown_negative_fact", "malformed_annotation"),
    ]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("with_truth", [True, False])
def test_the_tables_have_the_declared_columns_and_the_order_of_the_source(
    engine: Engine, with_truth: bool
) -> None:
    rows = ROWS * 50
    tables = evaluated(answers(rows), truth([BOOK]) if with_truth else None, engine)
    for table, block in zip(tables[:3], (GRADED, FOUND, CLAIM), strict=True):
        assert table.schema == pl.Schema({"row": pl.Int64(), **polars_schema(block)})
        assert table["row"].is_sorted()
    assert tables.verdicts["row"].to_list() == list(range(len(rows)))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_table_collected_alone_is_the_same_as_with_the_others(engine: Engine) -> None:
    lazy = evaluate(answers(ROWS).lazy(), truth([BOOK]))
    together = evaluated(answers(ROWS), truth([BOOK]), engine)
    for alone, table in zip(lazy, together, strict=True):
        assert_frame_equal(alone.collect(engine=engine), table)


@pytest.mark.parametrize("engine", ENGINES)
def test_evidence_is_tokenised_once_and_only_for_answers_with_a_number(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[list[str] | None] = []

    def look(column: pl.Series) -> pl.Series:
        read.extend(column.to_list())
        return column

    def spied(passages: pl.Expr) -> pl.Expr:
        return evidence_tokens(passages).map_batches(look, return_dtype=pl.List(pl.String))

    monkeypatch.setattr(evidence, "evidence_tokens", spied)
    rows = [
        Row("none", ("1",)),
        Row("5 and 5", ("2", "5")),
        Row("only cites [1] [7]", ("3",), BOOK),
        Row("", ("4",)),
        Row("½ [input:", ("5",), BOOK),
        Row("6", None, BOOK),
        Row("[assert:year=1911] [input:6]", ("6",), BOOK),
        Row("[assert:year=1911] [input:6]", ("7",)),
        Row("[1", ("8",), BOOK),
    ]
    evaluated(answers(rows), truth([BOOK]), engine)
    read = [tokens and [token for token in tokens if token != PASSAGE] for tokens in read]
    assert read == [None, ["2", "5"], None, None, None, None, None, ["7"], ["8"]]


def test_columns_that_the_rules_do_not_know_are_left_alone() -> None:
    rules_own = ["text", "kind", "start", "end", "value", "id", "numbers", "citations", "first"]
    more = answers(ROWS).with_columns(pl.lit("mine").alias(name) for name in rules_own)
    for got, wanted in zip(
        evaluated(more, truth([BOOK])), evaluated(answers(ROWS), truth([BOOK])), strict=True
    ):
        assert_frame_equal(got, wanted)


def test_evaluate_reads_nothing_before_it_is_collected() -> None:
    fails_if_run = pl.col("answer").cast(pl.Int64).cast(pl.String)
    plans = evaluate(answers(ROWS).lazy().with_columns(fails_if_run), truth([BOOK]))
    with pytest.raises(pl.exceptions.PolarsError):
        pl.collect_all(plans)
