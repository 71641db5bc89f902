"""What evidence holds that a refused number may be compared with, in plain Python.

Its number tokens; numbers that it cuts in pieces, as `10, 000` and `40 000`; and numbers that it
spells in words. Each is a stretch of a passage as it was written.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from grounding.digits import digit_class
from grounding.folding import normalise_value
from grounding.letters import letter_class
from grounding.numberwords import number_words
from grounding.reference.readings import ascii_digits
from grounding.reference.spans import Span, number_spans

LETTER = letter_class()
DIGIT = digit_class()

_SPACE = "[ \u00a0\u202f\u2009]"
_CUT_BY_SPACE = re.compile(_SPACE)
_CUT_BY_BOTH = re.compile(f"[.,]{_SPACE}")
_FIRST_GROUPS = re.compile("[0-9]{1,3}(?:[.,][0-9]{3})*+")
_MORE_GROUPS = re.compile("[0-9]{3}(?:[.,][0-9]{3})*+")
_THREE_FIRST = re.compile("[0-9]{3}(?![0-9])")
_FRACTION = re.compile("[0-9]{3}[.,](?![0-9]{3}$)[0-9]+")

_IN_WORD = f"[{LETTER}\u0300-\u036f]"
_WORD = re.compile(f"{_IN_WORD}++(?:['\u2019]{_IN_WORD}++)*+")
_BLANKS = " \t\r\n\u00a0"
_JOINT = re.compile(f"[{_BLANKS}]++| ?[-\u2010\u2011] ?")
_IS_DIGIT = re.compile(f"[{DIGIT}]")
_IS_LETTER = re.compile(f"[{LETTER}]")


class Item(NamedTuple):
    """A stretch of a passage that writes a number.

    Passages count from 1, places in code points. `how` is token, words, or what cuts the number:
    separators or spaces.
    """

    passage: int
    start: int
    text: str
    how: str
    number: str


def tokens(passages: tuple[str, ...]) -> list[Item]:
    """The number tokens of the evidence, in order."""
    return [
        Item(position, span.start, span.text, "token", span.text)
        for position, passage in enumerate(passages, start=1)
        for span in number_spans(passage)
    ]


def cut_numbers(passages: tuple[str, ...]) -> list[Item]:
    """The numbers that evidence cuts, in order.

    >>> [(item.text, item.number) for item in cut_numbers(("10, 000 and 40 000.5 m",))]
    [('10, 000', '10,000'), ('40 000.5', '40000.5')]
    """
    found = []
    for position, passage in enumerate(passages, start=1):
        spans = number_spans(passage)
        for first, last in _after_separators(passage, spans):
            found.append(_cut(position, passage, spans[first], spans[last], "separators"))
        for first, last in _between_groups(passage, spans):
            found.append(_cut(position, passage, spans[first], spans[last], "spaces"))
    return sorted(found)


def _cut(position: int, passage: str, first: Span, last: Span, how: str) -> Item:
    text = passage[first.start : last.end]
    return Item(position, first.start, text, how, _CUT_BY_SPACE.sub("", ascii_digits(text)))


def _after_separators(passage: str, spans: tuple[Span, ...]) -> Iterator[tuple[int, int]]:
    """First and last span of each number that is cut after separators alone: `10, 000`."""
    last = -1
    for first, span in enumerate(spans):
        if first <= last or not _FIRST_GROUPS.fullmatch(ascii_digits(span.text)):
            continue
        last = first
        while (
            last + 1 < len(spans)
            and _CUT_BY_BOTH.fullmatch(passage, spans[last].end, spans[last + 1].start)
            and _MORE_GROUPS.fullmatch(ascii_digits(spans[last + 1].text))
        ):
            last += 1
        if last > first:
            yield first, last


def _between_groups(passage: str, spans: tuple[Span, ...]) -> Iterator[tuple[int, int]]:
    """First and last span of each number that spaces cut in groups of three: `40 000`.

    It opens a run of numbers with single spaces between, and no group of three may follow it:
    `1 234 567 8,912 345` is a row of a table.
    """
    after = 0
    while after < len(spans):
        first = after
        after = first + 1
        while after < len(spans) and _CUT_BY_SPACE.fullmatch(
            passage, spans[after - 1].end, spans[after].start
        ):
            after += 1
        parts = [ascii_digits(span.text) for span in spans[first:after]]
        size = _groups_of_three(parts)
        before = passage[spans[first].start - 1 : spans[first].start]
        follows = parts[size] if size < len(parts) else ""
        if size > 1 and not _THREE_FIRST.match(follows) and not _IS_LETTER.match(before):
            yield first, first + size - 1


def _groups_of_three(parts: list[str]) -> int:
    """How many parts of a run make one number: up to three digits, threes, then a fraction."""
    if not re.fullmatch("[0-9]{1,3}", parts[0]):
        return 0
    size = 1
    while size < len(parts) and re.fullmatch("[0-9]{3}", parts[size]):
        size += 1
    if size < len(parts) and _FRACTION.fullmatch(parts[size]):
        size += 1
    return size


def spelled_numbers(passages: tuple[str, ...]) -> list[Item]:
    """The numbers that evidence spells in words, in order: the longest runs of number words.

    >>> [(item.text, item.number) for item in spelled_numbers(("Two hundred of twenty-one",))]
    [('Two hundred', '200'), ('twenty-one', '21')]
    """
    table, found = number_words(), []
    for position, passage in enumerate(passages, start=1):
        for run in _runs(passage):
            run = _without_ends(run)
            if not run or _beside_a_digit(passage, run[0][0].start, run[-1][0].end):
                continue
            value = table.values.get(" ".join(folded for _, folded in run))
            if value is not None:
                start, end = run[0][0].start, run[-1][0].end
                found.append(Item(position, start, passage[start:end], "words", str(value)))
    return found


def _runs(passage: str) -> Iterator[list[tuple[Span, str]]]:
    """The words of a passage with their folded forms, those of one number together."""
    words = [(Span(m[0], *m.span()), normalise_value(m[0])) for m in _WORD.finditer(passage)]
    run = words[:1]
    for left, right in pairwise(words):
        if not _joined(passage, left, right):
            yield run
            run = []
        run.append(right)
    if run:
        yield run


def _joined(passage: str, left: tuple[Span, str], right: tuple[Span, str]) -> bool:
    """Whether two words next to each other are of one number."""
    table, pair = number_words(), (left[1], right[1])
    if left[1] not in table.followed or right[1] not in table.words:
        return False
    if not table.weak.isdisjoint(pair) and pair not in table.pairs:
        return False
    return _JOINT.fullmatch(passage, left[0].end, right[0].start) is not None


def _without_ends(run: list[tuple[Span, str]]) -> list[tuple[Span, str]]:
    """The run without everyday words at its ends that can't stand there: the `and` of `and six`."""
    table, first, end = number_words(), 0, len(run)
    while first < end and run[first][1] in table.weak - table.openers:
        first += 1
    while first < end and run[end - 1][1] in table.weak - table.closers:
        end -= 1
    return run[first:end]


def _beside_a_digit(passage: str, start: int, end: int) -> bool:
    """Whether a digit stands before or after a stretch, with nothing but blanks between."""
    while start > 0 and passage[start - 1] in _BLANKS:
        start -= 1
    while end < len(passage) and passage[end] in _BLANKS:
        end += 1
    beside = (passage[max(start - 1, 0) : start], passage[end : end + 1])
    return any(_IS_DIGIT.match(character) for character in beside)
