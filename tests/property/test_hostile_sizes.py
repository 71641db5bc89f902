"""Texts that are large where it hurts: the right verdict, in time that grows with the text.

A hundred thousand pieces take well under a second of processor time; one quadratic step among
them takes many. Processor time is measured, so that a busy machine fails nothing.
"""

import time
from collections.abc import Callable

import pytest

from grounding.fixtures import BookFixture, Question
from tests.property.side_by_side import VERDICT_COLUMNS, Row, Values, referred, vectorised

MANY, SOME = 100_000, 3_000
SECONDS = 4
BOOK = BookFixture.build("book", {"a": ["1"], "f": ["7"]}, ["n"], [Question("q", None, ("a",))])


def grounded(answer: str, *passages: str) -> Row:
    return Row(answer, passages)


def graded(answer: str) -> Row:
    return Row(answer, ("1",), BOOK, "q")


def count(first: int, beyond: int) -> str:
    return " ".join(map(str, range(first, beyond)))


CASES: dict[str, Callable[[int], Row]] = {
    "numbers that a passage holds": lambda n: grounded(count(0, n), count(0, n)),
    "numbers that no passage holds": lambda n: grounded(count(0, n), count(n, 2 * n)),
    "numbers that as many passages hold": lambda n: grounded(count(0, n), *count(0, n).split()),
    "one number again and again": lambda n: grounded("7 " * n, "8 " * n),
    "the last of many passages": lambda n: grounded(f"[{n}][{n + 1}]", *["p"] * n),
    "each of many passages": lambda n: grounded(
        "".join(f"[{cited}]" for cited in range(n + 2)), *["p"] * n
    ),
    "citations": lambda n: grounded("[1][2]" * n, "p"),
    "digits of one number": lambda n: grounded("9" * n + " 5", "9" * n),
    "digits of one marker": lambda n: grounded(f"[{'9' * n}] [{'0' * n}1]", "p"),
    "numbers and markers of 5,000 digits": lambda n: grounded(
        f"{'9' * 5_000} [{'9' * 5_000}] [{'0' * 5_000}1] {'8' * 4_999}" * (n // 1_000),
        "9" * 5_000,
    ),
    "groups of one number": lambda n: grounded("1." * n + "1", "1." * n),
    "dots and no second digit": lambda n: grounded("1" + "." * n * 10, "1"),
    "brackets that open": lambda n: grounded("[" * n * 10, "[" * n),
    "brackets that open before a digit": lambda n: grounded("[1" * n, "1"),
    "digits after a bracket that never closes": lambda n: grounded("[" + "1" * n * 10, "1"),
    "NUL": lambda n: grounded("\0" * n * 10 + "1\0", "1\0"),
    "marks in a value": lambda n: graded("[input:q" + "\u0301\u0323" * n + "]"),
    "marks that Unicode 16 does not assign": lambda n: graded(
        "[assert:a=q" + "\u1acf\u0323" * n + "]"
    ),
    "jamo in a value": lambda n: graded("[input:" + "\u1100\u1161\u11a8" * n + "]"),
    "white space that never closes": lambda n: graded(f"[input:{' ' * n * 10}"),
    "white space and nothing else": lambda n: graded(f"[input:{' ' * n * 10}]"),
    "white space before brackets": lambda n: graded(f"[input:{' ' * n}" * 5),
    "a value that never closes": lambda n: graded(f"[input:{'x' * n * 10}"),
    "an id that never ends": lambda n: graded(f"[assert:{'a' * n * 10}"),
    "an id and a value that never close": lambda n: graded(f"[assert:{'a' * n}={'b' * n}"),
    "prefixes without an end": lambda n: graded("[assert:a=" * n),
    "prefixes that only full folding reads": lambda n: graded("[aßert:" * n),
    "prefixes and line ends": lambda n: graded("[input: \r" * n),
    "colons and equal signs": lambda n: graded(f"[assert:a={':=' * n}]"),
    "one fact again and again": lambda n: graded("[assert:a=1]" * n),
    "facts": lambda n: graded("".join(f"[assert:f{fact}=7]" for fact in range(n))),
    "inputs": lambda n: graded("[input:7]" * n),
    "negative facts": lambda n: graded("[unsupported:n]" * n),
}
LARGE = {
    "prose": ("word, and [word] word. ", 900_000, "grounded", 0),
    "one number": ("1", 20_000_000, "ungrounded_number", 1),
    "numbers in no ASCII": ("Bảy giờ ٣ 😀 ", 1_000_000, "grounded", 1_000_000),
    "broken annotations": (
        "[input :7] and some more prose [ ",
        600_000,
        "ungrounded_number",
        600_000,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_hundred_thousand_pieces_take_no_quadratic_time(name: str) -> None:
    rows = [CASES[name](MANY)]
    start = time.process_time()
    vectorised(rows)
    assert time.process_time() - start < SECONDS


@pytest.mark.parametrize("name", CASES)
def test_thousands_of_pieces_are_graded_as_by_the_reference(name: str) -> None:
    assert differing([CASES[name](SOME)]) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_a_hundred_thousand_pieces_are_graded_as_by_the_reference(name: str) -> None:
    assert differing([CASES[name](MANY)]) == []


@pytest.mark.parametrize("name", LARGE)
@pytest.mark.parametrize("book", [None, BOOK], ids=["prose", "annotated"])
def test_twenty_megabytes_get_their_verdict(name: str, book: BookFixture | None) -> None:
    piece, pieces, reason, n_numbers = LARGE[name]
    rows = [Row(piece * pieces, ("٣", "1"), book)]
    assert len(rows[0].answer.encode()) > 19_000_000
    said = dict(zip(["row", *VERDICT_COLUMNS], vectorised(rows).verdicts[0], strict=True))
    assert (said["reason"], said["n_numbers"]) == (reason, n_numbers)


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_twenty_megabytes_are_graded_as_by_the_reference(name: str) -> None:
    piece, pieces, *_ = LARGE[name]
    for book in (None, BOOK):
        assert differing([Row(piece * pieces, ("٣", "1"), book)]) == []


def differing(rows: list[Row]) -> list[str]:
    """The tables that differ; by name, since their texts would fill screens for hours."""
    tables = zip(Values._fields, vectorised(rows), referred(rows), strict=True)
    return [name for name, mine, other in tables if mine != other]
