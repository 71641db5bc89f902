"""What a results folder holds: the manifest of a run, and which runs of a job are live."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from grounding.errors import ResultsError
from pipelines.places import Place
from pipelines.places.names import LATEST, MANIFEST, RUN, VIEWS, run_name

Manifest = Mapping[str, Any]


def is_result(out: Path, path: Path) -> bool:
    """Whether a file lies where runs are published or made, so that it is no input."""
    try:
        first = path.relative_to(out.resolve()).parts[0]
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
        raise ResultsError(
            f"{place}/{name} exists and holds no {MANIFEST}: something else wrote it; remove it"
        ) from error
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


def set_latest(place: Place, job: str, name: str | None, runs: list[str]) -> None:
    """Say which runs of a job are live, replacing what was said before in one step."""
    pointer = json.dumps({"job_id": job, "name": name, "run_ids": runs}, ensure_ascii=False)
    try:
        place.write(f"{LATEST}/{job}", pointer + "\n")
    except OSError as error:
        raise ResultsError(
            f"{place}/{LATEST} cannot hold which runs are live: {error.strerror}; remove what "
            "stands in its place and run the same again: the run itself is published"
        ) from error
