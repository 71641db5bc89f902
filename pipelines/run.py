"""The main job, top to bottom: find, recognise, read, grade, write, publish."""

import platform
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import polars as pl

from grounding import __version__
from grounding.errors import InputError, ResultsError, TaskError
from pipelines.demo import with_demo
from pipelines.grade import Counts, Grader, truth_tables
from pipelines.job import Job, identity
from pipelines.plan import VERSIONS, job_id, run_id, tasks_of
from pipelines.read.files import DELIMITED, PARQUET, File, files_at, fingerprints
from pipelines.read.keys import repeated_rows
from pipelines.read.layout import layout_of
from pipelines.read.rows import Source, sources_of
from pipelines.read.truth import TruthFrames, truth_files, truth_frames
from pipelines.results import Manifest, is_result, output_folder, published, run_folder, set_latest
from pipelines.views import check_results, write_views
from pipelines.write import Staging

Progress = Callable[[int, int], None]
"""Told the rows that are done and the rows in all."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run found, new or done before. `checked`: answers with a number or a citation."""

    run_id: str
    path: Path
    read: int
    graded: int
    rejected: int
    grounded: int
    checked: int
    passed: int
    already_done: bool


def run(job: Job, *, on_progress: Progress | None = None) -> Outcome:
    """Grade the answers of a job and publish the verdicts below `job.out`.

    The same job over the same input is found as done: then only which runs are live is written
    again. Where this raises, nothing was published.

    Raises: JobError, InputError or ResultsError, as `grounding.errors` says.
    """
    job, out, started = with_demo(job), Path(job.out), _now()
    assert job.answers is not None, "the demo stands in for missing answers"
    fixtures = truth_files(job.fixtures)
    truth_paths = {file.path.resolve() for file in fixtures}
    answers = files_at(
        job.answers,
        (*PARQUET, *DELIMITED),
        "answers",
        but=lambda path: path in truth_paths or is_result(out, path),
    )
    truth = truth_frames(fixtures) if fixtures else None
    with output_folder(out):
        inputs = [*fingerprints("answers", answers), *fingerprints("fixtures", fixtures)]
        header: dict[str, Any] = {
            "run_id": run_id(inputs, job),
            "job_id": job_id(inputs, job),
            "name": job.name,
            "versions": VERSIONS,
            "job": identity(job),
            "content": job.content,
            "inputs": [asdict(fingerprint) for fingerprint in inputs],
            "software": _software(),
            "started": started,
        }
        done = published(out, header["run_id"])
        check_results(out, header["job_id"])
        manifest = done or _published_run(job, out, header, answers, truth, on_progress)
        set_latest(out, header["job_id"], job.name, [header["run_id"]])
        write_views(out)
    counts = Counts(**{name: manifest["rows"][name] for name in Counts.__slots__})
    path = run_folder(out, header["run_id"])
    return Outcome(header["run_id"], path, **asdict(counts), already_done=done is not None)


def _published_run(
    job: Job,
    out: Path,
    header: Manifest,
    answers: list[File],
    truth: TruthFrames | None,
    on_progress: Progress | None,
) -> Manifest:
    """Grade, check and publish. Returns the manifest."""
    try:
        with Staging(out, header["run_id"]) as staging:
            sources = sources_of(answers, staging.scratch, job.map.get("evidence", "evidence"))
            counts = _graded(job, sources, truth, staging, on_progress)
            _check(counts, staging, job)
            return staging.publish({**header, "rows": asdict(counts), "finished": _now()})
    except OSError as error:  # faults of the input are InputErrors by now
        raise TaskError(
            f"out: {out} cannot be written: {error.strerror}; nothing was published, run it again"
        ) from error


def _graded(
    job: Job,
    sources: list[Source],
    truth: TruthFrames | None,
    staging: Staging,
    on_progress: Progress | None,
) -> Counts:
    """Every task graded and written to staging, in source order."""
    layout = layout_of({source.file.name: source.schema for source in sources}, job)
    if not layout.has_evidence and truth is None:
        raise InputError(
            "answers: no file has a column 'evidence' and no truth tables are given, so there is "
            "nothing to check: name the column with --map evidence=…, or give --fixtures"
        )
    total = sum(source.rows for source in sources)
    grader = Grader(
        run_id=staging.run_id,
        layout=layout,
        truth=truth.lazy() if truth else None,
        repeated=repeated_rows(sources, layout),
        max_text=job.max_text,
        content=job.content,
    )
    staging.declare(grader.schemas())
    staging.add(truth_tables(staging.run_id, truth))
    counts = Counts()
    for task in tasks_of(sources):
        tables, of_task = grader.graded(task)
        staging.add(tables)
        counts += of_task
        if on_progress:
            on_progress(counts.read, total)
    if counts.read != total:
        raise ResultsError(f"{counts.read} rows were read, the files' footers say {total}")
    return counts


def _check(counts: Counts, staging: Staging, job: Job) -> None:
    """Nothing lost, nothing doubled, and not nothing at all."""
    written = staging.rows("verdicts"), staging.rows("rejects")
    if written != (counts.graded, counts.rejected) or sum(written) != counts.read:
        raise ResultsError(
            f"{counts.read} rows were read but {written[0]} graded and {written[1]} rejected: "
            "nothing is published; please report this"
        )
    if not job.allow_empty and not counts.graded:
        said = "no row was read"
        if counts.read:
            said = f"all {counts.read} rows are rejected ({_problems(staging)})"
        raise InputError(f"answers: {said}; --allow-empty publishes it all the same")


def _problems(staging: Staging) -> str:
    """The problems of the rejected rows with their counts, most frequent first."""
    parts = sorted((staging.folder / "rejects").glob("*.parquet"))
    counted = pl.concat(pl.read_parquet(part, columns=["problem"], glob=False) for part in parts)
    ranked = counted.group_by("problem").len().sort("len", "problem", descending=[True, False])
    return ", ".join(f"{problem}: {count}" for problem, count in ranked.iter_rows())


def _software() -> dict[str, str]:
    packages = {name: version(name) for name in ("polars", "pyarrow", "polars-hash")}
    return {"python": platform.python_version(), "grounding": __version__, **packages}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
