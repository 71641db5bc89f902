"""The doctor over files of a bench, and evidence that lies beside their answers."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast
from unittest.mock import patch

import polars as pl

from pipelines import doctor
from pipelines.doctor import Diagnosis, diagnosed
from pipelines.job import Job
from tests.contract.bench import BOOK, Bench, Files, put

Test = TypeVar("Test", bound=Callable[..., None])


def quick(test: Test) -> Test:
    """The test without the estimate, which starts a process."""
    without = patch.object(doctor, "estimate", new=lambda *_: None)
    return cast(Test, without(test))


def long(*rows: tuple[object, ...]) -> pl.DataFrame:
    schema = {"answer_id": pl.String, "position": pl.Int64, "text": pl.String}
    return pl.DataFrame(rows, schema, orient="row")


def shared(*rows: tuple[object, ...]) -> pl.DataFrame:
    return pl.DataFrame(rows, {"passage_id": pl.String, "text": pl.String}, orient="row")


def made_job(bench: Bench, files: Files, beside: Files | None = None, /, **options: Any) -> Job:
    """The job over these files; an option that is "beside" names the folder of those beside."""
    folder = put(bench.folder / "beside", beside or {})
    paths = {key: str(folder) if value == "beside" else value for key, value in options.items()}
    return bench.job(files, {"book.json": BOOK}, **paths)


def found_in(bench: Bench, job: Job) -> Diagnosis:
    """What the doctor finds, which leaves every file as it was and makes none."""
    before = _files(bench.folder)
    found = diagnosed(job)
    assert _files(bench.folder) == before
    return found


def _files(folder: Path) -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in sorted(folder.rglob("*"))}
