"""`runs` lists what a folder holds; `prune` removes old runs, and only what a manifest lists."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from grounding.errors import InputError, JobError
from pipelines.cli import main
from pipelines.job import Job
from pipelines.places import Folder
from pipelines.pruning import prune
from pipelines.run import run
from pipelines.views import connect
from tests.contract.bench import Bench, answers, published_runs, put

NOW = datetime.now(UTC) + timedelta(days=10)
WEEK = timedelta(days=7)


@pytest.fixture
def two(bench: Bench) -> tuple[str, str]:
    """Two runs of one job, of which the later one is live."""
    first = bench.run({"a.parquet": answers(2)}).outcome.run_id
    return first, bench.run({"a.parquet": answers(3)}).outcome.run_id


def files(bench: Bench) -> set[str]:
    return {p.relative_to(bench.out).as_posix() for p in bench.out.rglob("*") if p.is_file()}


def test_an_old_run_that_is_not_live_is_removed_with_all_that_it_lists(
    bench: Bench, two: tuple[str, str]
) -> None:
    before = files(bench)
    found = prune(Folder(bench.out), WEEK, NOW)
    assert [run.run_id for run in found.runs] == [two[0]]
    gone = before - files(bench)
    assert gone == {name for name in before if name.startswith(f"run_id={two[0]}/")}
    assert (found.files, found.left) == (len(gone), ())
    assert published_runs(bench.out) == [f"run_id={two[1]}"]
    assert not (bench.out / "_pruned").exists()
    with connect(Folder(bench.out)) as views:
        assert views.execute("SELECT count(*) FROM latest_verdicts").fetchone() == (3,)
    assert two[0] not in (bench.out / "views.sql").read_text()


def test_what_is_young_or_live_stays(bench: Bench, two: tuple[str, str]) -> None:
    before = files(bench)
    assert prune(Folder(bench.out), timedelta(days=11), NOW).runs == ()
    assert files(bench) == before
    prune(Folder(bench.out), WEEK, NOW)
    assert prune(Folder(bench.out), WEEK, NOW).runs == ()
    assert bench.run().outcome.already_done


def test_a_dry_run_removes_nothing_and_says_what_it_would(
    bench: Bench, two: tuple[str, str]
) -> None:
    before = files(bench)
    would = prune(Folder(bench.out), WEEK, NOW, dry_run=True)
    assert files(bench) == before
    assert would == prune(Folder(bench.out), WEEK, NOW)


def test_live_runs_go_only_where_that_is_asked_for(bench: Bench, two: tuple[str, str]) -> None:
    found = prune(Folder(bench.out), WEEK, NOW, live_too=True)
    assert {run.run_id for run in found.runs} == set(two)
    assert files(bench) == {"_lock"}
    with pytest.raises(InputError, match="no run is published"):
        prune(Folder(bench.out), WEEK, NOW)
    assert not bench.run().outcome.already_done


def test_a_file_that_no_manifest_lists_is_left_and_named(
    bench: Bench, two: tuple[str, str]
) -> None:
    put(bench.out / f"run_id={two[0]}", {"verdicts/mine.txt": "keep", "notes.md": "keep"})
    found = prune(Folder(bench.out), WEEK, NOW)
    mine = {f"run_id={two[0]}/{name}" for name in ("verdicts/mine.txt", "notes.md")}
    assert set(found.left) == mine
    assert mine <= files(bench)
    assert prune(Folder(bench.out), WEEK, NOW).runs == ()


def test_a_prune_that_is_killed_is_finished_by_the_next_command(
    bench: Bench, two: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Crash(BaseException):
        pass

    remove, left = Folder.remove, [2]

    def crashing(self: Folder, *names: str) -> None:
        left[0] -= 1
        if not left[0]:
            remove(self, *names[: len(names) // 2])
            raise Crash
        remove(self, *names)

    with monkeypatch.context() as patch:
        patch.setattr(Folder, "remove", crashing)
        with pytest.raises(Crash):
            prune(Folder(bench.out), WEEK, NOW)
    with connect(Folder(bench.out)) as views:  # gone at once, whatever of it is left
        assert views.execute("SELECT run_id FROM runs").fetchall() == [(two[1],)]
    assert bench.run({"a.parquet": answers(2)}).outcome.run_id == two[0]
    assert not (bench.out / "_pruned").exists()
    assert published_runs(bench.out) == sorted(f"run_id={run}" for run in two)


def test_a_manifest_that_leads_out_of_the_folder_removes_nothing(
    bench: Bench, two: tuple[str, str]
) -> None:
    put(bench.folder, {"precious": "x"})
    manifest = bench.out / f"run_id={two[0]}" / "manifest.json"
    value: dict[str, Any] = json.loads(manifest.read_text())
    value["tables"]["verdicts"]["parts"][0]["name"] = "../../../precious"
    manifest.write_text(json.dumps(value))
    assert main(["prune", str(bench.out), "--keep-days", "0"]) == 5
    assert (bench.folder / "precious").exists()


def test_a_folder_that_is_in_use_is_not_pruned(bench: Bench, two: tuple[str, str]) -> None:
    with Folder(bench.out).held(), pytest.raises(JobError, match="in use"):
        prune(Folder(bench.out), WEEK, NOW)


def test_the_partly_superseded_run_of_an_incremental_job_is_live(bench: Bench) -> None:
    put(bench.answers, {"a.parquet": answers(1), "b.parquet": answers(1, answer_id=["b"])})
    job = Job(answers=str(bench.answers), out=str(bench.out), name="n", incremental=True)
    run(job)
    put(bench.answers, {"a.parquet": answers(2)})
    run(job)
    assert prune(Folder(bench.out), timedelta(0), NOW).runs == ()
    with connect(Folder(bench.out)) as views:
        assert views.execute("SELECT count(*) FROM latest_verdicts").fetchone() == (3,)


# the commands


def test_runs_are_listed_with_what_is_live(
    bench: Bench, two: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["runs", str(bench.out), "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [(r["run_id"], r["read"], r["live"]) for r in rows] == [
        (two[0], 2, "no"),
        (two[1], 3, "yes"),
    ]
    sizes = [p.stat().st_size for p in (bench.out / f"run_id={two[0]}").glob("*/*.parquet")]
    assert rows[0]["bytes"] == sum(sizes)
    assert main(["runs", str(bench.out)]) == 0
    assert two[1] in capsys.readouterr().out


def test_the_command_says_what_it_removed(
    bench: Bench, two: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    put(bench.out / f"run_id={two[0]}", {"notes.md": "keep"})
    flags = ["prune", str(bench.out), "--keep-days", "0"]
    assert main([*flags, "--dry-run"]) == 0
    assert f"would remove {two[0]}" in capsys.readouterr().out
    assert main([*flags, "--json"]) == 0
    out, err = capsys.readouterr()
    said = json.loads(out)
    assert said["runs"] == [two[0]]
    assert said["left"] == [f"run_id={two[0]}/notes.md"]
    assert "notes.md is listed in no manifest" in err
    assert main([*flags, "--keep-days", "x"]) == 2


def test_commands_about_runs_say_where_there_are_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in (["runs", str(tmp_path)], ["prune", str(tmp_path / "x"), "--keep-days", "1"]):
        assert main(command) == 3
        assert "no run is published" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()
