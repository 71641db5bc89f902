"""Rows split by a hash of their key, so that equal keys meet within a fixed memory.

Few rows are one bucket, and nothing is written. More go to scratch by polars' own partitioned
sink, and each bucket is then taken on its own: what is asked of rows with equal keys has the same
answer whatever the number of buckets. polars 2.1 spills a `group_by` by itself, but only past a
share of the whole machine's memory, and a distinct never.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl

from pipelines.read.scan import POLARS_FAULTS, fault_of_writing, read_fault, scan

BUCKET_ROWS = 2_000_000
"""Rows that are held in memory at once: with keys of 20 characters, some 150 MB."""


def buckets_of(rows: int) -> int:
    """How many buckets so many rows are split into."""
    return max(1, -(-rows // BUCKET_ROWS))


def bucketed(
    rows: pl.LazyFrame, key: pl.Expr, count: int, folder: Path, where: str
) -> Iterator[pl.LazyFrame]:
    """The rows in `count` buckets, all rows of a key in the same one. Order: not kept.

    `folder` is made, and removed in the end.

    Raises: as `collected`, with `where` as the place; OSError where the disk is full.
    """
    if count == 1:
        yield rows
        return
    split = rows.with_columns(bucket=key.hash() % count)
    try:
        spill(split, folder, where, by="bucket")
        for bucket in range(count):
            files = sorted((folder / f"bucket={bucket}").glob("*.parquet"))
            yield pl.concat([rows.clear(), *map(scan, files)])
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def spill(rows: pl.LazyFrame, target: Path, where: str, *, by: str | None = None) -> None:
    """Write rows to scratch, in row groups that are read again one by one.

    `target` is a file, or with `by`, a column that is left out, a folder of one for each value.

    Raises: as `collected`, with `where` as the place; OSError where the disk is full.
    """
    sink = target if by is None else pl.PartitionBy(target, key=by, include_key=False)
    try:
        rows.sink_parquet(sink, mkdir=True, row_group_size=65_536)
    except (*POLARS_FAULTS, OSError) as error:
        raise fault_of_writing(error, _disk_of(target)) or read_fault(where, error) from error


@contextmanager
def scratch_faults(target: Path) -> Iterator[None]:
    """Faults of what is read from scratch and written to it again, as OSErrors."""
    try:
        yield
    except POLARS_FAULTS as error:
        raise fault_of_writing(error, _disk_of(target)) or OSError(str(error)) from error


def _disk_of(target: Path) -> Path | None:
    """A folder on the disk that is written to; None where that went away, too."""
    return next((folder for folder in target.parents if folder.is_dir()), None)
