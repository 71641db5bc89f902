"""A job file: TOML, whose relative paths start at its own folder."""

import glob
import tomllib
from collections.abc import Collection
from pathlib import Path

from grounding.errors import JobError


def read_job_file(source: Path, paths: Collection[str]) -> dict[str, object]:
    """The keys of a job file, the values of `paths` as seen from the current folder."""
    return {
        key: _from_folder(source.parent, value) if key in paths else value
        for key, value in _toml(source).items()
    }


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
