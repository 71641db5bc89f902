"""The views as a file, as a database, and as a locked connection: all show the same."""

import os
import subprocess
import sys
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from grounding.errors import JobError
from pipelines.places import Folder
from pipelines.views import connect, views_sql, write_database, write_views
from tests.unit.two_jobs import everything

ROOT = Path(__file__).parents[2]


def test_the_written_text_shows_the_same_as_the_connection(
    untouched: Path, views: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(untouched)
    with duckdb.connect() as other:
        other.execute("SET TimeZone = 'UTC'")
        other.execute(views_sql(Folder(untouched)))
        assert everything(other) == everything(views)


def test_the_written_text_names_no_absolute_path_and_is_written_whole(folder: Path) -> None:
    write_views(Folder(folder))
    text = (folder / "views.sql").read_text(encoding="utf-8")
    assert text == views_sql(Folder(folder))
    assert str(folder.parent) not in text
    assert [file.name for file in folder.iterdir() if file.name.startswith(".")] == []


def test_a_database_file_holds_the_views_and_can_be_written_again(
    untouched: Path, views: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    database = tmp_path / "views.duckdb"
    for _ in range(2):
        write_database(Folder(untouched), database)
    with duckdb.connect(database, read_only=True) as other:
        other.execute("SET TimeZone = 'UTC'")
        assert everything(other) == everything(views)
    assert [file.name for file in tmp_path.iterdir()] == [database.name]


def test_a_database_with_tables_or_another_file_is_never_replaced(
    folder: Path, tmp_path: Path
) -> None:
    database, notes = tmp_path / "own.duckdb", tmp_path / "notes.txt"
    with duckdb.connect(str(database)) as connection:
        connection.execute("CREATE TABLE mine AS SELECT 1 AS x")
    notes.write_text("notes" * 10_000, encoding="utf-8")
    for file, said in ((database, "mine"), (notes, "no database"), (tmp_path, "no database")):
        before = file.read_bytes() if file.is_file() else None
        with pytest.raises(JobError, match=said):
            write_database(Folder(folder), file)
        assert before is None or file.read_bytes() == before
    with pytest.raises(JobError, match="no such folder"):
        write_database(Folder(folder), tmp_path / "absent" / "views.duckdb")
    with pytest.raises(JobError, match="can't be written"):
        write_database(Folder(folder), tmp_path / f"{'x' * 300}.duckdb")


@pytest.mark.parametrize(
    "sql",
    [
        "COPY (SELECT 1) TO '{folder}/new.csv'",
        "COPY (SELECT 1) TO '{folder}/run_id=rA1/verdicts/part-00000.parquet' (FORMAT parquet)",
        "COPY (SELECT 1) TO '.tmp'",
        "EXPORT DATABASE '{folder}/exported'",
        "FROM read_text('/etc/passwd')",
        "FROM read_text('{folder}/_latest/jA')",
        "FROM read_text('{folder}/run_id=rA1/verdicts/../manifest.json')",
        "FROM glob('{folder}/*')",
        "FROM 'http://localhost/x.parquet'",
        "ATTACH '{folder}/new.duckdb'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "CREATE PERSISTENT SECRET (TYPE s3)",
        "SET enable_external_access = true",
        "SET allowed_directories = ['/']",
        "RESET lock_configuration",
    ],
)
def test_a_locked_connection_reaches_nothing_but_the_parts(
    untouched: Path, views: duckdb.DuckDBPyConnection, sql: str
) -> None:
    folder = untouched
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    with pytest.raises(duckdb.Error):
        views.execute(sql.format(folder=str(folder).replace("'", "''")))
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before
    assert views.execute("SELECT count(*) FROM verdicts").fetchall() == [(14,)]


def test_a_locked_connection_sees_no_variable_of_python(views: duckdb.DuckDBPyConnection) -> None:
    secret = pa.table({"x": [1]})
    assert secret.num_rows == 1
    with pytest.raises(duckdb.CatalogException):
        views.execute("FROM secret")


def test_an_unlocked_connection_is_had_on_request(folder: Path) -> None:
    with connect(Folder(folder), read_only=False) as views:
        views.execute("SET threads = 1")


def test_a_relative_folder_stays_valid_when_the_working_folder_changes(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    with connect(Folder(Path("..") / folder.name)) as views:
        monkeypatch.chdir(os.sep)
        assert views.execute("SELECT count(*) FROM verdicts").fetchall() == [(14,)]


def test_duckdb_is_loaded_only_when_it_is_asked_for() -> None:
    code = "import sys, pipelines.query, pipelines.views; print('duckdb' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("False\n", "")
