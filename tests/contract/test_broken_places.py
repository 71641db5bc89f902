"""A place that is removed or becomes read-only under a run.

The run ends with the code that says so, nothing half-done is seen, and once the place is mended
the same command ends in the bytes of an undisturbed run.
"""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grounding.errors import InputError, TaskError
from pipelines import grade, plan, write
from pipelines.cli import main
from pipelines.job import Job
from pipelines.places import Folder
from pipelines.run import run
from tests.contract.bench import Bench, Run, answers, assert_whole, published_runs, put
from tests.contract.disks import Disk, csv, fails, many, mounted, recovers, undisturbed

# a folder that goes away


def at_task(
    monkeypatch: pytest.MonkeyPatch, number: int, strike: Callable[[], object]
) -> pytest.MonkeyPatch:
    """Let something happen, once, as a task begins."""
    graded = grade.Grader.graded

    def struck(self: grade.Grader, at: int, task: plan.Task) -> Any:
        if at == number:
            monkeypatch.setattr(grade.Grader, "graded", graded)
            strike()
        return graded(self, at, task)

    monkeypatch.setattr(grade.Grader, "graded", struck)
    return monkeypatch


@pytest.mark.parametrize("folder", [".", "_staging"])
@pytest.mark.parametrize("task", [0, 2])
def test_a_folder_that_is_removed_meanwhile_ends_in_4(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, folder: str, task: int
) -> None:
    job = many(bench, monkeypatch)
    expected = undisturbed(job, bench)
    at_task(monkeypatch, task, lambda: shutil.rmtree(bench.out / folder))
    said = str(fails(job))
    assert ("was removed or replaced" if folder == "." else "no finished task is left") in said
    recovers(job, expected)


def test_a_converted_file_that_is_removed_is_no_fault_of_the_input(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = csv(bench, monkeypatch)
    expected = undisturbed(job, bench)
    at_task(monkeypatch, 0, lambda: shutil.rmtree(bench.out / "_staging"))
    fails(job)
    recovers(job, expected)


def test_an_input_that_is_removed_meanwhile_is_a_fault_of_the_input(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = many(bench, monkeypatch)
    at_task(monkeypatch, 1, (bench.answers / "1.parquet").unlink)
    with pytest.raises(InputError, match=r"1\.parquet"):
        run(job)


def test_a_finished_part_that_is_removed_before_publishing_is_never_listed(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = many(bench, monkeypatch)
    expected = undisturbed(job, bench)

    def strike() -> None:
        (part,) = bench.out.glob("_staging/*/verdicts/part-00000.parquet")
        part.unlink()

    at_task(monkeypatch, 2, strike)
    assert "verdicts/part-00000.parquet" in str(fails(job))
    recovers(job, expected)


def test_a_folder_that_another_run_made_anew_meanwhile_is_left_to_it(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = many(bench, monkeypatch)
    put(bench.folder / "other", {"a.parquet": answers()})
    other = Job(answers=str(bench.folder / "other"), out=job.out)
    made: list[Run] = []

    def strike() -> None:
        shutil.rmtree(bench.out)
        made.append(Run(run(other)))

    at_task(monkeypatch, 2, strike)
    with pytest.raises(TaskError, match="was removed or replaced"):
        run(job)
    assert_whole(made[0])
    assert published_runs(bench.out) == [made[0].path.name]


def test_a_place_whose_lock_was_replaced_is_published_in_by_one_of_them(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = many(bench, monkeypatch)
    publish = write.Staging.publish

    def struck(*given: Any) -> Any:
        (bench.out / "_lock").unlink()
        (bench.out / "_lock").touch()
        return publish(*given)

    monkeypatch.setattr(write.Staging, "publish", struck)
    with pytest.raises(TaskError, match="was removed or replaced"):
        run(job)
    assert published_runs(bench.out) == []


# a folder that cannot be written


def freeze(folder: Path) -> None:
    """Make a folder read-only for everybody, root too, though files in it are open."""
    mounted("--bind", str(folder), str(folder))
    mounted("-o", "remount,bind,ro", str(folder))


def thaw(folder: Path) -> None:
    subprocess.run(["umount", folder], check=True)


def test_a_folder_that_becomes_read_only_ends_in_4(
    bench: Bench, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = many(bench, monkeypatch).model_copy(update={"out": str(disk.out)})
    expected = undisturbed(job, bench)
    at_task(monkeypatch, 1, lambda: freeze(disk.out))
    with pytest.raises(TaskError, match=r"Read-only file system.*kept \(1\)"):
        run(job)
    assert published_runs(disk.out) == []
    thaw(disk.out)
    recovers(job, expected)


def test_a_folder_that_becomes_read_only_once_the_run_is_there_says_so(
    bench: Bench, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = many(bench, monkeypatch).model_copy(update={"out": str(disk.out)})
    expected = undisturbed(job, bench)
    publish = Folder.publish

    def struck(*given: Any) -> None:
        publish(*given)
        freeze(disk.out)

    with monkeypatch.context() as patch:
        patch.setattr(Folder, "publish", struck)
        assert "the run is published" in str(fails(job))
    thaw(disk.out)
    recovers(job, expected)


@pytest.mark.parametrize("before", ["new", "in use before"])
def test_a_folder_that_is_read_only_from_the_start_is_a_fault_of_the_job(
    bench: Bench, disk: Disk, capsys: pytest.CaptureFixture[str], before: str
) -> None:
    job = bench.job({"a.parquet": answers()}, out=str(disk.out))
    if before != "new":
        run(job)
        (disk.out / "_staging").mkdir()
    frozen = disk.folder if before == "new" else disk.out
    freeze(frozen)
    assert main(["run", str(bench.answers), "--out", str(disk.out)]) == 2
    thaw(frozen)
    err = capsys.readouterr().err
    assert "Read-only file system" in err
    assert "--out" in err
    assert main(["run", str(bench.answers), "--out", str(disk.out)]) == 0
