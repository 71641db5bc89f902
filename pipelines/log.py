"""What a run tells while it goes on: events, for a progress bar and for a log in JSON lines.

A log is no result: the clock and the machine may show in it, as they do in no table.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Started:
    """The input was found and its content is known. `bytes`: of all its files."""

    event: ClassVar[str] = "started"
    run_id: str
    job_id: str
    out: str
    files: int
    bytes: int
    workers: int


@dataclass(frozen=True, slots=True)
class TaskDone:
    """A task is done and proven.

    `task` counts from 1 in source order. `bytes` are those of its rows before compression,
    `seconds` what its process took, null where an earlier try did it (`resumed`). `read` of
    `total` rows are done by now.
    """

    event: ClassVar[str] = "task"
    task: int
    tasks: int
    rows: int
    rejected: int
    bytes: int
    seconds: float | None
    resumed: bool
    input: tuple[str, ...]
    read: int
    total: int


@dataclass(frozen=True, slots=True)
class Published:
    """The run is published, and the views show it."""

    event: ClassVar[str] = "published"
    run_id: str
    path: str
    read: int
    graded: int
    rejected: int
    grounded: int
    checked: int
    passed: int


@dataclass(frozen=True, slots=True)
class AlreadyDone(Published):
    """The run was published before, or nothing is new. Nothing was graded."""

    event: ClassVar[str] = "already_done"


Event = Started | TaskDone | Published

Observer = Callable[[Event], None]
"""Told each event as it happens. What it raises ends the run."""


def json_line(event: str, facts: Mapping[str, object]) -> str:
    """One event on a line: JSON in ASCII, with the time in UTC as RFC 3339 writes it."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return json.dumps({"event": event, "time": now, **facts})
