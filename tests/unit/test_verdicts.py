"""Grounding verdicts and refused tokens of whole columns (rule `strict/1`)."""

from typing import Any

import polars as pl
import pytest

from grounding.evidence import nested_evidence, unsupported_in_lists
from grounding.schema import names, polars_schema
from grounding.tokens import INT64_MAX
from grounding.verdicts import GROUNDING, REFUSED, answer_tokens, grounding_verdicts, refused_tokens

BLOCK = (*GROUNDING, *REFUSED)
Passages = list[str] | None

SCHEMA = {
    "row": pl.Int64(),
    "answer": pl.String(),
    "evidence": pl.List(pl.String()),
    "annotated": pl.Boolean(),
}


def frame(*rows: tuple[str, Passages], annotated: bool = False) -> pl.LazyFrame:
    numbered = [(n, answer, passages, annotated) for n, (answer, passages) in enumerate(rows)]
    return pl.LazyFrame(numbered, SCHEMA, orient="row")


def held(*rows: tuple[str, Passages], annotated: bool = False) -> pl.LazyFrame:
    answers = frame(*rows, annotated=annotated).pipe(nested_evidence)
    return answers.pipe(answer_tokens).pipe(unsupported_in_lists)


def graded(*rows: tuple[str, Passages], annotated: bool = False) -> list[dict[str, Any]]:
    tokens = held(*rows, annotated=annotated)
    verdicts = grounding_verdicts(tokens, refused_tokens(tokens))
    table = verdicts.select("row", *names(BLOCK)).collect()
    assert table.schema == pl.Schema({"row": pl.Int64(), **polars_schema(BLOCK)})
    return table.to_dicts()


def refused(answer: str, passages: list[str]) -> list[tuple[Any, ...]]:
    table = refused_tokens(held((answer, passages))).collect()
    assert table.columns == ["row", "kind", "text", "value", "start", "end"]
    return table.drop("row").sort("start").rows()


def test_a_verdict_holds_what_was_refused_in_order_with_repeats() -> None:
    [verdict] = graded(("7,5 [2] 1 7.5 7,5 [0][1] [2]", ["7.5"]))
    assert verdict == {
        "row": 0,
        "n_passages": 1,
        "n_numbers": 4,
        "n_citations": 4,
        "grounded": False,
        "reason": "ungrounded_number",
        "unsupported_numbers": ["7,5", "1", "7,5"],
        "invalid_citations": [2, 0, 2],
        "cited_indices": [1],
        "n_unsupported_numbers": 3,
        "n_invalid_citations": 3,
    }


@pytest.mark.parametrize(
    ("answer", "passages", "reason"),
    [
        ("", [], "grounded"),
        ("none", [], "grounded"),
        ("5", [], "ungrounded_number"),
        ("5", ["", ""], "ungrounded_number"),
        ("[1]", [], "invalid_citation"),
        ("[1]", [""], "grounded"),
        ("[0]", [""], "invalid_citation"),
        ("5 [9]", ["5"], "invalid_citation"),
        ("6 [9]", ["5"], "ungrounded_number"),
        ("5", ["[5]"], "ungrounded_number"),
        ("12", ["1", "2"], "ungrounded_number"),
        ("1.500", ["1500", "1,500", "1.5"], "ungrounded_number"),
        ("7", ["７"], "ungrounded_number"),
        ("07", ["7"], "ungrounded_number"),
        ("2", ["1.2", "2,3", "[2]"], "ungrounded_number"),
    ],
)
def test_the_reason_is_the_first_that_holds(answer: str, passages: list[str], reason: str) -> None:
    [verdict] = graded((answer, passages))
    assert verdict["reason"] == reason
    assert verdict["grounded"] == (reason == "grounded")


def test_answers_without_evidence_have_no_verdict_and_an_empty_list_is_evidence() -> None:
    without, empty, nothing, vacuous = graded(("5 [1]", None), ("5", []), ("", None), ("", []))
    for verdict, row in ((without, 0), (nothing, 2)):
        assert verdict == {"row": row, **dict.fromkeys(names(BLOCK))}
    assert (empty["n_passages"], empty["reason"]) == (0, "ungrounded_number")
    assert (vacuous["n_passages"], vacuous["reason"]) == (0, "grounded")


def test_cited_indices_are_distinct_ascending_and_valid() -> None:
    [verdict] = graded(("[3][1][03][٢][4][1]", ["a", "b", "c"]))
    assert verdict["cited_indices"] == [1, 2, 3]
    assert verdict["invalid_citations"] == [4]
    assert verdict["n_citations"] == 6


def test_a_citation_beyond_int64_is_stored_as_the_largest_and_spelled_out_as_a_finding() -> None:
    large = [f"[{digits}]" for digits in (str(INT64_MAX), str(INT64_MAX + 1), "9" * 5_000)]
    [verdict] = graded(("".join(large), ["a"]))
    assert verdict["invalid_citations"] == [INT64_MAX] * 3
    found = refused("".join(large), ["a"])
    assert [text for _, text, *_ in found] == large
    assert [value for _, _, value, *_ in found] == [INT64_MAX] * 3


def test_refused_tokens_have_their_places_in_code_points() -> None:
    assert refused("😀 7,5 [9] 7,5", ["75"]) == [
        ("ungrounded_number", "7,5", None, 2, 5),
        ("invalid_citation", "[9]", 9, 6, 9),
        ("ungrounded_number", "7,5", None, 10, 13),
    ]


def test_annotations_count_as_prose_where_they_are_not_graded() -> None:
    answer: tuple[str, Passages] = ("[assert:year=1911] [input:7] 5", ["5"])
    assert graded(answer)[0]["unsupported_numbers"] == ["1911", "7"]
    assert graded(answer, annotated=True)[0]["unsupported_numbers"] == []
