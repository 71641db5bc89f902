"""What a run is: its identity, and the tasks that its input is cut into.

Both follow from the input and the job alone, so that the same job is recognised and gives the
same files, whatever the machine, the folder or the number of threads.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import grounding
import pipelines
from pipelines.job import Job, identity
from pipelines.read.files import Fingerprint
from pipelines.read.rows import Source

VERSIONS = {
    "strict": "strict/1",
    "annotations": "annotations/1",
    "causes": "causes/1",
    "advice": "advice/1",
    "tables": "tables/1",
}
"""The rules and the shape of the tables. A change to either is a new version, and a new run."""

TASK_BYTES = 96 * 2**20
"""Bytes, before compression, that a task takes on at least, unless the file ends first."""


class Stretch(NamedTuple):
    """Consecutive rows of one file: whole row groups, or a part of a very large one."""

    source: Source
    offset: int
    rows: int
    bytes: int
    """Before compression."""

    def __str__(self) -> str:
        last = self.offset + self.rows - 1
        return f"{self.source.file.name} rows {self.offset} to {last}"


Task = tuple[Stretch, ...]
"""What is read, graded and written at once: stretches of one or many files, in source order."""


def tasks_of(sources: list[Source]) -> Iterator[Task]:
    """The input cut where `TASK_BYTES` are reached; many small files make one task."""
    task: list[Stretch] = []
    size = 0
    for source in sources:
        offset = rows = held = 0
        for group_rows, group_size in _pieces(source):
            rows += group_rows
            held += group_size
            if size + held >= TASK_BYTES:
                yield (*task, Stretch(source, offset, rows, held))
                task, offset, rows, held, size = [], offset + rows, 0, 0, 0
        if rows:
            task.append(Stretch(source, offset, rows, held))
        size += held
    if task:
        yield tuple(task)


def _pieces(source: Source) -> Iterator[tuple[int, int]]:
    """(rows, bytes) of each row group, one that is far too large for a task in equal parts."""
    for rows, size in source.row_groups:
        parts = max(1, min(rows, size // TASK_BYTES))
        ends = [rows * part // parts for part in range(parts + 1)]
        for start, end in pairwise(ends):
            yield end - start, size // parts


def run_id(inputs: list[Fingerprint], job: Job, base: Mapping[str, object] | None = None) -> str:
    """Names the work: equal for the same contents under the same names, job keys and versions.

    `base` is what an incremental job had published before: whose rows count decides whose ids are
    duplicates.
    """
    contents = [[i.role, i.name, i.size, i.digest] for i in inputs]
    of = {"inputs": contents, "job": identity(job), "versions": VERSIONS}
    return "r" + _digest(of if base is None else {**of, "base": base})


def job_id(inputs: list[Fingerprint], job: Job) -> str:
    """Names the job over its nights: as `run_id`, without the contents of the inputs.

    With a name, the names of the inputs do not count either, so that a dated path stays one job.
    """
    names = job.name or [[i.role, i.name] for i in inputs]
    of = {"inputs": names, "job": identity(job), "versions": VERSIONS}
    return "j" + _digest({**of, "incremental": True} if job.incremental else of)


def made_by(software: Mapping[str, str]) -> dict[str, object]:
    """What the parts of a task depend on, beside the run that they are of."""
    return {"code": code_digest(), "task_bytes": TASK_BYTES, **software}


def code_digest() -> str:
    """Of the sources of both packages: a finished task is proof only for the code that did it."""
    whole = hashlib.sha256()
    for package in (grounding, pipelines):
        folder = Path(str(package.__file__)).parent
        for file in sorted(folder.rglob("*.py")):
            whole.update(f"{file.relative_to(folder.parent)}\0".encode() + file.read_bytes())
    return whole.hexdigest()


def _digest(value: object) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:24]
