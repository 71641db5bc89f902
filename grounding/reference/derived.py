"""Whether a number can be worked out from two numbers of the evidence, in plain Python.

A sum, difference, product, ratio, percentage or percent change. Values are integers of
ten-thousandths: what is added or multiplied is exact, and what is divided is rounded to the
decimals of the number that is explained, half up.
"""

from collections.abc import Iterable, Iterator

from grounding.reference.items import Item
from grounding.reference.readings import decimals, digits, reading

OPERANDS = 64
DECIMALS = 4
DIGITS = 12
SIGNIFICANT = 3
SIGNIFICANT_RATIO = 4
_UNIT = 10_000

OPERATIONS = ("{} + {}", "{} - {}", "{} * {}", "{} / {}", "100 * {} / {}", "100 * ({} - {}) / {}")

_RATIOS = (3, 4)

Pair = tuple[Item, Item, int]
"""Two numbers of the evidence, and the place of an operation among `OPERATIONS`."""


def derivations(items: Iterable[Item], kept: int, *, ratios: bool) -> dict[int, Pair]:
    """All that two numbers of the evidence give, to so many decimals, with the first two.

    Without `ratios`, two numbers are not divided by each other: short ratios come about by chance.
    """
    readable: dict[int, Item] = {}
    for item in items:
        value = value_in_units(item.number)
        if value is not None and len(readable) < OPERANDS:
            readable.setdefault(value, item)
    operands = {value: item for value, item in readable.items() if tells_something(item.number)}
    found: dict[int, Pair] = {}
    for a, first in operands.items():
        for b, second in operands.items():
            if a != b:
                for operation, value in _results(a, b, kept):
                    if value not in found and (ratios or operation not in _RATIOS):
                        found[value] = first, second, operation
    return found


def derivation(pair: Pair) -> Item:
    """How a number is worked out, as text, where the first of the two stands."""
    a, b, operation = pair
    text = OPERATIONS[operation].format(a.text, b.text, b.text)
    return Item(a.passage, a.start, text, "derived", text)


def tells_something(number: str, least: int = SIGNIFICANT) -> bool:
    """Whether a number has so many digits that it hardly comes about by chance."""
    value = reading(number)
    if value is None or value_in_units(number) is None:
        return False
    significant = digits(number).lstrip("0")
    return len(significant if decimals(value) else significant.rstrip("0")) >= least


def value_in_units(number: str) -> int | None:
    """The value of a number in ten-thousandths, where it has one reading and few digits."""
    value = reading(number) if len(digits(number)) <= DIGITS else None
    if value is None or decimals(value) > DECIMALS:
        return None
    return int(value.scaleb(DECIMALS))


def _results(a: int, b: int, kept: int) -> Iterator[tuple[int, int]]:
    """What two values give, by operation. The sign of a difference goes."""
    yield 0, a + b
    yield 1, abs(a - b)
    if a * b % _UNIT == 0:
        yield 2, a * b // _UNIT
    if b:
        yield 3, _rounded(a, b, kept)
        yield 4, _rounded(100 * a, b, kept)
        yield 5, _rounded(100 * abs(a - b), b, kept)


def _rounded(above: int, below: int, kept: int) -> int:
    """A ratio in ten-thousandths, rounded half up to so many decimals."""
    steps: int = 10**kept
    return (2 * above * steps + below) // (2 * below) * (_UNIT // steps)
