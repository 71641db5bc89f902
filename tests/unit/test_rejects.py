"""Which rows cannot be graded, with the first problem that holds and what was found."""

from typing import Any

import polars as pl
import pytest

from grounding.evidence import nested_sizes
from grounding.fixtures import BookFixture, Question
from grounding.rejects import judged_rows
from grounding.truth import Truth
from tests.property.side_by_side import ENGINES, truth

SCHEMA = {
    "answer_id": pl.String(),
    "answer": pl.String(),
    "evidence": pl.List(pl.String()),
    "fixture_id": pl.String(),
    "question_id": pl.String(),
    "unreadable": pl.String(),
    "repeated": pl.Boolean(),
}
GOOD: dict[str, Any] = {"answer_id": "a", "answer": "x", "evidence": ["y"], "repeated": False}
BOOKS = truth(
    [
        BookFixture.build("asking", {"a": ["1"]}, questions=[Question("q1"), Question("q2")]),
        BookFixture.build("silent", {"a": ["1"]}),
        BookFixture.build("denying", {}, ["n"]),
    ]
)
NOT_READ = {"unreadable": "not JSON"}
NO_ID: dict[str, Any] = {"answer_id": None}
AGAIN = {"repeated": True}
NO_ANSWER: dict[str, Any] = {"answer": None}
NO_EVIDENCE: dict[str, Any] = {"evidence": None}
NO_PASSAGE = {"evidence": ["y", None, None]}
NO_FIXTURE = {"fixture_id": "nowhere"}
NO_QUESTION = {"fixture_id": "asking", "question_id": "q3"}
LONG = {"answer": "é" * 50, "evidence": ["z"]}


def judged(
    *changes: dict[str, Any], books: Truth | None = BOOKS, max_text: int = 100
) -> list[tuple[str | None, str | None]]:
    rows = pl.LazyFrame([GOOD | change for change in changes], SCHEMA)
    return (
        rows.pipe(nested_sizes)
        .pipe(judged_rows, books, max_text)
        .select("problem", "detail")
        .collect()
        .rows()
    )


@pytest.mark.parametrize(
    ("change", "problem", "detail"),
    [
        (NOT_READ, "unreadable_row", "not JSON"),
        (NO_ID, "null_answer_id", None),
        (AGAIN, "duplicate_answer_id", None),
        (NO_ANSWER, "null_answer", None),
        (NO_EVIDENCE, "null_evidence", None),
        (NO_PASSAGE, "null_passage", "passage 2"),
        (NO_FIXTURE, "unknown_fixture", "nowhere"),
        (NO_QUESTION, "unknown_question", "q3"),
        (LONG, "too_long", "101 bytes of text, the limit is 100"),
    ],
)
def test_each_problem(change: dict[str, Any], problem: str, detail: str | None) -> None:
    assert judged({}, change, {}) == [(None, None), (problem, detail), (None, None)]


def test_of_several_problems_the_first_in_order_counts() -> None:
    order = [NOT_READ, NO_ID, AGAIN, NO_ANSWER, NO_PASSAGE, NO_QUESTION]
    names = [judged(problem)[0] for problem in order]
    for first, name in enumerate(names):
        everything: dict[str, Any] = {"evidence": ["z" * 101]}
        for problem in reversed(order[first:]):
            everything |= problem
        assert judged(everything) == [name]


def test_a_row_may_be_as_long_as_the_limit_evidence_included() -> None:
    assert judged({"answer": "é" * 50, "evidence": []}) == [(None, None)]
    assert judged({"answer": "é" * 40, "evidence": ["z" * 20, ""]}) == [(None, None)]
    assert judged({"answer": "é" * 40, "evidence": ["z" * 20, "z"]})[0][0] == "too_long"
    assert (
        judged({"answer": "x" * 101, "evidence": None, "fixture_id": "silent"})[0][0] == "too_long"
    )


def test_empty_answers_passages_and_lists_are_graded() -> None:
    empty: list[dict[str, Any]] = [{"answer": ""}, {"evidence": []}, {"evidence": [""]}]
    assert judged(*empty) == [(None, None)] * 3


@pytest.mark.parametrize("fixture", ["asking", "silent", "denying"])
def test_evidence_may_be_missing_where_annotations_are_graded(fixture: str) -> None:
    assert judged(NO_EVIDENCE | {"fixture_id": fixture}) == [(None, None)]


def test_without_truth_a_fixture_is_a_name_like_any_other() -> None:
    rows = (NO_FIXTURE, NO_QUESTION, NO_EVIDENCE | {"fixture_id": "silent"})
    assert judged(*rows, books=None) == [(None, None), (None, None), ("null_evidence", None)]


def test_questions_are_looked_up_in_their_own_fixture_only() -> None:
    rows = [("asking", "q1"), ("asking", None), ("silent", "q9"), ("denying", "q1"), (None, "q9")]
    changes = [{"fixture_id": fixture, "question_id": question} for fixture, question in rows]
    assert judged(*changes) == [(None, None)] * 5


def test_ids_of_questions_and_fixtures_are_compared_as_they_are() -> None:
    rows = [("Asking", None), ("asking", "Q1"), ("asking ", None), ("asking", "")]
    changes = [{"fixture_id": fixture, "question_id": question} for fixture, question in rows]
    problems = ["unknown_fixture", "unknown_question", "unknown_fixture", "unknown_question"]
    assert [problem for problem, _ in judged(*changes)] == problems


def test_rows_come_back_as_they_came_each_once_and_in_order() -> None:
    changes = [
        {"answer_id": str(n), "fixture_id": "asking", "question_id": "q1"} for n in range(99)
    ]
    rows = pl.LazyFrame([GOOD | change for change in changes], SCHEMA)
    for engine in ENGINES:
        sized = rows.pipe(nested_sizes)
        got = judged_rows(sized, BOOKS, 100).collect(engine=engine)
        assert got.drop("problem", "detail").equals(sized.collect())


def test_no_rows_are_no_problem() -> None:
    assert (
        judged_rows(pl.LazyFrame(schema=SCHEMA).pipe(nested_sizes), BOOKS, 100).collect().is_empty()
    )
