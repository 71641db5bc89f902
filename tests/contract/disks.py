"""Places that break: a small disk to fill, jobs to run on it, and what must hold afterwards."""

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from grounding.errors import GroundingError, TaskError
from pipelines import plan
from pipelines.job import Job
from pipelines.places import Folder
from pipelines.run import run
from pipelines.views import connect
from tests.contract.bench import BOOK, Bench, Run, answers, assert_whole, published_runs, put

KIB = 1024
DISK = 4096 * KIB


def mounted(*arguments: str) -> None:
    done = subprocess.run(["mount", *arguments], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"no disk can be mounted here: {done.stderr.strip()}")


@dataclass(frozen=True)
class Disk:
    """A small disk of its own, with the results in `out`."""

    folder: Path

    @property
    def out(self) -> Path:
        return self.folder / "out"

    def leave(self, room: int) -> None:
        """Fill it but for this many KiB."""
        (filler := self.folder / "filler").unlink(missing_ok=True)
        free = os.statvfs(self.folder)
        filler.write_bytes(b"x" * (free.f_bavail * free.f_frsize - room * KIB))

    def make_room(self) -> None:
        (self.folder / "filler").unlink()


def many(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> Job:
    """Three tasks, a file each, with truth tables."""
    files = {
        f"{n}.parquet": answers(
            30,
            answer_id=[f"a{30 * n + i}" for i in range(30)],
            answer=[["5 [1] [9]", "6 [assert:year=1911]", ""][i % 3] for i in range(30)],
            fixture_id=["book"] * 30,
        )
        for n in range(3)
    }
    put(bench.answers, files)
    footers = [pq.read_metadata(bench.answers / name) for name in files]
    size = min(footer.row_group(0).total_byte_size for footer in footers)
    monkeypatch.setattr(plan, "TASK_BYTES", size)
    return bench.job(truth={"book.json": BOOK})


def csv(bench: Bench, _: pytest.MonkeyPatch) -> Job:
    rows = "".join(f"a{i},{i * i / 7} [1],{i * i / 9}\n" for i in range(1000))
    return bench.job({"a.csv": f"answer_id,answer,evidence\n{rows}"})


def long(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> Job:
    """Evidence in a file of its own, whose keys are taken in several buckets."""
    monkeypatch.setattr("pipelines.read.buckets.BUCKET_ROWS", 400)
    ids = [f"a{i}" for i in range(1000)]
    texts = [str(i * i / 9) for i in range(1000)]
    put(
        bench.folder,
        {
            "in/a.parquet": answers(1000, answer_id=ids, answer=texts).drop_columns("evidence"),
            "ev/e.parquet": answers(1000, answer_id=ids, position=[1] * 1000, text=texts),
        },
    )
    return bench.job(evidence=str(bench.folder / "ev"))


def undisturbed(job: Job, bench: Bench) -> dict[str, bytes]:
    other = bench.folder / "undisturbed"
    return Run(run(job.model_copy(update={"out": str(other)}))).bytes_of_tables()


def recovers(job: Job, expected: dict[str, bytes]) -> None:
    again = Run(run(job))
    assert_whole(again)
    assert again.bytes_of_tables() == expected
    with connect(Folder(Path(job.out))) as views:
        counted = views.execute("SELECT count(*) FROM latest_verdicts").fetchone()
    assert counted == (again.outcome.graded,)


def fails(job: Job) -> TaskError:
    """A run that ends with 4, as `broken` says."""
    error = broken(job)
    assert error is not None, "the run went well"
    return error


def broken(job: Job) -> TaskError | None:
    """How the run ends: well, or with 4, saying what to run, and leaving no run or a whole one."""
    try:
        run(job)
    except GroundingError as error:
        assert isinstance(error, TaskError)  # noqa: PT017 (other ends are looked at, not expected)
        fault = error
    else:
        return None
    said = str(fault)
    assert said.startswith(f"out: {job.out}")
    assert "run the same again" in said
    runs = published_runs(Path(job.out))
    assert ("the run is published" in said) == bool(runs)
    for name in runs:
        path = Path(job.out) / name
        manifest = json.loads((path / "manifest.json").read_bytes())
        for table, listed in manifest["tables"].items():
            for part in listed["parts"]:
                assert (path / table / part["name"]).stat().st_size == part["size"]
    return fault
