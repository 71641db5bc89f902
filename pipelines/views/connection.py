"""A connection that shows one results folder and, once locked down, reaches nothing else."""

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from grounding.errors import ResultsError
from pipelines.places import Place
from pipelines.views.bundled import definitions
from pipelines.views.objects import parts_here
from pipelines.views.published import Published, published
from pipelines.views.relations import literal, unglobbed

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def connect(place: Place, *, read_only: bool = True) -> "DuckDBPyConnection":
    """A connection to an in-memory database with the views of the folder.

    With `read_only` it is locked down: of all files it reaches the published parts alone, it
    creates none, loads no extension, attaches none and keeps its settings. DuckDB knows no
    permission only to read, so a COPY could still overwrite a part by its exact name: SQL that
    others wrote goes through `run_query`, which refuses it.

    Raises: InputError where no run is published; ResultsError where the folder contradicts its
    manifests.
    """
    return _connected(_checked(place), read_only)


@contextlib.contextmanager
def asked(place: Place) -> Iterator["DuckDBPyConnection"]:
    """`connect`, for as long as a place is asked, which may be an object store, too."""
    with parts_here(_checked(place)) as folder, _connected(folder) as connection:
        yield connection


def _checked(place: Place) -> Published:
    folder = published(place)
    folder.check_parts()
    return folder


def _connected(folder: Published, read_only: bool = True) -> "DuckDBPyConnection":
    import duckdb

    connection = duckdb.connect(":memory:")
    try:
        connection.execute("SET TimeZone = 'UTC'")
        connection.execute(definitions(folder, folder.absolute))
        if read_only:
            _lock(connection, folder)
    except duckdb.Error as error:
        connection.close()
        raise ResultsError(f"{folder.place}: the views can't be made: {error}") from error
    return connection


def _lock(connection: "DuckDBPyConnection", folder: Published) -> None:
    """No file but the parts, no network, no extension, no Python variable, and no way back.

    A path with glob characters is asked for as a pattern, so both spellings are allowed. What
    does not fit in memory spills to a folder of its own, which DuckDB makes and removes.
    """
    parts = [folder.absolute(path) for path, _ in folder.parts()]
    allowed = sorted({*parts, *map(unglobbed, parts)})
    spill = Path(tempfile.gettempdir()) / f"grounding-{uuid4().hex}"
    settings = {
        "allowed_paths": f"[{', '.join(map(literal, allowed))}]",
        "temp_directory": literal(str(spill)),
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "allow_community_extensions": "false",
        "allow_persistent_secrets": "false",
        "python_enable_replacements": "false",
        "enable_external_access": "false",
        "lock_configuration": "true",
    }
    for name, value in settings.items():
        connection.execute(f"SET {name} = {value}")
