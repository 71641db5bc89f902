"""Where data leaves: Parquet parts and proofs in a draft, then a manifest that makes it a run.

A run is seen whole or not at all. Each task writes its parts to scratch, closes them, counts them
again from their footers, fsyncs, gives them their names in the draft, and then leaves a proof: what
it wrote, with row counts and digests. A try that was stopped goes on from the proofs that hold.
The manifest comes last. Files depend on rows alone: fixed row groups, compression and schema, no
clock.
"""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from errno import ENOENT
from pathlib import Path
from typing import Any, Self

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from grounding.errors import InputError, JobError, ResultsError, TaskError
from pipelines.grade import Counts, Tables
from pipelines.places import Held, Place
from pipelines.places.names import STAGING
from pipelines.results import Manifest

_ROW_GROUP = 65_536

_HARDLY_REPEATED = {"answer_id", "source_row", "answer_digest", "evidence_digest"}
"""A dictionary of their values is as long as they are: a quarter of a file, and of its CPU."""

Part = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Proof:
    """What a task wrote: its counts, and a part for each table that it had rows for."""

    counts: Counts
    parts: dict[str, Part]


class Staging:
    """A run in the making, in a draft that no view reads.

    `made_by` is what the bytes of a part depend on beside the run: a draft that was made by
    anything else is begun anew. Leaving with a fault of the input removes the draft; leaving
    with any other keeps what was proven for the next try.
    """

    def __init__(self, place: Place, run: str, made_by: Mapping[str, object]) -> None:
        self.run_id = run
        self.place = place
        self.draft = place.draft(run)
        self._notes = f"{STAGING}/{run}"
        self._identity = f"{self._notes}/_identity.json"
        self._proofs = _proofs(run)
        self._made_by = json.dumps(made_by, sort_keys=True)
        self._schemas: dict[str, pa.Schema] = {}

    def __enter__(self) -> Self:
        try:
            same = self.place.read(self._identity).decode() == self._made_by
        except (FileNotFoundError, NotADirectoryError, UnicodeDecodeError):
            same = False
        if not same:
            self._discard()
        self.scratch = self.place.scratch(self.run_id)
        self.place.write(self._identity, self._made_by)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, _: object
    ) -> None:
        if kind is not None and issubclass(kind, InputError | JobError | ResultsError):
            if not self.scratch.is_dir():  # what could not be read was not the input
                lost = FileNotFoundError(ENOENT, "what was written is gone", str(self.scratch))
                raise lost from fault
            self._discard()

    def _discard(self) -> None:
        for folder in (self.draft, self._notes):
            self.place.remove_below(folder)

    def declare(self, schemas: Mapping[str, pl.Schema]) -> None:
        """The tables of the run, each with its columns."""
        for name, schema in schemas.items():
            self._schemas[name] = _arrow_schema(schema)

    def write(self, number: int, tables: Tables, counts: Counts) -> Proof:
        """Write the parts of a task, then its proof. No rows, no part."""
        parts = {
            name: self._written(name, number, rows)
            for name, rows in tables.items()
            if not rows.is_empty()
        }
        proof = Proof(counts, parts)
        stamps = {name: self.place.stamp(self._part(name, part)) for name, part in parts.items()}
        self.place.write(self._proof(number), json.dumps({**asdict(proof), "stamps": stamps}))
        return proof

    def proven(self, number: int) -> Proof | None:
        """What a task wrote in an earlier try, where all of it is still there."""
        try:
            found = json.loads(self.place.read(self._proof(number)))
            proof, stamps = Proof(Counts(**found["counts"]), found["parts"]), found["stamps"]
            whole = all(
                stamps[name] is not None
                and self.place.stamp(self._part(name, part)) == stamps[name]
                for name, part in proof.parts.items()
            )
        except (OSError, ValueError, TypeError, KeyError):
            return None
        return proof if whole else None

    def publish(
        self, manifest: Mapping[str, object], proofs: list[Proof], truth: Tables, held: Held
    ) -> Manifest:
        """Write the manifest, with `tables` filled in, which makes it a run.

        Raises: TaskError where the place is held no longer, or a part is not there any more.
        """
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
        self.place.publish(self.run_id, text, held)
        self.place.remove_below(self._notes)  # where they did not lie in the draft
        return whole

    def _leave_only(self, parts: Mapping[str, list[Part]]) -> None:
        """All listed parts, and nothing beside them, go under the name of the run."""
        listed = {
            f"{name}/{part['name']}": part["size"]
            for name, found in parts.items()
            for part in found
        }
        sizes = self.place.sizes(self.draft)
        gone = sorted(name for name, size in listed.items() if sizes.get(name) != size)
        if gone:
            raise TaskError(
                f"out: {self.place}/{self.draft}: {', '.join(gone[:5])} went away or changed after "
                "it was written, so something else removes files there; nothing was published: "
                "run the same again, which makes what is missing"
            )
        others = sorted(name for name in sizes.keys() - listed.keys() if not name.startswith("_"))
        self.place.remove(*(f"{self.draft}/{name}" for name in others))

    def _proof(self, number: int) -> str:
        return f"{self._proofs}/{number:05d}.json"

    def _part(self, name: str, part: Part) -> str:
        return f"{self.draft}/{name}/{part['name']}"

    def _written(self, name: str, number: int, rows: pl.DataFrame) -> Part:
        """Write one part and give it its name."""
        table = rows.to_arrow().cast(self._schemas[name])
        file = self.scratch / f"{name}-{number:05d}.parquet"
        size, digest = _write_table(file, table)
        part = {
            "name": f"part-{number:05d}.parquet",
            "rows": table.num_rows,
            "size": size,
            "digest": digest,
        }
        self.place.take(self._part(name, part), file)
        return part


def proofs_of(place: Place, run: str) -> list[str]:
    """The names of what the finished tasks of a run in the making left."""
    return [name for name in place.entries(_proofs(run)) if name.endswith(".json")]


def _proofs(run: str) -> str:
    return f"{STAGING}/{run}/_tasks"


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


def _write_table(path: Path, table: pa.Table) -> tuple[int, str]:
    """Write one file and see it to the disk, whole and counted. Its size and digest."""
    repeated = [name for name in table.schema.names if name not in _HARDLY_REPEATED]
    options = {"compression": "zstd", "use_dictionary": repeated}
    with path.open("wb") as stream:
        pq.write_table(table, stream, row_group_size=_ROW_GROUP, **options)
        stream.flush()
        os.fsync(stream.fileno())
    counted = pq.read_metadata(path).num_rows
    if counted != table.num_rows:
        raise ResultsError(f"{path}: {counted} rows in the footer, {table.num_rows} were written")
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    return path.stat().st_size, f"sha256:{digest}"


def _described(schema: pa.Schema, parts: list[Part]) -> dict[str, object]:
    columns = [{"name": f.name, "type": _type_name(f.type)} for f in schema]
    return {"rows": sum(part["rows"] for part in parts), "columns": columns, "parts": parts}


def _type_name(dtype: pa.DataType) -> str:
    if pa.types.is_list(dtype):
        return f"list<{_type_name(dtype.value_type)}>"
    return str(dtype)
