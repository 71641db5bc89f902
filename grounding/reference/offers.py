"""What the numbers of the evidence may be said to be: more than stands right beside them.

`5 to 10 mg` says mg of both numbers, `$5 and 6 million` says dollars and millions of both. An
answer may leave out what binds to a number, but not add to it or change it.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise

from grounding.folding import casefold, nfc, normalise_value
from grounding.reference.qualifiers import Occurrence, Qualifiers, occurrences
from grounding.reference.texts import Reading, is_word_character
from grounding.units import UnitTable

_B = "[ \t\u00a0\u202f\u2009\r\n*]"
_LINK = re.compile(
    rf"{_B}{{0,3}}[-–—~/×]{_B}{{0,3}}"
    rf"|{_B}{{1,3}}(?:x|to|through|and|or|đến|tới|và|hoặc|hay){_B}{{1,3}}"
    rf"|[,;]{_B}{{1,3}}(?:(?:and|or|và|hoặc|hay){_B}{{1,3}})?"
)
_LONGEST_LINK = 24


def offered(read: Reading, units: UnitTable) -> list[Occurrence]:
    """Every number of a passage, with what it shares with the numbers that it is linked to."""
    found = occurrences(read, units)
    linked = [_are_linked(read, one, other) for one, other in pairwise(found)]
    for at in range(len(linked) - 1, -1, -1):
        if linked[at]:
            found[at] = _with_tail(found[at], found[at + 1])
    for at, link in enumerate(linked):
        if link:
            found[at + 1] = _with_currency(found[at + 1], found[at])
    return found


def stated_scales(texts: Iterable[Reading], units: UnitTable) -> frozenset[str]:
    """The scales that passages state for whole tables, as `(in millions)`."""
    scales, phrase = _stated(units)
    return frozenset(
        scales[match[0]]
        for folded in (f" {normalise_value(read.text)} " for read in texts)
        for match in phrase.finditer(folded)
        if not is_word_character(folded[match.start() - 1])
        and not is_word_character(folded[match.end()])
    )


@cache
def _stated(units: UnitTable) -> tuple[dict[str, str], re.Pattern[str]]:
    """The phrases that state a scale, and a pattern of them all."""
    scales = {one.text: one.canonical for one in units.spellings() if one.kind == "stated"}
    longest_first = sorted(scales, key=len, reverse=True)
    return scales, re.compile("|".join(map(re.escape, longest_first)))


def is_compatible(answer: Qualifiers, evidence: Occurrence, stated: frozenset[str]) -> bool:
    """Whether an answer may say this of a number that stands in the evidence so.

    `stated` holds the scales of tables: a bare number may be in one of them.
    """
    says = evidence.says
    is_bare = says.scale is None and says.percent is None and not says.unit
    same_sign = answer.sign == says.sign or evidence.either_sign
    return (
        same_sign
        and answer.percent in (None, says.percent)
        and answer.currency in (None, says.currency)
        and answer.scale in (None, says.scale, *(stated if is_bare else ()))
        and answer.ordinal in (None, says.ordinal)
        and answer.unit in ((), *_units(evidence))
    )


def _units(evidence: Occurrence) -> Iterator[tuple[str, ...]]:
    """The unit as it stands, and without its last denominators that may be dropped."""
    unit = evidence.says.unit
    yield unit
    for dropped in range(1, evidence.droppable + 1):
        yield unit[:-dropped]


def _are_linked(read: Reading, one: Occurrence, other: Occurrence) -> bool:
    between = read.text[one.last : other.first]
    return len(between) <= _LONGEST_LINK and bool(_LINK.fullmatch(nfc(casefold(nfc(between)))))


def _with_tail(one: Occurrence, following: Occurrence) -> Occurrence:
    """A number with the scale and the unit of the number that it is linked to."""
    says, other = one.says, following.says
    if says.percent or says.unit or (says.currency and not one.prefixed) or says.ordinal:
        return one
    scale = says.scale or other.scale
    if one.prefixed:
        return replace(one, says=says._replace(scale=scale))
    currency = None if following.prefixed else other.currency
    shared = says._replace(percent=other.percent, currency=currency, scale=scale, unit=other.unit)
    return replace(one, says=shared, droppable=following.droppable)


def _with_currency(one: Occurrence, preceding: Occurrence) -> Occurrence:
    """A number with the currency that stands before the number that it is linked to."""
    says = one.says
    if says.currency or says.percent or says.unit or not preceding.prefixed:
        return one
    return replace(one, says=says._replace(currency=preceding.says.currency), prefixed=True)
