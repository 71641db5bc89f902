"""CSV and TSV → Parquet as text: `1.500` must not become 1.5, and no line may be lost.

Python's own reader in strict mode is used, since it says which record is bad where faster ones
drop stray quotes or swallow the rest of the file behind an open one. The Parquet file is read
like any other input then; a record that cannot be read is a row with `UNREADABLE` set.
"""

import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

import pyarrow as pa
import pyarrow.parquet as pq

from grounding.errors import InputError
from pipelines.read.files import File, opened

UNREADABLE = "unreadable row"
"""Column of the Parquet file: why the record cannot be read, else null. A CSV cannot hold it
beside `answer`, since it is refused as a column name of the file."""

_ROWS = 5_000
_TEXTS = pa.list_(pa.string())

Record = dict[str, str | list[str | None] | None]


def as_parquet(file: File, target: Path, evidence: str) -> None:
    """Write the rows of a delimited file as Parquet, in order, every cell as text.

    `evidence` is the column that holds passages: a JSON list, or one passage, or columns
    `<evidence>_1` to `<evidence>_k`. It becomes one column of lists. An empty cell is null.

    Raises: InputError where the file is not UTF-8, has no header, names a column twice or leaves
    a quote open.
    """
    with _utf8(file) as text:
        header, dialect = _header(file, text)
        numbered = _numbered(file, header, evidence)
        plain = [name for name in header if name not in numbered]
        lists = {evidence} if evidence in header or numbered else set()
        columns = [*plain, *(lists - set(plain)), UNREADABLE]
        schema = pa.schema((c, _TEXTS if c in lists else pa.string()) for c in columns)
        with pq.ParquetWriter(target, schema, compression="zstd") as writer:
            for batch in _batches(file, text, dialect, header, evidence, numbered):
                writer.write_table(pa.Table.from_pylist(batch, schema))


def _utf8(file: File) -> io.TextIOWrapper:
    return io.TextIOWrapper(cast(BinaryIO, opened(file)), encoding="utf-8-sig", newline="")


def _header(file: File, text: io.TextIOWrapper) -> tuple[list[str], type[csv.Dialect]]:
    """The column names, and the delimiter that the header line holds most of."""
    try:
        line = text.readline()
    except UnicodeDecodeError as error:
        raise _not_utf8(file, error) from error
    counts = {sign: _outside_quotes(line).count(sign) for sign in (",", ";", "\t")}

    class Dialect(csv.Dialect):
        delimiter = max(counts, key=lambda sign: counts[sign])
        quotechar = '"'
        doublequote = True
        lineterminator = "\n"
        quoting = csv.QUOTE_MINIMAL
        strict = True

    try:
        cells = next(csv.reader([line], Dialect), [])
    except csv.Error as error:
        raise InputError(
            f"answers: {file.path}: the header line cannot be read: {error}"
        ) from error
    if not any(cells):
        raise InputError(f"answers: {file.path} has no header line with column names")
    if "\0" in line:
        raise InputError(
            f"answers: {file.path} is not UTF-8 but looks like UTF-16: save it as UTF-8"
        )
    # An index that was written without a name is a column like any other.
    names = [name or f"column_{number}" for number, name in enumerate(cells, start=1)]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError(f"answers: {file.path} names the column {', '.join(twice)} twice")
    if UNREADABLE in names:
        raise InputError(
            f"answers: {file.path}: the column name {UNREADABLE!r} is reserved: rename it"
        )
    return names, Dialect


def _outside_quotes(line: str) -> str:
    return re.sub(r'"[^"]*"', "", line)


def _batches(
    file: File,
    text: io.TextIOWrapper,
    dialect: type[csv.Dialect],
    header: list[str],
    evidence: str,
    numbered: list[str],
) -> Iterator[list[Record]]:
    batch: list[Record] = []
    for cells, problem in _records(file, text, dialect):
        if problem is None and len(cells) != len(header):
            problem = f"{len(cells)} cells, the header has {len(header)}"
        record: Record = {UNREADABLE: problem}
        if problem is None:
            record |= {name: cell or None for name, cell in zip(header, cells, strict=True)}
            record |= _passages(record, evidence, numbered)
        batch.append(record)
        if len(batch) == _ROWS:
            yield batch
            batch = []
    if batch:
        yield batch


