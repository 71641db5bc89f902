"""What a results folder holds: its published runs, and which of them are live.

A run is published once its manifest stands in `run_id=…/`: a folder without one, and whatever
lies beside the parts that a manifest lists, is not seen. The live runs of a job are those its
pointer in `_latest/` names. Nothing here opens a table.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from grounding.errors import InputError, ResultsError
from pipelines.places import Place
from pipelines.places.names import LATEST, MANIFEST, RUN, run_name
from pipelines.places.stores import StoreFault
from pipelines.results import Live, live_of

TABLES = (
    "verdicts",
    "findings",
    "claims",
    "truth_facts",
    "truth_negative_facts",
    "truth_questions",
    "rejects",
)
"""The tables that every run publishes, each with at least one part."""


@dataclass(frozen=True, slots=True)
class Table:
    """One table of one run: its columns as (name, Arrow type), its parts as (path, size)."""

    columns: tuple[tuple[str, str], ...]
    parts: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Run:
    """One manifest. `settings` and `versions` are JSON text; paths are relative to the folder."""

    run_id: str
    job_id: str
    name: str | None
    settings: str
    versions: str
    content: str
    read: int
    graded: int
    rejected: int
    started: str
    finished: str
    tables: Mapping[str, Table]

    @property
    def folder(self) -> str:
        """Its folder in the results folder."""
        return run_name(self.run_id)


@dataclass(frozen=True, slots=True)
class Published:
    """A results folder: its runs by start, its live runs by job."""

    place: Place
    runs: tuple[Run, ...]
    live: tuple[Live, ...]

    def labels(self) -> dict[str, str]:
        """How each job is called: its name, or its id where it has no name of its own.

        The same name with other settings is another job, and rates of two jobs are never mixed,
        so a label that two jobs would share is followed by the id.
        """
        known = {run.job_id: run.name or run.job_id for run in self.runs}
        known |= {live.job_id: live.name or live.job_id for live in self.live}
        shared = Counter(known.values())
        return {
            job_id: label if shared[label] == 1 else f"{label} ({job_id})"
            for job_id, label in known.items()
        }

    def parts(self) -> Iterator[tuple[str, int]]:
        """Every part that a manifest lists, as (path, size)."""
        for run in self.runs:
            for table in run.tables.values():
                yield from table.parts

    def absolute(self, path: str) -> str:
        """The absolute form of a path in the folder."""
        return self.place.path(path)

    def check_parts(self) -> None:
        """Raises: ResultsError, with every listed part that is absent or of another size."""
        faults = []
        for run in self.runs:
            found = self.place.sizes(run.folder)
            for table in run.tables.values():
                for path, size in table.parts:
                    file, there = f"{self.place}/{path}", found.get(path.partition("/")[2])
                    if there is None:
                        faults.append(f"{file}: listed in the manifest of its run, but not there")
                    elif there != size:
                        faults.append(f"{file}: {there} bytes, but its manifest says {size}")
        if faults:
            raise ResultsError(faults)


def published(place: Place) -> Published:
    """The published and the live runs of a results folder.

    Raises: InputError where no run is published; ResultsError where manifests or pointers are
    broken or contradict the folder, all faults at once.
    """
    # Pointers first: a pointer is written after its run, so every run it names is then found.
    faults: list[str] = []
    live = _live(place, faults)
    runs = _runs(place, faults)
    faults = faults or _dangling(place, runs, live)
    if faults:
        raise ResultsError(faults)
    if not runs:
        raise InputError(f"{place}: no run is published there (grounding run --out DIR)")
    return Published(place, runs, live)


def check_results(place: Place, job_id: str) -> None:
    """Hold a folder against its manifests before a run is published in it.

    The pointer of the job that is about to publish may name a run that was removed by hand: it is
    written anew. Raises: ResultsError with all faults at once.
    """
    faults: list[str] = []
    others = tuple(live for live in _live(place, faults) if live.job_id != job_id)
    runs = _runs(place, faults)
    if faults := faults or _dangling(place, runs, others):
        raise ResultsError(faults)


def _dangling(place: Place, runs: tuple[Run, ...], live: tuple[Live, ...]) -> list[str]:
    """Pointers to runs that are not there, as after a run was deleted by hand."""
    ids = {run.run_id for run in runs}
    return [
        f"{place}/{LATEST}/{pointer.job_id}: names the run {run_id}, which is not published "
        "there; run that job again, or delete this pointer"
        for pointer in live
        for run_id in pointer.run_ids
        if run_id not in ids
    ]


def _live(place: Place, faults: list[str]) -> tuple[Live, ...]:
    """The pointers of `_latest/`; a name that opens with a dot is somebody's temporary file."""
    found = []
    for name in place.entries(LATEST):
        if name.startswith("."):
            continue
        try:
            live = live_of(place, name)
            found += [live] if live else []
        except ResultsError as error:
            faults += error.faults
    return tuple(found)


def _runs(place: Place, faults: list[str]) -> tuple[Run, ...]:
    """The runs that have a manifest, by start and id."""
    runs = []
    for folder in place.entries(""):
        if not folder.startswith(RUN):
            continue
        manifest = f"{place}/{folder}/{MANIFEST}"
        try:
            run = run_of(json.loads(place.read(f"{folder}/{MANIFEST}")))
            runs.append(run)
            if folder != run.folder:
                faults.append(f"{manifest}: is the manifest of another run, {run.run_id}")
        except (FileNotFoundError, NotADirectoryError):
            continue
        except StoreFault:
            raise  # the store does not answer: that says nothing about the manifest
        except (OSError, ValueError, KeyError, TypeError) as error:
            faults.append(f"{manifest}: not a manifest ({_said(error)})")
    return tuple(sorted(runs, key=lambda run: (run.started, run.run_id)))


def run_of(manifest: Any) -> Run:
    """One manifest as a run; whatever is missing or of another shape raises."""
    folder = run_name(manifest["run_id"])
    rows = manifest["rows"]
    return Run(
        run_id=manifest["run_id"],
        job_id=manifest["job_id"],
        name=manifest["name"],
        settings=json.dumps(manifest["job"], ensure_ascii=False, sort_keys=True),
        versions=json.dumps(manifest["versions"], ensure_ascii=False, sort_keys=True),
        content=manifest["content"],
        read=int(rows["read"]),
        graded=int(rows["graded"]),
        rejected=int(rows["rejected"]),
        started=manifest["started"],
        finished=manifest["finished"],
        tables={name: _table(manifest["tables"][name], f"{folder}/{name}") for name in TABLES},
    )


def _table(entry: Any, folder: str) -> Table:
    """One table of a manifest. A part is a plain file name, so it can't lead out of the folder."""
    names = [part["name"] for part in entry["parts"]]
    if not names or any(PurePosixPath(name).name != name for name in names):
        raise ValueError(f"parts of {folder}: {names}")
    return Table(
        columns=tuple((column["name"], column["type"]) for column in entry["columns"]),
        parts=tuple((f"{folder}/{part['name']}", int(part["size"])) for part in entry["parts"]),
    )


def _said(error: Exception) -> str:
    return f"no {error}" if isinstance(error, KeyError) else str(error)
