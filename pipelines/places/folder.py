"""A results folder on a file system: names are paths, and a run is published by one rename."""

import contextlib
import fcntl
import hashlib
import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from grounding.errors import JobError
from pipelines.places.names import LOCK, MANIFEST, SCRATCH, STAGING, run_name


@dataclass(frozen=True, slots=True)
class Folder:
    """A `Place` on a file system. The kernel drops its lock with the process that holds it."""

    folder: Path

    def __str__(self) -> str:
        return str(self.folder)

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """As `Place`: by `flock`, on the file `_lock`."""
        try:
            (self.folder / STAGING).mkdir(parents=True, exist_ok=True)
            lock = (self.folder / LOCK).open("ab")
        except OSError as error:
            raise JobError(
                f"out: {self} cannot be used as the results folder: {error.strerror}; give a "
                "folder that can be written with --out"
            ) from error
        with lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise JobError(f"out: {self} is in use by another grounding process") from error
            try:
                yield
            finally:
                with contextlib.suppress(OSError):  # not empty: something else lies there
                    (self.folder / STAGING).rmdir()

    def path(self, name: str) -> str:
        """As `Place`: absolute."""
        return str(self.folder.absolute() / name)

    def read(self, name: str) -> bytes:
        """As `Place`."""
        return (self.folder / name).read_bytes()

    def write(self, name: str, text: str) -> None:
        """As `Place`: by a temporary file beside it."""
        target = self.folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        replace_file(target, text)

    def take(self, name: str, file: Path) -> None:
        """As `Place`: by a rename, so the file must lie on the same file system."""
        target = self.folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        file.replace(target)

    def stamp(self, name: str) -> str | None:
        """As `Place`: the SHA-256 of its bytes."""
        try:
            with (self.folder / name).open("rb") as stream:
                return f"sha256:{hashlib.file_digest(stream, 'sha256').hexdigest()}"
        except OSError:
            return None

    def entries(self, below: str) -> list[str]:
        """As `Place`."""
        folder = self.folder / below
        return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []

    def sizes(self, below: str) -> Mapping[str, int]:
        """As `Place`."""
        folder = self.folder / below
        files = (path for path in folder.rglob("*") if path.is_file())
        return {path.relative_to(folder).as_posix(): path.stat().st_size for path in files}

    def remove(self, *names: str) -> None:
        """As `Place`. A folder that is left empty goes too."""
        for name in names:
            path = self.folder / name
            path.unlink(missing_ok=True)
            with contextlib.suppress(OSError):  # not empty
                path.parent.rmdir()

    def remove_below(self, folder: str) -> None:
        """As `Place`."""
        shutil.rmtree(self.folder / folder, ignore_errors=True)

    def draft(self, run: str) -> str:
        """As `Place`: beside the runs, so that publishing is a rename."""
        return f"{STAGING}/{run}"

    def scratch(self, run: str) -> Path:
        """As `Place`: in the draft."""
        scratch = self.folder / self.draft(run) / SCRATCH
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir(parents=True)
        return scratch

    def publish(self, run: str, manifest: str) -> None:
        """As `Place`: what was written reaches the disk before the one rename."""
        draft = self.folder / self.draft(run)
        shutil.rmtree(draft / SCRATCH, ignore_errors=True)
        for table in draft.iterdir():
            flush(table)
        replace_file(draft / MANIFEST, manifest)
        draft.rename(self.folder / run_name(run))
        flush(self.folder)


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
