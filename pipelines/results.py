"""The results folder: its layout, who holds it, which runs are in it, which are live.

    DIR/run_id=<id>/<table>/part-*.parquet, DIR/run_id=<id>/manifest.json
    DIR/_latest/<job_id>    the live runs of a job
    DIR/_staging/<id>       a run in the making, that no view reads
    DIR/_lock               held by the kernel for the one process that writes

A run without a manifest does not exist.
"""

import contextlib
import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from grounding.errors import JobError, ResultsError

STAGING = "_staging"
LATEST = "_latest"
MANIFEST = "manifest.json"

Manifest = Mapping[str, Any]


@contextlib.contextmanager
def output_folder(out: Path) -> Iterator[None]:
    """Hold the output folder for one process. The kernel drops the lock with the process.

    Raises: JobError where it cannot be made or written, is a file, or is in use.
    """
    try:
        (out / STAGING).mkdir(parents=True, exist_ok=True)
        lock = (out / "_lock").open("ab")
    except OSError as error:
        raise JobError(
            f"out: {out} cannot be used as the results folder: {error.strerror}; give a folder "
            "that can be written with --out"
        ) from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise JobError(f"out: {out} is in use by another grounding process") from error
        try:
            yield
        finally:
            with contextlib.suppress(OSError):  # not empty: something else lies there
                (out / STAGING).rmdir()


def run_folder(out: Path, run: str) -> Path:
    """Where a run is published."""
    return out / f"run_id={run}"


def is_result(out: Path, path: Path) -> bool:
    """Whether a file lies where runs are published or made, so that it is no input."""
    try:
        first = path.relative_to(out.resolve()).parts[0]
    except ValueError:
        return False
    return first.startswith(("run_id=", "_")) or path.name == "views.sql"


def published(out: Path, run: str) -> Manifest | None:
    """The manifest of a run, or None where it was not published.

    Raises: ResultsError where a file that the manifest lists is gone or of another size, or
    where something else stands in the run's place.
    """
    folder = run_folder(out, run)
    file = folder / MANIFEST
    if not folder.exists():
        return None
    try:
        manifest: Manifest = json.loads(file.read_text("utf-8"))
        faults = list(_contradictions(folder, manifest["tables"]))
    except (FileNotFoundError, NotADirectoryError) as error:
        raise ResultsError(
            f"{folder} exists and holds no {MANIFEST}: something else wrote it; remove it"
        ) from error
    except (ValueError, KeyError, TypeError, AttributeError, OSError) as error:
        raise ResultsError(f"{file} is no manifest: {error!r}; remove its folder") from error
    if faults:
        raise ResultsError([*faults, f"{file.parent} contradicts its manifest: remove it"])
    return manifest


def _contradictions(folder: Path, tables: Mapping[str, Any]) -> Iterator[str]:
    for name, table in tables.items():
        for part in table["parts"]:
            path = folder / name / part["name"]
            size = path.stat().st_size if path.is_file() else None
            if size != part["size"]:
                got = "is gone" if size is None else f"has {size} bytes"
                yield f"{path} {got}, the manifest says {part['size']} bytes"


def set_latest(out: Path, job: str, name: str | None, runs: list[str]) -> None:
    """Say which runs of a job are live, replacing what was said before in one step."""
    pointer = json.dumps({"job_id": job, "name": name, "run_ids": runs}, ensure_ascii=False)
    try:
        (out / LATEST).mkdir(exist_ok=True)
        replace_file(out / LATEST / job, pointer + "\n")
    except OSError as error:
        raise ResultsError(
            f"{out / LATEST} cannot hold which runs are live: {error.strerror}; remove what "
            "stands in its place and run the same again: the run itself is published"
        ) from error


def replace_file(path: Path, text: str, suffix: str = "new") -> None:
    """Put text into a file so that a reader finds the old or the new, never a part.

    Where several processes may write at once, each gives a `suffix` of its own; elsewhere the same
    one is taken again, so that nothing piles up behind processes that were killed.
    """
    with replacing(path, suffix) as beside:
        beside.write_text(text, encoding="utf-8", newline="\n")


@contextlib.contextmanager
def replacing(target: Path, suffix: str = "new") -> Iterator[Path]:
    """A temporary path beside `target` that takes its place, seen to the disk, if all goes well."""
    beside = target.with_name(f".{target.name}.{suffix}")
    beside.unlink(missing_ok=True)  # of a process that was killed
    try:
        yield beside
        flush(beside)
        beside.replace(target)
        flush(target.parent)
    finally:
        beside.unlink(missing_ok=True)


def flush(path: Path) -> None:
    """See a file, or the entries of a folder, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
