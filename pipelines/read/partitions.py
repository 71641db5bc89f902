"""Hive folders: `model=x/run=02a/` above a file are columns of it, whose values are texts.

Only folders below the path or glob that was given count, as they do for the name of a file. A
file that holds such a column too is read for what it holds, and must not contradict its folder.
"""

import re
from collections.abc import Iterator, Mapping
from urllib.parse import unquote

import polars as pl

from grounding.errors import InputError
from pipelines.forms import shortened
from pipelines.read.delimited import UNREADABLE
from pipelines.read.files import File
from pipelines.read.scan import at, free_name

_INTEGER = re.compile("-?[0-9]{1,40}")

NULL = "__HIVE_DEFAULT_PARTITION__"

Partitions = Mapping[str, str | None]
"""Column → its value in every row of a file."""


def partitions_of(file: File) -> Partitions:
    """The columns that the folders of a file name, in their order, unescaped.

    Raises: InputError where two folders name the same column, or a name cannot be read.
    """
    found: dict[str, str | None] = {}
    for folder in file.name.split("/")[:-1]:
        name, equals, value = folder.partition("=")
        if not name or not equals:
            continue
        try:
            column, text = unquote(name, errors="strict"), unquote(value, errors="strict")
        except UnicodeDecodeError as error:
            raise InputError(
                f"answers: {file.path}: the folder {folder!r} holds a %xx that is no UTF-8"
            ) from error
        if column in found or column == UNREADABLE:
            said = "names a column a second time" if column in found else "has a reserved name"
            raise InputError(f"answers: {file.path}: the folder {folder!r} {said}: rename it")
        found[column] = None if text == NULL else text
    return found


def with_partitions(rows: pl.LazyFrame, partitions: Partitions, held: pl.Schema) -> pl.LazyFrame:
    """The rows with the columns that only the folders name. `held`: the columns of the file."""
    return rows.with_columns(
        pl.lit(value, pl.String).alias(column)
        for column, value in partitions.items()
        if column not in held
    )


def contradictions(
    file: File, rows: pl.LazyFrame, partitions: Partitions, held: pl.Schema
) -> Iterator[str]:
    """A fault for each column of the file whose value is not that of its folder in some row.

    Every row is read, since statistics may be absent and a first row proves nothing. In: `rows`
    of the file that can be read.
    """
    for column, value in partitions.items():
        if column not in held:
            continue
        index = free_name("row", held)
        theirs = _text(at(column), held[column])
        differs = rows.with_row_index(index).select(index, theirs=theirs)
        differs = differs.filter(~_same(pl.col("theirs"), value, held[column]))
        first = differs.head(1).collect(engine="streaming")
        for row, got in first.iter_rows():
            said = "null" if got is None else shortened(repr(got))
            yield (
                f"answers: {file.path}: row {row} holds {said} in the column {column!r}, and its "
                f"folder says {'null' if value is None else repr(value)}: rename the folder or "
                "drop the column"
            )


def _text(theirs: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    """Values as text. Those that have none, as lists and bytes, are named by their type."""
    if dtype.is_nested() or isinstance(dtype, pl.Binary | pl.Object):
        return pl.when(theirs.is_not_null()).then(pl.lit(str(dtype)))
    return theirs.cast(pl.String)


def _same(text: pl.Expr, value: str | None, dtype: pl.DataType) -> pl.Expr:
    """Whether the text of a value is the folder's, which may pad an integer with zeros."""
    if value is None:
        return text.is_null()
    spelled = [value]
    if dtype.is_integer() and _INTEGER.fullmatch(value):
        spelled.append(str(int(value)))
    if isinstance(dtype, pl.Boolean):
        spelled.append(value.lower())
    return text.is_in(spelled).fill_null(False)
