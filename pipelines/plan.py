"""What a run is: its identity, and the tasks that its input is cut into.

Both follow from the input and the job alone, so that the same job is recognised and gives the
same files, whatever the machine, the folder or the number of threads.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass

from pipelines.job import Job, identity
from pipelines.read.files import Fingerprint
from pipelines.read.rows import Source

VERSIONS = {"strict": "strict/1", "annotations": "annotations/1", "tables": "tables/1"}
"""The rules and the shape of the tables. A change to either is a new version, and a new run."""

TASK_BYTES = 96 * 2**20
"""Bytes, before compression, that a task takes on at least, unless the file ends first."""


@dataclass(frozen=True, slots=True)
class Task:
    """A stretch of one file: whole row groups, read, graded and written at once."""

    number: int
    source: Source
    offset: int
    rows: int


def tasks_of(sources: list[Source]) -> list[Task]:
    """The stretches of all files, in source order."""
    stretches = (
        (source, offset, rows) for source in sources for offset, rows in _stretches(source)
    )
    return [Task(number, *stretch) for number, stretch in enumerate(stretches)]


def _stretches(source: Source) -> Iterator[tuple[int, int]]:
    """(offset, rows) of runs of row groups that hold `TASK_BYTES` or more."""
    offset = rows = size = 0
    for group_rows, group_size in source.row_groups:
        rows += group_rows
        size += group_size
        if size >= TASK_BYTES:
            yield offset, rows
            offset, rows, size = offset + rows, 0, 0
    if rows:
        yield offset, rows


def run_id(inputs: list[Fingerprint], job: Job) -> str:
    """Names the work: equal for the same contents under the same names, job keys and versions."""
    contents = [[i.role, i.name, i.size, i.digest] for i in inputs]
    return "r" + _digest({"inputs": contents, "job": identity(job), "versions": VERSIONS})


def job_id(inputs: list[Fingerprint], job: Job) -> str:
    """Names the job over its nights: as `run_id`, without the contents of the inputs.

    With a name, the names of the inputs do not count either, so that a dated path stays one job.
    """
    names = job.name or [[i.role, i.name] for i in inputs]
    return "j" + _digest({"inputs": names, "job": identity(job), "versions": VERSIONS})


def _digest(value: object) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:24]
