"""Every Unicode code point once, in each place where the rules look at single characters.

Sampling misses gaps in tables, so all 1,112,064 are tried, plane by plane, many to a text; whatever
one of them changes, a token, an offset or a normal form, changes a compared value.
"""

import gc
from collections.abc import Callable, Iterator
from functools import cache

import polars as pl
import pytest

from grounding.annotations import annotation_rows, malformed_rows
from grounding.digits import digit_values
from grounding.fixtures import BookFixture
from grounding.folding import casefold, normalise_value
from grounding.normal import normalised
from grounding.reference.spans import (
    annotations_in,
    citation_spans,
    is_malformed,
    malformed_spans,
    number_spans,
)
from grounding.tokens import ANNOTATION, marks, spans
from grounding.unicode16 import (
    WHITE_SPACE,
    case_folding,
    combining_classes,
    compositions,
    decompositions,
)
from tests.property.adversarial import LATER_MARKS
from tests.property.side_by_side import Row, differences, unlike

PLANES = pytest.mark.parametrize("plane", range(17))
BATCH = 256
KINDS = ("assert", "unsupported", "input")

# One or two letters of a prefix give way to the code point; each letter of the three does once.
LETTERS = [
    *("[{}ssert:", "[a{}sert:", "[a{}ert:", "[ass{}rt:", "[asse{}t:", "[asser{}:", "[assert{}"),
    *("[{}nsupported:", "[u{}supported:", "[uns{}pported:", "[unsu{}ported:", "[unsupp{}rted:"),
    *("[unsupporte{}:", "[{}nput:", "{}input:"),
]
PLACES = [
    f"[{kind}:"[:start] + "{}" + f"[{kind}:"[start + length :]
    for kind in KINDS
    for length in (0, 1, 2)
    for start in range(len(kind) + 3 - length)
]
"""Everywhere in a prefix: beside its letters, in the place of one, and in the place of two."""


@pytest.fixture(autouse=True)
def _without_garbage_collection() -> Iterator[None]:
    """Looking for cycles among millions of tuples, which hold none, takes a third of the time."""
    gc.disable()
    yield
    gc.enable()


def characters(plane: int) -> list[str]:
    points = range(plane << 16, (plane + 1) << 16)
    return [chr(point) for point in points if not 0xD800 <= point <= 0xDFFF]


@cache
def named() -> frozenset[str]:
    """What some table of the normal form names."""
    table = {*WHITE_SPACE, *case_folding(), *combining_classes(), *decompositions()}
    hangul = map(chr, [*range(0x1100, 0x1200), *range(0xAC00, 0xD7A4)])
    return frozenset(table.union("".join(compositions()), hangul))


@cache
def stirring() -> list[str]:
    """What some table or pattern treats apart, with neighbours, and what later versions assign."""
    syllables = set(map(chr, range(0xAC40, 0xD7A3)))
    table = {*named(), *digit_values(), *LATER_MARKS, *map(chr, range(0x180))} - syllables
    beyond = {chr(ord(character) + 1) for character in table}
    return sorted(c for c in table | beyond if not "\ud800" <= c <= "\udfff")


def texts(each: list[str], spelled: Callable[[str], str]) -> list[str]:
    starts = range(0, len(each), BATCH)
    return ["".join(map(spelled, each[start : start + BATCH])) for start in starts]


def answers(written: list[str], annotated: bool) -> pl.LazyFrame:
    columns = {"row": range(len(written)), "answer": written}
    frame = pl.LazyFrame(columns, {"row": pl.Int64, "answer": pl.String})
    return frame.with_columns(annotated=annotated, fixture_id=pl.lit("f"))


def test_together_the_planes_are_all_code_points() -> None:
    assert sum(len(characters(plane)) for plane in range(17)) == 1_112_064


@PLANES
def test_as_a_digit_or_separator_of_numbers_and_as_a_digit_of_markers(plane: int) -> None:
    each = characters(plane)
    # Between two ones a separator joins them and a digit stands in one token with them.
    written = texts(each, "1{}".format) + texts(each, "[{}]".format)
    frame = answers(written, annotated=False)
    marked = frame.with_columns(marks=marks(pl.col("answer"), pl.col("annotated")))
    got = marked.pipe(spans).select("row", "kind", "text", "start", "end").collect()
    wanted = []
    for row, text in enumerate(written):
        found = [("number", *span) for span in number_spans(text)]
        found += [("marker", *span) for span in citation_spans(text)]
        wanted += [(row, *span) for span in sorted(found, key=lambda span: span[2])]
    assert unlike(got.rows(), wanted) == []


@PLANES
def test_as_a_whole_value(plane: int) -> None:
    written = texts(characters(plane), "[input:{}]".format)
    got = answers(written, annotated=True).pipe(annotation_rows).sort("row", "start").collect()
    found = [(row, a) for row, text in enumerate(written) for a in annotations_in(text)]
    wanted = [(row, "f", *a.span, a.kind, a.id or None, a.value) for row, a in found]
    assert unlike(got.rows(), wanted) == []


