"""The texts that `check` is given: as they stand, from stdin, from a file, or from stored answers.

A shell turns `"$35M"` into `5M` and cannot pass a NUL, so a text can be kept away from it.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from grounding.errors import InputError, JobError


def given_text(value: str, flag: str) -> str:
    """The text that a flag names: `-` is stdin, `@file` a file, `@@…` a text that opens with @."""
    if value == "-":
        return _decoded(sys.stdin.buffer.read(), f"{flag} -")
    if value.startswith("@@"):
        return value[1:]
    if value.startswith("@"):
        return _decoded(_read(Path(value[1:]), flag), f"{flag} {value}")
    return _decoded(value.encode(errors="surrogateescape"), flag)


def given_texts(answer: str, evidence: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """The answer and its passages. Only one of them can be stdin."""
    if [answer, *evidence].count("-") > 1:
        raise JobError("only one of --answer and --evidence can be - : stdin is read once")
    passages = tuple(given_text(value, "--evidence") for value in evidence)
    return given_text(answer, "--answer"), passages


def stored_texts(file: Path, row: str) -> tuple[str, tuple[str, ...] | None]:
    """The answer and evidence of one row of a Parquet file, by its answer_id."""
    import polars as pl

    try:
        answers = pl.scan_parquet(file, glob=False)
        missing = {"answer_id", "answer", "evidence"} - set(answers.collect_schema().names())
        if missing:
            raise InputError(f"{file}: no column {', '.join(sorted(missing))}")
        wanted = pl.col("answer_id").cast(pl.String) == row
        found = answers.filter(wanted).select("answer", "evidence").head(2).collect().rows()
    except (OSError, pl.exceptions.PolarsError) as error:
        raise InputError(f"{file}: cannot be read as Parquet: {error}") from error
    if len(found) != 1:
        how_many = "no row" if not found else "more than one row"
        raise InputError(f"{file}: {how_many} has the answer_id {row!r}")
    answer, evidence = found[0]
    if not isinstance(answer, str):
        raise InputError(f"{file}: the answer of {row!r} is {_kind(answer)}; wanted a text")
    if evidence is not None and not _texts(evidence):
        raise InputError(f"{file}: the evidence of {row!r} is no list of texts without nulls")
    return answer, None if evidence is None else tuple(evidence)


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _kind(value: object) -> str:
    return "null" if value is None else type(value).__name__


def _read(file: Path, flag: str) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise InputError(f"{flag} @{file}: cannot be read: {error.strerror}") from None


def _decoded(content: bytes, where: str) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise InputError(f"{where}: not UTF-8 at byte {error.start}") from None
