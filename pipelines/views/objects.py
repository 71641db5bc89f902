"""What DuckDB needs to see parts that lie in an object store, without its extension httpfs.

That would have to be downloaded. To be asked, the parts are copied here; to be named in a database
file they only have to be opened, which happens through Python.
"""

import contextlib
import errno
import io
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipelines.places import Bucket
from pipelines.places.stores import StoreFault, library
from pipelines.read.remote import Remote, found_at
from pipelines.views.published import Published
from pipelines.views.relations import globbed

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_AT_ONCE = 8


@dataclass(frozen=True, slots=True)
class _Copied(Bucket):
    """An object store whose parts lie in a folder here, too."""

    here: Path = Path()

    def path(self, name: str) -> str:
        return str(self.here / name)


@contextlib.contextmanager
def parts_here(folder: Published) -> Iterator[Published]:
    """The same results, with parts that DuckDB can open: copies, where they are in a store.

    Raises: StoreFault where one cannot be had, or is not of its size.
    """
    place = folder.place
    if not isinstance(place, Bucket):
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="grounding-") as made:
        here = Path(made)

        def copy(part: tuple[str, int]) -> None:
            name, size = part
            target = here / name
            target.parent.mkdir(parents=True, exist_ok=True)
            place.copy(name, target)
            if (got := target.stat().st_size) != size:
                raise StoreFault(errno.EIO, f"{name} came with {got} bytes, it has {size}")

        with ThreadPoolExecutor(_AT_ONCE) as pool:
            list(pool.map(copy, folder.parts()))
        yield replace(folder, place=_Copied(place.root, place.prefix, here=here))


def open_through_python(connection: "DuckDBPyConnection", folder: Published) -> None:
    """Let a connection open the parts that lie in a store, each when it is asked for."""
    place = folder.place
    if not isinstance(place, Bucket):
        return
    scheme = place.root.partition(":")[0]
    with library(place.root):
        import fsspec

    class Objects(fsspec.AbstractFileSystem):  # type: ignore[misc]  # it ships no types
        """The objects of a store, to be read."""

        protocol = scheme
        cachable = False

        @classmethod
        def _strip_protocol(cls, path: str) -> str:
            return path

        def glob(self, path: str, **_: Any) -> list[str]:
            return [globbed(path)]

        def info(self, path: str, **_: Any) -> dict[str, Any]:
            return {"name": path, "size": _object(path).size, "type": "file"}

        def modified(self, _path: str) -> datetime:
            return datetime.fromtimestamp(0, UTC)  # parts are never changed

        def _open(self, path: str, mode: str = "rb", **_: Any) -> io.BufferedReader:
            return _object(path).open(mode)

    connection.register_filesystem(Objects())
    connection.execute("SET threads = 1")  # a reader is sought in and read from in two steps


def _object(url: str) -> Remote:
    (found, _), *_ = found_at(url, ()).objects
    return found
