"""Input in an object store: objects with the few verbs of a path that reading needs.

An object is found once, and from then on it is that one: its ETag goes with each request, so that
bytes of what took its place meanwhile are never read beside its own.
"""

import errno
import glob
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Literal, NamedTuple

from grounding.errors import InputError, TaskError
from pipelines.places.bucket import listed, stamp_of
from pipelines.places.stores import StoreFault, split, store

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer
    from obstore import GetOptions, ObjectMeta

_BUFFER = 8 * 2**20
"""Bytes of one request: large, as each takes its time whatever it brings."""


class Size(NamedTuple):
    """What is asked of `stat`."""

    st_size: int


@dataclass(frozen=True, slots=True)
class Remote:
    """An object. Two with the same URL are the same, as two paths are."""

    root: str
    key: str
    size: int = field(compare=False)
    e_tag: str | None = field(compare=False)

    def __str__(self) -> str:
        return f"{self.root}/{self.key}"

    def resolve(self) -> "Remote":
        """Itself: there are no links."""
        return self

    def stat(self) -> Size:
        """Its size."""
        return Size(self.size)

    def open(self, mode: str = "rb") -> io.BufferedReader:
        """Its bytes, which are fetched as they are read. They can be sought in."""
        assert mode == "rb", "an object is only read"
        return io.BufferedReader(_Ranges(self), _BUFFER)

    def read_bytes(self) -> bytes:
        """All its bytes."""
        with self.open() as stream:
            return stream.read()

    def stamp(self) -> str | None:
        """What tells its contents apart, as the store has it now.

        Raises: StoreFault where they are not those that were found; FileNotFoundError.
        """
        with store(self.root) as bucket:
            options: GetOptions = {"head": True, "if_match": self.e_tag}
            return stamp_of(bucket.get(self.key, options=options).meta)


class _Ranges(io.RawIOBase):
    """The bytes of an object by ranges."""

    def __init__(self, remote: Remote) -> None:
        self._remote = remote
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._remote.size}[whence]
        self._at = max(0, start + offset)
        return self._at

    def readinto(self, buffer: "WriteableBuffer") -> int:
        into = memoryview(buffer).cast("B")
        end = min(self._at + len(into), self._remote.size)
        if end <= self._at:
            return 0
        options: GetOptions = {"range": (self._at, end), "if_match": self._remote.e_tag}
        with store(self._remote.root) as bucket:
            data = bucket.get(self._remote.key, options=options).bytes()
        into[: len(data)] = data
        self._at += len(data)
        return len(data)


class Found(NamedTuple):
    """What a URL names: objects, each with its name from there, of a folder all that it holds."""

    kind: Literal["object", "folder", "pattern", "nothing"]
    objects: list[tuple[Remote, str]]


def found_at(url: str, suffixes: Sequence[str]) -> Found:
    """The objects that a URL names.

    An object comes before a folder of its name, and both before a pattern: names may hold `[`.

    Raises: ValueError where it is no URL of a store; StoreFault where the store refuses.
    """
    root, key = split(url)
    if key and not url.endswith("/"):
        try:
            with store(root) as bucket:
                there = _remote(root, bucket.head(key))
            return Found("object", [(there, key.rpartition("/")[2])])
        except FileNotFoundError:
            pass  # a folder, perhaps
    below = f"{key}/" if key else ""
    if found := [meta for meta in listed(root, key) if meta["path"] != key]:
        named = ((_remote(root, meta), meta["path"].removeprefix(below)) for meta in found)
        return Found("folder", list(named))
    if glob.has_magic(key):
        return Found("pattern", list(_matching(root, key.split("/"), suffixes)))
    return Found("nothing", [])


def _matching(
    root: str, pattern: list[str], suffixes: Sequence[str]
) -> Iterator[tuple[Remote, str]]:
    plain = next(n for n, part in enumerate(pattern) if glob.has_magic(part))
    for meta in listed(root, "/".join(pattern[:plain])):
        parts = meta["path"].split("/")
        name = "/".join(parts[plain:])
        if not meta["size"] and not name.lower().endswith(tuple(suffixes)):
            continue  # what some tools put where others have a folder
        if matches(parts[plain:], pattern[plain:]):
            yield _remote(root, meta), name


def matches(parts: Sequence[str], pattern: Sequence[str]) -> bool:
    """Whether a name matches a pattern, part by part, as `glob` does it for files.

    >>> matches(["a", "b", "c.csv"], ["**", "*.csv"]), matches(["a", "c.csv"], ["*.csv"])
    (True, False)
    """
    if not pattern:
        return not parts
    if pattern[0] == "**":
        hidden = bool(parts) and parts[0].startswith(".")
        return matches(parts, pattern[1:]) or (
            bool(parts) and not hidden and matches(parts[1:], pattern)
        )
    if not parts or (parts[0].startswith(".") and not pattern[0].startswith(".")):
        return False
    return fnmatchcase(parts[0], pattern[0]) and matches(parts[1:], pattern[1:])


def _remote(root: str, meta: "ObjectMeta") -> Remote:
    return Remote(root, meta["path"], meta["size"], meta["e_tag"])


def fault_of(where: str, error: OSError) -> InputError | TaskError:
    """What is said of input that could not be read after all.

    A store that stopped answering is no fault of the input: what is done is kept.
    """
    if isinstance(error, FileNotFoundError) or error.errno == errno.ESTALE:
        return InputError(
            f"{where} was changed or removed while it was read; nothing was published: run the "
            "same again"
        )
    said = f"{where} cannot be read: {error.strerror or error}"
    if isinstance(error, StoreFault):
        return TaskError(f"{said}; finished tasks are kept: run the same again")
    return InputError(said)
