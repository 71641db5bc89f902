"""Where data leaves: Parquet parts in a staging folder, a manifest, one rename.

A run is seen whole or not at all: its parts are written, closed, counted again from their
footers and fsynced; the manifest comes last; then the folder gets its name. Files depend on
rows alone: fixed row groups, compression and schema, no clock.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from grounding.errors import ResultsError
from pipelines.results import MANIFEST, STAGING, Manifest, fsync_folder, run_folder, write_text

_ROW_GROUP = 65_536


@dataclass
class _Table:
    """The parts of one table that were written so far."""

    schema: pa.Schema
    parts: list[dict[str, object]] = field(default_factory=list)
    rows: int = 0


class Staging:
    """A run in the making, in a folder that no view reads. Leaving it unpublished removes it."""

    def __init__(self, out: Path, run: str) -> None:
        self.run_id = run
        self.folder = out / STAGING / run
        self.scratch = self.folder / "_scratch"
        self._target = run_folder(out, run)
        self._tables: dict[str, _Table] = {}

    def __enter__(self) -> Self:
        shutil.rmtree(self.folder, ignore_errors=True)
        self.scratch.mkdir(parents=True)
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def declare(self, schemas: Mapping[str, pl.Schema]) -> None:
        """The tables of the run, each with its columns."""
        for name, schema in schemas.items():
            self._tables[name] = _Table(_arrow_schema(schema))
            (self.folder / name).mkdir()

    def add(self, tables: Mapping[str, pl.DataFrame]) -> None:
        """Write rows as the next part of their tables. No rows, no part."""
        for name, rows in tables.items():
            if not rows.is_empty():
                self._write(name, rows)

    def rows(self, name: str) -> int:
        """How many rows of a table were written."""
        return self._tables[name].rows

    def publish(self, manifest: Mapping[str, object]) -> Manifest:
        """Write the manifest, with `tables` filled in, and give the run its name."""
        for name, table in self._tables.items():
            if not table.parts:  # so that every table can be read, and has its columns
                self._write(name, pl.DataFrame(table.schema.empty_table()))
        tables = {name: _described(table) for name, table in self._tables.items()}
        whole: dict[str, object] = {**manifest, "tables": tables}
        shutil.rmtree(self.scratch)
        write_text(self.folder / MANIFEST, json.dumps(whole, indent=1, ensure_ascii=False) + "\n")
        for folder in (*(self.folder / name for name in self._tables), self.folder):
            fsync_folder(folder)
        self.folder.rename(self._target)
        fsync_folder(self._target.parent)
        return whole

    def _write(self, name: str, rows: pl.DataFrame) -> None:
        table = self._tables[name]
        path = self.folder / name / f"part-{len(table.parts):05d}.parquet"
        table.parts.append(_write_part(path, rows, table.schema))
        table.rows += rows.height


def _arrow_schema(schema: pl.Schema) -> pa.Schema:
    """The Arrow schema that a table is published with: text as plain string, lists as list."""
    return pa.schema((name, _plain(t)) for name, t in _arrow_types(schema))


def _arrow_types(schema: pl.Schema) -> Iterator[tuple[str, pa.DataType]]:
    empty = pl.DataFrame(schema=schema).to_arrow()
    return zip(empty.schema.names, empty.schema.types, strict=True)


def _plain(dtype: pa.DataType) -> pa.DataType:
    if isinstance(dtype, pa.BaseExtensionType):
        return _plain(dtype.storage_type)
    if pa.types.is_large_string(dtype) or pa.types.is_string_view(dtype):
        return pa.string()
    if pa.types.is_large_binary(dtype) or pa.types.is_binary_view(dtype):
        return pa.binary()
    if pa.types.is_large_list(dtype) or pa.types.is_list(dtype):
        return pa.list_(_plain(dtype.value_type))
    if pa.types.is_struct(dtype):
        return pa.struct([pa.field(f.name, _plain(f.type)) for f in dtype.fields])
    return dtype


def _write_part(path: Path, rows: pl.DataFrame, schema: pa.Schema) -> dict[str, object]:
    table = rows.to_arrow().cast(schema)
    with path.open("wb") as stream:
        pq.write_table(table, stream, row_group_size=_ROW_GROUP, compression="zstd")
        stream.flush()
        os.fsync(stream.fileno())
    counted = pq.read_metadata(path).num_rows
    if counted != rows.height:
        raise ResultsError(f"{path}: {counted} rows in the footer, {rows.height} were written")
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    size = path.stat().st_size
    return {"name": path.name, "rows": counted, "size": size, "digest": f"sha256:{digest}"}


def _described(table: _Table) -> dict[str, object]:
    columns = [{"name": f.name, "type": _type_name(f.type)} for f in table.schema]
    return {"rows": table.rows, "columns": columns, "parts": table.parts}


def _type_name(dtype: pa.DataType) -> str:
    if pa.types.is_list(dtype):
        return f"list<{_type_name(dtype.value_type)}>"
    return str(dtype)
