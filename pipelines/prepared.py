"""What a run and a look at its input do alike, before the first row is graded.

The files of a job are found, opened and judged, cut into tasks, and given what their tasks share.
`run` goes on to grade and publish; `doctor` counts, and stops.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import polars as pl

from grounding.errors import InputError
from grounding.policies import Policy
from pipelines.demo import with_demo
from pipelines.gates import check_gate_by
from pipelines.grade import Grader
from pipelines.increments import held_rows
from pipelines.job import Job
from pipelines.plan import Task, tasks_of
from pipelines.read.beside import keys_of_tasks
from pipelines.read.evidence import EvidenceTable, evidence_table, wanted_of
from pipelines.read.files import ROWS, File, files_at
from pipelines.read.jsonlines import roles_of
from pipelines.read.keys import repeated_rows
from pipelines.read.labelfaults import check_labels
from pipelines.read.labels import LabelTable, label_keys, label_table
from pipelines.read.layout import Layout, layout_of
from pipelines.read.rows import Source, sources_of
from pipelines.read.truth import TruthFrames, truth_files, truth_frames
from pipelines.results import is_result


@dataclass(frozen=True, slots=True)
class Inputs:
    """The files of a job, whose answers are those of the demo where it names none."""

    job: Job
    answers: list[File]
    beside: list[File]
    fixtures: list[File]
    truth: TruthFrames | None
    labels: list[File]

    @property
    def files(self) -> tuple[File, ...]:
        """All of them."""
        return (*self.answers, *self.beside, *self.fixtures, *self.labels)


@dataclass(frozen=True, slots=True)
class Prepared:
    """The tasks of a run, and what they share."""

    tasks: list[Task]
    evidence: EvidenceTable | None
    labels: LabelTable | None
    grader: Grader

    @property
    def counts(self) -> dict[str, Mapping[str, int] | None]:
        """What the files beside the answers count."""
        given = {"evidence": self.evidence, "labels": self.labels}
        return {name: table.counts if table else None for name, table in given.items()}


def inputs_of(job: Job) -> Inputs:
    """Find the files of a job, and read its truth tables.

    Raises: JobError or InputError where one is not there, or no truth table.
    """
    job = with_demo(job)
    assert job.answers is not None, "the demo stands in for missing answers"
    fixtures = truth_files(job.fixtures)
    beside = _beside(job)
    labels = files_at(job.labels, ROWS, "labels") if job.labels is not None else []
    others = {file.path.resolve() for file in (*fixtures, *beside, *labels)}
    answers = files_at(
        job.answers,
        ROWS,
        "answers",
        but=lambda path: path in others or is_result(job.out, path),
    )
    truth = truth_frames(fixtures) if fixtures else None
    return Inputs(job, answers, beside, fixtures, truth, labels)


def _beside(job: Job) -> list[File]:
    """The files of evidence that lies beside the answers."""
    for given, role in ((job.evidence, "evidence"), (job.passages, "passages")):
        if given is not None:
            return files_at(given, ROWS, role)
    return []


def opened_answers(inputs: Inputs, scratch: Path) -> list[Source]:
    """Open the answers. Raises: InputError with a fault for each file that cannot be read."""
    nested = inputs.job.map.get("evidence", "evidence")
    return sources_of(inputs.answers, scratch, nested, roles_of(inputs.job))


def judged_layout(inputs: Inputs, sources: list[Source]) -> Layout:
    """Which column of the answers is what.

    Raises: InputError where one is missing or wrong, or there is nothing to check answers against;
    JobError where `gate_by` is no carried column, or labels are given twice.
    """
    job = inputs.job
    layout = layout_of({source.file.name: source.schema for source in sources}, job)
    check_gate_by(job, {column.name: str(column.dtype) for column in layout.carried})
    if not layout.has_evidence and not inputs.beside and inputs.truth is None:
        raise InputError(
            "answers: no file has a column 'evidence' and no truth tables are given, so there is "
            "nothing to check: name the column with --map evidence=…, or give --evidence, "
            "--passages or --fixtures"
        )
    if inputs.labels:
        label_keys(job, layout)
    return layout


def prepared(
    inputs: Inputs,
    sources: list[Source],
    layout: Layout,
    scratch: Path,
    run_id: str,
    held: pl.LazyFrame | None = None,
) -> Prepared:
    """Cut the answers into tasks and read what these share, every id and all evidence beside them.

    In: `held`, answer_id string: the ids that count already, in live runs of the job.

    Raises: InputError where evidence, labels or ids are wrong.
    """
    job = inputs.job
    tasks = list(tasks_of(sources))
    if "label" in layout.columns:
        check_labels(sources, layout.columns["label"])

    @cache  # labels and long evidence name the same keys
    def needs(ids: bool) -> pl.LazyFrame:
        return keys_of_tasks(tasks, layout, ids, scratch / ("of_passages" if ids else "of_answers"))

    labels = evidence = None
    if inputs.labels and tasks:
        columns = label_keys(job, layout)
        labels = label_table(inputs.labels, columns, needs(False), scratch / "labels")
    if inputs.beside and tasks:
        wanted, texts = wanted_of(job, layout), job.explain != "none"
        evidence = evidence_table(inputs.beside, wanted, needs(wanted.ids), scratch, texts)
    repeated = repeated_rows(sources, layout, scratch)
    if held is not None:
        known = held_rows(sources, layout, held)
        repeated = repeated.vstack(known).unique().sort("row")
    grader = Grader(
        run_id=run_id,
        layout=layout,
        truth=inputs.truth,
        evidence=evidence,
        labels=labels,
        explain=job.explain,
        policy=Policy(job.waive, job.demand),
        repeated=repeated,
        max_text=job.max_text,
        content=job.content,
        graded_after=job.graded_after,
        require_final_answer=job.require_final_answer,
    )
    return Prepared(tasks, evidence, labels, grader)


def check_not_empty(job: Job, graded: int, problems: Mapping[str, int]) -> None:
    """Raises: InputError where no row can be graded, with the problems, most frequent first."""
    if job.allow_empty or graded:
        return
    said, read = "no row was read", sum(problems.values())
    if read:
        ranked = sorted(problems.items(), key=lambda counted: (-counted[1], counted[0]))
        named = ", ".join(f"{problem}: {count}" for problem, count in ranked)
        said = f"all {read} rows are rejected ({named})"
    raise InputError(f"answers: {said}; --allow-empty publishes it all the same")
