"""What is wrong with labels: a column that is missing or no text, and words that are no label."""

from collections.abc import Iterator

import polars as pl

from grounding.errors import InputError
from grounding.labels import LABELS
from pipelines.forms import shortened
from pipelines.read.beside import Columns, column_faults
from pipelines.read.delimited import UNREADABLE
from pipelines.read.rows import Source, source_rows
from pipelines.read.scan import at, collected

_FEW = 5
_LOOKED_AT = 1_000
"""Values that are no label, of which a few different ones are told."""


def check_labels(sources: list[Source], column: str) -> None:
    """Raises: InputError where answers hold something else than labels in their column of them."""
    faults: list[str] = []
    for source in sources:
        if column in source.schema:
            rows = source_rows(source)
            if source.converted:
                rows = rows.filter(at(UNREADABLE).is_null())
            way_out = f"--map my_label={column} carries it under another name"
            labels = rows.select(label=at(column).cast(pl.String))
            faults += _strange("answers", source, labels, column, way_out)
    if faults:
        raise InputError(faults)


def faults_of(source: Source, columns: Columns) -> Iterator[str]:
    """Of a file of labels: missing or wrong columns, rows that cannot be read, what is no label."""
    where = f"labels: {source.file.name}"
    kinds = {name: "text" if name == "label" else "text or an integer" for name in columns}
    if wrong := [*column_faults("labels", source, columns, kinds)]:
        yield from wrong
        return
    rows = source_rows(source)
    if source.converted:
        bad = rows.filter(at(UNREADABLE).is_not_null()).select(at(UNREADABLE)).head(1)
        for (problem,) in collected(bad, where).iter_rows():
            yield f"{where}: {problem}: a label that cannot be read is not left out; mend the file"
            return
    column = columns["label"]
    labels = rows.select(label=at(column).cast(pl.String))
    yield from _strange("labels", source, labels, column, "--map label=… names another column")


def _strange(
    role: str, source: Source, labels: pl.LazyFrame, column: str, way_out: str
) -> Iterator[str]:
    """A fault where a file holds what is no label. In: label."""
    label, where = pl.col("label"), f"{role}: {source.file.name}"
    strange = labels.filter(label.is_not_null() & ~label.is_in(LABELS)).head(_LOOKED_AT)
    found = collected(strange, where)["label"].unique(maintain_order=True)
    if found.is_empty():
        return
    told = ", ".join(repr(shortened(value, 40)) for value in found.head(_FEW))
    more = ", …" if found.len() > _FEW else ""
    yield (
        f"{where}: column {column!r} holds {told}{more}, wanted {', '.join(LABELS)} or null; "
        f"{way_out}"
    )
