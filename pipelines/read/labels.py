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
from pipelines.read.beside import (
    KEYS,
    Bucket,
    Columns,
    buckets_beside,
    key_of,
    laid_out,
    lay_out,
    opened,
    rows_of_task,
)
from pipelines.read.buckets import buckets_of
from pipelines.read.files import File
from pipelines.read.labelfaults import faults_of
from pipelines.read.layout import Layout
from pipelines.read.rows import Source, source_rows
from pipelines.read.scan import at, collected

_FEW = 5

_ROWS = pl.Schema({"key": pl.String(), "label": pl.String()})


@dataclass(frozen=True, slots=True)
class LabelTable:
    """Labels as one row an answer, ready to be joined to the answers of a task."""

    folder: Path
    counts: Mapping[str, int]

    def of_task(self, number: int, rows: pl.LazyFrame) -> pl.LazyFrame:
        """The rows of a task with their `label` in the place of the one that they have."""
        labels = rows_of_task(self.folder, number, _ROWS)
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
    files: list[File], columns: Columns, needs: pl.LazyFrame, scratch: Path
) -> LabelTable:
    """Read files of labels once and lay them out by task.

    In: `columns` as of `label_keys`; `needs` as of `beside.keys_of_tasks`, of answer ids.

    Raises: InputError where a file, a column or a label is wrong, or an answer has two labels.
    """
    sources = opened(files, columns, scratch)
    if faults := [fault for source in sources for fault in faults_of(source, columns)]:
        raise InputError(faults)
    rows = pl.concat(_rows(source, columns) for source in sources)
    total, uses = (
        sum(source.rows for source in sources),
        collected(needs.select(pl.len()), KEYS).item(),
    )
    where = f"labels: {', '.join(file.name for file in files[:_FEW])}"
    buckets = buckets_beside(rows, needs, buckets_of(max(total, uses)), scratch, where)
    found = [_laid_out(bucket, where) for bucket in buckets]
    if differing := sorted(key for facts in found for key in facts.differing)[:_FEW]:
        told = ", ".join(map(shortened, differing))
        raise InputError(f"{where}: answers with different labels: {told}; keep one of each")
    counts = {"rows": total, "unused": sum(facts.unused for facts in found)}
    return LabelTable(laid_out(scratch), counts)


class _Facts(NamedTuple):
    """Of a bucket of labels: how many name no answer, and the first ids with two labels."""

    unused: int
    differing: list[str]


def _laid_out(bucket: Bucket, where: str) -> _Facts:
    """Write the labels of a bucket to one folder a task."""
    labels = collected(bucket.rows, where)
    said = labels.drop_nulls()
    different = said.group_by("key").agg(pl.col("label").n_unique()).filter(pl.col("label") > 1)
    lay_out(said.unique("key").lazy(), bucket)
    unused = labels.lazy().join(bucket.needed, on="key", how="anti").select(pl.len())
    return _Facts(unused.collect().item(), different["key"].sort().head(_FEW).to_list())


def _rows(source: Source, columns: Columns) -> pl.LazyFrame:
    """One row per row of a file: key, label."""
    *keys, label = columns.values()
    return source_rows(source).select(key=key_of(keys), label=at(label).cast(pl.String))
