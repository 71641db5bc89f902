"""Where results lie: a folder, or a prefix in an object store, with one way to use either.

A place holds bytes under names, with `/` between their parts. What a run in the making has written
lies in its draft, which nobody sees; `publish` makes a run of it in one step.
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from pipelines.places.bucket import Bucket, bucket_of
from pipelines.places.folder import Folder
from pipelines.places.lease import Held
from pipelines.places.stores import is_url

__all__ = ["Bucket", "Folder", "Held", "Place", "place_of"]


class Place(Protocol):
    """A results folder, wherever it lies. Faults are OSErrors; nothing is a FileNotFoundError."""

    def held(self) -> AbstractContextManager[Held]:
        """Held for one process while it writes; `Held.check` says whether it still is.

        Raises: JobError where it cannot be made or written, is a file, or is in use.
        """

    def path(self, name: str) -> str:
        """What polars and DuckDB are given to read it by."""

    def read(self, name: str) -> bytes:
        """All the bytes."""

    def write(self, name: str, text: str) -> None:
        """Replace it whole and lastingly: a reader finds the old or the new, never a part."""

    def create(self, name: str, text: str) -> bool:
        """Write it where nothing is, whole and lastingly; False, and no change, where something is.

        Of several processes that try at once, one is told True.
        """

    def take(self, name: str, file: Path) -> None:
        """Move a local file here, whose bytes are on the disk already."""

    def stamp(self, name: str) -> str | None:
        """Something that differs where the bytes do; None where nothing is."""

    def entries(self, below: str) -> list[str]:
        """The names of what lies directly in a folder, in order; none where there is no folder."""

    def sizes(self, below: str) -> Mapping[str, int]:
        """The bytes of everything in a folder, at any depth, by its name from there."""

    def remove(self, *names: str) -> None:
        """Remove files. What is not there is removed already."""

    def remove_below(self, folder: str) -> None:
        """Remove a folder with all that it holds."""

    def draft(self, run: str) -> str:
        """The folder that the parts of a run are written in."""

    def scratch(self, run: str) -> Path:
        """A local folder for what a run needs while it works, emptied; removed with the draft."""

    def publish(self, run: str, manifest: str, held: Held) -> None:
        """Make a run of its draft: its manifest comes last, and it is seen whole or not at all.

        `held` is asked directly before that.
        """


def place_of(given: str | Path) -> Place:
    """The place that a path or a URL names. Raises: JobError where no store is spelled so."""
    if isinstance(given, str) and is_url(given):
        return bucket_of(given)
    return Folder(Path(given))
