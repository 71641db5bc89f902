"""Evidence that lies in files of its own: read once, and brought to the tasks that use it.

Long evidence is a row per answer and position; shared evidence a row per passage, which answers
name by id. Either way each passage is tokenised once, as it streams by. Its numbers, digest and
size, a fraction of its text, go to scratch, and from there by polars' own partitioned sink to one
folder a task. Its text goes beside them, and is read again only to explain a refusal. What stays
in memory is the keys that the answers use, never a text.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import polars as pl

from grounding.errors import InputError, JobError
from grounding.evidence import no_passages, passage_rows, used_evidence
from pipelines.job import Job
from pipelines.read.beside import (
    Bucket,
    buckets_beside,
    column_faults,
    key_of,
    laid_out,
    lay_out,
    opened,
    rows_of_task,
)
from pipelines.read.buckets import buckets_of, scratch_faults, spill
from pipelines.read.files import File
from pipelines.read.layout import Layout
from pipelines.read.rows import Source, source_rows
from pipelines.read.scan import at, scan

_BUCKET_BYTES = 2**27
"""What the passages of one bucket take on disk at most."""

_PASSAGES = pl.Schema(
    {
        "key": pl.String(),
        "position": pl.Int64(),
        "digest": pl.UInt64(),
        "bytes": pl.Int64(),
        "numbers": pl.List(pl.String),
        "text": pl.String(),
    }
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """How evidence is keyed: by these columns, as text or as a JSON array of them.

    `ids` says that answers name their passages, so that a passage has no position of its own.
    """

    what: str
    keys: tuple[str, ...]
    ids: bool
    columns: Mapping[str, str]
    """Our name of a column → theirs."""


@dataclass(frozen=True, slots=True)
class EvidenceTable:
    """Evidence as one row a passage, ready to be joined to the answers of a task."""

    folder: Path
    ids: bool
    counts: Mapping[str, int]

    def of_task(self, number: int, rows: pl.LazyFrame) -> tuple[pl.LazyFrame, pl.LazyFrame]:
        """The rows of a task with what their evidence comes to, and the numbers of its passages.

        In: row, answer_id, evidence_ids (list of string). Out: the rows with the columns of
        `evidence.used_evidence`, null where the answer has no list of ids at all; passage uint32,
        text: one row per distinct number of a passage.
        """
        passages = self._passages(number)
        uses = (_named if self.ids else _owned)(rows, passages.drop("numbers", "text"))
        listed = pl.col("evidence_ids").is_not_null() if self.ids else pl.lit(True)
        empty = listed & pl.col("n_passages").is_null()
        facts = rows.join(used_evidence(uses), on="row", how="left", maintain_order="left")
        return (
            facts.with_columns(
                pl.when(empty).then(value).otherwise(pl.col(name)).alias(name)
                for name, value in no_passages().items()
            ),
            passages.select("passage", text="numbers").explode("text", keep_nulls=False),
        )

    def texts_of_task(self, number: int) -> pl.LazyFrame:
        """The passages of a task as `of_task` numbers them: passage uint32, text."""
        return self._passages(number).select("passage", "text")

    def _passages(self, number: int) -> pl.LazyFrame:
        return rows_of_task(self.folder, number, _PASSAGES).with_row_index("passage")


def _owned(rows: pl.LazyFrame, passages: pl.LazyFrame) -> pl.LazyFrame:
    """One row per passage of an answer whose passages name it, by row and position."""
    keys = rows.select("row", key=pl.col("answer_id").cast(pl.String))
    uses = keys.join(passages, on="key").with_columns(found=pl.lit(True))
    return uses.sort("row", "position")


def _named(rows: pl.LazyFrame, passages: pl.LazyFrame) -> pl.LazyFrame:
    """One row per passage id of an answer, as listed; `found`: it is not null, and it resolves."""
    once = passages.drop("position").unique("key")
    return (
        rows.filter(pl.col("evidence_ids").list.len() > 0)
        .select("row", key="evidence_ids")
        .with_columns(position=pl.int_ranges(1, pl.col("key").list.len() + 1))
        .explode("key", "position")
        .join(once, on="key", how="left", maintain_order="left")
        .with_columns(found=pl.col("passage").is_not_null())
    )


def wanted_of(job: Job, layout: Layout) -> Wanted:
    """How the evidence of a job is keyed. Columns are named as in the answers, or as we name them.

    Raises: JobError where passages would have to name a file and row.
    """
    if job.passages is not None:
        ours: tuple[str, ...] = ("passage_id",)
    elif layout.key == ("row",):
        raise JobError("--id row: evidence in a file of its own cannot name a file and row")
    else:
        ours = layout.key or ("answer_id",)
    names = (*ours, "text", *(() if job.passages is not None else ("position",)))
    columns = {name: job.map.get(name, name) for name in names}
    what = "passages" if job.passages is not None else "evidence"
    return Wanted(what, ours, job.passages is not None, columns)


def evidence_table(
    files: list[File], wanted: Wanted, needs: pl.LazyFrame, scratch: Path, texts: bool
) -> EvidenceTable:
    """Read evidence files once and lay their passages out by task.

    In: `needs` as of `beside.keys_of_tasks`; `texts`: whether the texts will be read again.

    Raises: InputError where a file or a column is wrong, or a passage id stands for two texts.
    """
    sources = opened(files, wanted.columns, scratch)
    kinds = dict.fromkeys(wanted.keys, "text or an integer") | {"text": "text"}
    if not wanted.ids:
        kinds["position"] = "an integer"
    found = (column_faults(wanted.what, source, wanted.columns, kinds) for source in sources)
    if faults := [*chain.from_iterable(found)]:
        raise InputError(faults)
    features = scratch / "features.parquet"
    rows = pl.concat(_passages(source, wanted) for source in sources).pipe(passage_rows)
    text = pl.col("text") if texts else pl.lit(None, pl.String).alias("text")
    rows = rows.with_columns(text).select(*_PASSAGES)
    spill(rows, features, f"{wanted.what}: {', '.join(file.name for file in files[:5])}")
    total, uses = (frame.select(pl.len()).collect().item() for frame in (scan(features), needs))
    count = max(buckets_of(max(total, uses)), features.stat().st_size // _BUCKET_BYTES)
    buckets = buckets_beside(scan(features), needs, count, scratch, wanted.what)
    facts = [_laid_out(bucket, wanted) for bucket in buckets]
    if differing := sorted(key for fact in facts for key in fact.differing)[:5]:
        raise InputError(
            f"{wanted.what}: one id stands for different texts: {', '.join(differing)}; "
            "give each text an id of its own"
        )
    counts = {"rows": total, "unused": sum(fact.unused for fact in facts)}
    if wanted.ids:
        counts["repeated"] = sum(fact.repeated for fact in facts)
    return EvidenceTable(laid_out(scratch), wanted.ids, counts)


class _Facts(NamedTuple):
    """Of a bucket of passages: how many no answer uses, and how many repeat an earlier id.

    `differing` are the first ids that stand for several texts.
    """

    unused: int
    repeated: int
    differing: list[str]


def _laid_out(bucket: Bucket, wanted: Wanted) -> _Facts:
    """Write the passages of a bucket to one folder a task."""
    passages = bucket.rows
    lay_out(passages, bucket)
    with scratch_faults(bucket.folder):
        unused = passages.join(bucket.needed, on="key", how="anti").select(pl.len())
        n_unused = unused.collect().item()
        if not wanted.ids:
            return _Facts(n_unused, 0, [])
        repeated = (
            passages.filter(pl.col("key").is_not_null())
            .group_by("key")
            .agg(pl.len(), texts=pl.col("digest").n_unique())
            .filter(pl.col("len") > 1)
            .collect()
        )
    differing = repeated.filter(pl.col("texts") > 1)["key"].sort().head(5)
    return _Facts(n_unused, int(repeated["len"].sum()) - repeated.height, differing.to_list())


def _passages(source: Source, wanted: Wanted) -> pl.LazyFrame:
    """One row per row of a file: key, position (null where `ids`), text."""
    position = pl.lit(None) if wanted.ids else at(wanted.columns["position"])
    return source_rows(source).select(
        key=key_of(wanted.columns[key] for key in wanted.keys),
        position=position.cast(pl.Int64),
        text=at(wanted.columns["text"]).cast(pl.String),
    )
