"""The rows of the answers, read to the one declared frame that the rules take.

Whatever the types of a file, text comes out as string, evidence as list of string, and the
carried columns as one struct beside them, so that no name of the input can meet one of ours.
"""

from dataclasses import dataclass
from pathlib import Path

import polars as pl
import polars.selectors as cs
import pyarrow as pa
import pyarrow.parquet as pq

from grounding.errors import InputError
from pipelines.read.delimited import UNREADABLE, as_parquet
from pipelines.read.files import DELIMITED, File
from pipelines.read.layout import Layout


@dataclass(frozen=True, slots=True)
class Source:
    """One file of answers as Parquet: where it is read, and how it is named.

    `first` is the source order of its first row over all files; `converted` says that it was
    CSV, and that its last column is why a row is unreadable.
    """

    file: File
    parquet: Path
    converted: bool
    schema: pl.Schema
    first: int
    rows: int
    row_groups: tuple[tuple[int, int], ...]
    """(rows, bytes before compression) of each row group."""


def sources_of(files: list[File], scratch: Path, evidence: str) -> list[Source]:
    """Open every file; CSV becomes Parquet in `scratch`. `evidence` is the column of passages.

    Raises: InputError with a fault for each file that cannot be read.
    """
    sources: list[Source] = []
    faults: list[str] = []
    for number, file in enumerate(files):
        converted = file.name.lower().endswith(DELIMITED)
        parquet = scratch / f"{number:05d}.parquet" if converted else file.path
        first = sources[-1].first + sources[-1].rows if sources else 0
        try:
            if converted:
                as_parquet(file, parquet, evidence)
            sources.append(_source(file, parquet, converted, first))
        except InputError as error:
            faults += error.faults
    if faults:
        raise InputError(faults)
    return sources


def _source(file: File, parquet: Path, converted: bool, first: int) -> Source:
    try:
        footer = pq.read_metadata(parquet)
        schema = _scan(parquet).collect_schema()
    except (pa.ArrowException, OSError, pl.exceptions.PolarsError) as error:
        raise InputError(
            f"answers: {file.path} cannot be read as Parquet: {error}. Only Parquet, and CSV or "
            f"TSV by its ending ({', '.join(DELIMITED)}), are read; if it should be Parquet, it "
            "may be cut short: write or copy it again"
        ) from error
    if converted:
        del schema[UNREADABLE]
    groups = [footer.row_group(i) for i in range(footer.num_row_groups)]
    sizes = tuple((group.num_rows, group.total_byte_size) for group in groups)
    return Source(file, parquet, converted, schema, first, footer.num_rows, sizes)


def answer_rows(source: Source, layout: Layout) -> pl.LazyFrame:
    """One row per row of the file.

    Out: row int64 (source order over all files), source_file, source_row int64, answer_id (string
    or int64), answer, evidence (list of string), fixture_id, question_id, unreadable (string: why
    the row cannot be read), carried (struct of `carried_names`).
    Nulls: where the file has none, or lacks the column.
    """
    index = _free_name("row", source.schema)
    frame = _scan(source.parquet, index)
    number = pl.col(index).cast(pl.Int64)
    unreadable = _at(UNREADABLE) if source.converted else pl.lit(None, pl.String)
    return frame.select(
        row=number + source.first,
        source_file=pl.lit(source.file.name),
        source_row=number,
        answer_id=key_of(source, layout, number),
        answer=_column(source, layout, "answer", pl.String()),
        evidence=_column(source, layout, "evidence", pl.List(pl.String)),
        fixture_id=_column(source, layout, "fixture_id", pl.String()),
        question_id=_column(source, layout, "question_id", pl.String()),
        unreadable=unreadable,
        carried=_carried(source, layout),
    )


def collected(rows: pl.LazyFrame, where: str) -> pl.DataFrame:
    """The rows in memory. Raises: InputError where polars cannot read or cast them."""
    try:
        return rows.collect()
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        raise InputError(f"answers: {where} cannot be read: {error}") from error


def key_of(source: Source, layout: Layout, number: pl.Expr) -> pl.Expr:
    """The answer's key: its column, or a JSON array of the columns of `--id`, or of file and row.

    Nulls: where a column of the key is null.
    """
    if not layout.key:
        return _column(source, layout, "answer_id", layout.key_type)
    if layout.key == ("row",):
        parts = [_as_json(pl.lit(source.file.name)), number.cast(pl.String)]
    else:
        parts = [_as_json(_at(column)) for column in layout.key]
    return pl.format("[{}]", pl.concat_str(parts, separator=","))


def _column(source: Source, layout: Layout, ours: str, dtype: pl.DataType) -> pl.Expr:
    column = layout.columns.get(ours)
    if column is None or column not in source.schema:
        return pl.lit(None, dtype)
    return _at(column).cast(dtype)


def _carried(source: Source, layout: Layout) -> pl.Expr:
    """The carried columns under the names `carried_names`, which nothing of the input can equal."""
    fields = []
    for alias, column in zip(carried_names(layout), layout.carried, strict=True):
        dtype = source.schema.get(column.theirs)
        value = pl.lit(None, column.dtype)
        if dtype is not None:
            theirs = _at(column.theirs)
            value = _as_json(theirs) if dtype.is_nested() else theirs.cast(column.dtype)
        fields.append(value.alias(alias))
    return pl.struct(fields) if fields else pl.lit(None)


def carried_names(layout: Layout) -> list[str]:
    """What the carried columns are called until they are published: a hostile name is only data."""
    return [f"carried_{number}" for number, _ in enumerate(layout.carried)]


def _scan(path: Path, row_index_name: str | None = None) -> pl.LazyFrame:
    """The file itself: a `[` or `*` in its path is no pattern."""
    return pl.scan_parquet(path, glob=False, hive_partitioning=False, row_index_name=row_index_name)


def _at(column: str) -> pl.Expr:
    """The column of that very name: `pl.col` would read `*` and `^…$` as patterns."""
    return cs.by_name(column).as_expr()


def _as_json(value: pl.Expr) -> pl.Expr:
    """A value as JSON text, null where it is null. polars encodes structs only: wrap and cut."""
    wrapped = pl.struct(v=value).struct.json_encode()
    return pl.when(value.is_not_null()).then(wrapped.str.slice(5).str.head(-1))


def _free_name(name: str, schema: pl.Schema) -> str:
    while name in schema:
        name += "_"
    return name