def _records(
    file: File, text: io.TextIOWrapper, dialect: type[csv.Dialect]
) -> Iterator[tuple[list[str], str | None]]:
    """Each record's cells, or why it cannot be read. A blank line is none."""
    csv.field_size_limit(2**31 - 1)  # the default refuses a cell over 128 KiB
    reader = csv.reader(text, dialect)
    while True:
        first_line = reader.line_num + 2
        try:
            cells = next(reader)
        except StopIteration:
            return
        except UnicodeDecodeError as error:
            raise _not_utf8(file, error) from error
        except csv.Error as error:
            last_line = reader.line_num + 1
            if "unexpected end of data" in str(error):
                raise InputError(
                    f"answers: {file.path}: a quote that is opened at line {first_line} or later "
                    'is never closed; double the quotes inside a cell ("")'
                ) from error
            lines = f"line {first_line}"
            if last_line > first_line:  # it swallowed lines that may be records of their own
                lines = f"lines {first_line} to {last_line}"
            yield [], f"{lines}: {error}"
        else:
            if cells:
                yield cells, None


def _numbered(file: File, header: list[str], evidence: str) -> list[str]:
    """`evidence_1` … `evidence_k`, by number."""
    pattern = re.compile(re.escape(evidence) + r"_([1-9][0-9]{0,5})")
    numbers = sorted(int(match[1]) for match in map(pattern.fullmatch, header) if match)
    if numbers != list(range(1, len(numbers) + 1)):
        gap = next(n for n in range(1, numbers[-1]) if n not in numbers)
        raise InputError(
            f"answers: {file.path} has a column {evidence}_{numbers[-1]} but no {evidence}_{gap}: "
            f"[n] names the column {evidence}_n"
        )
    return [f"{evidence}_{number}" for number in numbers]


def _passages(record: Record, evidence: str, numbered: list[str]) -> Record:
    """The evidence of a record as one list, or the record's problem."""
    cell = record.get(evidence)
    if numbered:
        passages = [record.pop(name) for name in numbered]
        while passages and passages[-1] is None:
            passages.pop()
        if cell is not None:
            return _bad(evidence, "passages both in the evidence column and in numbered ones")
        return {evidence: [p if isinstance(p, str) else None for p in passages] or None}
    if not isinstance(cell, str):
        return {}
    if not cell.startswith("["):
        return {evidence: [cell]}
    try:
        listed = json.loads(cell, parse_int=float)  # an int of over 4,300 digits would raise
        json.dumps(listed, ensure_ascii=False).encode()  # a lone surrogate is no text
    except (ValueError, RecursionError) as error:
        return _bad(evidence, f"{evidence} opens with [ and is no JSON list: {error}")
    if not all(passage is None or isinstance(passage, str) for passage in listed):
        return _bad(evidence, f"{evidence} is a JSON list of other things than texts: quote each")
    return {evidence: listed}


def _bad(evidence: str, problem: str) -> Record:
    return {evidence: None, UNREADABLE: problem}


def _not_utf8(file: File, error: UnicodeDecodeError) -> InputError:
    """Where the file stops being UTF-8: the error knows only its place in what was buffered."""
    lines = at = 0
    with opened(file) as stream:
        for line in stream:
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as exact:
                return InputError(
                    f"answers: {file.path} is not UTF-8: byte {at + exact.start} (line "
                    f"{lines + 1}) is 0x{line[exact.start]:02x}; save it as UTF-8"
                )
            lines, at = lines + 1, at + len(line)
    return InputError(f"answers: {file.path} is not UTF-8: {error.reason}")
