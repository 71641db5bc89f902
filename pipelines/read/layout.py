"""Which column of the answers is what: judged over all files at once, before a row is read.

Every file is read to one declared schema: the key, the answer, its evidence, what joins it to
the truth tables, and the carried columns. All faults are collected and reported together.
"""

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

import polars as pl

from grounding.errors import InputError
from grounding.schema import names
from grounding.tables import PLACE, VERDICT
from pipelines.job import Job
from pipelines.read.types import (
    WANTED,
    accepts,
    is_key_part,
    is_text,
    published_type,
    unified_type,
)

OURS = (
    *("answer_id", "answer", "evidence", "evidence_ids"),
    *("fixture_id", "question_id", "question", "label"),
)
"""The columns with a meaning of their own; all others are carried as they are."""

_RENAMED_AWAY = ("question", "label")
"""Of these, what `map` carries under another name is no column with a meaning."""

_NOT_CARRIED = ("answer", "evidence", "evidence_ids")
_TAKEN = ("run_id", "job", "answer_id", "label", *names(PLACE), *names(VERDICT))
_USUAL = {
    "answer_id": ("id", "uid", "_id", "uuid", "sample_id", "example_id", "row_id", "key"),
    "answer": (
        *("output", "response", "completion", "prediction", "generation", "generated_text"),
        *("model_answer", "model_output", "answer_text", "text", "llm_output", "result"),
    ),
}
"""What other tools call our columns, likeliest first, for the `--map` that an error prints."""

Schemas = Mapping[str, pl.Schema]
"""The schema of each file, by its name, in source order."""


@dataclass(frozen=True, slots=True)
class Carried:
    """A column that is published beside the verdict: our name, theirs, and the published type."""

    name: str
    theirs: str
    dtype: pl.DataType


@dataclass(frozen=True, slots=True)
class Layout:
    """The declared schema of the answers, for all files.

    `columns` is our name → theirs of the columns with a meaning. `key` are the columns that make
    the key, `("row",)` for file and row, empty for `answer_id`.
    """

    columns: Mapping[str, str]
    carried: tuple[Carried, ...]
    key: tuple[str, ...]
    key_type: pl.DataType

    @property
    def has_evidence(self) -> bool:
        """Whether any file has a column of evidence."""
        return "evidence" in self.columns


def meant(job: Job) -> dict[str, str]:
    """Our name of each column with a meaning → what a job says that it is called.

    >>> meant(Job(answers="a", map={"answer": "output", "my_label": "label"}))["answer"]
    'output'
    """
    away = {theirs for ours, theirs in job.map.items() if ours not in OURS}
    named = {ours: job.map.get(ours, ours) for ours in OURS}
    return {
        ours: column
        for ours, column in named.items()
        if not (ours in _RENAMED_AWAY and column in away) and not (ours == "answer_id" and job.id)
    }


def layout_of(schemas: Schemas, job: Job) -> Layout:
    """Judge the columns of all files. Raises: InputError with every fault found."""
    theirs = list(dict.fromkeys(column for schema in schemas.values() for column in schema))
    columns = {ours: column for ours, column in meant(job).items() if column in theirs}
    key_column = columns.get("answer_id")
    carried = _carried(theirs, columns, job)
    faults = [
        *_unknown(job, theirs),
        *_lacking(schemas, job, theirs),
        *_wrong_types(schemas, columns),
        *_wrong_key(schemas, key_column, job),
        *_collisions(carried, columns),
        *_unpublishable(schemas, carried),
        *_evidence_twice(columns, job),
    ]
    if faults:
        raise InputError(faults)
    integer = key_column and any(dtype.is_integer() for dtype in _types(schemas, key_column))
    return Layout(
        columns=columns,
        carried=tuple(
            Carried(name, column, unified_type(_types(schemas, column)) or pl.String())
            for name, column in carried
        ),
        key=job.id,
        key_type=pl.Int64() if integer else pl.String(),
    )


def _types(schemas: Schemas, column: str) -> list[pl.DataType]:
    return [schema[column] for schema in schemas.values() if column in schema]


def _unknown(job: Job, theirs: list[str]) -> Iterator[str]:
    """Columns that the job names and no file has, and columns that are never carried."""
    elsewhere = {"label"} if job.labels is not None else set[str]()
    named = [
        (f"--map {ours}={column}", column)
        for ours, column in job.map.items()
        if ours not in elsewhere
    ]
    named += [(f"--carry {column}", column) for column in job.carry or ()]
    named += [(f"--id {column}", column) for column in job.id if job.id != ("row",)]
    for flag, column in named:
        if column not in theirs:
            yield f"{flag}: no file has a column {column!r}; {_there(theirs)}"
    for column in job.carry or ():
        if column in {job.map.get(name, name) for name in _NOT_CARRIED}:
            yield f"--carry {column}: answers and their evidence are never published"


def _lacking(schemas: Schemas, job: Job, theirs: list[str]) -> Iterator[str]:
    """Files that lack the key or the answer."""
    needed = {"answer": job.map.get("answer", "answer")}
    if not job.id:
        needed["answer_id"] = job.map.get("answer_id", "answer_id")
    elif job.id != ("row",):
        needed |= {column: column for column in job.id}
    for ours, column in needed.items():
        lacking = [file for file, schema in schemas.items() if column not in schema]
        named = ours in job.map or column in job.id
        if lacking and (column in theirs or not named):  # else `_unknown` has said so
            advice = "" if column in theirs else _likely(ours, theirs)
            yield f"{_files(lacking)}: no column {column!r}{advice}"


