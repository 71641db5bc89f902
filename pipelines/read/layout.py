"""Which column of the answers is what: judged over all files at once, before a row is read.

Every file is read to one declared schema: the key, the answer, its evidence, what joins it to
the truth tables, and the carried columns. All faults are collected and reported together.
"""

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

import polars as pl

from grounding.errors import InputError
from grounding.schema import names
from grounding.tables import PLACE, VERDICT
from pipelines.job import Job

OURS = ("answer_id", "answer", "evidence", "fixture_id", "question_id")
"""The columns with a meaning of their own; all others are carried as they are."""

_TAKEN = ("run_id", "job", "answer_id", *names(PLACE), *names(VERDICT))
_USUAL = {
    "answer_id": ("id", "uid", "_id", "uuid", "sample_id", "example_id", "row_id", "key"),
    "answer": (
        *("output", "response", "completion", "prediction", "generation", "generated_text"),
        *("model_answer", "model_output", "answer_text", "text", "llm_output", "result"),
    ),
    "evidence": (
        *("contexts", "context", "retrieved_contexts", "passages", "documents", "sources"),
        *("references", "chunks", "retrieved_docs", "evidences", "docs"),
    ),
    "fixture_id": ("fixture", "book_id"),
    "question_id": ("qid", "question_idx", "prompt_id"),
}
"""What other tools call our columns, likeliest first, for the `--map` that an error prints."""

Schemas = Mapping[str, pl.Schema]
"""The schema of each file, by its name, in source order."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The declared schema of the answers, for all files.

    `columns` and `carried` are our name → theirs; `types` are the published ones of the carried.
    `key` are the columns that make the key, `("row",)` for file and row, empty for `answer_id`.
    """

    columns: Mapping[str, str]
    carried: Mapping[str, str]
    types: Mapping[str, pl.DataType]
    key: tuple[str, ...]
    key_type: pl.DataType

    @property
    def has_evidence(self) -> bool:
        """Whether any file has a column of evidence."""
        return "evidence" in self.columns


def layout_of(schemas: Schemas, job: Job) -> Layout:
    """Judge the columns of all files. Raises: InputError with every fault found."""
    theirs = list(dict.fromkeys(column for schema in schemas.values() for column in schema))
    named = {ours: job.map.get(ours, ours) for ours in OURS}
    columns = {ours: column for ours, column in named.items() if column in theirs}
    carried = _carried(theirs, columns, job)
    faults = [
        *_missing(schemas, job, theirs),
        *_wrong_types(schemas, columns),
        *_mixed_key(schemas, columns, job),
        *_collisions(carried),
    ]
    if faults:
        raise InputError(faults)
    types = {ours: _unified(schemas, column) for ours, column in carried.items()}
    return Layout(columns, carried, types, job.id, _key_type(schemas, columns, job))


def _missing(schemas: Schemas, job: Job, theirs: list[str]) -> list[str]:
    """Columns that the job names and no file has, or that a file needs and lacks."""
    named = {f"--map {ours}={column}": column for ours, column in job.map.items()}
    named |= {f"--carry {column}": column for column in job.carry or ()}
    named |= {f"--id {column}": column for column in job.id if job.id != ("row",)}
    faults = [
        f"{flag}: no file has a column {column!r}; {_there(theirs)}"
        for flag, column in named.items()
        if column not in theirs
    ]
    needed = {ours: job.map.get(ours, ours) for ours in ("answer_id", "answer")}
    if job.id:
        del needed["answer_id"]
        needed |= {column: column for column in job.id if job.id != ("row",)}
    for ours, column in needed.items():
        lacking = [file for file, schema in schemas.items() if column not in schema]
        if lacking and column not in named.values():
            faults.append(f"{_files(lacking)}: no column {column!r}{_likely(ours, theirs)}")
        elif lacking and column in theirs:
            faults.append(f"{_files(lacking)}: no column {column!r}")
    return faults


def _likely(ours: str, theirs: list[str]) -> str:
    """What to do about a missing column: the likely `--map`, and for the key `--id` too."""
    lowered = {column.lower(): column for column in theirs}
    found = [lowered[name] for name in _USUAL.get(ours, ()) if name in lowered]
    found = found or [lowered[name] for name in get_close_matches(ours, lowered, n=1)]
    advice = f"; try --map {ours}={found[0]}" if found else f"; {_there(theirs)}"
    return advice + (", or --id row" if ours == "answer_id" else "")


