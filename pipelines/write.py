"""Where data leaves: Parquet parts and proofs in a staging folder, a manifest, one rename.

A run is seen whole or not at all. Each task writes its parts under a temporary name, closes
them, counts them again from their footers, fsyncs, and then leaves a proof: what it wrote, with
row counts and digests. A try that was stopped goes on from the proofs that hold. The manifest
comes last; then the folder gets its name. Files depend on rows alone: fixed row groups,
compression and schema, no clock.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from grounding.errors import InputError, JobError, ResultsError
from pipelines.grade import Counts, Tables
from pipelines.results import MANIFEST, STAGING, Manifest, flush, replace_file, run_folder

_ROW_GROUP = 65_536
_IDENTITY = "identity.json"

Part = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Proof:
    """What a task wrote: its counts, and a part for each table that it had rows for."""

    counts: Counts
    parts: dict[str, Part]


class Staging:
    """A run in the making, in a folder that no view reads.

    `made_by` is what the bytes of a part depend on beside the run: a folder that was made by
    anything else is begun anew. Leaving with a fault of the input removes the folder; leaving
    with any other keeps what was proven for the next try.
    """

    def __init__(self, out: Path, run: str, made_by: Mapping[str, object]) -> None:
        self.run_id = run
        self.folder = out / STAGING / run
        self.scratch = self.folder / "_scratch"
        self._proofs = self.folder / "_tasks"
        self._target = run_folder(out, run)
        self._made_by = json.dumps(made_by, sort_keys=True)
        self._schemas: dict[str, pa.Schema] = {}

    def __enter__(self) -> Self:
        identity = self.folder / _IDENTITY
        if not identity.is_file() or identity.read_text("utf-8") != self._made_by:
            shutil.rmtree(self.folder, ignore_errors=True)
        shutil.rmtree(self.scratch, ignore_errors=True)
        for folder in (self.scratch, self._proofs):
            folder.mkdir(parents=True, exist_ok=True)
        replace_file(identity, self._made_by)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        hopeless = kind is not None and issubclass(kind, InputError | JobError | ResultsError)
        if kind is None or hopeless:
            shutil.rmtree(self.folder, ignore_errors=True)

    def declare(self, schemas: Mapping[str, pl.Schema]) -> None:
        """The tables of the run, each with its columns."""
        for name, schema in schemas.items():
            self._schemas[name] = _arrow_schema(schema)
            (self.folder / name).mkdir(exist_ok=True)

    def write(self, number: int, tables: Tables, counts: Counts) -> Proof:
        """Write the parts of a task, then its proof. No rows, no part."""
        parts = {
            name: self._written(name, number, rows)
            for name, rows in tables.items()
            if not rows.is_empty()
        }
        proof = Proof(counts, parts)
        replace_file(self._proof(number), json.dumps(asdict(proof)))
        return proof

    def proven(self, number: int) -> Proof | None:
        """What a task wrote in an earlier try, where all of it is still there."""
        try:
            found = json.loads(self._proof(number).read_text("utf-8"))
            proof = Proof(Counts(**found["counts"]), found["parts"])
        except (OSError, ValueError, TypeError, KeyError):
            return None
        whole = all(
            _digest(self.folder / name / part["name"]) == part["digest"]
            for name, part in proof.parts.items()
        )
        return proof if whole else None

    def publish(
        self, manifest: Mapping[str, object], proofs: list[Proof], truth: Tables
    ) -> Manifest:
        """Write the manifest, with `tables` filled in, and give the run its name."""
        parts: dict[str, list[Part]] = {
            name: [proof.parts[name] for proof in proofs if name in proof.parts]
            for name in self._schemas
        }
        for name, rows in truth.items():
            parts[name].append(self._written(name, 0, rows))
        for name, schema in self._schemas.items():
            if not parts[name]:  # so that every table can be read, and has its columns
                parts[name].append(self._written(name, 0, pl.DataFrame(schema.empty_table())))
        tables = {name: _described(self._schemas[name], listed) for name, listed in parts.items()}
        whole: dict[str, object] = {**manifest, "tables": tables}
        self._leave_only(parts)
        text = json.dumps(whole, indent=1, ensure_ascii=False) + "\n"
        replace_file(self.folder / MANIFEST, text)
        self.folder.rename(self._target)
        flush(self._target.parent)
        return whole

    def _leave_only(self, parts: Mapping[str, list[Part]]) -> None:
        """Nothing but listed parts goes under the name of the run."""
        for own in (self.scratch, self._proofs):
            shutil.rmtree(own)
        (self.folder / _IDENTITY).unlink()
        for name, listed in parts.items():
            names = {part["name"] for part in listed}
            for path in (self.folder / name).iterdir():
                if path.name not in names:
                    path.unlink()
            flush(self.folder / name)

    def _proof(self, number: int) -> Path:
        return self._proofs / f"{number:05d}.json"

    def _written(self, name: str, number: int, rows: pl.DataFrame) -> Part:
        path = self.folder / name / f"part-{number:05d}.parquet"
        return _write_part(path, rows, self._schemas[name])


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


def _write_part(path: Path, rows: pl.DataFrame, schema: pa.Schema) -> Part:
    """Write one part, under a temporary name until it is whole and counted."""
    table = rows.to_arrow().cast(schema)
    beside = path.with_name(f".{path.name}.new")
    with beside.open("wb") as stream:
        pq.write_table(table, stream, row_group_size=_ROW_GROUP, compression="zstd")
        stream.flush()
        os.fsync(stream.fileno())
    counted = pq.read_metadata(beside).num_rows
    if counted != rows.height:
        raise ResultsError(f"{path}: {counted} rows in the footer, {rows.height} were written")
    size = beside.stat().st_size
    digest = _digest(beside)
    beside.replace(path)
    return {"name": path.name, "rows": counted, "size": size, "digest": digest}


def _digest(path: Path) -> str | None:
    try:
        with path.open("rb") as stream:
            return f"sha256:{hashlib.file_digest(stream, 'sha256').hexdigest()}"
    except OSError:
        return None


def _described(schema: pa.Schema, parts: list[Part]) -> dict[str, object]:
    columns = [{"name": f.name, "type": _type_name(f.type)} for f in schema]
    return {"rows": sum(part["rows"] for part in parts), "columns": columns, "parts": parts}


def _type_name(dtype: pa.DataType) -> str:
    if pa.types.is_list(dtype):
        return f"list<{_type_name(dtype.value_type)}>"
    return str(dtype)