def _likely(ours: str, theirs: list[str]) -> str:
    """What to do about a missing column: the likely `--map`, and for the key `--id` too."""
    lowered = {column.lower(): column for column in theirs}
    found = [lowered[name] for name in _USUAL.get(ours, ()) if name in lowered]
    found = found or [lowered[name] for name in get_close_matches(ours, lowered, n=1)]
    advice = f"; try --map {ours}={found[0]}" if found else f"; {_there(theirs)}"
    return advice + (", or --id row" if ours == "answer_id" else "")


def _wrong_types(schemas: Schemas, columns: Mapping[str, str]) -> Iterator[str]:
    for file, schema in schemas.items():
        for ours, column in columns.items():
            dtype = schema.get(column)
            if dtype is not None and not accepts(ours, dtype):
                text = ours == "evidence" and is_text(dtype)
                hint = "; put each passage into a list of its own" if text else ""
                if ours in _RENAMED_AWAY:
                    hint = f", or --map my_{ours}={column}, which carries it under another name"
                yield f"{file}: column {column!r} is {dtype}, wanted {WANTED[ours]}{hint}"


def _wrong_key(schemas: Schemas, key_column: str | None, job: Job) -> Iterator[str]:
    """A key that is an integer here and text there, or columns that make no exact key."""
    if key_column is not None:
        having = {file: schema for file, schema in schemas.items() if key_column in schema}
        integer = [file for file, schema in having.items() if schema[key_column].is_integer()]
        text = [
            file
            for file, schema in having.items()
            if is_text(schema[key_column]) and schema[key_column] != pl.Null
        ]
        if integer and text:
            yield (
                f"column {key_column!r} is an integer in {_files(integer)} and text in "
                f"{_files(text)}: make it the same in all files"
            )
    for column in job.id if job.id != ("row",) else ():
        for dtype in dict.fromkeys(_types(schemas, column)):
            if not is_key_part(dtype):
                yield f"--id {column}: is {dtype}, wanted text, an integer, a boolean or a date"


def _carried(theirs: list[str], columns: Mapping[str, str], job: Job) -> list[tuple[str, str]]:
    """Our name and theirs of the carried columns, in the order of the input.

    What joins an answer to the truth tables is kept whatever `carry` says. An `answer_id` that is
    part of the key is in it, and is not carried beside it.
    """
    name_of = {column: ours for ours, column in job.map.items()}
    left_out = {job.map.get(name, name) for name in _NOT_CARRIED}
    left_out |= {columns[name] for name in ("answer_id", "label") if name in columns}
    left_out |= {column for column in job.id if name_of.get(column, column) == "answer_id"}
    joins = {columns.get("fixture_id"), columns.get("question_id")}
    wanted = set(theirs) if job.carry is None else set(job.carry) | joins
    return [
        (name_of.get(column, column), column)
        for column in theirs
        if column in wanted and column not in left_out
    ]


def _evidence_twice(columns: Mapping[str, str], job: Job) -> Iterator[str]:
    """Evidence both beside the answers and in files of its own, or ids that are not there."""
    given = [flag for flag in ("evidence", "passages") if getattr(job, flag) is not None]
    for flag in given:
        if "evidence" in columns:
            yield (
                f"column {columns['evidence']!r} holds the passages of an answer, and --{flag} is "
                "given too: leave out one of them"
            )
    if "passages" in given and "evidence_ids" not in columns:
        yield "no file has a column 'evidence_ids' that names passages: try --map evidence_ids=…"


def _collisions(carried: list[tuple[str, str]], columns: Mapping[str, str]) -> Iterator[str]:
    """Carried columns whose name is taken, whatever its case, or is none."""
    taken = {name.casefold(): f"our {name!r}" for name in _TAKEN}
    taken |= {"label": f"{columns['label']!r}"} if "label" in columns else {}
    for ours, column in carried:
        folded = ours.casefold()
        if not ours or any(unicodedata.category(sign) == "Cc" for sign in ours):
            yield (
                f"column {column!r} has no name that SQL can be asked for: rename it, or leave it "
                "out with --carry"
            )
        elif folded in taken:
            yield (
                f"column {column!r} would be published beside {taken[folded]}: rename it with "
                f"--map NEW_NAME={column}, or leave it out with --carry"
            )
        taken[folded] = f"{column!r}"


def _unpublishable(schemas: Schemas, carried: list[tuple[str, str]]) -> Iterator[str]:
    """Carried columns that hold what has no text where text is wanted."""
    for _, column in carried:
        types = _types(schemas, column)
        if any(published_type(dtype) is None for dtype in types) or unified_type(types) is None:
            shown = ", ".join(dict.fromkeys(map(str, types)))
            files = _files([file for file, schema in schemas.items() if column in schema])
            yield (
                f"{files}: column {column!r} is {shown}, which cannot be carried: leave it out "
                "with --carry"
            )


def _files(files: list[str]) -> str:
    shown = ", ".join(files[:3])
    return shown if len(files) <= 3 else f"{shown} and {len(files) - 3} more files"


def _there(theirs: list[str]) -> str:
    return "there are: " + ", ".join(sorted(map(repr, theirs)))
