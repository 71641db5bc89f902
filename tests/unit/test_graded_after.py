"""Only what follows a sign is graded: the same in both implementations, offsets in the whole."""

from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grounding.evaluation import evaluate
from grounding.final import final_answer
from grounding.fixtures import BookFixture, Question
from grounding.reference import findings, grade
from grounding.rejects import judged_rows
from grounding.tables import FOUND
from tests.property.side_by_side import (
    ENGINES,
    VERDICT_COLUMNS,
    Engine,
    Row,
    Tables,
    agreed,
    answers,
    truth,
)

SIGN = "</think>"
BOOK = BookFixture.build("book", {"year": ["1911"]}, ["fire"], [Question("q", None, ("year",))])
EVIDENCE = ("1911", "5")


def graded(rows: list[Row], sign: str, engine: Engine = "in-memory") -> Tables:
    plan = evaluate(answers(rows).lazy(), truth([BOOK]), graded_after=sign)
    return Tables(*pl.collect_all(plan, engine=engine))


def assert_agreed(rows: list[Row], sign: str, engine: Engine = "in-memory") -> Tables:
    """What both implementations say of the rows, which must be the same."""
    tables = graded(rows, sign, engine)
    expected = []
    for number, row in enumerate(rows):
        said = grade(row.answer, row.evidence, row.fixture, row.question_id, sign)
        columns = [_plain(name, getattr(said, name)) for name in VERDICT_COLUMNS]
        assert list(tables.verdicts.select(VERDICT_COLUMNS).row(number)) == columns, row
        for f in findings(row.answer, row.evidence, row.fixture, sign):
            assert row.answer[f.start : f.end] == f.text
            expected.append((number, f.kind, f.refusal, f.text, f.start, f.end))
    assert tables.findings.rows() == expected
    return tables


def _plain(name: str, value: Any) -> object:
    if not isinstance(value, tuple):
        return value
    return [part._asdict() if name == "response_claims" else part for part in value]


@pytest.mark.parametrize(
    ("answer", "numbers"),
    [
        ("6 [9]</think>7 [2]", 1),
        ("6</think>8</think>7", 1),
        ("no sign: 6, 7", 2),
        ("6</think>", 0),
        ("</think>7", 1),
        ("6</THINK>7", 2),
        ("6</think >7", 2),
        ("6\n</think>\r\n\n7\n8", 2),
        ("😀é 6</think>é😀 7", 1),
        ("[1</think>2]", 1),
        ("1</think>.5", 1),
        ("", 0),
    ],
)
def test_what_stands_before_the_last_sign_is_not_graded(answer: str, numbers: int) -> None:
    tables = assert_agreed([Row(answer, EVIDENCE)], SIGN)
    assert tables.verdicts["n_numbers"].to_list() == [numbers]


def test_offsets_are_those_of_the_whole_answer_and_so_is_the_digest() -> None:
    rows = [Row("6 é</think>7 [3] [1]", EVIDENCE), Row("7", EVIDENCE)]
    tables = assert_agreed(rows, SIGN)
    placed = tables.findings.select("row", "text", "start", "end").rows()
    assert placed == [(0, "7", 11, 12), (0, "[3]", 13, 16), (1, "7", 0, 1)]
    whole = pl.collect_all(evaluate(answers(rows).lazy()))[0]
    assert tables.verdicts["answer_digest"].equals(whole["answer_digest"])


@pytest.mark.parametrize("engine", ENGINES)
def test_annotations_of_the_reasoning_are_not_graded_either(engine: Engine) -> None:
    rows = [
        Row("[assert:year=1912] [assert:x</think>[assert:year=1911] 1911", EVIDENCE, BOOK, "q"),
        Row("[assert:year=1911]</think>[unsupported:x] [input:9] [assert:", None, BOOK, "q"),
        Row("[assert:year</think>=1911]", (), BOOK),
        Row("[assert:year=1</think>[assert:year=1911][assert:year=2]", EVIDENCE, BOOK, "q"),
    ]
    tables = assert_agreed(rows, SIGN, engine)
    assert tables.verdicts["passed"].to_list() == [True, False, False, False]
    assert tables.verdicts["n_annotations"].to_list() == [1, 2, 0, 2]


