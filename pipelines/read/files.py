"""Input files: found below a path, glob or URL, named relative to it, told apart by content."""

import glob
import gzip
import hashlib
import unicodedata
import zlib
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from io import BufferedIOBase
from pathlib import Path
from typing import TypeVar

from grounding.errors import InputError
from pipelines.places.stores import is_url
from pipelines.read.remote import Remote, fault_of, found_at

PARQUET = (".parquet", ".pq")
DELIMITED = (".csv", ".tsv", ".csv.gz", ".tsv.gz")
JSON_LINES = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")
ROWS = (*PARQUET, *DELIMITED, *JSON_LINES)
"""What holds rows: answers, and evidence beside them."""


Location = Path | Remote

_T = TypeVar("_T")

_AT_ONCE = 16
"""Objects that are asked for at the same time."""


@dataclass(frozen=True, slots=True)
class File:
    """One input file. `name` is its path below what was given: a moved folder is the same."""

    path: Location
    name: str


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What identifies an input of a run: never where it lies."""

    role: str
    name: str
    path: str
    size: int
    digest: str


def files_at(
    given: str, suffixes: Sequence[str], what: str, but: Callable[[Location], bool] | None = None
) -> list[File]:
    """The files that a path, a glob or a URL names, in the order of their names.

    A folder gives every file below it with one of the suffixes, but none whose name or folder
    opens with `.` or `_`, as writers of Parquet keep their notes there. Where `but` is true of a
    whole path, it is passed over, as results below the answers are.

    Raises: InputError where nothing is found, or a name is no text.
    """
    try:
        found = (_found_remote if is_url(given) else _found)(given, suffixes, what)
    except OSError as error:
        raise InputError(f"{what}: {given} cannot be looked up: {error.strerror}") from error
    once = {file.name: file for file in found}  # a glob finds a file once for each way to it
    files = [file for file in once.values() if not (but and but(file.path.resolve()))]
    if not files:
        raise InputError(f"{what}: {given} holds nothing but what was written by us or is truth")
    unnamed = [file.path for file in files if not _is_name(file.name)]
    if unnamed:
        raise InputError(
            f"{what}: {str(path)!r} has a name that is no text, or holds control characters: "
            "rename it"
            for path in unnamed
        )
    return sorted(files, key=lambda file: file.name)


def _is_name(name: str) -> bool:
    """Without control characters, and without the surrogates that stand for what is not UTF-8."""
    return not any(unicodedata.category(sign) in ("Cc", "Cs") for sign in name)


def _found(given: str, suffixes: Sequence[str], what: str) -> list[File]:
    path = Path(given)
    if path.is_dir():
        found = ((p, p.relative_to(path).as_posix()) for p in path.rglob("*"))
        wanted = [File(p, name) for p, name in found if _is_data(name, suffixes) and p.is_file()]
        nothing = f"{what}: {given} is a folder without a file ending in {' or '.join(suffixes)}"
    elif path.is_file():
        return [File(path, path.name)]
    elif path.exists():
        raise InputError(f"{what}: {given} is neither a file nor a folder")
    elif glob.has_magic(given):
        root = _before_magic(path)
        matches = (Path(match) for match in glob.iglob(given, recursive=True))
        wanted = [File(p, p.relative_to(root).as_posix()) for p in matches if p.is_file()]
        nothing = f"{what}: no file matches {given}"
    else:
        raise InputError(f"{what}: {given} does not exist; give a file, a folder or a glob")
    if not wanted:
        raise InputError(nothing)
    return wanted


def _found_remote(given: str, suffixes: Sequence[str], what: str) -> list[File]:
    try:
        kind, objects = found_at(given, suffixes)
    except ValueError as error:
        raise InputError(f"{what}: {error}") from error
    found = [File(remote, name) for remote, name in objects]
    if kind == "folder":
        found = [file for file in found if _is_data(file.name, suffixes)]
    if not found:
        raise InputError(
            {
                "folder": f"{what}: {given} is a prefix without an object ending in "
                f"{' or '.join(suffixes)}",
                "pattern": f"{what}: no object matches {given}",
            }.get(kind, f"{what}: {given} does not exist; give an object, a prefix or a glob")
        )
    return found


def fingerprints(role: str, files: Iterable[File]) -> list[Fingerprint]:
    """What tells the contents of files apart, in order.

    That is the size and SHA-256 of the bytes, each of which is read once; of an object, its
    version or ETag, and where the store has one, nothing is read.
    """
    return _at_once(lambda file: _fingerprint(role, file), files)


def check_unchanged(files: Iterable[File]) -> None:
    """Ask for objects once more when they are read, as nothing keeps others from replacing them.

    Raises: InputError where one is not what it was when it was found; TaskError where the store
    does not answer.
    """

    def check(file: File) -> None:
        try:
            if isinstance(file.path, Remote):
                file.path.stamp()
        except OSError as error:
            raise fault_of(f"input: {file.path}", error) from error

    _at_once(check, files)


def _at_once(look: Callable[[File], _T], files: Iterable[File]) -> list[_T]:
    """Of each file in order; several objects at a time, as each answer takes its while."""
    given = list(files)
    if not any(isinstance(file.path, Remote) for file in given):
        return list(map(look, given))
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return list(pool.map(look, given))


def _fingerprint(role: str, file: File) -> Fingerprint:
    try:
        if isinstance(file.path, Remote) and (stamp := file.path.stamp()):
            return Fingerprint(role, file.name, str(file.path), file.path.size, stamp)
        with file.path.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
            size = stream.tell()
    except OSError as error:
        raise InputError(f"{role}: {file.path} cannot be read: {error.strerror}") from error
    return Fingerprint(role, file.name, str(file.path.resolve()), size, f"sha256:{digest}")


def _is_data(name: str, suffixes: Sequence[str]) -> bool:
    *folders, file = name.split("/")
    notes = [file, *(folder for folder in folders if "=" not in folder)]  # `_lang=vi` is a column
    hidden = any(f.startswith(".") for f in folders) or any(n.startswith((".", "_")) for n in notes)
    return not hidden and name.lower().endswith(tuple(suffixes))


def opened(file: File) -> BufferedIOBase:
    """The bytes of a file, unpacked where its name ends in `.gz`.

    Raises: InputError where it cannot be opened. While it is read, gzip raises `GZIP_FAULTS`.
    """
    try:
        if file.name.lower().endswith(".gz"):
            if not file.path.stat().st_size:
                raise InputError(
                    f"answers: {file.path} is no gzip file, but empty: it was cut short"
                )
            packed = file.path.open("rb") if isinstance(file.path, Remote) else file.path
            return gzip.open(packed)
        return file.path.open("rb")
    except OSError as error:
        raise InputError(f"answers: {file.path} cannot be read: {error.strerror}") from error


GZIP_FAULTS = (EOFError, zlib.error, gzip.BadGzipFile)
"""What reading a gzip file raises where it is cut short or spoilt."""


def _before_magic(pattern: Path) -> Path:
    """The folder that a glob starts from: all its parts before the first with a wildcard."""
    parts = pattern.parts
    plain = next(i for i, part in enumerate(parts) if glob.has_magic(part))
    return Path(*parts[:plain])
