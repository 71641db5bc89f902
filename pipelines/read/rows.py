"""The rows of the answers, read to the one declared frame that the rules take.

Whatever the types of a file, text comes out as string, evidence as list of string, and the
carried columns as one struct beside them, so that no name of the input can meet one of ours.
"""

from dataclasses import dataclass
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from grounding.errors import InputError
from pipelines.places.stores import StoreFault
from pipelines.read import delimited, jsonlines
from pipelines.read.delimited import UNREADABLE
from pipelines.read.files import DELIMITED, GZIP_FAULTS, JSON_LINES, File, Location
from pipelines.read.jsonlines import Roles
from pipelines.read.layout import Layout
from pipelines.read.partitions import Partitions, contradictions, partitions_of, with_partitions
from pipelines.read.remote import Remote, fault_of
from pipelines.read.scan import POLARS_FAULTS, as_json, at, free_name, json_key, read_fault, scan
from pipelines.read.types import list_views

_NO_ROLES = Roles()


@dataclass(frozen=True, slots=True)
class Source:
    """One file of answers as Parquet: where it is read, and how it is named.

    `first` is the source order of its first row over all files; `converted` says that it was
    CSV or JSON Lines, and that its last column is why a row is unreadable.
    """

    file: File
    parquet: Location
    converted: bool
    schema: pl.Schema
    held: pl.Schema
    """Of the file alone; `schema` has the columns of its folders too."""

    partitions: Partitions
    first: int
    rows: int
    row_groups: tuple[tuple[int, int], ...]
    """(rows, bytes before compression) of each row group."""


def sources_of(
    files: list[File], scratch: Path, evidence: str, roles: Roles = _NO_ROLES
) -> list[Source]:
    """Open every file; CSV and JSON Lines become Parquet in `scratch`.

    `evidence` is the column of passages of a CSV, `roles` are the columns of JSON Lines.

    Raises: InputError with a fault for each file that cannot be read.
    """
    sources: list[Source] = []
    faults: list[str] = []
    for number, file in enumerate(files):
        converted = file.name.lower().endswith((*DELIMITED, *JSON_LINES))
        first = sources[-1].first + sources[-1].rows if sources else 0
        try:
            parquet = file.path
            if converted:
                parquet = scratch / f"{number:05d}.parquet"
                _convert(file, parquet, evidence, roles)
            source = _source(file, parquet, converted, first)
            faults += _contradicted(source)
            sources.append(source)
        except InputError as error:
            faults += error.faults
    if faults:
        raise InputError(faults)
    return sources


def _convert(file: File, parquet: Path, evidence: str, roles: Roles) -> None:
    try:
        if file.name.lower().endswith(DELIMITED):
            delimited.as_parquet(file, parquet, evidence)
        else:
            jsonlines.as_parquet(file, parquet, roles)
    except GZIP_FAULTS as error:
        raise InputError(
            f"answers: {file.path} cannot be unpacked: {error}; it may be cut short: copy it again"
        ) from error
    except StoreFault as error:
        raise fault_of(f"answers: {file.path}", error) from error


def _contradicted(source: Source) -> list[str]:
    """Where rows of the file hold another value than their folder."""
    if source.held.keys().isdisjoint(source.partitions):
        return []
    rows = scan(source.parquet)
    if source.converted:
        rows = rows.filter(at(UNREADABLE).is_null())
    try:
        return list(contradictions(source.file, rows, source.partitions, source.held))
    except (*POLARS_FAULTS, OSError) as error:
        raise read_fault(f"answers: {source.file.path}", error) from error


