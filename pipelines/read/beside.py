"""Files beside the answers: their rows name answers or passages, and go to the tasks that use them.

Evidence and labels in files of their own are read once, in buckets of a key, and laid out in one
folder a task. What stays in memory is a bucket of keys.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import polars as pl

from pipelines.plan import Task
from pipelines.read.buckets import bucketed, scratch_faults, spill
from pipelines.read.files import File
from pipelines.read.jsonlines import Roles
from pipelines.read.layout import Layout
from pipelines.read.rows import Source, answer_rows, sources_of
from pipelines.read.scan import at, collected, json_key, scan
from pipelines.read.types import is_text

Columns = Mapping[str, str]
"""Our name of a column → theirs."""

_NO_COLUMN = "\0"
"""As the column of passages of a CSV: these files have a row a passage or label, and none such."""

KEYS = "the keys of the answers"
"""Where a fault of theirs is said to be."""


class Bucket(NamedTuple):
    """Rows and what is needed of them (key, task), all rows of a key; where they are laid out."""

    rows: pl.LazyFrame
    needed: pl.LazyFrame
    folder: Path


def opened(files: list[File], columns: Columns, scratch: Path) -> list[Source]:
    """Open the files. Raises: InputError with a fault for each that cannot be read."""
    (scratch / "converted").mkdir(parents=True)
    theirs = {column: ours for ours, column in columns.items()}
    return sources_of(files, scratch / "converted", _NO_COLUMN, Roles(theirs, tuple(theirs)))


def column_faults(
    what: str, source: Source, columns: Columns, kinds: Mapping[str, str]
) -> Iterator[str]:
    """Columns that are missing or of a wrong type.

    In: `kinds`, our name of a column → text, an integer, or text or an integer.
    """
    where = f"{what}: {source.file.name}"
    for ours, kind in kinds.items():
        column = columns[ours]
        dtype = source.schema.get(column)
        if dtype is None:
            there = ", ".join(map(repr, source.schema))
            yield f"{where}: no column {column!r}; there are: {there}; try --map {ours}=…"
        elif not (("text" in kind and is_text(dtype)) or ("int" in kind and dtype.is_integer())):
            yield f"{where}: column {column!r} is {dtype}, wanted {kind}"


def key_of(columns: Iterable[str]) -> pl.Expr:
    """What a row names by these columns: text, or a JSON array of several, as answers are keyed."""
    parts = [at(column) for column in columns]
    return parts[0].cast(pl.String) if len(parts) == 1 else json_key(parts)


def keys_of_tasks(tasks: list[Task], layout: Layout, ids: bool, scratch: Path) -> pl.LazyFrame:
    """Which keys the answers of each task use: key string, task int64, each pair once.

    `ids`: keys are the passages that answers name, and else the answers themselves. Task by task,
    so that the keys of one task at a time are in memory; they lie in scratch then.
    """
    folder = scratch / "needs"
    for number, task in enumerate(tasks):
        rows = pl.concat(
            answer_rows(stretch.source, layout).slice(stretch.offset, stretch.rows)
            for stretch in task
        )
        key = pl.col("evidence_ids").explode() if ids else pl.col("answer_id").cast(pl.String)
        keys = rows.select(key=key).filter(pl.col("key").is_not_null()).unique()
        spill(keys.with_columns(task=pl.lit(number, pl.Int64)), folder / f"{number}.parquet", KEYS)
    return pl.concat(scan(folder / f"{number}.parquet") for number in range(len(tasks)))


def buckets_beside(
    rows: pl.LazyFrame, needs: pl.LazyFrame, count: int, scratch: Path, where: str
) -> Iterator[Bucket]:
    """Rows with a `key`, and `needs` as of `keys_of_tasks`, in as many buckets."""
    key = pl.col("key")
    both = zip(
        bucketed(rows, key, count, scratch / "rows", where),
        bucketed(needs, key, count, scratch / "keys", KEYS),
        strict=True,
    )
    for number, (of_rows, of_needs) in enumerate(both):
        needed = collected(of_needs, KEYS).lazy()
        yield Bucket(of_rows, needed, laid_out(scratch) / str(number))


def lay_out(rows: pl.LazyFrame, bucket: Bucket) -> None:
    """Write those of the rows of a bucket that tasks need to a folder for each.

    Raises: OSError where they cannot be written, or read: what is read is ours.
    """
    with scratch_faults(bucket.folder):
        rows.join(bucket.needed, on="key").sink_parquet(
            pl.PartitionBy(bucket.folder, key="task", include_key=False), mkdir=True
        )


def laid_out(scratch: Path) -> Path:
    """Where rows are laid out."""
    return scratch / "tasks"


def rows_of_task(folder: Path, number: int, schema: pl.Schema) -> pl.LazyFrame:
    """The rows that were laid out for a task."""
    files = sorted(folder.glob(f"*/task={number}/*.parquet"))
    return pl.concat([pl.LazyFrame(schema=schema), *map(scan, files)])
