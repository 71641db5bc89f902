"""A run is published whole or not at all: what fails leaves nothing, what is wrong says so."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from grounding.errors import GroundingError, InputError, JobError, ResultsError
from pipelines import grade, write
from pipelines.places import Folder, folder
from pipelines.run import run
from pipelines.views import connect
from tests.contract.bench import Bench, Files, answers, corrupted, published_runs, put

# what fails leaves nothing


class Crash(BaseException):
    """No error that anybody catches."""


def crash(*_: object, **__: object) -> None:
    raise Crash


@pytest.mark.parametrize(
    ("module", "name"),
    [
        (grade.Grader, "graded"),
        (write.Staging, "write"),
        (write.Staging, "publish"),
        (folder, "replace_file"),
        (pq, "read_metadata"),
        (Path, "rename"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_crash_leaves_no_run_and_the_next_try_works(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, module: object, name: str
) -> None:
    job = bench.job({"a.csv": "answer_id,answer,evidence\na,5,5\n"})
    with monkeypatch.context() as patch:
        patch.setattr(module, name, crash)
        with pytest.raises(Crash):
            run(job)
    assert published_runs(bench.out) == []
    assert {path.name for path in bench.out.iterdir()} <= {"_lock", "_staging"}
    assert not bench.run().outcome.already_done
    assert not (bench.out / "_staging").exists()


def test_a_fault_of_the_input_leaves_no_staging_folder(bench: Bench) -> None:
    files: Files = {"a.parquet": answers(1), "b.parquet": corrupted(answers(99), "answer")}
    assert bench.faults(files)
    assert [path.name for path in bench.out.iterdir()] == ["_lock"]


def test_what_an_observer_raises_ends_the_run(bench: Bench) -> None:
    with pytest.raises(Crash):
        run(bench.job({"a.parquet": answers()}), observer=crash)
    assert published_runs(bench.out) == []


def test_leftovers_of_a_killed_run_are_in_nobody_s_way(bench: Bench) -> None:
    made = bench.run({"a.parquet": answers()})
    shutil.rmtree(made.path)
    stale = bench.out / "_staging" / made.outcome.run_id
    put(stale, {"verdicts/part-00000.parquet": b"half", "_scratch/x": b""})
    assert bench.run().outcome.run_id == made.outcome.run_id
    assert not stale.exists()


def test_views_see_no_run_without_a_manifest(bench: Bench) -> None:
    made = bench.run({"a.parquet": answers()})
    unfinished = bench.out / "run_id=r0"
    shutil.copytree(made.path, unfinished)
    (unfinished / "manifest.json").unlink()
    shutil.copy(made.parts("verdicts")[0], made.path / "verdicts" / "part-00001.parquet")
    shutil.copytree(made.path, bench.out / "_staging" / "run_id=r1")
    with connect(Folder(bench.out)) as views:
        assert views.execute("SELECT count(*) FROM verdicts").fetchone() == (2,)
        assert views.execute("SELECT run_id FROM runs").fetchall() == [(made.outcome.run_id,)]


# the output place


@pytest.mark.parametrize("below", [".", "x/y"])
def test_an_output_that_is_a_file_or_below_one_is_a_fault_of_the_job(
    bench: Bench, below: str
) -> None:
    bench.out.write_text("mine")
    (fault,) = bench.faults({"a.parquet": answers()}, out=str(bench.out / below))
    assert fault.startswith("2: out: ")
    assert "--out" in fault
    assert bench.out.read_text() == "mine"


def test_an_output_in_use_by_another_process_is_a_fault_of_the_job(bench: Bench) -> None:
    bench.out.mkdir()
    code = (
        "import fcntl, sys; f = open(sys.argv[1], 'ab'); fcntl.flock(f, fcntl.LOCK_EX); "
        "print('held', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", code, str(bench.out / "_lock")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        (fault,) = bench.faults({"a.parquet": answers()})
        assert fault.startswith("2: ")
        assert "in use" in fault
        holder.communicate()
    assert bench.run().outcome.graded == 2


# a folder that contradicts its manifests


def edit(change: Callable[[dict[str, Any]], object]) -> Callable[[Path], object]:
    def apply(run_folder: Path) -> None:
        file = run_folder / "manifest.json"
        manifest = json.loads(file.read_bytes())
        change(manifest)
        file.write_text(json.dumps(manifest))

    return apply


def text(content: str) -> Callable[[Path], object]:
    return lambda run_folder: (run_folder / "manifest.json").write_text(content)


def replace(path: Path, make: Callable[[Path], object]) -> None:
    """Something else under the name of a file or folder."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()
    make(path)


