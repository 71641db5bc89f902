"""What a number token may be read as, in plain Python.

The verdict never reads a number; only its explanation does. A token is its digits in groups, with
separators between, and whether a separator groups thousands or opens a fraction is often not to
be known: `1.500` is 1500 or 1.5. Tokens are of any length, so digits are compared as text, and
`Decimal` holds values, exactly: no sum is done on more than a few digits.
"""

import re
from decimal import Decimal
from functools import lru_cache

from grounding.digits import digit_values

_TO_ASCII = str.maketrans(digit_values())
_SEPARATOR = re.compile("[.,]")

_AT_HAND = 16
"""Tokens whose parts are kept at hand: one token is looked at for one cause after another."""


def ascii_digits(token: str) -> str:
    """The token with each digit as the ASCII digit of its value; separators stay.

    >>> ascii_digits("٧,٥")
    '7,5'
    """
    return token if token.isascii() else token.translate(_TO_ASCII)


@lru_cache(_AT_HAND)
def groups(token: str) -> tuple[str, ...]:
    """The runs of digits of a token.

    >>> groups("1.500,25")
    ('1', '500', '25')
    """
    return tuple(_SEPARATOR.split(ascii_digits(token)))


def separators(token: str) -> tuple[str, ...]:
    """What stands between the groups of a token."""
    return tuple(_SEPARATOR.findall(token))


def digits(token: str) -> str:
    """The digits of a token without its separators."""
    return "".join(groups(token))


def mantissa(token: str) -> str:
    """The digits of a token from the first that is not zero to the last.

    >>> mantissa("0,0350")
    '35'
    """
    return digits(token).strip("0")


def grouped(token: str) -> bool:
    """Whether all separators of a token can group thousands: alike, before three digits each.

    >>> [grouped(token) for token in ("1.500", "1,500,000", "1.5", "1.500,000", "12")]
    [True, True, False, False, False]
    """
    first, *rest = groups(token)
    alike = len(set(separators(token))) == 1
    return alike and len(first) <= 3 and all(len(group) == 3 for group in rest)


def grouped_fraction(token: str) -> bool:
    """Whether thousands are grouped by one separator, and a fraction opened by the other.

    >>> [grouped_fraction(token) for token in ("1.500,25", "1.500.25", "1,50.25", "1500,25")]
    [True, False, False, False]
    """
    *before, last = separators(token) or ("",)
    first, *middle = groups(token)[:-1] or ("",)
    alike = len(set(before)) == 1 and last not in before
    return alike and len(first) <= 3 and all(len(group) == 3 for group in middle)


@lru_cache(_AT_HAND)
def readings(token: str) -> tuple[Decimal, ...]:
    """The values that a token may have: none, one, or two.

    >>> readings("1.500")
    (Decimal('1.500'), Decimal('1500'))
    >>> readings("0.500"), readings("1.2.3")
    ((Decimal('0.500'),), ())
    """
    parts = groups(token)
    if len(parts) == 1:
        return (Decimal(parts[0]),)
    if len(parts) == 2:
        decimal = Decimal(".".join(parts))
        thousands = grouped(token) and parts[0][0] != "0"
        return (decimal, Decimal("".join(parts))) if thousands else (decimal,)
    if grouped(token):
        return (Decimal("".join(parts)),)
    if grouped_fraction(token):
        return (Decimal("".join(parts[:-1]) + "." + parts[-1]),)
    return ()


def reading(token: str) -> Decimal | None:
    """The value of a token, where there is but one.

    >>> reading("2,75"), reading("1.500")
    (Decimal('2.75'), None)
    """
    values = readings(token)
    return values[0] if len(values) == 1 else None


def decimals(value: Decimal) -> int:
    """How many digits the fraction of a reading has, as it was written."""
    exponent = value.as_tuple().exponent
    assert isinstance(exponent, int), "a reading is finite"
    return -exponent


def unpadded(token: str) -> str:
    """The token without leading zeros, and without the trailing zeros of its fraction.

    Separators stay as they are. Three digits after a single separator may be no fraction.

    >>> [unpadded(token) for token in ("04", "7.0", "7.50", "1.500", "1.500,00")]
    ['4', '7', '7.5', '1.500', '1.500']
    """
    parts, between = list(groups(token)), separators(token)
    parts[0] = parts[0].lstrip("0") or "0"
    if (len(parts) == 2 and len(parts[1]) != 3) or grouped_fraction(token):
        parts[-1] = parts[-1].rstrip("0")
    text = parts[0] + "".join(a + b for a, b in zip(between, parts[1:], strict=True))
    return text.rstrip(".,")


def ungrouped(token: str) -> str | None:
    """The token without the separators that group its thousands, where it can be written so.

    >>> [ungrouped(token) for token in ("40.000", "1,234,567.5", "4000.5", "1.2.3")]
    ['40000', '1234567.5', '4000.5', None]
    """
    if grouped(token):
        return digits(token)
    parts, between = groups(token), separators(token)
    if len(parts) <= 2:
        return ascii_digits(token)
    return "".join(parts[:-1]) + between[-1] + parts[-1] if grouped_fraction(token) else None