def _wrong_types(schemas: Schemas, columns: Mapping[str, str]) -> list[str]:
    faults = []
    for file, schema in schemas.items():
        for ours, column in columns.items():
            dtype = schema.get(column)
            if dtype is None or _accepts(ours, dtype):
                continue
            faults.append(
                f"{file}: column {column!r} is {dtype}, wanted {_WANTED[ours]}{_hint(ours, dtype)}"
            )
    return faults


_WANTED = {
    "answer_id": "text or an integer",
    "answer": "text",
    "evidence": "a list of texts",
    "fixture_id": "text",
    "question_id": "text",
}


def _accepts(ours: str, dtype: pl.DataType) -> bool:
    if ours == "evidence":
        inner = dtype.inner if isinstance(dtype, pl.List | pl.Array) else None
        return isinstance(dtype, pl.Null) or (inner is not None and _is_text(inner))
    return _is_text(dtype) or (ours == "answer_id" and dtype.is_integer())


def _is_text(dtype: object) -> bool:
    """Whether a type is read as text. A column that is null in every row is text too."""
    return isinstance(dtype, pl.String | pl.Categorical | pl.Enum | pl.Null)


def _hint(ours: str, dtype: pl.DataType) -> str:
    if ours == "evidence" and _is_text(dtype):
        return "; put each passage into a list of its own"
    return ""


def _carried(theirs: list[str], columns: Mapping[str, str], job: Job) -> dict[str, str]:
    """Our name → theirs of the carried columns, in their order.

    What joins an answer to the truth tables is kept whatever `carry` says.
    """
    name_of = {column: ours for ours, column in job.map.items()}
    left_out = {columns.get(name) for name in ("answer_id", "answer", "evidence")}
    left_out |= {job.map.get("evidence_ids", "evidence_ids")}
    joins = {columns.get("fixture_id"), columns.get("question_id")}
    wanted = set(theirs) if job.carry is None else set(job.carry) | joins
    return {
        name_of.get(column, column): column
        for column in theirs
        if column in wanted and column not in left_out
    }


def _collisions(carried: Mapping[str, str]) -> list[str]:
    """Carried columns that would be published under a name that is taken, whatever its case."""
    taken = {name.casefold(): f"our {name!r}" for name in _TAKEN}
    faults = []
    for ours, column in carried.items():
        folded = ours.casefold()
        if not ours or any(unicodedata.category(sign) == "Cc" for sign in ours):
            faults.append(
                f"column {column!r} has no name that SQL can be asked for: rename it with "
                f"--map, or leave it out with --carry"
            )
        if folded in taken:
            faults.append(
                f"column {column!r} would be published beside {taken[folded]}: rename it with "
                f"--map NEW_NAME={column}, or leave it out with --carry"
            )
        taken[folded] = f"{column!r}"
    return faults


def _mixed_key(schemas: Schemas, columns: Mapping[str, str], job: Job) -> list[str]:
    column = columns.get("answer_id")
    if job.id or column is None:
        return []
    typed = {file: schema[column] for file, schema in schemas.items() if column in schema}
    integer = [file for file, dtype in typed.items() if dtype.is_integer()]
    text = [file for file, dtype in typed.items() if isinstance(dtype, pl.String)]
    if not (integer and text):
        return []
    return [
        f"column {column!r} is an integer in {_files(integer)} and text in {_files(text)}: "
        "make it the same in all files"
    ]


def _key_type(schemas: Schemas, columns: Mapping[str, str], job: Job) -> pl.DataType:
    """Integer where the column is, else text."""
    column = columns.get("answer_id", "")
    types = [schema[column] for schema in schemas.values() if column in schema]
    integer = not job.id and any(dtype.is_integer() for dtype in types)
    return pl.Int64() if integer else pl.String()


def _unified(schemas: Schemas, column: str) -> pl.DataType:
    """The published type of a carried column: its own, or one that every file's fits, or text."""
    seen = {_published(schema[column]) for schema in schemas.values() if column in schema}
    seen = seen - {pl.Null()} or {pl.String()}
    if len(seen) == 1:
        return seen.pop()
    if all(dtype.is_signed_integer() for dtype in seen):
        return pl.Int64()
    return pl.String()


def _published(dtype: pl.DataType) -> pl.DataType:
    """The type that a carried column is published as. Nested ones are published as JSON text."""
    text = dtype.is_nested() or isinstance(dtype, (pl.Categorical, pl.Enum, pl.Object))
    return pl.String() if text else dtype


def _files(files: list[str]) -> str:
    shown = ", ".join(files[:3])
    return shown if len(files) <= 3 else f"{shown} and {len(files) - 3} more files"


def _there(theirs: Iterable[str]) -> str:
    return "there are: " + ", ".join(sorted(map(repr, theirs)))
