"""The log in JSON lines: what it tells of a run."""

from typing import Any

import pyarrow.parquet as pq
import pytest

from pipelines import plan
from pipelines.cli import main
from pipelines.log import AlreadyDone, Event, Published, Started, TaskDone
from pipelines.run import run
from pipelines.write import Staging
from tests.contract.bench import Bench, answers
from tests.contract.logged import command, logged, without


def test_a_run_tells_its_start_its_tasks_and_its_end(
    bench: Bench, capfd: pytest.CaptureFixture[str]
) -> None:
    files = {"a.parquet": answers(3, answer=["5", "6", None])}
    assert main(command(bench, files, "--max-rejected", "100%")) == 0
    started, task, published = logged(capfd)
    made = next(bench.out.glob("run_id=*"))
    footer = pq.read_metadata(bench.answers / "a.parquet").row_group(0)
    assert without(started, "job_id") == {
        "event": "started",
        "run_id": made.name.removeprefix("run_id="),
        "out": str(bench.out),
        "files": 1,
        "bytes": (bench.answers / "a.parquet").stat().st_size,
        "workers": 1,
    }
    assert 0 < task["seconds"] < 60
    assert without(task, "seconds") == {
        "event": "task",
        "task": 1,
        "tasks": 1,
        "rows": 3,
        "rejected": 1,
        "bytes": footer.total_byte_size,
        "resumed": False,
        "input": ["a.parquet rows 0 to 2"],
        "read": 3,
        "total": 3,
    }
    assert without(published) == {
        "event": "published",
        "run_id": started["run_id"],
        "path": str(made),
        "read": 3,
        "graded": 2,
        "rejected": 1,
        "grounded": 1,
        "checked": 2,
        "passed": 1,
    }
    assert main(command(bench, None, "--max-rejected", "100%")) == 0
    (done,) = logged(capfd)
    assert without(done) == {**without(published), "event": "already_done"}


def test_failed_gates_are_events_with_figure_and_limit(
    bench: Bench, capfd: pytest.CaptureFixture[str]
) -> None:
    files = {"a.parquet": answers(2, answer=["5", "6"])}
    assert main(command(bench, files, "--min-grounded", "60%", "--expect-rows", "=2")) == 6
    *_, published, gate = logged(capfd)
    assert published["event"] == "published"
    assert without(gate) == {
        "event": "gate",
        "name": "min_grounded",
        "group": None,
        "figure": 1,
        "total": 2,
        "limit": "60%",
        "passed": False,
        "judged": True,
    }


@pytest.mark.parametrize("workers", [1, 2])
def test_every_task_is_told_once_whoever_did_it(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    monkeypatch.setattr(plan, "TASK_BYTES", 1)
    files = {f"{n}.parquet": answers(1, answer_id=[str(n)]) for n in range(4)}
    events: list[Event] = []
    run(bench.job(files, workers=workers), observer=events.append)
    assert isinstance(events[0], Started)
    assert type(events[-1]) is Published
    tasks = [event for event in events if isinstance(event, TaskDone)]
    assert sorted(task.task for task in tasks) == [1, 2, 3, 4]
    assert [task.read for task in tasks] == [1, 2, 3, 4]
    assert {(task.tasks, task.total, task.resumed) for task in tasks} == {(4, 4, False)}
    assert all(task.seconds is not None and task.seconds > 0 for task in tasks)
    assert {task.task: task.input for task in tasks}[2] == ("1.parquet rows 0 to 0",)
    again: list[Event] = []
    run(bench.job(), observer=again.append)
    assert [type(event) for event in again] == [AlreadyDone]


def test_tasks_of_an_earlier_try_are_told_as_resumed(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "TASK_BYTES", 1)
    job = bench.job({f"{n}.parquet": answers(1, answer_id=[str(n)]) for n in range(3)})
    write = Staging.write

    def stopped(self: Staging, number: int, *rest: Any) -> Any:
        if number == 2:
            raise KeyboardInterrupt
        return write(self, number, *rest)

    with monkeypatch.context() as patch:
        patch.setattr(Staging, "write", stopped)
        with pytest.raises(KeyboardInterrupt):
            run(job)
    events: list[Event] = []
    run(job, observer=events.append)
    tasks = [event for event in events if isinstance(event, TaskDone)]
    assert [(task.task, task.resumed, task.seconds is None) for task in tasks] == [
        (1, True, True),
        (2, True, True),
        (3, False, False),
    ]
