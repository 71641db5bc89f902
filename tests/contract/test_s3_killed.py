"""A run into an object store that is killed goes on where it was; nobody sees a part of it."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from grounding.errors import InputError
from pipelines import plan
from pipelines.grade import Grader
from pipelines.job import Job
from pipelines.places import lease, place_of
from pipelines.places.bucket import Bucket
from pipelines.run import run
from pipelines.views.published import published
from tests.contract.bench import BOOK, Bench, answers, put
from tests.contract.objects import Store

ROOT = Path(__file__).resolve().parents[2]

# Kills itself before the n-th request to the store; with 0, says how many there are.
VICTIM = """
import os, signal, sys
from pipelines import plan
from pipelines.job import Job
from pipelines.places import stores
from pipelines.run import run
at, plan.TASK_BYTES, source, truth, out = int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:6]
seen = 0
class Counted:
    def __init__(self, store):
        self.store = store
    def __getattr__(self, name):
        global seen
        seen += 1
        if seen == at:
            os.kill(os.getpid(), signal.SIGKILL)
        return getattr(self.store, name)
opened = stores._opened
stores._opened = lambda root: Counted(opened(root))
run(Job(answers=source, fixtures=(truth,), out=out))
print(seen)
"""


@pytest.fixture
def many(bench: Bench, store: Store, monkeypatch: pytest.MonkeyPatch) -> str:
    """A bucket whose answers make three tasks, and where a dead process is not waited for."""
    files = {f"{n}.parquet": answers(9, answer_id=[f"{n}-{i}" for i in range(9)]) for n in range(3)}
    url = store.put_folder(f"{store.bucket()}/in", put(bench.answers, files))
    store.put(f"{url} truth/book.json", json.dumps(BOOK).encode())
    size = pq.read_metadata(bench.answers / "0.parquet").row_group(0).total_byte_size
    monkeypatch.setattr(plan, "TASK_BYTES", size)
    clock = [0.0]  # which moves only while a dead process is waited for
    times = lease.Times(now=lambda: clock[0], pause=lambda _: clock.append(clock.pop() + 60))
    monkeypatch.setattr(lease, "TIMES", times)
    (bench.folder / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(bench.folder / "tmp"))
    monkeypatch.setattr(tempfile, "tempdir", None)  # so that it is looked up again
    return url


def killed(url: str, at: int) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", VICTIM, str(at), str(plan.TASK_BYTES)]
    return subprocess.run(
        [*command, url, f"{url} truth", f"{url} out"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )


def whole_or_none(out: str) -> int:
    """The runs that a reader sees, which are whole."""
    try:
        folder = published(place_of(out))
    except InputError:
        return 0
    folder.check_parts()
    return len(folder.runs)


@pytest.mark.parametrize("points", [5, pytest.param(80, marks=pytest.mark.slow)])
def test_a_run_that_is_killed_anywhere_ends_in_the_same_bytes(
    bench: Bench, store: Store, many: str, points: int
) -> None:
    out = f"{many} out"
    job = Job(answers=many, fixtures=(f"{many} truth",), out=out)
    expected = store.run(run(job), bench.folder / "whole").bytes_of_tables()
    store.clear(out)
    requests = int(killed(many, 0).stdout)
    assert requests > 60
    seen = []
    for n in range(points):
        store.clear(out)
        at = 5 + (requests - 5) * n // (points - 1)
        assert killed(many, at).returncode == -signal.SIGKILL, at
        seen.append(whole_or_none(out))
        again = store.run(run(job), bench.folder / f"again-{n}")
        assert again.bytes_of_tables() == expected, at
        assert not list((bench.folder / "tmp").iterdir()), at
        assert not [name for name in store.names(out) if name.startswith("_staging")], at
        assert whole_or_none(out) == 1
    assert seen == sorted(seen)
    assert set(seen) == {0, 1}


def test_what_was_proven_is_not_done_again(
    bench: Bench, store: Store, many: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[int] = []
    graded = Grader.graded

    def counted(self: Grader, number: int, task: plan.Task) -> Any:
        done.append(number)
        if done == [0, 1, 2]:
            raise KeyboardInterrupt
        return graded(self, number, task)

    monkeypatch.setattr(Grader, "graded", counted)
    with pytest.raises(KeyboardInterrupt):
        run(Job(answers=many, out=f"{many} out"))
    assert run(Job(answers=many, out=f"{many} out")).graded == 27
    assert done == [0, 1, 2, 2]


def test_notes_of_a_run_that_was_killed_as_it_ended_are_cleared_away(
    store: Store, many: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = f"{many} out"
    published = Bucket.publish

    def killed(*given: Any) -> None:
        published(*given)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Bucket, "publish", killed)
        with pytest.raises(KeyboardInterrupt):
            run(Job(answers=many, out=out))
    assert [name for name in store.names(out) if name.startswith("_staging")]
    assert run(Job(answers=many, out=out)).already_done
    assert not [name for name in store.names(out) if name.startswith("_staging")]


def test_one_process_at_a_time_writes_below_a_prefix(
    many: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lease, "TIMES", lease.Times(every=0.2))
    with place_of(f"{many} out").held():
        second = killed(many, 0)
    assert second.returncode == 1
    assert "is in use by another grounding process" in second.stderr
