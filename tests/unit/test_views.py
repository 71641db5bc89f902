"""The relations of a results folder: what they see, how runs that differ meet in them."""

import json
from pathlib import Path
from typing import Any

import duckdb
import pytest

from grounding.errors import InputError, ResultsError
from pipelines.places import Folder
from pipelines.views import connect, views_sql
from tests.unit import results_folder
from tests.unit.results_folder import (
    COUNT,
    TEXT,
    Columns,
    columns_of,
    finding,
    point,
    publish,
    verdict,
)
from tests.unit.two_jobs import HOSTILE, everything


def test_base_relations_hold_all_published_runs(views: duckdb.DuckDBPyConnection) -> None:
    counts = "SELECT run_id, count(*) FROM verdicts GROUP BY ALL ORDER BY ALL"
    assert views.execute(counts).fetchall() == [("rA1", 4), ("rA2", 4), ("rB1", 3), ("rB2", 3)]


def test_runs_are_the_manifests_with_times_in_utc(views: duckdb.DuckDBPyConnection) -> None:
    rows = views.execute(
        "SELECT run_id, job_id, name, job, read, graded, rejected, content, started::VARCHAR "
        "FROM runs ORDER BY run_id"
    ).fetchall()
    assert rows[0] == (
        *("rA1", "jA", "leaflets", "leaflets", 4, 4, 0, "full"),
        "2026-12-01 09:00:00+00",
    )
    assert rows[2] == ("rB1", "jB", None, "jB", 4, 3, 1, "full", "2026-12-01 11:00:00+00")
    types = "SELECT DISTINCT typeof(started), typeof(finished), typeof(read) FROM runs"
    zoned = "TIMESTAMP WITH TIME ZONE"
    assert views.execute(types).fetchall() == [(zoned, zoned, "BIGINT")]
    version = "SELECT DISTINCT versions::JSON->>'strict' FROM runs"
    assert views.execute(version).fetchall() == [("strict/1",)]


def test_a_carried_column_whose_types_differ_is_text_as_each_run_spelled_it(
    views: duckdb.DuckDBPyConnection,
) -> None:
    rows = views.execute("SELECT DISTINCT score FROM verdicts ORDER BY ALL").fetchall()
    assert rows == [("0.5",), ("1",), ("1.5",), ("2.5",), (None,)]


def test_answer_ids_have_one_type_in_all_tables(views: duckdb.DuckDBPyConnection) -> None:
    for table in ("verdicts", "findings", "claims"):
        kinds = views.table(table).project("typeof(answer_id)").distinct().fetchall()
        assert kinds == [("VARCHAR",)]


def test_integer_ids_stay_integers_if_all_runs_have_them(tmp_path: Path) -> None:
    rejects = [{"source_file": "a", "source_row": 1, "answer_id": "1", "problem": "null_answer"}]
    publish(tmp_path, "r1", key=COUNT, verdicts=[verdict(1)], rejects=rejects)
    with connect(Folder(tmp_path)) as views:
        assert views.execute("SELECT answer_id FROM verdicts").fetchall() == [(1,)]


def test_absent_columns_of_the_bundled_views_are_null_text(tmp_path: Path) -> None:
    publish(tmp_path, "r1", verdicts=[verdict("a0")])
    with connect(Folder(tmp_path)) as views:
        for name in ("model", "question_id", "label", "fixture_id"):
            rows = views.table("verdicts").project(f"{name}, typeof({name})").fetchall()
            assert rows == [(None, "VARCHAR")]


def test_a_run_from_before_causes_is_shown_without_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(tmp_path, "r1", verdicts=[verdict("a0")])
    since = ("grounded_with_waivers", "passed_with_policy", "label", "cause", "causes")

    def before(table: str, *given: Any) -> Columns:
        columns = columns_of(table, *given)
        return {name: kind for name, kind in columns.items() if name not in since}

    monkeypatch.setattr(results_folder, "columns_of", before)
    old = [verdict("b0", unsupported_numbers=["7"])]
    stripped = [{key: row[key] for key in row if key not in since} for row in old]
    found = finding("b0", "ungrounded_number", "7")
    for run_id in ("r2", "r3"):
        publish(tmp_path, run_id, job_id="j2", verdicts=stripped, findings=[found])
    point(tmp_path, "j2", "r3")
    with connect(Folder(tmp_path)) as views:
        assert views.execute("SELECT cause, causes FROM latest_findings").fetchall() == [
            (None, None)
        ]
        assert views.execute("SELECT cause, tokens FROM causes").fetchall() == [(None, 1)]
        assert views.execute("FROM agreement").fetchall() == []
        assert views.execute("FROM impossible_rows").fetchall() == []


def test_those_columns_are_text_even_if_every_run_has_them_as_numbers(tmp_path: Path) -> None:
    publish(tmp_path, "r1", carried={"model": COUNT}, verdicts=[verdict("a0", model=7)])
    with connect(Folder(tmp_path)) as views:
        assert views.execute("SELECT model FROM verdicts").fetchall() == [("7",)]


