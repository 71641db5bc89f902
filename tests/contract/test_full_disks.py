"""A disk that is full under a run: the run ends in 4, and nothing half-done is seen.

Once there is room the same command ends in the bytes of an undisturbed run.
"""

import shutil
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from grounding.errors import JobError
from pipelines import grade, plan
from pipelines.cli import main
from pipelines.job import Job
from pipelines.places import Folder
from pipelines.run import run
from tests.contract.bench import Bench, Run, answers, published_runs
from tests.contract.disks import (
    DISK,
    KIB,
    Disk,
    broken,
    csv,
    fails,
    long,
    many,
    recovers,
    undisturbed,
)


def frames_of(error: BaseException | None) -> Iterator[traceback.FrameSummary]:
    """Where an error, and what it was made of, came by."""
    while error is not None:
        yield from traceback.extract_tb(error.__traceback__)
        error = error.__cause__


# How a disk is used up | in which of these functions of ours that is met at least once.
FULL: list[tuple[Callable[[Bench, pytest.MonkeyPatch], Job], int, set[str]]] = [
    (many, 8, {"__enter__", "_write_table", "write", "publish", "replace_file", "write_views"}),
    (csv, 12, {"__enter__", "_convert", "_write_table", "publish"}),
    (
        long,
        4,
        {"__enter__", "evidence_table", "bucketed", "_laid_out", "_write_table", "publish"},
    ),
]


@pytest.mark.parametrize(("make", "step", "met"), FULL, ids=["many tasks", "csv", "evidence"])
def test_a_full_disk_ends_in_4_and_afterwards_in_the_same_bytes(
    bench: Bench,
    disk: Disk,
    monkeypatch: pytest.MonkeyPatch,
    make: Callable[[Bench, pytest.MonkeyPatch], Job],
    step: int,
    met: set[str],
) -> None:
    job = make(bench, monkeypatch).model_copy(update={"out": str(disk.out)})
    expected = undisturbed(job, bench)
    seen: set[str] = set()
    for room in range(0, DISK // KIB, step):
        disk.leave(room)
        error = broken(job)
        if error is None:
            break
        frames = list(frames_of(error.__cause__))
        seen |= {frame.name for frame in frames}
        seen |= {name for name in met for frame in frames if name in (frame.line or "")}
        assert "No space left on device" in str(error)
        disk.make_room()
        recovers(job, expected)
        shutil.rmtree(disk.out)
    assert room > 60
    assert met - seen == set()


def test_what_is_finished_when_the_disk_is_full_is_counted_and_kept(
    bench: Bench, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = many(bench, monkeypatch).model_copy(update={"out": str(disk.out)})
    disk.leave(1024)
    done: list[int] = []
    graded = grade.Grader.graded

    def filling(self: grade.Grader, number: int, task: plan.Task) -> Any:
        done.append(number)
        if len(done) == 3:
            disk.leave(0)
        return graded(self, number, task)

    monkeypatch.setattr(grade.Grader, "graded", filling)
    assert "finished tasks are kept (2)" in str(fails(job))
    disk.make_room()
    assert run(job).graded == 90
    assert done == [0, 1, 2, 2]


def test_a_manifest_that_found_no_room_costs_no_finished_task(
    bench: Bench, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = many(bench, monkeypatch).model_copy(update={"out": str(disk.out)})
    publish = Folder.publish

    def full(*given: Any) -> None:
        disk.leave(0)
        publish(*given)

    with monkeypatch.context() as patch:
        patch.setattr(Folder, "publish", full)
        assert "finished tasks are kept (3)" in str(fails(job))
    disk.make_room()
    monkeypatch.setattr(grade.Grader, "graded", None)  # nothing is graded again
    assert run(job).graded == 90


def test_a_full_disk_in_a_worker_process_is_told_as_in_one(
    bench: Bench, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = many(bench, monkeypatch).model_copy(update={"out": str(disk.out)})
    expected = undisturbed(job, bench)
    disk.leave(12)
    assert "No space left on device" in str(fails(job.model_copy(update={"workers": 2})))
    disk.make_room()
    recovers(job, expected)


@pytest.mark.parametrize("lost", ["_latest", "views.sql"])
def test_work_found_done_on_a_full_disk_is_said_to_be_published(
    bench: Bench, disk: Disk, lost: str
) -> None:
    job = bench.job({"a.parquet": answers()}, out=str(disk.out))
    expected = Run(run(job)).bytes_of_tables()
    if lost == "_latest":
        shutil.rmtree(disk.out / lost)
    else:
        monster = "SELECT 1;" * 100_000  # what takes its place still finds no room beside it
        (disk.out / lost).write_text(monster)
    disk.leave(0)
    assert "the run is published" in str(fails(job))
    disk.make_room()
    recovers(job, expected)


def test_a_disk_that_is_full_for_a_lease_is_a_fault_of_the_job(
    bench: Bench, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipelines.places.folder.flock_serves", lambda _: False)
    job = bench.job({"a.parquet": answers()}, out=str(disk.out))
    disk.leave(0)
    with pytest.raises(JobError, match="No space left"):
        run(job)
    disk.make_room()
    assert run(job).graded == 2


def test_a_full_disk_ends_a_pruning_in_4_and_the_next_one_finishes_it(
    bench: Bench, disk: Disk
) -> None:
    run(bench.job({"a.parquet": answers(1)}, out=str(disk.out)))
    kept = run(bench.job({"a.parquet": answers(2)}, out=str(disk.out)))
    disk.leave(0)
    assert main(["prune", str(disk.out), "--keep-days", "0"]) == 4
    disk.make_room()
    assert main(["prune", str(disk.out), "--keep-days", "0"]) == 0
    assert published_runs(disk.out) == [f"run_id={kept.run_id}"]
