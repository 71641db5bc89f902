"""A look at a job's input before the run: what it holds, and what a run would reject and need.

It goes the way of a run as far as rows are read and judged, over all of them and by the same code,
so that what it counts is what a run would reject. Nothing is written but to a temporary folder.
"""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl

from grounding.errors import GroundingError, JobError, TaskError
from pipelines.doctor.advice import PROBLEMS, advice_on, key_advice
from pipelines.doctor.diagnosis import Diagnosis, Problem, Work
from pipelines.doctor.estimates import Clock, bytes_of, estimate
from pipelines.doctor.files import columns_found, files_found, with_sources
from pipelines.doctor.tally import Tally
from pipelines.figures import measures_of
from pipelines.gates import gates_of, row_gates
from pipelines.job import Job
from pipelines.places import Place, place_of
from pipelines.prepared import (
    Inputs,
    Prepared,
    check_not_empty,
    inputs_of,
    judged_layout,
    opened_answers,
    prepared,
)
from pipelines.read.rows import Source
from pipelines.read.scan import scan_all
from pipelines.run import Intent, intent_of
from pipelines.views import check_results

__all__ = ["Diagnosis", "diagnosed"]

_OFTEN = 1_000
"""Columns that would tell repeated ids apart are looked for where one of so many rows repeats."""


def diagnosed(job: Job) -> Diagnosis:
    """What a job's input holds, as far as it can be read.

    What a run would raise, but for its output place being in use, is in `fault`, and nothing is
    raised.
    """
    found = Diagnosis()
    try:
        with TemporaryDirectory(prefix="grounding-doctor-") as folder:
            _examine(job, Path(folder), found)
    except GroundingError as error:
        found.fault = error
    except OSError as error:
        found.fault = TaskError(
            f"the temporary folder cannot be written: {error.strerror or error}; make room, or "
            "name another in TMPDIR"
        )
    return found


def _examine(job: Job, folder: Path, found: Diagnosis) -> None:
    """Fill in what is found, in the order in which a run would stumble."""
    inputs = inputs_of(job)
    found.files = files_found(inputs)
    _check_output(job.out)
    place, clock = place_of(job.out), Clock.started()
    intent = intent_of(inputs, place)
    check_results(place, intent.header["job_id"])
    found.run_id = (intent.done or intent.header)["run_id"]
    found.already_done = intent.done is not None
    if intent.inputs.answers:
        _examine_rows(intent, place, folder, clock, found)
    if intent.done is not None:
        nothing_new = not intent.inputs.answers
        found.gates = list(gates_of(job, place, intent.done, nothing_new=nothing_new))
        found.not_judged = []


def _examine_rows(
    intent: Intent, place: Place, folder: Path, clock: Clock, found: Diagnosis
) -> None:
    """Fill in what the answers hold that a run would grade. `clock` runs since it would begin."""
    inputs, job = intent.inputs, intent.inputs.job
    scratch = folder / "scratch"
    scratch.mkdir()
    sources = opened_answers(inputs, scratch)
    found.read = sum(source.rows for source in sources)
    found.files = with_sources(found.files, sources)
    found.columns = columns_found(sources, job)
    layout = judged_layout(inputs, sources)
    held = intent.increment.held_ids(place) if intent.increment else None
    work = prepared(inputs, sources, layout, scratch, "sample", held)
    preparing = clock.taken()
    if work.evidence is not None:
        found.evidence = dict(work.evidence.counts)
    if work.labels is not None:
        found.labels = dict(work.labels.counts)
    found.work = _work(inputs, work, scratch)
    found.estimate = estimate(inputs, work, preparing, folder / "sample")
    tally = _tallied(job, work)
    _report(tally, work, found)
    found.columns = columns_found(sources, job, tally.nulls)
    found.advice = _advice(tally, work, sources, found)
    found.gates = list(row_gates(job, found.gradable or 0, found.rejected or 0, False))
    found.not_judged = [measure.name for measure in measures_of(job)]
    found.not_judged += ["expect_groups"] if job.expect_groups else []
    counted = {name: first.rows for name, first in tally.problems.items()}
    check_not_empty(job, found.gradable or 0, counted)


def _check_output(out: str) -> None:
    """Raises: JobError where a local output place is a file or cannot be written."""
    if "://" in out:
        return
    path = Path(out)
    there = next(place for place in (path, *path.absolute().parents) if place.exists())
    if there.is_dir() and os.access(there, os.W_OK | os.X_OK):
        return
    said = "cannot be written" if there.is_dir() else "is a file"
    raise JobError(
        f"out: {out} cannot be used as the results folder: {there} {said}; give a folder that can "
        "be written with --out"
    )


def _work(inputs: Inputs, work: Prepared, scratch: Path) -> Work:
    sizes = [bytes_of(task) for task in work.tasks]
    return Work(
        tasks=len(sizes),
        largest_task=max(sizes, default=0),
        files=sum(file.path.stat().st_size for file in inputs.files),
        text=sum(sizes),
        scratch=sum(file.stat().st_size for file in scratch.rglob("*") if file.is_file()),
    )


def _tallied(job: Job, work: Prepared) -> Tally:
    """All rows, a task at a time."""
    tally = Tally(job, nested=work.evidence is None)
    for number, task in enumerate(work.tasks):
        rows, _ = work.grader.judged(number, task)
        tally.add(rows)
    return tally


def _report(tally: Tally, work: Prepared, found: Diagnosis) -> None:
    """What was counted."""
    longest = tally.longest_passage
    if work.evidence is not None:
        files = sorted(map(str, work.evidence.folder.rglob("*.parquet")))
        longest = scan_all(files).select(pl.col("bytes").max()).collect().item() if files else 0
    found.rejected = sum(first.rows for first in tally.problems.values())
    found.gradable = tally.rows - found.rejected
    found.ids = tally.ids()
    found.answers = tally.answers()
    found.passages = tally.passages(longest or 0)
    found.passages_per_answer = tally.passages_per_answer()
    found.citing = tally.citing["answers"]
    found.citations = tally.styles()
    found.rejects = [
        Problem(name, first.rows, first.source_file, first.source_row, first.detail, PROBLEMS[name])
        for name, first in sorted(tally.problems.items(), key=lambda item: (-item[1].rows, item[0]))
    ]


def _advice(tally: Tally, work: Prepared, sources: list[Source], found: Diagnosis) -> list[str]:
    repeated = work.grader.repeated
    told = None
    if repeated.height * _OFTEN > tally.rows:
        told = key_advice(sources, work.grader.layout, repeated)
    return [*([told] if told else []), *advice_on(tally, found.columns)]