def test_names_that_differ_in_case_are_one_column(tmp_path: Path) -> None:
    publish(tmp_path, "r1", carried={"Lang": TEXT}, verdicts=[verdict("a0", Lang="vi")])
    publish(tmp_path, "r2", carried={"lang": COUNT}, verdicts=[verdict("a0", lang=7)])
    with connect(Folder(tmp_path)) as views:
        rows = views.execute("SELECT run_id, lang FROM verdicts ORDER BY ALL").fetchall()
        assert rows == [("r1", "vi"), ("r2", "7")]


def test_a_run_without_a_manifest_is_not_seen(folder: Path) -> None:
    unfinished = publish(folder, "rX", verdicts=[verdict("a9")])
    (unfinished / "manifest.json").unlink()
    publish(folder / "_staging", "rY", verdicts=[verdict("a9")])
    with connect(Folder(folder)) as views:
        assert views.execute("FROM verdicts WHERE answer_id = 'a9'").fetchall() == []
    assert "rX" not in views_sql(Folder(folder))


def test_only_listed_parts_are_read(folder: Path) -> None:
    parts = folder / "run_id=rA2" / "verdicts"
    (parts / "part-00002.parquet").write_bytes((parts / "part-00000.parquet").read_bytes())
    with connect(Folder(folder)) as views:
        rows = views.execute("SELECT count(*) FROM verdicts WHERE run_id = 'rA2'").fetchall()
        assert rows == [(4,)]


def test_latest_shows_the_live_runs_of_each_job(views: duckdb.DuckDBPyConnection) -> None:
    rows = views.execute("SELECT DISTINCT job, run_id FROM latest_verdicts ORDER BY ALL").fetchall()
    assert rows == [("jB", "rB2"), ("leaflets", "rA2")]


def test_without_pointers_nothing_is_latest(tmp_path: Path) -> None:
    publish(tmp_path, "r1", verdicts=[verdict("a0")])
    with connect(Folder(tmp_path)) as views:
        assert views.execute("FROM latest_verdicts").fetchall() == []
        assert views.execute("FROM pass_rates").fetchall() == []


def test_two_jobs_of_one_name_stay_apart(tmp_path: Path) -> None:
    for number in (1, 2):
        publish(tmp_path, f"r{number}", job_id=f"j{number}", name="n", verdicts=[verdict("a0")])
        point(tmp_path, f"j{number}", f"r{number}", name="n")
    with connect(Folder(tmp_path)) as views:
        assert views.execute("SELECT job FROM latest ORDER BY ALL").fetchall() == [
            ("n (j1)",),
            ("n (j2)",),
        ]


def test_a_carried_column_named_job_does_not_hide_the_job(tmp_path: Path) -> None:
    publish(tmp_path, "r1", carried={"job": TEXT}, verdicts=[verdict("a0", job="cook")])
    point(tmp_path, "j1", "r1")
    with connect(Folder(tmp_path)) as views:
        assert views.execute("SELECT job FROM latest_verdicts").fetchall() == [("j1",)]


def test_relations_without_rows_keep_their_columns(tmp_path: Path) -> None:
    publish(tmp_path, "r1")
    point(tmp_path, "j1", "r1")
    with connect(Folder(tmp_path)) as views:
        shown = everything(views)
    assert {name for name, rows in shown.items() if rows} == {"runs", "latest", "waivable_causes"}


@pytest.mark.parametrize("damage", ["absent", "cut"])
def test_a_part_that_contradicts_its_manifest_is_named(folder: Path, damage: str) -> None:
    part = folder / "run_id=rA2" / "claims" / "part-00001.parquet"
    if damage == "absent":
        part.unlink()
    else:
        part.write_bytes(part.read_bytes()[:-1])
    with pytest.raises(ResultsError, match="claims/part-00001"):
        connect(Folder(folder))


def test_broken_manifests_and_pointers_are_all_named(folder: Path) -> None:
    (folder / "run_id=rA1" / "manifest.json").write_text("{", encoding="utf-8")
    manifest = folder / "run_id=rB1" / "manifest.json"
    content = json.loads(manifest.read_text(encoding="utf-8"))
    content["tables"]["verdicts"]["parts"][0]["name"] = "../../secret.parquet"
    manifest.write_text(json.dumps(content), encoding="utf-8")
    (folder / "_latest" / "jA").write_text("[]", encoding="utf-8")
    with pytest.raises(ResultsError) as raised:
        views_sql(Folder(folder))
    assert [Path(fault.split(": ")[0]).parts[-2:] for fault in raised.value.faults] == [
        ("_latest", "jA"),
        ("run_id=rA1", "manifest.json"),
        ("run_id=rB1", "manifest.json"),
    ]


def test_a_pointer_to_a_run_that_is_gone_says_what_to_do(folder: Path) -> None:
    point(folder, "jB", "rB9")
    with pytest.raises(ResultsError, match="rB9, which is not published there; run that job again"):
        views_sql(Folder(folder))


@pytest.mark.parametrize("name", ["", "absent"])
def test_a_folder_without_a_run_says_so(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="no run is published there"):
        connect(Folder(tmp_path / name))


def test_a_hostile_column_name_is_only_a_name(views: duckdb.DuckDBPyConnection) -> None:
    named = '"' + HOSTILE.replace('"', '""') + '"'
    rows = views.table("verdicts").project(named).distinct().fetchall()
    assert {value for (value,) in rows} == {"x", None}
