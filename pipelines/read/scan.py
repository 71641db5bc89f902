"""Plans over one file: opened by its very path, columns named as they are, faults told as ours."""

from collections.abc import Iterable
from pathlib import Path

import polars as pl
import polars.selectors as cs

from grounding.errors import InputError

POLARS_FAULTS = (pl.exceptions.PolarsError, pl.exceptions.PanicException)
"""What polars raises for a file that it cannot read; a panic is no Exception."""


def scan(path: Path, row_index_name: str | None = None) -> pl.LazyFrame:
    """The file itself: a `[` or `*` in its path is no pattern."""
    return pl.scan_parquet(path, glob=False, hive_partitioning=False, row_index_name=row_index_name)


def scan_all(paths: Iterable[str]) -> pl.LazyFrame:
    """The rows of files with the same columns, one file after the other."""
    return pl.scan_parquet(list(paths), glob=False, hive_partitioning=False)


def collected(rows: pl.LazyFrame, where: str) -> pl.DataFrame:
    """The rows in memory. Raises: InputError where polars cannot read or cast them."""
    try:
        return rows.collect()
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        raise InputError(f"{where} cannot be read: {error}") from error


def at(column: str) -> pl.Expr:
    """The column of that very name: `pl.col` would read `*` and `^…$` as patterns."""
    return cs.by_name(column).as_expr()


def free_name(name: str, schema: pl.Schema) -> str:
    """A column name that a schema does not hold."""
    while name in schema:
        name += "_"
    return name


def as_json(value: pl.Expr) -> pl.Expr:
    """A value as JSON text, null where it is null. polars encodes structs only: wrap and cut."""
    wrapped = pl.struct(v=value).struct.json_encode()
    return pl.when(value.is_not_null()).then(wrapped.str.slice(5).str.head(-1))


def json_key(parts: Iterable[pl.Expr]) -> pl.Expr:
    """A key of several values as a JSON array, null where one of them is."""
    return pl.format("[{}]", pl.concat_str([as_json(part) for part in parts], separator=","))