@pytest.mark.parametrize(
    ("sign", "answer", "kept"),
    [
        ("aa", "6aaa7", "7"),
        ("abab", "6ababab7", "7"),
        (".*", "6.*7 8", "7 8"),
        ("^$(?i)[x]\\d{2}", "6^$(?i)[x]\\d{2}7", "7"),
        (" ", "6 8 7", "7"),
        ("\n\n", "6\n\n\n7", "7"),
        ("<|final|>", "6<|final|>7", "7"),
        ("ü😀", "6ü😀7", "7"),
        ("u\u0308", "6ü7", "6ü7"),
        ("$1", "6$17", "7"),
    ],
)
def test_a_sign_is_looked_for_as_it_is_written(sign: str, answer: str, kept: str) -> None:
    frame = pl.DataFrame({"answer": [answer, None]}).with_columns(**final_answer(sign))
    assert frame.rows() == [(kept, len(answer) - len(kept)), (None, None)]
    assert_agreed([Row(answer, EVIDENCE)], sign)


PIECES = st.sampled_from(["a", "aa", "b", "7", "5", "[1]", "[3]", "é", "😀", "\n", "[assert:year="])


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(PIECES, max_size=12).map("".join), min_size=1, max_size=8),
    st.sampled_from(["a", "aa", "aba", "7", "5a", "[", "\n", "é"]),
)
def test_both_implementations_agree_on_any_text(texts: list[str], sign: str) -> None:
    assert_agreed([Row(text, EVIDENCE, BOOK) for text in texts], sign)
    assert_agreed([Row(text, EVIDENCE) for text in texts], sign)


def test_without_a_sign_nothing_changes() -> None:
    rows = [Row("6</think>7", EVIDENCE), Row("[assert:year=1911] 5", EVIDENCE, BOOK, "q")]
    values = agreed(rows)
    assert values.verdicts[0][VERDICT_COLUMNS.index("n_numbers") + 1] == 2
    tables = graded(rows, "never")
    assert tables.findings.rows() == values.findings
    assert tables.findings.columns == ["row", *(column.name for column in FOUND)]


def test_an_empty_sign_is_refused_by_both() -> None:
    with pytest.raises(ValueError, match="empty"):
        evaluate(answers([]).lazy(), graded_after="")
    with pytest.raises(ValueError, match="empty"):
        grade("x", [], graded_after="")


def test_no_final_answer_is_the_last_problem_and_only_where_one_is_required() -> None:
    rows = pl.LazyFrame(
        {
            "answer_id": ["a", "b", "c", "d"],
            "answer": ["6</think>7", "7", "long" * 9, None],
            "fixture_id": [None] * 4,
            "question_id": [None] * 4,
            "unreadable": [None] * 4,
            "repeated": [False] * 4,
            "n_passages": [0] * 4,
            "evidence_bytes": [0] * 4,
            "null_passage": [None] * 4,
            "missing_passage": [None] * 4,
            "position_gap": [False] * 4,
        },
        dict.fromkeys(("fixture_id", "question_id", "unreadable"), pl.String)
        | {"answer_id": pl.String, "answer": pl.String, "repeated": pl.Boolean}
        | dict.fromkeys(("n_passages", "evidence_bytes"), pl.Int64)
        | dict.fromkeys(("null_passage", "missing_passage"), pl.Int64)
        | {"position_gap": pl.Boolean},
    )
    problems = [
        judged_rows(rows, None, 20, sign).collect()["problem"].to_list() for sign in (SIGN, None)
    ]
    assert problems == [
        [None, "no_final_answer", "too_long", "null_answer"],
        [None, None, "too_long", "null_answer"],
    ]
