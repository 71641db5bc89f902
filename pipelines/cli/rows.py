"""Rows of a query as text: a table to look at, or CSV, JSON and Markdown to go on with."""

import csv
import io
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import TYPE_CHECKING

from grounding.errors import JobError
from pipelines.cli.terminal import visible
from pipelines.forms import shortened

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

MOST_ROWS = 200
LONGEST_CELL = 120


class Format(StrEnum):
    """How rows are written."""

    table = "table"
    csv = "csv"
    json = "json"
    markdown = "markdown"


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a query and the names of their columns."""

    columns: Sequence[str]
    values: Sequence[Sequence[object]]


def as_csv(rows: Rows) -> str:
    """CSV with a header; null is an empty cell, a list or struct is JSON."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(rows.columns)
    writer.writerows([[_cell(value, null="") for value in row] for row in rows.values])
    return text.getvalue().removesuffix("\n")


def as_json(rows: Rows) -> str:
    """A JSON list with an object on each line."""
    if len(set(rows.columns)) < len(rows.columns):
        raise JobError("an object cannot hold two columns of one name: rename one with AS")
    lines = [
        json.dumps({name: _plain(value) for name, value in zip(rows.columns, row, strict=True)})
        for row in rows.values
    ]
    return "[" + ",\n ".join(lines) + "]"


def as_markdown(rows: Rows) -> str:
    """A Markdown table."""
    lines = [rows.columns, ["---"] * len(rows.columns)]
    lines += [[_cell(value) for value in row] for row in rows.values]
    return "\n".join(f"| {' | '.join(map(_markdown, line))} |" for line in lines)


TEXTS: Mapping[Format, Callable[[Rows], str]] = {
    Format.csv: as_csv,
    Format.json: as_json,
    Format.markdown: as_markdown,
}


def as_table(rows: Rows) -> "Table":
    """A table for the eye: its first rows, long cells cut, fractions rounded to four digits."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    for position, name in enumerate(rows.columns):
        numbers = all(_is_number(row[position]) for row in rows.values)
        table.add_column(Text(visible(name)), justify="right" if numbers else "left")
    for row in rows.values[:MOST_ROWS]:
        table.add_row(*(_seen(value) for value in row))
    return table


def _seen(value: object) -> "Text":
    from rich.text import Text

    shown = round(value, 4) if isinstance(value, float) else value
    return Text(visible(shortened(_cell(shown), LONGEST_CELL)), "dim" if value is None else "")


def _cell(value: object, null: str = "null") -> str:
    value = _plain(value)
    if value is None:
        return null
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else str(value)


def _plain(value: object) -> object:
    """The value in JSON types: whole decimals as integers, what JSON does not know as text."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, bool | int | str) else str(value)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | Decimal | None) and not isinstance(value, bool)


def _markdown(cell: str) -> str:
    return visible(cell).replace("\\", "\\\\").replace("|", "\\|")
