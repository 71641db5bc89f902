"""A results folder on a file system: names are paths, and a run is published by one rename."""

import contextlib
import errno
import fcntl
import hashlib
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO

from grounding.errors import JobError, TaskError
from pipelines.places.lease import Held, leased
from pipelines.places.mounts import flock_serves
from pipelines.places.names import LOCK, MANIFEST, SCRATCH, STAGING, run_name


@dataclass(frozen=True, slots=True)
class Folder:
    """A `Place` on a file system. The kernel drops its lock with the process that holds it."""

    folder: Path

    def __str__(self) -> str:
        return str(self.folder)

    @contextlib.contextmanager
    def held(self) -> Iterator[Held]:
        """As `Place`: by `flock` on the file `_lock`, and by a lease too where that may not do."""
        try:
            (self.folder / STAGING).mkdir(parents=True, exist_ok=True)
            lock = (self.folder / LOCK).open("ab")
        except OSError as error:
            raise JobError(
                f"out: {self} cannot be used as the results folder: {error.strerror}; give a "
                "folder that can be written with --out"
            ) from error
        with lock:
            serves = _locked(lock, self.folder) and flock_serves(self.folder)
            with nullcontext(Held(partial(self._check, lock))) if serves else leased(self) as held:
                try:
                    yield held
                finally:
                    with contextlib.suppress(OSError):  # not empty: something else lies there
                        (self.folder / STAGING).rmdir()

    def _check(self, lock: IO[bytes]) -> None:
        """Raises: TaskError where the file that is locked is not the one that others would lock."""
        try:
            same = os.path.samestat(os.fstat(lock.fileno()), (self.folder / LOCK).stat())
        except OSError:
            same = False
        if not same:
            raise TaskError(
                f"out: {self} was removed or replaced while this run was under way, and what it "
                "had done went with it; nothing more was published: run the same again"
            )

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

    def create(self, name: str, text: str) -> bool:
        """As `Place`: by a link, which is made only where nothing is."""
        target = self.folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        return create_file(target, text)

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
        """As `Place`. Folders that are left empty go too."""
        for name in names:
            path = self.folder / name
            path.unlink(missing_ok=True)
            with contextlib.suppress(OSError):  # not empty
                for parent in path.parents[: len(PurePosixPath(name).parts) - 1]:
                    parent.rmdir()

    def remove_below(self, folder: str) -> None:
        """As `Place`."""
        shutil.rmtree(self.folder / folder, ignore_errors=True)

    def draft(self, run: str) -> str:
        """As `Place`: beside the runs, so that publishing is a rename."""
        return f"{STAGING}/{run}"

    def scratch(self, run: str) -> Path:
        """As `Place`: in the draft, under a name that no process had before.

        One that was thought dead and writes on finds its own scratch gone.
        """
        scratch = self.folder / self.draft(run) / SCRATCH
        shutil.rmtree(scratch, ignore_errors=True)
        (own := scratch / secrets.token_hex(8)).mkdir(parents=True)
        return own

    def publish(self, run: str, manifest: str, held: Held) -> None:
        """As `Place`: what was written reaches the disk before the one rename.

        The notes in the draft, whose names open with `_`, go last, so that a try that ends before
        can be gone on with.
        """
        draft = self.folder / self.draft(run)
        parts = [path for path in draft.iterdir() if not path.name.startswith("_")]
        for path in parts:
            flush(path)
        replace_file(draft / MANIFEST, manifest)
        held.check()
        for path in {*draft.iterdir()} - {*parts, draft / MANIFEST}:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        draft.rename(self.folder / run_name(run))
        flush(self.folder)


_NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)
_NO_LINKS = (errno.EPERM, errno.ENOSYS, errno.EOPNOTSUPP, errno.EMLINK)


def _locked(lock: IO[bytes], folder: Path) -> bool:
    """Whether the kernel locks the file; False where its file system has no locks.

    Raises: JobError where another process has locked it.
    """
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _NO_LOCKS:
            return False
        raise JobError(
            f"out: {folder} is in use by another grounding process: wait for it to end, or give "
            "another folder with --out"
        ) from error
    return True


def create_file(path: Path, text: str) -> bool:
    """Put text into a new file, seen whole from the first; False where there is one already."""
    beside = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        beside.write_text(text, encoding="utf-8", newline="\n")
        flush(beside)
        try:
            os.link(beside, path)
        except FileExistsError:
            return False
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            return _opened_new(path, text)
        flush(path.parent)
    finally:
        beside.unlink(missing_ok=True)
    return True


def _opened_new(path: Path, text: str) -> bool:
    """As `create_file` where there are no links: the file is there, empty, before its text is."""
    try:
        with path.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
    except FileExistsError:
        return False
    flush(path)
    flush(path.parent)
    return True


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
