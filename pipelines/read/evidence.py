"""Evidence that lies in files of its own: read once, and brought to the tasks that use it.

Long evidence is a row per answer and position; shared evidence a row per passage, which answers
name by id. Either way each passage is tokenised once, as it streams by. Its numbers, digest and
size, a fraction of its text, go to scratch, and from there by polars' own partitioned sink to one
folder a task. What stays in memory is the keys that the answers use, never a text.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from grounding.errors import InputError, JobError
from grounding.evidence import Passages, no_passages, passage_rows, used_evidence
from pipelines.job import Job
from pipelines.plan import Task
from pipelines.read.files import File
from pipelines.read.jsonlines import Roles
from pipelines.read.layout import Layout
from pipelines.read.rows import Source, answer_rows, source_rows, sources_of
from pipelines.read.scan import at, collected, free_name, json_key, scan
from pipelines.read.types import is_text

_NO_COLUMN = "\0"
"""As the column of passages of a CSV: these files have a row a passage, and no such column."""

_BUCKET = pl.Schema(
    {
        "key": pl.String(),
        "position": pl.Int64(),
        "passage": pl.Int64(),
        "digest": pl.UInt64(),
        "bytes": pl.Int64(),
        "numbers": pl.List(pl.String),
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

    def of_task(self, number: int, rows: pl.LazyFrame) -> tuple[pl.LazyFrame, Passages]:
        """The rows of a task with what their evidence comes to, and the passages they use.

        In: row, answer_id, evidence_ids (list of string). Out: the rows with the columns of
        `evidence.used_evidence`, null where the answer has no list of ids at all.
        """
        files = sorted((self.folder / f"task={number}").glob("*.parquet"))
        passages = pl.concat([pl.LazyFrame(schema=_BUCKET), *map(scan, files)]).cache()
        uses = (_named(rows, passages) if self.ids else _owned(rows, passages)).cache()
        listed = pl.col("evidence_ids").is_not_null() if self.ids else pl.lit(True)
        empty = listed & pl.col("n_passages").is_null()
        facts = rows.join(used_evidence(uses), on="row", how="left", maintain_order="left")
        numbers = passages.select("passage", text="numbers").explode("text", keep_nulls=False)
        return (
            facts.with_columns(
                pl.when(empty).then(value).otherwise(pl.col(name)).alias(name)
                for name, value in no_passages().items()
            ),
            Passages(uses.filter("found").select("row", "passage"), numbers),
        )


def _owned(rows: pl.LazyFrame, passages: pl.LazyFrame) -> pl.LazyFrame:
    """One row per passage of an answer whose passages name it."""
    keys = rows.select("row", key=pl.col("answer_id").cast(pl.String))
    return keys.join(passages, on="key").with_columns(found=pl.lit(True))


def _named(rows: pl.LazyFrame, passages: pl.LazyFrame) -> pl.LazyFrame:
    """One row per passage id of an answer; `found` is false where it is null or unresolved."""
    once = passages.drop("position").unique("key")
    return (
        rows.filter(pl.col("evidence_ids").list.len() > 0)
        .select("row", key="evidence_ids")
        .with_columns(position=pl.int_ranges(1, pl.col("key").list.len() + 1))
        .explode("key", "position")
        .join(once, on="key", how="left")
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


def keys_of_tasks(tasks: list[Task], layout: Layout, ids: bool) -> pl.LazyFrame:
    """Which keys the answers of each task use: key string, task int64."""
    of_tasks = []
    for number, task in enumerate(tasks):
        for stretch in task:
            rows = answer_rows(stretch.source, layout).slice(stretch.offset, stretch.rows)
            key = pl.col("evidence_ids").explode() if ids else pl.col("answer_id").cast(pl.String)
            of_tasks.append(rows.select(key=key).with_columns(task=pl.lit(number, pl.Int64)))
    return pl.concat(of_tasks).filter(pl.col("key").is_not_null())


def evidence_table(
    files: list[File], wanted: Wanted, needs: pl.LazyFrame, scratch: Path
) -> EvidenceTable:
    """Read evidence files once and lay their passages out by task.

    In: `needs`, key string and task int64: which keys the answers of a task use.

    Raises: InputError where a file or a column is wrong, or a passage id stands for two texts.
    """
    for folder in ("converted", "tasks"):
        (scratch / folder).mkdir()
    theirs = {column: ours for ours, column in wanted.columns.items()}
    roles = Roles(theirs, tuple(theirs))
    sources = sources_of(files, scratch / "converted", _NO_COLUMN, roles)
    if faults := [fault for source in sources for fault in _faults(source, wanted)]:
        raise InputError(faults)
    features = scratch / "features.parquet"
    rows = pl.concat(_passages(source, wanted) for source in sources).pipe(passage_rows)
    names = ", ".join(file.name for file in files[:5])
    needed = collected(needs.unique(), "the keys of the answers").lazy()
    try:
        rows.sink_parquet(features, row_group_size=65_536)
        counts = _counts(scan(features), needed, wanted)
        scan(features).join(needed, on="key").sink_parquet(
            pl.PartitionBy(scratch / "tasks", key="task", include_key=False), mkdir=True
        )
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise InputError(f"{wanted.what}: {names} cannot be read: {error}") from error
    return EvidenceTable(scratch / "tasks", wanted.ids, counts)


def _passages(source: Source, wanted: Wanted) -> pl.LazyFrame:
    """One row per row of a file: key, position (null where `ids`), passage (its number), text."""
    index = free_name("passage", source.schema)
    columns = [at(wanted.columns[key]) for key in wanted.keys]
    key = columns[0].cast(pl.String) if len(columns) == 1 else json_key(columns)
    position = pl.lit(None) if wanted.ids else at(wanted.columns["position"])
    return source_rows(source, index).select(
        key=key,
        position=position.cast(pl.Int64),
        passage=pl.col(index).cast(pl.Int64) + source.first,
        text=at(wanted.columns["text"]).cast(pl.String),
    )


def _faults(source: Source, wanted: Wanted) -> list[str]:
    """Columns that are missing or of a wrong type."""
    kinds = dict.fromkeys(wanted.keys, "text or an integer") | {"text": "text"}
    if not wanted.ids:
        kinds["position"] = "an integer"
    faults = []
    for ours, kind in kinds.items():
        column = wanted.columns[ours]
        dtype = source.schema.get(column)
        where = f"{wanted.what}: {source.file.name}"
        if dtype is None:
            there = ", ".join(map(repr, source.schema))
            faults.append(f"{where}: no column {column!r}; there are: {there}; try --map {ours}=…")
        elif not (("text" in kind and is_text(dtype)) or ("int" in kind and dtype.is_integer())):
            faults.append(f"{where}: column {column!r} is {dtype}, wanted {kind}")
    return faults


def _counts(features: pl.LazyFrame, needed: pl.LazyFrame, wanted: Wanted) -> dict[str, int]:
    """Rows read, rows that no answer uses, and passage ids that stand more than once.

    Raises: InputError where such a passage id stands for different texts.
    """
    unused = features.join(needed, on="key", how="anti").select(pl.len())
    read = features.select(pl.len())
    counts = {"rows": read.collect().item(), "unused": unused.collect().item()}
    if wanted.ids:
        repeated = (
            features.group_by("key")
            .agg(pl.len(), texts=pl.col("digest").n_unique())
            .filter(pl.col("len") > 1)
            .collect()
        )
        differing = repeated.filter(pl.col("texts") > 1)["key"].sort().head(5).to_list()
        if differing:
            raise InputError(
                f"{wanted.what}: one id stands for different texts: {', '.join(differing)}; "
                "give each text an id of its own"
            )
        counts["repeated"] = int(repeated["len"].sum()) - repeated.height
    return counts
