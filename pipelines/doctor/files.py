"""The input files of a job as they are: formats, sizes, columns, and what these are read as."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from pipelines.doctor.diagnosis import ColumnFound, FileFound
from pipelines.job import Job
from pipelines.prepared import Inputs
from pipelines.read.files import ROWS, File
from pipelines.read.layout import meant
from pipelines.read.rows import Source


def files_found(inputs: Inputs) -> list[FileFound]:
    """Every file of a job, before any is opened."""
    beside = "evidence" if inputs.job.evidence is not None else "passages"
    by_role = (
        ("answers", inputs.answers),
        (beside, inputs.beside),
        ("fixtures", inputs.fixtures),
        ("labels", inputs.labels),
    )
    return [
        FileFound(file.name, role, _format(file), file.path.stat().st_size)
        for role, files in by_role
        for file in files
    ]


def with_sources(found: list[FileFound], sources: list[Source]) -> list[FileFound]:
    """The files, those of answers that were opened with what their footers say."""
    opened = {source.file.name: source for source in sources}
    return [
        _opened(file, opened[file.name]) if file.role == "answers" and file.name in opened else file
        for file in found
    ]


def _opened(found: FileFound, source: Source) -> FileFound:
    return replace(
        found,
        rows=source.rows,
        row_groups=len(source.row_groups),
        largest_row_group=max((size for _, size in source.row_groups), default=0),
        columns={name: str(dtype) for name, dtype in source.schema.items()},
    )


def _format(file: File) -> str:
    name = file.name.lower()
    known = (suffix for suffix in (*ROWS, ".json") if name.endswith(suffix))
    return max(known, key=len, default=".parquet").removeprefix(".")


def columns_found(
    sources: Iterable[Source], job: Job, nulls: dict[str, int] | None = None
) -> list[ColumnFound]:
    """The columns of the answers, in order of appearance.

    In: `nulls`, our name of a column → rows without a value.
    """
    schemas = [source.schema for source in sources]
    names = dict.fromkeys(name for schema in schemas for name in schema)
    found = []
    for name in names:
        types = Counter(str(schema[name]) for schema in schemas if name in schema)
        read_as = meaning(name, job)
        missing = len(schemas) - types.total()
        null = (nulls or {}).get(read_as or "")
        found.append(ColumnFound(name, read_as, dict(types), missing, null))
    return found


def meaning(column: str, job: Job) -> str | None:
    """What a column of the answers is read as: one of ours, part of the key, or carried.

    >>> meaning("output", Job(answers="a", map={"answer": "output"})), meaning("lang", Job())
    ('answer', 'carried')
    """
    ours = {theirs: name for name, theirs in meant(job).items()}
    if column in ours:
        return ours[column]
    if column in job.id and job.id != ("row",):
        return "key"
    if job.carry is not None and column not in job.carry:
        return None
    renamed = {theirs: name for name, theirs in job.map.items()}.get(column, column)
    return "carried" if renamed == column else f"carried as {renamed}"
