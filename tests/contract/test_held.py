"""Of two processes on one results folder one is refused, whatever tells them apart or not.

Each test is done with the kernel's lock, and with a lease as on a file system that has no locks.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from grounding.errors import TaskError
from pipelines import plan, write
from pipelines.job import Job
from pipelines.places import Folder
from pipelines.run import run
from tests.contract.bench import Bench, Run, answers, assert_whole, put

ROOT = Path(__file__).resolve().parents[2]

# The command line, which says its process id, and waits in its first task until stdin is closed.
PROCESS = """
import errno, fcntl, os, sys
from pipelines import grade
from pipelines.cli import main
from pipelines.places import lease
how, waits, *arguments = sys.argv[1:]
if how == "lease":
    def no_locks(*_):
        raise OSError(errno.ENOLCK, "no locks")
    fcntl.flock = no_locks
    lease.TIMES = lease.Times(every=0.25, patience=5)
if waits == "waits":
    graded = grade.Grader.graded
    def waiting(self, *arguments):
        print(os.getpid(), flush=True)
        sys.stdin.read()
        return graded(self, *arguments)
    grade.Grader.graded = waiting
else:
    print(os.getpid(), flush=True)
sys.exit(main(arguments))
"""

HOW = ["flock", "lease"]
APART = ("unshare", "--pid", "--fork", "--mount-proc", "--kill-child")


@pytest.fixture(params=["in one namespace", "in two"])
def apart(request: pytest.FixtureRequest) -> tuple[str, ...]:
    """What a command is begun with, so that each has a process namespace of its own, or not."""
    if request.param == "in one namespace":
        return ()
    if (
        not shutil.which("unshare")
        or subprocess.run([*APART, "true"], capture_output=True).returncode
    ):
        pytest.skip("no process namespace can be made here: no unshare, or no right to use it")
    return APART


def command(bench: Bench, how: str, waits: str, apart: tuple[str, ...]) -> list[str]:
    given = ["run", str(bench.answers), "--out", str(bench.out), "--json"]
    return [*apart, sys.executable, "-c", PROCESS, how, waits, *given]


@contextmanager
def holder(bench: Bench, how: str, apart: tuple[str, ...] = ()) -> Iterator[subprocess.Popen[str]]:
    """A process in the middle of its run, and its id as it sees it itself, read from stdout."""
    put(bench.answers, {"a.parquet": answers()})
    with subprocess.Popen(
        command(bench, how, "waits", apart),
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def own_id(process: subprocess.Popen[str]) -> int:
    assert process.stdout is not None
    return int(process.stdout.readline())


def contender(
    bench: Bench, how: str, apart: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(bench, how, "goes on", apart),
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
    )


def whole(bench: Bench) -> None:
    """What is published is one whole run, with the bytes of an undisturbed one."""
    found = Run(run(Job(answers=str(bench.answers), out=str(bench.out))))
    assert found.outcome.already_done
    assert_whole(found)
    elsewhere = Run(run(Job(answers=str(bench.answers), out=str(bench.folder / "undisturbed"))))
    assert found.bytes_of_tables() == elsewhere.bytes_of_tables()


@pytest.mark.parametrize("how", HOW)
def test_the_second_is_refused_and_the_first_unharmed(
    bench: Bench, how: str, apart: tuple[str, ...]
) -> None:
    with holder(bench, how, apart) as first:
        its_id = own_id(first)
        second = contender(bench, how, apart)
        assert second.returncode == 2
        assert f"{bench.out} is in use by another grounding process" in second.stderr
        if how == "lease":
            assert f"host {os.uname().nodename}, since 20" in second.stderr
        same_id = int(second.stdout.splitlines()[0]) == its_id
        assert same_id == bool(apart)
        out, err = first.communicate(timeout=60)
        assert (first.returncode, err) == (0, "")
        assert json.loads(out.splitlines()[-1])["graded"] == 2
    whole(bench)


@pytest.mark.parametrize("how", HOW)
def test_after_a_holder_that_was_killed_the_next_goes_on(
    bench: Bench, how: str, apart: tuple[str, ...]
) -> None:
    with holder(bench, how, apart) as first:
        own_id(first)
        first.kill()
        first.communicate(timeout=60)  # until nobody has its streams open, the one inside included
    second = contender(bench, how, apart)
    assert (second.returncode, second.stderr) == (0, "")
    whole(bench)


def test_a_holder_that_wakes_up_after_it_was_followed_stops_and_publishes_nothing(
    bench: Bench,
) -> None:
    with holder(bench, "lease") as first:
        first.send_signal(signal.SIGSTOP) if own_id(first) else None
        assert contender(bench, "lease").returncode == 0
        published = {p: p.read_bytes() for p in bench.out.rglob("*") if p.is_file()}
        first.send_signal(signal.SIGCONT)
        _, err = first.communicate(timeout=60)
        assert first.returncode == 4
        assert "does not hold" in err
        assert "run the same again" in err
    assert {p: p.read_bytes() for p in bench.out.rglob("*") if p.is_file()} == published
    whole(bench)


def test_on_a_disk_of_this_machine_there_is_no_lease(bench: Bench) -> None:
    bench.run({"a.parquet": answers()})
    assert not (bench.out / "_lease").exists()


def test_where_locks_may_not_reach_a_lease_is_taken_beside_the_lock(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipelines.places.folder.flock_serves", lambda _: False)
    for number in (1, 2):
        bench.run({"a.parquet": answers(number)})
        (lease,) = (bench.out / "_lease").iterdir()
        assert lease.name == f"{number:010d}"
        assert json.loads(lease.read_bytes())["released"]


def test_a_run_that_lost_its_lease_stops_at_the_next_task_and_publishes_nothing(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another host took it over, and is at work on something else, so that nothing else tells."""
    monkeypatch.setattr("pipelines.places.folder.flock_serves", lambda _: False)
    monkeypatch.setattr(plan, "TASK_BYTES", 1)
    written: list[int] = []
    write_task = write.Staging.write

    def lost(staging: write.Staging, number: int, *given: Any) -> write.Proof:
        Folder(bench.out).write("_lease/0000000002", "{}")
        written.append(number)
        return write_task(staging, number, *given)

    monkeypatch.setattr(write.Staging, "write", lost)
    with pytest.raises(TaskError, match="another process took it over"):
        run(bench.job({"a.parquet": answers(), "b.parquet": answers()}))
    assert written == [0]
    assert {path.name for path in bench.out.iterdir()} == {"_lock", "_lease", "_staging"}
