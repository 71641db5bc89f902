"""What a limit of a gate may be: a count or a share, each exact.

The functions read what a flag (a text) or a job file (a number, text, list or table) says, or
raise `ValueError` with the reason. Nothing here is a float: 1 of 100 is 1%, and not about 1%.
"""

import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from grounding.causetable import CITATION_CAUSES, NUMBER_CAUSES
from grounding.policies import ADVICE_KINDS
from pipelines import forms

REASONS = ("ungrounded_number", "invalid_citation")
"""The reasons for which grounding refuses an answer."""

CAUSES = tuple(cause.name for cause in (*NUMBER_CAUSES, *CITATION_CAUSES))
"""Why a number or a citation of it was refused."""

_SHARE = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,9})?)\s*%")
_COUNT = re.compile(r"[0-9]{1,18}")
_MOST = 10**18


@dataclass(frozen=True, slots=True)
class Limit:
    """A count, or a share of a total (`1%` is 1/100)."""

    value: Fraction
    share: bool

    def of(self, total: int) -> Fraction:
        """How many it is, where there are `total`."""
        return self.value * total if self.share else self.value

    def __str__(self) -> str:
        if not self.share:
            return str(self.value)
        percent = self.value * 100  # a decimal fraction, since it was read from one
        return f"{Decimal(percent.numerator) / Decimal(percent.denominator):f}%"


def limit(value: object) -> Limit:
    """A count, or a share with its percent sign.

    >>> str(limit("0.50 %")), str(limit(10))
    ('0.5%', '10')
    """
    if isinstance(value, str) and (match := _SHARE.fullmatch(value.strip())):
        part = Fraction(match[1]) / 100
        if part > 1:
            raise ValueError("no more than 100%")
        return Limit(part, share=True)
    return Limit(Fraction(count_from_0(value)), share=False)


def optional_share(value: object) -> Limit | None:
    """A share with its percent sign, or None for none."""
    if value is None:
        return None
    if not isinstance(value, str) or not value.strip().endswith("%"):
        raise ValueError("with its percent sign")
    return limit(value)


def reason_limits(value: object) -> dict[str, Limit]:
    """Reason → limit, from a table or a text: `ungrounded_number=5%,invalid_citation=3`."""
    return _limits(value, "reason", REASONS)


def cause_limits(value: object) -> dict[str, Limit]:
    """Cause → limit, likewise: `separator_dropped=0,absent=2%`."""
    return _limits(value, "cause", CAUSES)


def advice_limits(value: object) -> dict[str, Limit]:
    """Kind of advice → limit, likewise: `qualifier_mismatch=1%`."""
    return _limits(value, "kind", ADVICE_KINDS)


def _limits(value: object, what: str, allowed: tuple[str, ...]) -> dict[str, Limit]:
    pairs = forms.pairs(value) if isinstance(value, str) else forms.table(value)
    limits: dict[str, Limit] = {}
    for name, given in pairs:
        if name not in allowed:
            raise ValueError(f"no {what} {name!r}; {what}s are: {', '.join(allowed)}")
        if name in limits:
            raise ValueError(f"{name} is given twice")
        try:
            limits[name] = limit(given)
        except ValueError as error:
            raise ValueError(f"{name}: {given!r}{f', {error}' if str(error) else ''}") from None
    return limits


def count_from_0(value: object) -> int:
    """A whole number, or the digits of one."""
    if isinstance(value, str) and _COUNT.fullmatch(value.strip()):
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < _MOST:
        raise ValueError
    return value


def optional_column(value: object) -> str | None:
    """The name of one column, whatever its characters, or None for none."""
    return None if value is None else forms.path(value)
