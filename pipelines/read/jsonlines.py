"""JSON Lines → Parquet: a row a line, every value as it is written, and no line may be lost.

Python's own `json` reads the values: it says what is wrong with a line and where, and hands us
each number as it is written. Readers into columns (polars, pyarrow, DuckDB) type the numbers,
where `1.500` becomes 1.5, keep the last of two equal keys, and give up the whole file at a bad
line. A file is read twice, line by line: what its columns are is known at its end.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from grounding.errors import InputError
from pipelines.job import Job
from pipelines.read.delimited import UNREADABLE
from pipelines.read.files import File, opened
from pipelines.read.jsoncells import cell, column_type, kind_of
from pipelines.read.jsonvalues import json_object
from pipelines.read.layout import meant

LONGEST = 2**30
"""Bytes of a line: a longer one is not taken into memory, but passed over as unreadable."""

_ROWS, _BYTES = 5_000, 16 * 2**20
"""Of a row group, whichever comes first."""

_MOST_COLUMNS = 10_000
_SPACE = b" \t\r\n"


class Roles(NamedTuple):
    """What is known of the columns before a file is read."""

    ours: Mapping[str, str] = {}
    """Their name of a column with a meaning → our name."""

    needed: tuple[str, ...] = ()
    """Their names of those that every file must have."""


def roles_of(job: Job) -> Roles:
    """The columns of the answers of a job."""
    theirs = meant(job)
    apart = "evidence" if job.passages is None else "evidence_ids"
    wanted = ["answer", "answer_id", *([] if job.evidence is not None else [apart])]
    needed = [theirs[name] for name in wanted if name in theirs]
    needed += [column for column in job.id if job.id != ("row",)]
    return Roles({column: name for name, column in theirs.items()}, tuple(dict.fromkeys(needed)))


Line = tuple[int, int, dict[str, Any], str | None]
"""Its number, its bytes, its values, and why it cannot be read."""


def as_parquet(file: File, target: Path, roles: Roles) -> None:
    """Write the lines of a file as Parquet, in order; a blank one is no row.

    Evidence becomes a list of texts, where one text is a list of one; what is to be text is never
    made from anything else. Any other column is int64 or boolean where all its values are, and
    else text as written: a number keeps its digits, a list or an object is its own JSON. A double
    would make 1.5 of `1.500`, and lose digits after the 17th. Null is as good as absent.

    Raises: InputError where the file is UTF-16, or has a column of a reserved name.
    """
    types = _types(file, roles)
    schema = pa.schema([*types.items(), (UNREADABLE, pa.string())])
    with pq.ParquetWriter(target, schema, compression="zstd") as writer:
        for batch in _batches(file):
            columns: dict[str, list[object]] = {name: [] for name in schema.names}
            for number, _, values, problem in batch:
                faults = [problem] if problem else []
                for name, dtype in types.items():
                    value, fault = cell(values.get(name), dtype, roles.ours.get(name))
                    columns[name].append(value)
                    faults += [f"line {number}: {name} {fault}"] if fault else []
                columns[UNREADABLE].append("; ".join(faults) or None)
            writer.write_table(pa.table(columns, schema))


def _types(file: File, roles: Roles) -> dict[str, pa.DataType]:
    """The columns of a file in the order in which they appear, each with a type that loses nothing.

    A file without a value has the columns that a file must have, so that it is one without rows.
    """
    seen: dict[str, set[type]] = {}
    for _, _, values, _ in _lines(file):
        for name, value in values.items():
            kinds = seen.setdefault(name, set())
            if value is not None:
                kinds.add(kind_of(value))
        if len(seen) > _MOST_COLUMNS:
            raise InputError(
                f"answers: {file.path} has over {_MOST_COLUMNS} different keys: gather those that "
                "differ from line to line in one object"
            )
    if UNREADABLE in seen:
        raise InputError(f"answers: {file.path}: the key {UNREADABLE!r} is reserved: rename it")
    seen = seen or {name: set() for name in roles.needed}
    return {name: column_type(kinds, roles.ours.get(name)) for name, kinds in seen.items()}


def _batches(file: File) -> Iterator[list[Line]]:
    batch: list[Line] = []
    size = 0
    for line in _lines(file):
        batch.append(line)
        size += line[1]
        if len(batch) == _ROWS or size >= _BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _lines(file: File) -> Iterator[Line]:
    """The lines that are rows. One that cannot be read has no values, but a problem."""
    with opened(file) as stream:
        number = 0
        while data := stream.readline(LONGEST + 1):
            number += 1
            if number == 1:
                if data.startswith((b"\xff\xfe", b"\xfe\xff")):
                    raise InputError(f"answers: {file.path} is UTF-16: save it as UTF-8")
                data = data.removeprefix(b"\xef\xbb\xbf")
            if len(data) > LONGEST:
                while not data.endswith(b"\n") and (data := stream.readline(LONGEST)):
                    pass
                yield number, 0, {}, f"line {number}: is longer than {LONGEST} bytes"
            elif data.strip(_SPACE):
                yield number, len(data), *_read(data, number)


def _read(data: bytes, number: int) -> tuple[dict[str, Any], str | None]:
    try:
        return json_object(data.decode("utf-8")), None
    except UnicodeDecodeError as error:
        at, byte = error.start + 1, data[error.start]
        return {}, f"line {number}: is not UTF-8: byte {at} is 0x{byte:02x}"
    except ValueError as error:
        return {}, f"line {number}: {error}"
