"""The views as files: `views.sql` for any DuckDB, or a database file that holds them."""

from pathlib import Path

from grounding.errors import JobError, ResultsError
from pipelines.places import Bucket, Place
from pipelines.places.folder import replacing
from pipelines.places.names import VIEWS
from pipelines.views.bundled import definitions
from pipelines.views.objects import open_through_python
from pipelines.views.published import published

HEAD = """\
-- The relations of this results folder, written anew whenever a run is published.
-- To open it: cd to this folder, then `duckdb -init views.sql`.

"""

FAR_HEAD = """\
-- The relations of this results folder, written anew whenever a run is published.
-- To open it: copy this file, start duckdb beside it, and say
--   INSTALL httpfs; LOAD httpfs; INSTALL aws; LOAD aws;
--   CREATE SECRET (TYPE s3, PROVIDER credential_chain);
--   .read views.sql

"""

OLDEST_STORAGE = "v1.2.0"
"""The oldest DuckDB that opens a database file of ours: its default would shut out all older."""


def views_sql(place: Place) -> str:
    """The text of `DIR/views.sql`: every relation and bundled view, with paths from DIR or URLs.

    Raises: InputError where no run is published; ResultsError where manifests are broken.
    """
    if isinstance(place, Bucket):
        return FAR_HEAD + definitions(published(place), place.path)
    return HEAD + definitions(published(place), lambda path: path)


def write_views(place: Place) -> None:
    """Replace `DIR/views.sql` whole. For the process that holds the place."""
    place.write(VIEWS, views_sql(place))


def write_database(place: Place, database: Path) -> None:
    """Replace `database` whole by a DuckDB file that holds the views, with absolute paths.

    Raises: JobError where `database` can't be written or is not ours to replace; InputError and
    ResultsError as `connect`.
    """
    import duckdb

    folder = published(place)
    folder.check_parts()
    try:
        _refuse_loss(database)
        with (
            replacing(database) as temporary,
            duckdb.connect(
                str(temporary), config={"storage_compatibility_version": OLDEST_STORAGE}
            ) as connection,
        ):
            open_through_python(connection, folder)
            connection.begin()  # each statement on its own would be flushed to disk
            connection.execute(definitions(folder, folder.absolute))
            connection.commit()
    except (OSError, duckdb.IOException) as error:
        raise JobError(f"{database}: can't be written ({error})") from error
    except duckdb.Error as error:
        raise ResultsError(f"{place}: the views can't be made: {error}") from error


def _refuse_loss(database: Path) -> None:
    """Only a DuckDB file that holds nothing but views is replaced: nobody's data is lost."""
    import duckdb

    if not database.parent.is_dir():
        raise JobError(f"{database.parent}: no such folder")
    if database.with_name(f"{database.name}.wal").exists():
        raise JobError(f"{database}: in use by another process, or left unfinished by one (.wal)")
    if not database.exists():
        return
    try:
        with duckdb.connect(str(database), read_only=True) as connection:
            tables = connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()
    except duckdb.Error as error:
        raise JobError(f"{database}: exists, and is no database to replace: {error}") from error
    if tables:
        names = ", ".join(sorted(name for (name,) in tables))
        raise JobError(f"{database}: holds tables of its own ({names}); name another file")
