"""Integers of any length, read and written.

Python refuses to turn more than 4,300 digits into an int, or back (a setting of the process
that a library must not touch), and its own way there takes quadratic time before 3.12. A
citation marker may be as long as it likes, so here a number is cut into pieces that are short
enough for any setting, and the pieces are joined in pairs, by few and large multiplications.
"""

from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal, Inexact, localcontext
from typing import TypeVar

_DIGITS = 640
"""Digits that Python converts under any setting: its limit cannot be set lower than this."""

_BYTES = 256
"""Bytes of an integer that spell at most 617 digits."""

_N = TypeVar("_N", int, Decimal)


class LongInteger(int):
    """An int of many digits that can be printed. It compares and counts like any other."""

    def __repr__(self) -> str:
        return decimal_digits(self)

    __str__ = __repr__


def integer(digits: str) -> int:
    """The integer that ASCII digits spell; it prints in full, however long it is.

    >>> integer("007")
    7
    >>> str(integer("9" * 5000)) == "9" * 5000
    True
    """
    significant = digits.lstrip("0") or "0"
    if len(significant) <= _DIGITS:
        return int(significant)
    ends = range(len(significant), 0, -_DIGITS)
    parts = [int(significant[max(0, end - _DIGITS) : end]) for end in ends]
    return LongInteger(_joined(parts, 10**_DIGITS))


def decimal_digits(value: int) -> str:
    """The decimal digits of an integer that is not negative, however many they are.

    >>> decimal_digits(10**5000) == "1" + "0" * 5000
    True
    """
    packed = value.to_bytes(value.bit_length() // 8 + 1, "little")
    if len(packed) <= _BYTES:
        return int.__repr__(value)
    starts = range(0, len(packed), _BYTES)
    parts = [Decimal(int.from_bytes(packed[at : at + _BYTES], "little")) for at in starts]
    # Decimal multiplies in nearly linear time, and its digits are decimal already.
    with localcontext(Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[Inexact])):
        return format(_joined(parts, Decimal(1 << 8 * _BYTES)), "f")


def _joined(parts: list[_N], base: _N) -> _N:
    """The number whose digits in `base` are `parts`, the least significant first."""
    while len(parts) > 1:
        pairs = zip(parts[::2], parts[1::2], strict=False)
        rest = parts[-1:] if len(parts) % 2 else []
        parts = [low + high * base for low, high in pairs] + rest
        if len(parts) > 1:
            base *= base
    return parts[0]
