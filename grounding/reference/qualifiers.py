"""What binds to a number in a text: its sign, currency, scale, percent sign, ordinal and unit.

`-$5 million per year` is one number with a sign, a currency, a scale and a denominator. The table
of units says which words these are; this module says where they stand.
"""

import re
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from grounding.folding import casefold, nfc
from grounding.reference.spans import number_spans
from grounding.reference.texts import (
    DIGITS,
    Reading,
    is_word_character,
    spelling_at,
)
from grounding.unicode16 import WHITE_SPACE
from grounding.units import DIMENSIONS, Spelling, UnitTable

_SIGNS = frozenset("-\u2212\ufe63\uff0d")
_BEFORE_A_SIGN = frozenset("([{\"'“‘«‹「『=<>≤≥~≈±:|*_`" + WHITE_SPACE)
_CURRENCY = frozenset({"currency"})
_UNIT = frozenset(DIMENSIONS)
_MEASURE = _UNIT | {"percent", "currency"}
_ORDINAL = re.compile("[sS][tT]|[nN][dD]|[rR][dD]|[tT][hH]")
_OF = re.compile("[oO][fF][ \t\u00a0\u202f\u2009\r\n*]")
_MONTH = frozenset({"month"})
_LONGEST_MONTH = 9
_LONGEST_ORDINAL = 5
"""Code points of `thứ`, however it is composed."""
_ASIDE = re.compile(r"\)|[ \u00a0]?\([^()\n]{0,40}\)")
_MOST_DENOMINATORS = 3


class Qualifiers(NamedTuple):
    """What binds to one number; None where nothing of its kind does."""

    sign: str | None = None
    percent: str | None = None
    currency: str | None = None
    scale: str | None = None
    ordinal: str | None = None
    unit: tuple[str, ...] = ()
    """The numerator, empty if there is none, and the denominators."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One number token of a text. Places are those of what is read."""

    token: str
    first: int
    """Where its qualifiers begin."""
    last: int
    """Where they end."""
    says: Qualifiers
    prefixed: bool
    """Its currency stands before it."""
    either_sign: bool
    """To be read with a sign and without: `(5)` in accounts, `4 -6`."""
    droppable: int
    """How many of its last denominators are times or doses, joined by a word."""


def occurrences(read: Reading, units: UnitTable) -> list[Occurrence]:
    """Every number token of a text with what binds to it, in order."""
    return [
        _occurrence(read, units, number.text, number.start, number.end)
        for number in number_spans(read.text)
    ]


def _occurrence(read: Reading, units: UnitTable, token: str, start: int, end: int) -> Occurrence:
    first, sign, currency, doubtful = _before(read, units, start)
    thus = _counted(read, start)
    tail = _after(read, units, end, prefixed=currency is not None)
    if tail.is_ordinal and _is_day(read, units, start, tail.end):
        tail = _Tail(end)
    says = Qualifiers(
        sign=sign,
        percent=tail.percent,
        currency=currency or tail.currency,
        scale=tail.scale,
        ordinal="ordinal" if tail.is_ordinal or thus < start else None,
        unit=tail.unit,
    )
    bracketed = read.at(first - 1) == "(" and (
        read.at(end) == ")" or (tail.percent is not None and read.at(tail.end) == ")")
    )
    return Occurrence(
        token=token,
        first=min(first, thus),
        last=tail.end,
        says=says,
        prefixed=currency is not None,
        either_sign=doubtful or bracketed,
        droppable=tail.droppable,
    )


def _before(
    read: Reading, units: UnitTable, start: int
) -> tuple[int, str | None, str | None, bool]:
    """What binds from the left: where it begins, sign, currency, whether the sign is doubtful."""
    if read.at(start - 1) in _SIGNS:
        if symbol := _symbol_before(read, units, start - 1):
            return symbol[0], "-", symbol[1], False
        sign, doubtful = _sign(read, start - 1)
        return start - bool(sign), sign, None, doubtful
    symbol = _symbol_before(read, units, start)
    if symbol is None and read.at(start - 1) and read.at(start - 1) in read.blanks:
        symbol = _symbol_before(read, units, start - 1)
        if symbol and read.at(symbol[0] - 1) in DIGITS:
            symbol = None
    if symbol is None:
        return start, None, None, False
    opening, currency = symbol
    sign, doubtful = _sign(read, opening - 1) if read.at(opening - 1) in _SIGNS else (None, False)
    return opening - bool(sign), sign, currency, doubtful


def _symbol_before(read: Reading, units: UnitTable, end: int) -> tuple[int, str] | None:
    """The longest currency symbol that ends at a place: where it opens, and what it means."""
    sizes = _sizes_by_last_character(units).get(read.at(end - 1), ())
    for start in (end - size for size in sizes if size <= end):
        for one in units.symbols.get(nfc(read.text[start:end]), ()):
            goes_on = is_word_character(read.text[start]) and is_word_character(read.at(start - 1))
            if one.kind == "currency" and not goes_on:
                return start, one.canonical
    return None


@cache
def _sizes_by_last_character(units: UnitTable) -> dict[str, list[int]]:
    """The lengths of currency symbols by the character that they end in, the longest first."""
    sizes: dict[str, set[int]] = {}
    for one in units.spellings():
        if one.kind == "currency" and one.is_symbol:
            sizes.setdefault(one.text[-1], set()).add(len(one.text))
    return {last: sorted(found, reverse=True) for last, found in sizes.items()}


