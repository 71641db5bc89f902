"""A run that is killed anywhere goes on where it was, and ends in the same bytes."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from grounding.errors import TaskError
from pipelines import grade, plan, tasks, write
from pipelines.job import Job
from pipelines.run import run
from tests.contract.bench import BOOK, Bench, Run, answers, put

ROOT = Path(__file__).resolve().parents[2]

# Kills itself at the n-th time that it touches a file below the output folder; with 0, says how
# often it does.
VICTIM = """
import os, signal, sys
from pathlib import Path
at, size, source, truth, out = int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:6]
seen = 0
def touch(event, arguments):
    global seen
    names = ("open", "os.rename", "os.mkdir", "os.remove", "os.rmdir", "shutil.rmtree")
    if event in names and out in str(arguments[0]):
        seen += 1
        if seen == at:
            os.kill(os.getpid(), signal.SIGKILL)
from pipelines import plan
plan.TASK_BYTES = size
from pipelines.job import Job
from pipelines.run import run
sys.addaudithook(touch)
run(Job(answers=source, fixtures=(truth,), out=out))
print(seen)
"""


def rows(n: int, first: int = 0) -> pa.Table:
    return answers(
        n,
        answer_id=[f"a{first + i}" for i in range(n)],
        answer=[["5 [1] [9]", "6 [assert:year=1911]", ""][(first + i) % 3] for i in range(n)],
        fixture_id=[["book", None][(first + i) % 2] for i in range(n)],
    )


@pytest.fixture
def many(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """A bench whose answers make four tasks, a file each."""
    put(bench.answers, {f"{n}.parquet": rows(30, 30 * n) for n in range(4)})
    footers = [pq.read_metadata(bench.answers / f"{n}.parquet") for n in range(4)]
    size = min(footer.row_group(0).total_byte_size for footer in footers)
    monkeypatch.setattr(plan, "TASK_BYTES", size)
    put(bench.folder / "truth", {"book.json": BOOK})
    return bench


def job(bench: Bench, **options: Any) -> Job:
    truth = (str(bench.folder / "truth"),)
    return Job(
        **{"answers": str(bench.answers), "out": str(bench.out), "fixtures": truth} | options
    )


def killed(bench: Bench, at: int) -> subprocess.CompletedProcess[str]:
    places = (bench.answers, bench.folder / "truth", bench.out)
    command = [sys.executable, "-c", VICTIM, str(at), str(plan.TASK_BYTES), *map(str, places)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, env=environment, capture_output=True, text=True)


def survives(bench: Bench, points: list[int], whole: Run) -> None:
    expected = whole.bytes_of_tables()
    shutil.rmtree(bench.out)
    for at in points:
        assert killed(bench, at).returncode == -signal.SIGKILL, at
        again = Run(run(job(bench)))
        assert again.bytes_of_tables() == expected, at
        assert not (bench.out / "_staging").exists(), at
        shutil.rmtree(bench.out)


def test_a_run_that_is_killed_anywhere_ends_in_the_same_bytes(many: Bench) -> None:
    whole = Run(run(job(many)))
    shutil.rmtree(many.out)
    touches = int(killed(many, 0).stdout)
    assert touches > 60
    survives(many, [1 + (touches - 2) * n // 19 for n in range(20)], whole)


@pytest.mark.slow
def test_hundreds_of_random_kills(many: Bench) -> None:
    whole = Run(run(job(many)))
    shutil.rmtree(many.out)
    touches = int(killed(many, 0).stdout)
    random = Random(1)
    survives(many, [random.randint(1, touches) for _ in range(300)], whole)


def test_what_was_proven_is_not_done_again(many: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[int] = []
    graded = grade.Grader.graded

    def counted(self: grade.Grader, number: int, task: plan.Task) -> Any:
        if number == 2 and not done.count(2):
            done.append(2)
            raise KeyboardInterrupt
        done.append(number)
        return graded(self, number, task)

    monkeypatch.setattr(grade.Grader, "graded", counted)
    with pytest.raises(KeyboardInterrupt):
        run(job(many))
    assert run(job(many)).graded == 120
    assert done == [0, 1, 2, 2, 3]


def test_a_part_that_was_damaged_meanwhile_is_made_again(
    many: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = Run(run(job(many))).bytes_of_tables()
    shutil.rmtree(many.out)
    with monkeypatch.context() as patch:
        patch.setattr(
            write.Staging, "publish", lambda *_: (_ for _ in ()).throw(OSError(28, "full"))
        )
        with pytest.raises(TaskError, match="finished tasks are kept"):
            run(job(many))
    (staged,) = (many.out / "_staging").iterdir()
    part = staged / "verdicts" / "part-00001.parquet"
    part.write_bytes(part.read_bytes()[:-1] + b"x")
    (staged / "findings" / "part-00003.parquet").unlink()
    assert Run(run(job(many))).bytes_of_tables() == expected


def _full_disk(*_: object) -> None:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("code", ["this", "other"])
def test_only_the_same_code_goes_on_from_proofs(
    many: Bench, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    touches = int(killed(many, 0).stdout)
    shutil.rmtree(many.out)
    for tenths in (4, 5, 6, 7, 8):  # until it dies between two tasks
        assert killed(many, touches * tenths // 10).returncode == -signal.SIGKILL
        if list(many.out.glob("_staging/*/_tasks/*.json")):
            break
    found: list[bool] = []
    proven = write.Staging.proven

    def spied(staging: write.Staging, number: int) -> Any:
        found.append((proof := proven(staging, number)) is not None)
        return proof

    monkeypatch.setattr(write.Staging, "proven", spied)
    if code == "other":
        monkeypatch.setattr("pipelines.plan.code_digest", lambda: "another")
    assert run(job(many)).graded == 120
    assert any(found) == (code == "this")


@pytest.mark.parametrize("workers", [2, 3])
def test_workers_make_no_difference(many: Bench, workers: int) -> None:
    expected = Run(run(job(many)))
    again = Run(run(job(many, workers=workers, out=str(many.folder / "other"))))
    assert again.outcome.run_id == expected.outcome.run_id
    assert again.bytes_of_tables() == expected.bytes_of_tables()


def test_a_worker_that_is_killed_is_told_and_what_was_done_is_kept(
    many: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "_done", _dies)
    with pytest.raises(TaskError, match="--workers"):
        run(job(many, workers=2))
    monkeypatch.undo()
    assert run(job(many)).graded == 120


def _dies(number: int) -> Any:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_row_group_far_too_large_is_cut(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    put(bench.answers, {"a.parquet": rows(1000)})
    whole = bench.run()
    size = pq.read_metadata(bench.answers / "a.parquet").row_group(0).total_byte_size
    monkeypatch.setattr(plan, "TASK_BYTES", size // 7)
    cut = Run(run(Job(answers=str(bench.answers), out=str(bench.folder / "cut"))))
    assert len(cut.parts("verdicts")) == 7
    assert cut.table("verdicts").equals(whole.table("verdicts"))
    assert cut.table("findings").equals(whole.table("findings"))
