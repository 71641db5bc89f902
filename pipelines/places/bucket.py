"""A results folder in an object store: names are keys, and a run is published by its manifest.

There is no rename, so the parts of a run are written where they stay. Nobody sees them before the
manifest, which comes last, in one request. What a run notes for itself lies in `_staging/`.
"""

import contextlib
import errno
import hashlib
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from grounding.errors import JobError, TaskError
from pipelines.places.lease import Held, leased
from pipelines.places.names import MANIFEST, STAGING, run_name
from pipelines.places.stores import StoreFault, split, store

if TYPE_CHECKING:
    from obstore import ObjectMeta


@dataclass(frozen=True, slots=True)
class Bucket:
    """A `Place` in an object store. It holds no connection: other processes open their own."""

    root: str
    prefix: str

    def __str__(self) -> str:
        return f"{self.root}/{self.prefix}" if self.prefix else self.root

    @contextlib.contextmanager
    def held(self) -> Iterator[Held]:
        """As `Place`: by a lease. What a run that was killed as it ended left behind is removed.

        Raises: TaskError where the store fails meanwhile, so that finished tasks are kept.
        """
        try:
            with leased(self) as held:
                self._finish_publishing()
                self._remove_scratch()
                try:
                    yield held
                finally:
                    self._remove_scratch()
        except StoreFault as error:
            raise TaskError(
                f"out: {self}: {error.strerror}; finished tasks are kept: mend it, and run the "
                "same again"
            ) from error

    def path(self, name: str) -> str:
        """As `Place`: a URL."""
        return f"{self}/{name}"

    def read(self, name: str) -> bytes:
        """As `Place`."""
        with store(self.root) as bucket:
            return bytes(bucket.get(self._key(name)).bytes())

    def write(self, name: str, text: str) -> None:
        """As `Place`: by one request."""
        with store(self.root) as bucket:
            bucket.put(self._key(name), text.encode(), use_multipart=False)

    def create(self, name: str, text: str) -> bool:
        """As `Place`: by one request that fails where the key is taken."""
        try:
            with store(self.root) as bucket:
                bucket.put(self._key(name), text.encode(), mode="create")
        except FileExistsError:
            return False
        return True

    def take(self, name: str, file: Path) -> None:
        """As `Place`: sent, looked up, then removed here."""
        size = file.stat().st_size
        with store(self.root) as bucket:
            bucket.put(self._key(name), file)
            there = bucket.head(self._key(name))["size"]
        if there != size:
            raise StoreFault(errno.EIO, f"{name} has {there} bytes there, {size} were sent")
        file.unlink()

    def copy(self, name: str, target: Path) -> None:
        """Bring an object here."""
        with store(self.root) as bucket, target.open("wb") as stream:
            for chunk in bucket.get(self._key(name)):
                stream.write(chunk)

    def stamp(self, name: str) -> str | None:
        """As `Place`: its version, or its ETag and size."""
        try:
            with store(self.root) as bucket:
                meta = bucket.head(self._key(name))
        except FileNotFoundError:
            return None
        found = stamp_of(meta)
        return found and f"{found} {meta['size']}"

    def entries(self, below: str) -> list[str]:
        """As `Place`."""
        folder = self._key(below)
        with store(self.root) as bucket:
            found = bucket.list_with_delimiter(folder or None)
        keys = [*found["common_prefixes"], *(meta["path"] for meta in found["objects"])]
        return sorted(name for key in keys if (name := _below(folder, key)))

    def sizes(self, below: str) -> Mapping[str, int]:
        """As `Place`."""
        folder = self._key(below)
        found = {_below(folder, m["path"]): m["size"] for m in listed(self.root, folder)}
        return {name: size for name, size in found.items() if name}

    def remove(self, *names: str) -> None:
        """As `Place`."""
        if names:
            with store(self.root) as bucket, contextlib.suppress(FileNotFoundError):
                bucket.delete([self._key(name) for name in names])

    def remove_below(self, folder: str) -> None:
        """As `Place`."""
        self.remove(*(f"{folder}/{name}" for name in self.sizes(folder)))

    def draft(self, run: str) -> str:
        """As `Place`: the folder of the run itself, which is none without a manifest."""
        return run_name(run)

    def scratch(self, run: str) -> Path:
        """As `Place`: a temporary folder, which goes when the place is let go."""
        return Path(tempfile.mkdtemp(prefix=f"{self._scratch}{run}-"))

    def publish(self, run: str, manifest: str, held: Held) -> None:
        """As `Place`: the manifest, in one request."""
        held.check()
        self.write(f"{run_name(run)}/{MANIFEST}", manifest)

    def _finish_publishing(self) -> None:
        """Remove the notes of runs that were published."""
        for run in self.entries(STAGING):
            if MANIFEST in self.entries(run_name(run)):
                self.remove_below(f"{STAGING}/{run}")

    def _remove_scratch(self) -> None:
        """Remove what is named after the place: nobody works for it but who holds it.

        That includes what processes that were killed have left.
        """
        for folder in Path(tempfile.gettempdir()).glob(f"{self._scratch}*"):
            shutil.rmtree(folder, ignore_errors=True)

    @property
    def _scratch(self) -> str:
        return f"grounding-{hashlib.sha256(str(self).encode()).hexdigest()[:16]}-"

    def _key(self, name: str) -> str:
        return "/".join(part for part in (self.prefix, name) if part)


def bucket_of(url: str) -> Bucket:
    """The place that a URL names. Raises: JobError where no store is spelled so."""
    try:
        return Bucket(*split(url))
    except ValueError as error:
        raise JobError(f"out: {error}") from error


def listed(root: str, folder: str) -> list["ObjectMeta"]:
    """Every object in a folder, at any depth, by key."""
    with store(root) as bucket:
        found = [meta for chunk in bucket.list(folder or None, chunk_size=1000) for meta in chunk]
    return sorted(found, key=lambda meta: meta["path"])


def stamp_of(meta: "ObjectMeta") -> str | None:
    """What tells the contents of an object apart, beside its size; None where a store has nothing.

    A store that has stopped keeping versions calls every new one `null`.
    """
    if meta["version"] not in (None, "null"):
        return f"version:{meta['version']}"
    return f"etag:{meta['e_tag'].strip(chr(34))}" if meta["e_tag"] else None


def _below(folder: str, key: str) -> str:
    """The name of a key from a folder; empty for the folder itself, which some tools make."""
    return key.removeprefix(f"{folder}/") if key != folder else ""
