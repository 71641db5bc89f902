"""Plans over one file: opened by its very path, columns named as they are, faults told as ours."""

import errno
import os
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

import polars as pl
import polars.selectors as cs

from grounding.errors import InputError, TaskError
from pipelines.places.stores import is_url, reading
from pipelines.read.files import Location
from pipelines.read.remote import Remote

POLARS_FAULTS = (pl.exceptions.PolarsError, pl.exceptions.PanicException)
"""What polars raises for a file that it cannot read; a panic is no Exception."""


def scan(path: Location, row_index_name: str | None = None) -> pl.LazyFrame:
    """The file itself: a `[` or `*` in its path is no pattern."""
    where = str(path) if isinstance(path, Remote) else path
    return pl.scan_parquet(
        where,
        glob=False,
        hive_partitioning=False,
        row_index_name=row_index_name,
        **(reading(str(path)) if isinstance(path, Remote) else {}),
    )


def scan_all(paths: Iterable[str]) -> pl.LazyFrame:
    """The rows of files with the same columns, one file after the other."""
    given = list(paths)
    more = reading(given[0]) if given and is_url(given[0]) else {}  # all lie in one place
    return pl.scan_parquet(given, glob=False, hive_partitioning=False, **more)


def collected(rows: pl.LazyFrame, where: str) -> pl.DataFrame:
    """The rows in memory. Raises: as `read_fault`."""
    try:
        return rows.collect()
    except (*POLARS_FAULTS, OSError) as error:
        raise read_fault(where, error) from error


def read_fault(where: str, error: BaseException) -> InputError | TaskError:
    """What is said where polars cannot read or cast rows.

    A store that stopped answering is no fault of the input: what is done is kept.
    """
    text = str(error)
    if not text.startswith("object-store error"):
        return InputError(f"{where} cannot be read: {text}")
    said = f"{where} cannot be read: {text.splitlines()[0]}"
    if isinstance(error, FileNotFoundError):
        return InputError(said)
    return TaskError(f"{said}; finished tasks are kept: run the same again")


_HARDLY_ANY = 2**20
"""Bytes left on a disk that something has just found full."""


def fault_of_writing(error: BaseException, folder: Path | None = None) -> OSError | None:
    """The fault of the disk where polars could not write; None where it may be one of reading.

    polars tells a full disk as a fault of the Parquet file, as it tells a file cut short; where it
    could not write a header it does not even say why, so the disk of the `folder` is asked.

    >>> fault_of_writing(pl.exceptions.ComputeError("parquet: IO error: … (os error 28)"))
    OSError(28, 'No space left on device')
    """
    told = re.search(r"\(os error ([0-9]+)\)", str(error))
    number = int(told[1]) if told else 0
    if folder is not None and "transport error" in str(error):
        number = errno.ENOSPC if shutil.disk_usage(folder).free < _HARDLY_ANY else number
    only_written = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS)
    return OSError(number, os.strerror(number)) if number in only_written else None


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
