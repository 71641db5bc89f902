"""What a job may expect of its input: a range of rows, values of a column.

The functions read what a flag or a job file says, or raise `ValueError` with the reason.
"""

import re
from dataclasses import dataclass

from pipelines import forms
from pipelines.limits import count_from_0

_ROWS = re.compile(r"(?P<exact>=\s*)?(?P<least>[0-9]{1,18})(?:\s*(?P<to>\.\.)\s*(?P<most>[0-9]*))?")


@dataclass(frozen=True, slots=True)
class RowRange:
    """How many rows are expected: from `least` to `most`, both included, or without an end."""

    least: int
    most: int | None = None

    def __contains__(self, rows: int) -> bool:
        return self.least <= rows and (self.most is None or rows <= self.most)

    def __str__(self) -> str:
        if self.least == self.most:
            return f"={self.least}"
        return f"{self.least}..{'' if self.most is None else self.most}"


def optional_row_range(value: object) -> RowRange | None:
    """At least so many rows, exactly so many, or from so many to so many; None for any.

    >>> [str(optional_row_range(written)) for written in (1000, "=1000", "1000..2000", "5..")]
    ['1000..', '=1000', '1000..2000', '5..']
    """
    if value is None:
        return None
    if not isinstance(value, str):
        return RowRange(count_from_0(value))
    match = _ROWS.fullmatch(value.strip())
    if match is None or (match["exact"] and match["to"]):
        raise ValueError
    least = int(match["least"])
    most = least if match["exact"] else count_from_0(match["most"]) if match["most"] else None
    if most is not None and most < least:
        raise ValueError("from low to high")
    return RowRange(least, most)


def group_values(value: object) -> tuple[str, ...]:
    """One value of a column, or a list of them, as the text that they are published as."""
    given = (value,) if isinstance(value, str) else forms.items(value)
    values = tuple(map(_group_value, given))
    repeated = sorted({item for item in values if values.count(item) > 1})
    if repeated:
        raise ValueError(f"named twice: {', '.join(map(repr, repeated))}")
    return values


def _group_value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, str | int):
        raise ValueError(f"texts, whole numbers or booleans, not {type(value).__name__}")
    return str(value)