@PLANES
def test_among_the_marks_of_a_value(plane: int) -> None:
    """U+0334 is of the lowest class: each other mark trades places with it; it composes with none.

    What no table of Unicode 16.0 names stays as it is, and stays where it is.
    """
    each, tables = characters(plane), named()
    still = texts([c for c in each if c not in tables], "{}\u0334".format)
    stirred = texts([c for c in each if c in tables], "{}\u0334".format)
    got = pl.select(normalised(pl.lit(pl.Series(still + stirred, dtype=pl.String)))).to_series()
    assert unlike(got.to_list(), still + list(map(normalise_value, stirred))) == []


@PLANES
@pytest.mark.parametrize("spelled", ["[assert:{}k=1]", "[unsupported:a{}]"])
def test_as_a_character_of_an_id(spelled: str, plane: int) -> None:
    each = characters(plane)
    written = pl.Series([spelled.replace("{}", character) for character in each])
    got = pl.Series(each).filter(written.str.contains(f"^(?:{ANNOTATION})$")).to_list()
    ids = [character for character in each if character.isascii()]
    assert got == [c for c in ids if _is_annotation(spelled.replace("{}", c))]


@PLANES
def test_as_a_letter_of_an_annotation_prefix(plane: int) -> None:
    """Only what folds to a letter of a prefix, or to a bracket or colon, can complete one."""
    each = characters(plane)
    letters = {*"".join(KINDS), *"[:"}
    able = [character for character in each if not letters.isdisjoint(casefold(character))]
    unable = sorted(set(each).difference(able))
    assert (
        answers(texts(unable, _spelled("".join(LETTERS))), annotated=True)
        .pipe(malformed_rows)
        .collect()
        .is_empty()
    )
    assert _malformed_differences(able, "".join(LETTERS)) == []


@pytest.mark.parametrize("place", PLACES)
def test_what_stirs_at_any_place_of_an_annotation_prefix(place: str) -> None:
    assert _malformed_differences(stirring(), place) == []


@pytest.mark.slow
@PLANES
def test_at_any_place_of_an_annotation_prefix(plane: int) -> None:
    assert _malformed_differences(characters(plane), "\n".join(PLACES)) == []


@pytest.mark.parametrize(
    "beside", ["\u0301", "\u0323", "\u0345", "a", "\u1100", "\u1161", " ", "\u03b1"]
)
def test_what_stirs_beside_each_other_and_beside_what_composes(beside: str) -> None:
    each = stirring()
    written = [
        text
        for character, other in zip(each, each[::-1], strict=True)
        for text in (f"{beside}{character}\u0301", f"{character}{beside}\u0323{other}{character}")
    ]
    got = pl.select(normalised(pl.lit(pl.Series(written)))).to_series()
    assert unlike(got.to_list(), [normalise_value(text) for text in written]) == []


def test_what_stirs_everywhere_in_an_answer() -> None:
    assert differences(_everywhere(stirring()))[:5] == []


@pytest.mark.slow
@PLANES
def test_everywhere_in_an_answer(plane: int) -> None:
    assert differences(_everywhere(characters(plane)))[:5] == []


def _malformed_differences(each: list[str], template: str) -> list[object]:
    """The malformed annotations that the two sides find in different places."""
    written = texts(each, _spelled(template))
    got = answers(written, annotated=True).pipe(malformed_rows).collect()
    wanted = []
    for row, text in enumerate(written):
        annotations = annotations_in(text)
        if is_malformed(text, annotations):
            wanted += [(row, *span) for span in malformed_spans(text, annotations)]
    return unlike(got.sort("row", "start").select("row", "text", "start", "end").rows(), wanted)


def _is_annotation(text: str) -> bool:
    return [annotation.span.text for annotation in annotations_in(text)] == [text]


def _spelled(template: str) -> Callable[[str], str]:
    return lambda character: template.replace("{}", character)


def _everywhere(each: list[str]) -> list[Row]:
    """Answers that hold a code point in every place at once, four code points to an answer."""
    book = BookFixture.build("book", {"a": ["1"], "k": ["\u00e5"], "s": ["ss"]}, ["i"])
    rows = []
    for start in range(0, len(each), 4):
        some = each[start : start + 4]
        answer = "".join(
            f"1{c}2[{c}][3{c}] {c}.{c},[assert:g{n}=A{c}{c} {c}z][input:{c}][unsupported:{c}]"
            f"[assert:a{c}=1][a{c}sert:k=\u030aA{c}][assert{c}b=2][{c}nput:{n}]{c}\n"
            for n, c in enumerate(some)
        )
        rows.append(Row(answer, (f"1{some[0]}2", "".join(some), "1 3 2"), book))
    return rows
