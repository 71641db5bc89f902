"""What people say of the answers: a column beside them, or files of their own.

A label is one of a few words, so that they can be counted against the verdicts. Files of labels are
read once and laid out by task, as evidence is: what is in memory at once is a bucket of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import polars as pl

from grounding.errors import InputError, JobError
from pipelines.forms import shortened
from pipelines.job import Job
from pipelines.read.buckets import bucketed, buckets_of
from pipelines.read.files import File
from pipelines.read.jsonlines import Roles
from pipelines.read.labelfaults import faults_of
from pipelines.read.layout import Layout
from pipelines.read.rows import Source, source_rows, sources_of
from pipelines.read.scan import (
    POLARS_FAULTS,
    at,
    collected,
    fault_of_writing,
    json_key,
    scan,
)

_NO_COLUMN = "\0"
"""As the column of passages of a CSV: these files have none."""

_FEW = 5

_ROWS = pl.Schema({"key": pl.String(), "label": pl.String()})


@dataclass(frozen=True, slots=True)
class LabelTable:
    """Labels as one row an answer, ready to be joined to the answers of a task."""

    folder: Path
    counts: Mapping[str, int]

    def of_task(self, number: int, rows: pl.LazyFrame) -> pl.LazyFrame:
        """The rows of a task with their `label` in the place of the one that they have."""
        files = sorted(self.folder.glob(f"*/task={number}/*.parquet"))
        labels = pl.concat([pl.LazyFrame(schema=_ROWS), *map(scan, files)])
        return (
            rows.drop("label")
            .with_columns(key=pl.col("answer_id").cast(pl.String))
            .join(labels, on="key", how="left", maintain_order="left")
            .drop("key")
        )


def label_keys(job: Job, layout: Layout) -> dict[str, str]:
    """Our name → theirs of the columns of a file of labels.

    Raises: JobError where labels would have to name a file and row, or the answers hold labels too.
    """
    if "label" in layout.columns:
        theirs = layout.columns["label"]
        raise JobError(
            f"column {theirs!r} of the answers holds labels, and --labels is given too: leave out "
            f"one of them, or carry the column as it is with --map my_label={theirs}"
        )
    if layout.key == ("row",):
        raise JobError("--id row: labels in a file of their own cannot name a file and row")
    return {name: job.map.get(name, name) for name in (*(layout.key or ("answer_id",)), "label")}


def label_table(
    files: list[File], columns: Mapping[str, str], needs: pl.LazyFrame, scratch: Path
) -> LabelTable:
    """Read files of labels once and lay them out by task.

    In: `columns` as of `label_keys`; `needs` as of `evidence.keys_of_tasks`, of answer ids.

    Raises: InputError where a file, a column or a label is wrong, or an answer has two labels.
    """
    (scratch / "converted").mkdir(parents=True)
    theirs = {column: ours for ours, column in columns.items()}
    sources = sources_of(files, scratch / "converted", _NO_COLUMN, Roles(theirs, tuple(theirs)))
    if faults := [fault for source in sources for fault in faults_of(source, columns)]:
        raise InputError(faults)
    rows = pl.concat(_rows(source, columns) for source in sources)
    total = sum(source.rows for source in sources)
    count = buckets_of(max(total, collected(needs.select(pl.len()), _KEYS).item()))
    where = f"labels: {', '.join(file.name for file in files[:_FEW])}"
    key = pl.col("key")
    found = [
        _laid_out(collected(labels, where), needed, scratch / "tasks" / str(number))
        for number, (labels, needed) in enumerate(
            zip(
                bucketed(rows, key, count, scratch / "labels", where),
                bucketed(needs, key, count, scratch / "keys", _KEYS),
                strict=True,
            )
        )
    ]
    if differing := sorted(key for bucket in found for key in bucket.differing)[:_FEW]:
        told = ", ".join(map(shortened, differing))
        raise InputError(f"{where}: answers with different labels: {told}; keep one of each")
    return LabelTable(
        scratch / "tasks", {"rows": total, "unused": sum(bucket.unused for bucket in found)}
    )


_KEYS = "the keys of the answers"


class _Bucket(NamedTuple):
    """Of a bucket of labels: how many name no answer, and the first ids with two labels."""

    unused: int
    differing: list[str]


def _laid_out(labels: pl.DataFrame, needs: pl.LazyFrame, folder: Path) -> _Bucket:
    """Write the labels of a bucket to one folder a task."""
    needed = collected(needs, _KEYS)
    said = labels.drop_nulls()
    different = said.group_by("key").agg(pl.col("label").n_unique()).filter(pl.col("label") > 1)
    try:
        said.unique("key").lazy().join(needed.lazy(), on="key").sink_parquet(
            pl.PartitionBy(folder, key="task", include_key=False), mkdir=True
        )
    except POLARS_FAULTS as error:
        raise fault_of_writing(error, folder.parent) or OSError(str(error)) from error
    unused = labels.join(needed, on="key", how="anti").height
    return _Bucket(unused, different["key"].sort().head(_FEW).to_list())


def _rows(source: Source, columns: Mapping[str, str]) -> pl.LazyFrame:
    """One row per row of a file: key, label."""
    *keys, label = (at(column) for column in columns.values())
    key = keys[0].cast(pl.String) if len(keys) == 1 else json_key(keys)
    return source_rows(source).select(key=key, label=label.cast(pl.String))
