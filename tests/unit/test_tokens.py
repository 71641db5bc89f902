"""The expressions that read numbers, markers and annotations from a column of texts."""

import polars as pl
import pytest

from grounding.digits import ZEROS
from grounding.tokens import (
    INT64_MAX,
    citation_value,
    citations,
    marks,
    numbers,
    placed,
    spans,
)

MARKED = "1[2]3 and [input:4] [assert:a=5] 6[unsupported:7]8 [input:9"


def column(*texts: str | None) -> pl.DataFrame:
    return pl.DataFrame({"text": texts}, schema={"text": pl.String})


def numbers_of(text: str, annotated: bool = False) -> list[str]:
    got = column(text).select(numbers(marks(pl.col("text"), pl.lit(annotated)))).item()
    return list(got)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("4 - 6", ["4", "6"]),
        ("1.500.000,25", ["1.500.000,25"]),
        ("5.", ["5"]),
        (".5", ["5"]),
        ("1[2]3", ["1", "3"]),
        ("1.[2]3", ["1", "3"]),
        ("1.2.3", ["1.2.3"]),
        ("1..2", ["1", "2"]),
        ("1.,2", ["1", "2"]),
        ("1,2.3,", ["1,2.3"]),
        ("[1, 2]", ["1", "2"]),
        ("[1,2]", ["1,2"]),
        ("[[3]]", []),
        ("[3", ["3"]),
        ("3]", ["3"]),
        ("７,٥", ["７,٥"]),
        ("𝟗𝟗.9", ["𝟗𝟗.9"]),
        ("10²", ["10"]),
        ("½ ① Ⅷ 〇", []),
        ("1\0002", ["1", "2"]),
        ("1\n2", ["1", "2"]),
        ("", []),
    ],
)
def test_numbers(text: str, tokens: list[str]) -> None:
    assert numbers_of(text) == tokens


def test_annotations_hide_their_numbers_only_where_they_are_graded() -> None:
    assert numbers_of(MARKED, annotated=True) == ["1", "3", "6", "8", "9"]
    assert numbers_of(MARKED) == ["1", "3", "4", "5", "6", "7", "8", "9"]


def test_numbers_of_a_mixed_column_follow_the_flag_of_each_row() -> None:
    frame = pl.DataFrame(
        {"text": ["[input:4] 1", "[input:4] 1", None], "flag": [True, False, True]}
    )
    got = frame.select(numbers(marks(pl.col("text"), pl.col("flag")))).to_series()
    assert got.to_list() == [["1"], ["4", "1"], None]
    assert got.dtype == pl.List(pl.String)


def test_citations_are_the_values_that_digits_of_any_script_spell() -> None:
    texts = column("[007] [٣] [𝟙٢] [1, 2] [ 1 ] [x] [] [1][1]", "", None)
    got = texts.select(citations(marks(pl.col("text"), pl.lit(False)))).to_series()
    assert got.to_list() == [[7, 3, 12, 1, 1], [], None]
    assert got.dtype == pl.List(pl.Int64)


def test_an_annotation_is_no_citation() -> None:
    got = column(MARKED).select(citations(marks(pl.col("text"), pl.lit(True)))).item()
    assert got.to_list() == [2]


@pytest.mark.parametrize(
    ("digits", "value"),
    [
        ("0", 0),
        ("0" * 5_000, 0),
        ("0" * 5_000 + "12", 12),
        ("٠٠٣", 3),
        (str(INT64_MAX - 1), INT64_MAX - 1),
        (str(INT64_MAX), INT64_MAX),
        (str(INT64_MAX + 1), INT64_MAX),
        ("0" * 30 + str(INT64_MAX), INT64_MAX),
        (str(2**64 + 1), INT64_MAX),
        ("9" * 5_000, INT64_MAX),
    ],
)
def test_a_cited_value_beyond_int64_is_the_largest_int64(digits: str, value: int) -> None:
    assert column(f"[{digits}]").select(citation_value(pl.col("text"))).item() == value


def test_each_digit_of_each_script_has_its_value() -> None:
    markers = column(*(f"[{chr(zero + digit)}]" for zero in ZEROS for digit in range(10)))
    got = markers.select(citation_value(pl.col("text"))).to_series().to_list()
    assert got == list(range(10)) * len(ZEROS)


def test_spans_place_every_token_in_code_points() -> None:
    text = "😀1[2]\u0301[input:4] ５."
    frame = pl.LazyFrame({"row": [7, 8], "answer": [text, text], "annotated": [True, False]})
    marked = frame.with_columns(marks=marks(pl.col("answer"), pl.col("annotated")))
    got = marked.pipe(spans).select("row", "kind", "text", "start", "end").collect()
    tokens = [("number", "1", 1, 2), ("marker", "[2]", 2, 5)]
    end = ("number", "５", 16, 17)
    assert got.rows() == [
        *((7, *token) for token in (*tokens, ("annotation", "[input:4]", 6, 15), end)),
        *((8, *token) for token in (*tokens, ("number", "4", 13, 14), end)),
    ]
    assert all(text[start:end] == token for *_, token, start, end in got.rows())


def test_pieces_are_placed_end_to_end() -> None:
    pieces = [["ab", "", "😀"], [], ["c"]]
    got = pl.LazyFrame({"row": [0, 1, 2], "text": pieces}).pipe(placed).collect()
    rows = got.select("row", "text", "start", "end").rows()
    assert rows == [(0, "ab", 0, 2), (0, "", 2, 2), (0, "😀", 2, 3), (2, "c", 0, 1)]
