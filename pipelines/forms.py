"""What a written option may be: each function reads one form, or says what is wrong with it.

A value comes from a flag (a text) or from a job file (a text, number, list or table). The
functions raise `ValueError` with the reason, which may be empty where the form says it all.
"""

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

ROW = "row"
"""As a key: the file and row of an answer, where no column names it."""

_SIZE = re.compile(r"(?P<count>[0-9]{1,18})\s*(?P<unit>[KMGT]i?B|B|)", re.IGNORECASE)
_POWERS = {"": 0, "b": 0, "k": 1, "m": 2, "g": 3, "t": 4}
_MOST_BYTES = 2**63 - 1
_LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class Option:
    """What a field of the job accepts, in words, and what it decides.

    decides: `rows`, the published tables, so it is part of a run's identity; `job`, only which
    runs belong together; `place`, neither.
    several: whether its flag takes one value, is given again for each (`apart`), or takes them
    with `commas` between.
    table: the table of a job file that it stands in; the table's name is not repeated in the key.
    """

    wanted: str
    decides: Literal["rows", "job", "place"] = "place"
    several: Literal["no", "apart", "commas"] = "no"
    metavar: str | None = None
    table: str | None = None


def suggestion(word: str, allowed: Iterable[str]) -> str:
    """`; did you mean …?` where an allowed word is close, else nothing.

    >>> suggestion("anwser", ["answer", "evidence"])
    '; did you mean answer?'
    """
    close = get_close_matches(word, list(allowed), n=1)
    return f"; did you mean {close[0]}?" if close else ""


def shortened(text: str, most: int = 80) -> str:
    """The text, its middle left out where it is longer than `most` characters."""
    half = (most - 1) // 2
    return text if len(text) <= most else f"{text[:half]}…{text[-half:]}"


def path(value: object) -> str:
    """A path, as text."""
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    return _text(value)


def optional_path(value: object) -> str | None:
    """A path, or None for none."""
    return None if value is None else path(value)


def paths(value: object) -> tuple[str, ...]:
    """One path, or a list of them."""
    if isinstance(value, str | os.PathLike):
        return (path(value),)
    return tuple(path(item) for item in items(value))


def run_name(value: object) -> str | None:
    """A name that is printed and compared, never parsed: printable and not endless."""
    if value is None:
        return None
    name = _text(value)
    if name != name.strip() or not name.isprintable() or len(name) > _LONGEST_NAME:
        raise ValueError(
            f"printable, without white space around it, and of at most {_LONGEST_NAME} characters"
        )
    return name


def column_names(value: object) -> tuple[str, ...]:
    """A list of column names, or a text of them with commas between; an empty text is none."""
    if value == "":
        return ()
    names = tuple(
        _text(item) for item in (_split(value) if isinstance(value, str) else items(value))
    )
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise ValueError(f"named twice: {', '.join(repeated)}")
    return names


def optional_column_names(value: object) -> tuple[str, ...] | None:
    """A list of column names, or None for all."""
    return None if value is None else column_names(value)


def key_columns(value: object) -> tuple[str, ...]:
    """The columns of a key: at least one, or `row` alone."""
    names = column_names(value)
    if not names:
        raise ValueError("at least one column")
    if ROW in names and len(names) > 1:
        raise ValueError(f"{ROW} means file and row, and stands alone")
    return names


def column_map(value: object) -> dict[str, str]:
    """Our column → theirs, from a table or a text: `answer=output,evidence=contexts`.

    What stands left of `=` may be any name: a carried column is renamed so.
    """
    given = pairs(value) if isinstance(value, str) else table(value)
    ours = [name for name, _ in given]
    theirs = [_text(name) for _, name in given]
    faults = [f"{name} is mapped twice" for name in sorted(set(ours)) if ours.count(name) > 1]
    faults += [
        f"{name!r} is read as two columns" for name in sorted(set(theirs)) if theirs.count(name) > 1
    ]
    if faults:
        raise ValueError("; ".join(faults))
    return dict(zip(ours, theirs, strict=True))


def count(value: object) -> int:
    """A number of at least 1.

    >>> count("2")
    2
    """
    text = value if isinstance(value, str) else str(value)
    if isinstance(value, bool) or not text.isascii() or not text.isdigit() or not int(text) > 0:
        raise ValueError
    return int(text)


def byte_count(value: object) -> int:
    """A number of bytes, or a text with a unit.

    >>> byte_count("256MiB") == byte_count(256 * 2**20)
    True
    >>> byte_count("1kB")
    1000
    """
    if isinstance(value, str):
        match = _SIZE.fullmatch(value.strip())
        if match is None:
            raise ValueError("digits, then B, KiB, MiB, GiB, TiB, kB, MB, GB or TB")
        unit = match["unit"].lower()
        base = 1024 if "i" in unit else 1000
        value = int(match["count"]) * base ** _POWERS[unit[:1]]
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= _MOST_BYTES:
        raise ValueError
    return value


def literal(value: object) -> str | None:
    """A text that is looked for as it is, or None for none."""
    text = None if value is None else _text(value)
    if text is not None and len(text) > _LONGEST_NAME:
        raise ValueError(f"of at most {_LONGEST_NAME} characters")
    return text


def _text(value: object) -> str:
    """A text that a file name and a column name can be: not empty, UTF-8, without NUL."""
    if not isinstance(value, str):
        raise ValueError(f"a text, not {type(value).__name__}")
    if value == "":
        raise ValueError("not an empty text")
    if "\0" in value:
        raise ValueError("without a NUL character")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ValueError("in UTF-8") from None
    return value


def items(value: object) -> tuple[object, ...]:
    """The items of a list."""
    if not isinstance(value, list | tuple):
        raise ValueError(f"a list, not {type(value).__name__}")
    return tuple(value)


def _split(text: str) -> list[str]:
    return [piece.strip() for piece in text.split(",")]


def pairs(text: str) -> list[tuple[str, str]]:
    """What stands left and right of `=`, of a text with commas between."""
    found = []
    for piece in _split(text):
        ours, equals, theirs = piece.partition("=")
        if not equals:
            raise ValueError(f"{piece!r} has no =")
        found.append((ours.strip(), theirs.strip()))
    return found


def table(value: object) -> list[tuple[str, object]]:
    """The keys and values of a table."""
    if not isinstance(value, dict):
        raise ValueError(f"a table, not {type(value).__name__}")
    return [(str(ours), theirs) for ours, theirs in value.items()]
