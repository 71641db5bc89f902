"""What a results folder holds: the manifest of a run, and which runs of a job are live."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from grounding.errors import ResultsError
from pipelines.places import Place
from pipelines.places.names import LATEST, MANIFEST, RUN, VIEWS, run_name
from pipelines.places.stores import StoreFault, is_url

Manifest = Mapping[str, Any]


def is_result(out: str, path: object) -> bool:
    """Whether a file lies where runs are published or made, so that it is no input.

    In: where results go, and an absolute path or what a URL names.
    """
    if is_url(out) or not isinstance(path, Path):
        name = str(path).removeprefix(f"{out.rstrip('/')}/")
        return name != str(path) and (name.startswith((RUN, "_")) or name == VIEWS)
    try:
        first = path.relative_to(Path(out).resolve()).parts[0]
    except ValueError:
        return False
    return first.startswith((RUN, "_")) or path.name == VIEWS


def published(place: Place, run: str) -> Manifest | None:
    """The manifest of a run, or None where it was not published.

    Raises: ResultsError where a file that the manifest lists is gone or of another size, or
    where something else stands in the run's place.
    """
    name = run_name(run)
    file = f"{place}/{name}/{MANIFEST}"
    if name not in place.entries(""):
        return None
    try:
        manifest: Manifest = json.loads(place.read(f"{name}/{MANIFEST}"))
        faults = list(_contradictions(place, name, manifest["tables"]))
    except (FileNotFoundError, NotADirectoryError) as error:
        if place.draft(run) == name:  # parts of it, in the making
            return None
        raise ResultsError(
            f"{place}/{name} exists and holds no {MANIFEST}: something else wrote it; remove it"
        ) from error
    except StoreFault:
        raise  # the store does not answer: that says nothing about the manifest
    except (ValueError, KeyError, TypeError, AttributeError, OSError) as error:
        raise ResultsError(f"{file} is no manifest: {error!r}; remove its folder") from error
    if faults:
        raise ResultsError([*faults, f"{place}/{name} contradicts its manifest: remove it"])
    return manifest


def _contradictions(place: Place, name: str, tables: Mapping[str, Any]) -> Iterator[str]:
    sizes = place.sizes(name)
    for table, described in tables.items():
        for part in described["parts"]:
            path = f"{table}/{part['name']}"
            size = sizes.get(path)
            if size != part["size"]:
                got = "is gone" if size is None else f"has {size} bytes"
                yield f"{place}/{name}/{path} {got}, the manifest says {part['size']} bytes"


def parts_of(place: Place, manifest: Manifest, table: str) -> list[str]:
    """What a table of a published run is read from."""
    folder = f"{run_name(manifest['run_id'])}/{table}"
    return [place.path(f"{folder}/{part['name']}") for part in manifest["tables"][table]["parts"]]


@dataclass(frozen=True, slots=True)
class Live:
    """The runs that show the present state of one job.

    `superseded` is run → the names of its files whose rows count no more.
    """

    job_id: str
    name: str | None
    run_ids: tuple[str, ...]
    superseded: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def live_of(place: Place, job: str) -> Live | None:
    """The live runs of a job, or None where it has none yet.

    Raises: ResultsError where what says so is broken.
    """
    name = f"{LATEST}/{job}"
    try:
        pointer = json.loads(place.read(name))
        superseded = {run: tuple(files) for run, files in pointer.get("superseded", {}).items()}
        found = Live(pointer["job_id"], pointer["name"], tuple(pointer["run_ids"]), superseded)
    except FileNotFoundError:
        return None
    except StoreFault:
        raise  # as above
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        said = f"no {error}" if isinstance(error, KeyError) else str(error)
        raise ResultsError(
            f"{place}/{name}: not a pointer to live runs ({said}); remove it and run that job again"
        ) from error
    if found.job_id != job:
        raise ResultsError(f"{place}/{name}: is the pointer of another job, {found.job_id}")
    return found


def set_latest(place: Place, live: Live) -> None:
    """Say which runs of a job are live, replacing what was said before in one step."""
    text = json.dumps(asdict(live), ensure_ascii=False)
    try:
        place.write(f"{LATEST}/{live.job_id}", text + "\n")
    except (FileExistsError, NotADirectoryError, IsADirectoryError) as error:
        raise ResultsError(
            f"{place}/{LATEST} cannot hold which runs are live: {error.strerror}; remove what "
            "stands in its place and run the same again: the run itself is published"
        ) from error
