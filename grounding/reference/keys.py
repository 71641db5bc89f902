"""The causes that compare a number with the evidence by a key, as one table, in plain Python.

A cause holds for a number and a stretch of evidence that share a key and differ in their tag: two
numbers with the same groups of digits (key) but not the same text (tag) have other separators.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from decimal import ROUND_DOWN, ROUND_HALF_UP, Context, Decimal
from functools import cache
from typing import NamedTuple

from grounding.reference.derived import (
    SIGNIFICANT_RATIO,
    derivation,
    derivations,
    tells_something,
    value_in_units,
)
from grounding.reference.items import Item, cut_numbers, spelled_numbers, tokens
from grounding.reference.readings import (
    ascii_digits,
    decimals,
    digits,
    groups,
    mantissa,
    reading,
    readings,
    ungrouped,
    unpadded,
)

ROUNDED_DIGITS = 18
"""The most digits that a number has which is compared with its roundings."""

_EXACT = Context(prec=2 * ROUNDED_DIGITS)


class Key(NamedTuple):
    """A cause of the family KEY: which stretches of evidence, and their keys and tags."""

    items: Callable[[tuple[str, ...]], list[Item]]
    of_number: Callable[[str], Iterable[Hashable]]
    of_item: Callable[[Item], Iterable[Hashable]]
    tag: Callable[[str], object]


def _same(key: Callable[[str], Hashable], tag: Callable[[str], object]) -> Key:
    """A comparison with the tokens of the evidence by one and the same key."""
    return Key(tokens, lambda number: [key(number)], lambda item: [key(item.number)], tag)


def _none(_: str) -> object:
    """The tag of a comparison by keys alone: everything differs."""
    return object()


def _scaled(number: str) -> Iterator[str]:
    if mantissa(number) and readings(number):
        yield mantissa(number)


def _only_value(number: str) -> object:
    """The reading of a number; what has two readings differs from everything."""
    value = reading(number)
    return object() if value is None else value


def _tells_something(number: str) -> bool:
    """Whether a number has two significant digits: too many texts hold a `5.`-something."""
    return len(digits(number).lstrip("0")) > 1


def _rounded_sought(number: str) -> Iterator[Hashable]:
    """The values to look for: what the number is rounded to, and what is rounded to the number."""
    if _tells_something(number):
        yield from (("rounds to", kept, value) for kept, value in _as_written(number))
    yield from (("is", kept, value) for kept, value in _roundings(number))


def _rounded_offered(item: Item) -> Iterator[Hashable]:
    """The values to be found by. Two digits of evidence are no more precise in an answer."""
    yield from (("rounds to", kept, value) for kept, value in _roundings(item.number))
    for kept, value in _as_written(item.number):
        if len(digits(item.number).lstrip("0")) > (1 if kept else 2):
            yield "is", kept, value


def _as_written(number: str) -> Iterator[tuple[int, Decimal]]:
    value = reading(number) if len(digits(number)) <= ROUNDED_DIGITS else None
    if value is not None:
        yield decimals(value), value


def _roundings(number: str) -> Iterator[tuple[int, Decimal]]:
    """What fewer decimals make of a number, where it is another value."""
    for most, value in _as_written(number):
        for kept in range(most):
            for way in (ROUND_HALF_UP, ROUND_DOWN):
                rounded = value.quantize(Decimal(1).scaleb(-kept), rounding=way, context=_EXACT)
                if rounded != value:
                    yield kept, rounded


def _cut_keys(number: str) -> Iterator[Hashable]:
    yield "separators", ascii_digits(number)
    if (joined := ungrouped(number)) is not None:
        yield "spaces", joined


def _spelled_keys(number: str) -> Iterator[Hashable]:
    if len(groups(number)) == 1:
        yield ascii_digits(number)


def _whole(number: str) -> list[str]:
    whole = len(groups(number)) == 1 and _tells_something(number)
    return [ascii_digits(number)] if whole else []


def _ends(item: Item) -> list[str]:
    parts = groups(item.number)
    return [parts[0], parts[-1]] if len(parts) > 1 else []


KEY = {
    "digit_script": _same(ascii_digits, lambda number: number),
    "separator_swapped": _same(groups, ascii_digits),
    "separator_dropped": _same(digits, groups),
    "zero_padding": _same(unpadded, ascii_digits),
    "split_in_evidence": Key(cut_numbers, _cut_keys, lambda item: [(item.how, item.number)], _none),
    "number_word": Key(spelled_numbers, _spelled_keys, lambda item: [item.number], _none),
    "scale": Key(tokens, _scaled, lambda item: _scaled(item.number), _only_value),
    "precision": Key(tokens, _rounded_sought, _rounded_offered, _none),
    "part_of_longer": Key(tokens, _whole, _ends, _none),
}


class Evidence:
    """The passages of an answer, with what was found in them so far."""

    def __init__(self, passages: tuple[str, ...]) -> None:
        self._passages = passages
        self._items = cache(lambda find: find(passages))
        self._firsts = cache(self._first_items)
        self._derivations = cache(
            lambda kept, ratios: derivations(self._items(tokens), kept, ratios=ratios)
        )

    def nearest(self, cause: str, number: str) -> Item | None:
        """The first stretch of evidence for which a cause holds; None where it does not hold."""
        if cause == "derived":
            return self._derived(number)
        if cause not in KEY:
            return None
        row, firsts = KEY[cause], self._firsts(cause)
        tag = row.tag(number)
        found = [
            item
            for key in row.of_number(number)
            for other, item in firsts.get(key, ())
            if other != tag
        ]
        return min(found, default=None)

    def _derived(self, number: str) -> Item | None:
        value, units = reading(number), value_in_units(number)
        if value is None or units is None or not tells_something(number):
            return None
        ratios = tells_something(number, SIGNIFICANT_RATIO)
        pair = self._derivations(decimals(value), ratios).get(units)
        return None if pair is None else derivation(pair)

    def _first_items(self, cause: str) -> dict[Hashable, list[tuple[object, Item]]]:
        """For each key the first item, and the first whose tag is another."""
        row, found = KEY[cause], dict[Hashable, list[tuple[object, Item]]]()
        for item in self._items(row.items):
            for key in row.of_item(item):
                firsts = found.setdefault(key, [])
                if len(firsts) < 2:
                    tag = row.tag(item.number)
                    if not firsts or firsts[0][0] != tag:
                        firsts.append((tag, item))
        return found
