"""A folder is asked by a name or by SQL, and SQL that does more than read is refused."""

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from grounding.errors import InputError, JobError
from pipelines.places import Folder
from pipelines.query import Parameters, run_query
from tests.unit.two_jobs import two_jobs


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return two_jobs(tmp_path_factory.mktemp("query"))


def rows(folder: Path, asked: str, parameters: Parameters | None = None) -> list[dict[str, Any]]:
    table = run_query(Folder(folder), asked, parameters=parameters)
    found: list[dict[str, Any]] = table.to_pylist()
    return found


def test_a_query_takes_its_values_by_name_and_in_sql(folder: Path) -> None:
    found = rows(folder, "pass_rates_by", {"column_name": "lang"})
    assert found == rows(folder, "FROM pass_rates_by($1)", ["lang"])
    assert found == rows(folder, "FROM pass_rates_by('lang')")


def test_a_column_that_no_run_has_is_named(folder: Path) -> None:
    with pytest.raises(JobError, match='"nope"'):
        run_query(Folder(folder), "pass_rates_by", parameters=["nope"])


def test_a_relation_is_asked_for_by_its_name(folder: Path) -> None:
    assert rows(folder, " latest ") == [
        {"run_id": "rA2", "job_id": "jA", "job": "leaflets"},
        {"run_id": "rB2", "job_id": "jB", "job": "jB"},
    ]


def test_sql_takes_values_by_position_and_by_name(folder: Path) -> None:
    for sql, values in (("= ?", ["rA1"]), ("= $run", {"run": "rA1"})):
        found = rows(folder, f"SELECT count(*) AS n FROM verdicts WHERE run_id {sql}", values)
        assert found == [{"n": 4}]


def test_sql_keeps_its_order_and_its_own_tables(folder: Path) -> None:
    sql = (
        "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 3) "
        "FROM n UNION ALL SELECT 9 ORDER BY i DESC -- a comment"
    )
    assert [row["i"] for row in rows(folder, sql)] == [9, 3, 2, 1]
    assert rows(folder, "FROM (DESCRIBE runs)")[0]["column_name"] == "run_id"


def test_an_unknown_name_lists_what_there_is(folder: Path) -> None:
    with pytest.raises(JobError, match=r"no query 'passrates'.+pass_rates,.+verdicts, "):
        run_query(Folder(folder), "passrates")


@pytest.mark.parametrize(
    ("name", "given"),
    [("pass_rates_by", None), ("pass_rates_by", ["a", "b"]), ("pass_rates", {"x": 1})],
)
def test_parameters_that_do_not_fit_say_how_it_is_called(
    folder: Path, name: str, given: Parameters | None
) -> None:
    with pytest.raises(JobError, match=f"called as {name}"):
        run_query(Folder(folder), name, parameters=given)


def test_an_error_of_sql_carries_the_statement(folder: Path) -> None:
    sql = "SELECT nope FROM verdicts"
    with pytest.raises(JobError, match=r'(?s)"nope".+in the statement:\nSELECT nope FROM verdicts'):
        run_query(Folder(folder), sql)


def test_an_empty_folder_has_nothing_to_ask(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no run is published there"):
        run_query(Folder(tmp_path), "pass_rates")


def test_sql_that_does_more_than_read_is_refused_and_changes_nothing(folder: Path) -> None:
    part = folder / "run_id=rA1" / "verdicts" / "part-00000.parquet"
    copy = f"COPY (SELECT 1) TO '{part}' (FORMAT parquet, USE_TMP_FILE false)"
    hidden = f"WITH x AS ({copy}) SELECT 1".replace("'", "''")
    run = f"json_execute_serialized_sql(json_serialize_sql('{hidden}'))"
    before = pq.read_table(part)
    for sql in (
        copy,
        f"WITH x AS ({copy}) SELECT 1",
        f"WITH y AS (WITH x AS ({copy}) SELECT 1) FROM y",
        f"EXPLAIN ANALYZE {copy}",
        f"FROM {run}",
        f'FROM system.main."JSON_execute_serialized_sql"({run.split("(", 1)[1]}',
        "FROM query('SELECT 1')",
        "SELECT 1; " + copy,
        "",
        "-- nothing",
        "FROM read_text('/etc/passwd')",
        "ATTACH 'x.duckdb'",
        "INSTALL httpfs",
        "SET threads = 1",
        "CREATE TABLE t AS SELECT 1",
        "DROP VIEW verdicts",
        "PIVOT verdicts ON reason",
        "SELECT 1) ; COPY (SELECT 1) TO 'x'; FROM (SELECT 1",
    ):
        with pytest.raises(JobError):
            run_query(Folder(folder), sql)
    assert pq.read_table(part).equals(before)