PART = "verdicts/part-00000.parquet"
TAMPERED = [
    pytest.param(lambda at: (at / PART).unlink(), PART, id="a part is gone"),
    pytest.param(lambda at: (at / PART).write_bytes(b"x"), "1 bytes", id="a part is cut"),
    pytest.param(lambda at: shutil.rmtree(at / "claims"), "claims", id="a table is gone"),
    pytest.param(lambda at: (at / "manifest.json").unlink(), "manifest.json", id="no manifest"),
    pytest.param(text(""), "manifest.json", id="empty"),
    pytest.param(text("[]"), "manifest.json", id="a list"),
    pytest.param(text("null"), "manifest.json", id="null"),
    pytest.param(text("{}"), "manifest.json", id="no keys"),
    pytest.param(text('{"tables": {"verdicts": {"parts": ["x"]}}}'), "manifest.json", id="parts"),
    pytest.param(text('{"tables": []}'), "manifest.json", id="tables"),
    pytest.param(edit(lambda m: m.pop("rows")), "rows", id="no counts"),
    pytest.param(edit(lambda m: m["rows"].pop("graded")), "graded", id="a count is missing"),
    pytest.param(edit(lambda m: m.update(run_id="r0")), "r0", id="of another run"),
    pytest.param(
        lambda at: replace(at / "manifest.json", Path.mkdir),
        "manifest.json",
        id="a folder",
    ),
    pytest.param(
        lambda at: replace(at, Path.touch),
        "run_id=",
        id="a file for a run",
    ),
    pytest.param(
        lambda at: replace(at.parent / "_latest", Path.touch),
        "_latest",
        id="a file for _latest",
    ),
    pytest.param(
        lambda at: (at.parent / "_latest" / "j0").write_text("x"), "j0", id="a broken pointer"
    ),
]


@pytest.mark.parametrize(("tamper", "said"), TAMPERED)
def test_a_run_that_was_tampered_with_is_not_taken_for_done(
    bench: Bench, tamper: Callable[[Path], object], said: str
) -> None:
    tamper(bench.run({"a.parquet": answers()}).path)
    with pytest.raises(ResultsError) as caught:
        run(bench.job())
    assert caught.value.exit_code == 5
    assert said in str(caught.value)


def test_a_run_that_was_removed_is_made_again(bench: Bench) -> None:
    made = bench.run({"a.parquet": answers()})
    before = made.bytes_of_tables()
    shutil.rmtree(made.path)
    again = bench.run()
    assert not again.outcome.already_done
    assert again.bytes_of_tables() == before


def test_a_folder_with_a_broken_run_is_refused_before_anything_is_published(bench: Bench) -> None:
    put(bench.out, {"run_id=r0/manifest.json": "x"})
    with pytest.raises(ResultsError):
        run(bench.job({"a.parquet": answers()}))
    assert published_runs(bench.out) == ["run_id=r0"]


# what keeps input from being read

OTHER = pa.table({"uid": [1], "output": ["5"], "contexts": [["5"]]})
BAD: list[tuple[Files, str, list[str]]] = [
    ({}, "missing.parquet", ["missing.parquet", "does not exist"]),
    ({"x/y.txt": "a", "x/z.json": "{}"}, "x", [".parquet", ".csv"]),
    ({}, "*.parquet", ["no file matches", "*.parquet"]),
    ({"a.parquet": "answer_id,answer\n"}, "", ["a.parquet", "Parquet"]),
    ({"a.parquet": b""}, "", ["a.parquet", "Parquet"]),
    ({"a.parquet": corrupted(answers(99), "answer")[:-9]}, "", ["a.parquet", "copy it again"]),
    ({"a.json": "{}"}, "a.json", ["a.json", "Parquet", ".csv"]),
    ({"a.parquet": OTHER}, "", ["answer_id=uid", "--id row", "answer=output", "a.parquet"]),
    ({"a.parquet": corrupted(answers(99), "answer")}, "", ["a.parquet", "rows 0 to 98"]),
]


@pytest.mark.parametrize(("files", "given", "said"), BAD, ids=lambda value: str(value)[:40])
def test_bad_input_is_refused_with_what_and_where(
    bench: Bench, files: Files, given: str, said: list[str]
) -> None:
    bench.answers.mkdir()
    faults = "\n".join(bench.faults(files, answers=str(bench.answers / given)))
    assert faults.startswith("3: ")
    assert [word for word in said if word not in faults] == []


def test_a_corrupt_key_is_a_fault_of_its_file(bench: Bench) -> None:
    files: Files = {"a.parquet": answers(1), "b.parquet": corrupted(answers(99), "answer_id")}
    assert any("b.parquet" in fault for fault in bench.faults(files))


@pytest.mark.parametrize("options", [{"answers": "x" * 5000}, {"fixtures": ("x" * 5000,)}])
def test_a_path_that_no_file_can_have_does_not_exist(bench: Bench, options: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        run(bench.job({"a.parquet": answers()}, **options))


def test_all_faults_of_all_files_are_said_at_once(bench: Bench) -> None:
    files: Files = {
        "a.parquet": OTHER,
        "b.parquet": answers(1, answer=[5], evidence=["5"], fixture_id=[1], reason=["x"]),
    }
    faults = bench.faults(files)
    for words in (
        ("a.parquet", "'answer_id'"),
        ("a.parquet", "'answer'"),
        ("b.parquet", "'answer'", "Int64", "text"),
        ("b.parquet", "'evidence'", "String", "list"),
        ("b.parquet", "'fixture_id'", "Int64", "text"),
        ("'reason'", "--carry"),
    ):
        assert any(all(word in fault for word in words) for fault in faults), words
    assert len(faults) == 6


def test_what_is_refused_leaves_an_older_run_alone(bench: Bench) -> None:
    made = bench.run({"a.parquet": answers()})
    before = {p: p.read_bytes() for p in bench.out.rglob("*") if p.is_file()}
    for options in ({"map": {"answer": "zip"}}, {"answers": str(bench.folder / "none")}):
        with pytest.raises(GroundingError) as caught:
            run(bench.job(**options))
        assert not isinstance(caught.value, JobError)
    assert {p: p.read_bytes() for p in bench.out.rglob("*") if p.is_file()} == before
    assert bench.run().outcome.run_id == made.outcome.run_id