def _source(file: File, parquet: Location, converted: bool, first: int) -> Source:
    try:
        footer = _footer(parquet)
        if views := list_views(footer.schema.to_arrow_schema()):
            raise InputError(
                f"answers: {file.path}: the columns {', '.join(map(repr, views))} hold list views, "
                "which polars does not read: write them as lists"
            )
        schema = scan(parquet).collect_schema()
    except StoreFault as error:
        raise fault_of(f"answers: {file.path}", error) from error
    except (pa.ArrowException, OSError, *POLARS_FAULTS) as error:
        raise InputError(
            f"answers: {file.path} cannot be read as Parquet: {error}. Only Parquet, "
            f"and by their endings CSV, TSV and JSON Lines ({', '.join((*DELIMITED, *JSON_LINES))})"
            ", are read; if it should be Parquet, it "
            "may be cut short: write or copy it again"
        ) from error
    if converted:
        del schema[UNREADABLE]
    partitions = partitions_of(file)
    whole = pl.Schema({**dict.fromkeys(partitions, pl.String()), **schema})
    groups = [footer.row_group(i) for i in range(footer.num_row_groups)]
    sizes = tuple((group.num_rows, group.total_byte_size) for group in groups)
    return Source(
        file, parquet, converted, whole, schema, partitions, first, footer.num_rows, sizes
    )


def _footer(parquet: Location) -> pq.FileMetaData:
    if not isinstance(parquet, Remote):
        return pq.read_metadata(parquet)
    with parquet.open() as stream:
        return pq.read_metadata(stream)


def source_rows(source: Source, index: str | None = None) -> pl.LazyFrame:
    """The rows of a file with the columns of its folders."""
    rows = scan(source.parquet, index)
    return with_partitions(rows, source.partitions, source.held)


def answer_rows(source: Source, layout: Layout) -> pl.LazyFrame:
    """One row per row of the file.

    Out: row int64 (source order over all files), source_file, source_row int64, answer_id (string
    or int64), answer, evidence and evidence_ids (lists of string), fixture_id, question_id,
    question, label, unreadable (string: why the row cannot be read), carried (struct of
    `carried_names`).
    Nulls: where the file has none, or lacks the column.
    """
    index = free_name("row", source.schema)
    frame = source_rows(source, index)
    number = pl.col(index).cast(pl.Int64)
    unreadable = at(UNREADABLE) if source.converted else pl.lit(None, pl.String)
    return frame.select(
        row=number + source.first,
        source_file=pl.lit(source.file.name),
        source_row=number,
        answer_id=key_of(source, layout, number),
        answer=_column(source, layout, "answer", pl.String()),
        evidence=_column(source, layout, "evidence", pl.List(pl.String)),
        evidence_ids=_column(source, layout, "evidence_ids", pl.List(pl.String)),
        fixture_id=_column(source, layout, "fixture_id", pl.String()),
        question_id=_column(source, layout, "question_id", pl.String()),
        question=_column(source, layout, "question", pl.String()),
        label=_column(source, layout, "label", pl.String()),
        unreadable=unreadable,
        carried=_carried(source, layout),
    )


def key_of(source: Source, layout: Layout, number: pl.Expr) -> pl.Expr:
    """The answer's key: its column, or a JSON array of the columns of `--id`, or of file and row.

    Nulls: where a column of the key is null.
    """
    if not layout.key:
        return _column(source, layout, "answer_id", layout.key_type)
    if layout.key == ("row",):
        return json_key([pl.lit(source.file.name), number])
    return json_key(at(column) for column in layout.key)


def _column(source: Source, layout: Layout, ours: str, dtype: pl.DataType) -> pl.Expr:
    column = layout.columns.get(ours)
    if column is None or column not in source.schema:
        return pl.lit(None, dtype)
    return at(column).cast(dtype)


def _carried(source: Source, layout: Layout) -> pl.Expr:
    """The carried columns under the names `carried_names`, which nothing of the input can equal."""
    fields = []
    for alias, column in zip(carried_names(layout), layout.carried, strict=True):
        dtype = source.schema.get(column.theirs)
        value = pl.lit(None, column.dtype)
        if dtype is not None:
            theirs = at(column.theirs)
            value = as_json(theirs) if dtype.is_nested() else theirs.cast(column.dtype)
        fields.append(value.alias(alias))
    return pl.struct(fields) if fields else pl.lit(None)


def carried_names(layout: Layout) -> list[str]:
    """What the carried columns are called until they are published: a hostile name is only data."""
    return [f"carried_{number}" for number, _ in enumerate(layout.carried)]
