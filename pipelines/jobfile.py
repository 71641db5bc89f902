"""A job file: TOML, whose relative paths start at its own folder."""

import glob
import tomllib
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from grounding.errors import JobError

Tables = Mapping[str, Mapping[str, str]]
"""Table of a job file → its keys → the keys of the job that they name."""


class Written(NamedTuple):
    """A value of a job file, and how the file spells its key: `expect.rows`."""

    spelling: str
    value: object


def read_job_file(source: Path, paths: Collection[str], tables: Tables) -> dict[str, Written]:
    """Key of the job → what the file says, the values of `paths` as seen from the current folder.

    A key that belongs in a table may also stand outside of it, as its flag is called, but not in
    both places.
    """
    found: dict[str, Written] = {}
    for key, spelling, value in _keys(source, tables):
        if key in found:
            raise JobError(f"{source}: {found[key].spelling} and {spelling} are the same: keep one")
        seen = _from_folder(source.parent, value) if key in paths else value
        found[key] = Written(spelling, seen)
    return found


def _keys(source: Path, tables: Tables) -> Iterator[tuple[str, str, object]]:
    """(key of the job, spelling, value); an unknown key of a table keeps its spelling."""
    for name, value in _toml(source).items():
        if name not in tables:
            yield name, name, value
        elif not isinstance(value, dict):
            wanted = ", ".join(tables[name])
            raise JobError(f"{source}: {name}: got {value!r}, wanted a table of {wanted}")
        else:
            for key, item in value.items():
                spelling = f"{name}.{key}"
                yield tables[name].get(key, spelling), spelling, item


def _toml(source: Path) -> dict[str, object]:
    try:
        return tomllib.loads(source.read_text(encoding="utf-8"))
    except OSError as error:
        raise JobError(f"{source}: the job file cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise JobError(f"{source}: not UTF-8 at byte {error.start}: a job file is TOML") from None
    except tomllib.TOMLDecodeError as error:
        raise JobError(f"{source}: not valid TOML: {error}") from None


def _from_folder(folder: Path, value: object) -> object:
    """A path of a job file as seen from the current folder; what is no path stays as it is."""
    if isinstance(value, list):
        return [_from_folder(folder, item) for item in value]
    if not isinstance(value, str) or value == "" or "://" in value:
        return value
    if glob.has_magic(value) and not (folder / value).exists():
        # Brackets in the name of the folder are no pattern of the user's.
        return str(Path(glob.escape(str(folder))) / value)
    return str(folder / value)