def _sign(read: Reading, place: int) -> tuple[str | None, bool]:
    """The sign that a minus is at its place, and whether it may as well be a dash in a range."""
    if place and read.at(place - 1) not in _BEFORE_A_SIGN:
        return None, False
    before = read.before_blanks(place)
    if before < place and read.at(before - 1) in DIGITS:
        return None, True
    return "-", False


def _counted(read: Reading, start: int) -> int:
    """Where a `thứ` before a number opens, which makes it an ordinal; else where that does."""
    end = read.before_blanks(start)
    for opening in range(max(0, end - _LONGEST_ORDINAL), end) if end < start else ():
        if nfc(casefold(nfc(read.text[opening:end]))) == "thứ":
            return start if is_word_character(read.at(opening - 1)) else opening
    return start


def _is_day(read: Reading, units: UnitTable, start: int, end: int) -> bool:
    """Whether an ordinal is the day of a month: `August 13th`, `13th of August`."""
    before = read.before_blanks(start)
    if before < start and any(
        one.kind == "month"
        for opening in range(max(0, before - _LONGEST_MONTH), before)
        if not is_word_character(read.at(opening - 1))
        for one in units.listed(read.text[opening:before])
    ):
        return True
    after = read.after_blanks(end)
    if _OF.match(read.text, after):
        after = read.after_blanks(after + 2)
    return after > end and spelling_at(read, after, units, _MONTH) is not None


class _Tail(NamedTuple):
    """What binds from the right, and where it ends."""

    end: int
    is_ordinal: bool = False
    scale: str | None = None
    percent: str | None = None
    currency: str | None = None
    unit: tuple[str, ...] = ()
    droppable: int = 0
    """How many of the last denominators are times or doses, joined by a word."""


def _after(read: Reading, units: UnitTable, end: int, *, prefixed: bool) -> _Tail:
    if _ORDINAL.match(read.text, end) and not is_word_character(read.at(end + 2)):
        return _Tail(end + 2, is_ordinal=True)
    scales = frozenset({"scale", "money_scale"} if prefixed else {"scale"})
    scale, at = _next(read, units, end, scales)
    closed = read.is_evidence and read.at(at) == ")"
    measure, at = _next(read, units, at, _MEASURE)
    if measure is None and closed:  # a loss in accounts: `(5.2)%`
        measure, behind = _next(read, units, at + 1, frozenset({"percent"}))
        at = behind if measure else at
    numerator = measure.canonical if measure and measure.kind in _UNIT else ""
    bound = prefixed or scale is not None or measure is not None
    denominators, droppable, at = _denominators(read, units, at, bound=bound)
    return _Tail(
        at,
        scale=scale.canonical if scale else None,
        percent=measure.canonical if measure and measure.kind == "percent" else None,
        currency=measure.canonical if measure and measure.kind == "currency" else None,
        unit=(*numerator.split("/"), *denominators) if numerator or denominators else (),
        droppable=droppable,
    )


def _next(
    read: Reading, units: UnitTable, at: int, kinds: frozenset[str]
) -> tuple[Spelling | None, int]:
    """The spelling that follows a place behind a gap, and where it ends; else just the place."""
    start = read.after_gap(at)
    return spelling_at(read, start, units, kinds, gap=start > at) or (None, at)


def _denominators(
    read: Reading, units: UnitTable, at: int, *, bound: bool
) -> tuple[list[str], int, int]:
    """The denominators from a place on, how many of the last may be dropped, where they end."""
    found: list[str] = []
    droppable = 0
    while len(found) < _MOST_DENOMINATORS:
        aside = _ASIDE.match(read.text, at) if read.is_evidence else None
        place = aside.end() if aside else at
        if over := _over(read, units, place):
            in_words = False
        elif over := _per(read, units, place, bound=bound):
            in_words = True
        else:
            break
        unit, at = over
        loose = in_words and units.dimensions.get(unit) in ("time", "dose")
        droppable = droppable + 1 if loose else 0
        found += unit.split("/")
    return found, droppable, at


def _over(read: Reading, units: UnitTable, at: int) -> tuple[str, int] | None:
    """The unit behind a slash, with at most one blank on either side."""
    slash = at + _is_blank(read, at)
    if read.at(slash) != "/":
        return None
    unit = spelling_at(read, slash + 1 + _is_blank(read, slash + 1), units, _UNIT)
    return (unit[0].canonical, unit[1]) if unit else None


def _per(read: Reading, units: UnitTable, at: int, *, bound: bool) -> tuple[str, int] | None:
    """The unit behind `per`; where something is bound, also behind an article or as an adverb."""
    start = read.after_blanks(at)
    joints = frozenset({"per", "article", "adverb"} if bound else {"per"})
    joint = spelling_at(read, start, units, joints) if start > at else None
    if joint is None or joint[0].kind == "adverb":
        return joint and (joint[0].canonical, joint[1])
    unit_start = read.after_blanks(joint[1])
    unit = spelling_at(read, unit_start, units, _UNIT) if unit_start > joint[1] else None
    return (unit[0].canonical, unit[1]) if unit else None


def _is_blank(read: Reading, place: int) -> bool:
    return bool(read.at(place)) and read.at(place) in read.blanks
