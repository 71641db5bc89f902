"""The main job, top to bottom: find, recognise, read, grade, write, publish."""

import platform
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from grounding import __version__
from grounding.errors import InputError, ResultsError, TaskError
from pipelines.demo import with_demo
from pipelines.gates import Gate, check_gate_by, gates_of
from pipelines.grade import Counts, Grader, truth_tables
from pipelines.job import Job, identity
from pipelines.places import Place, place_of
from pipelines.places.names import run_name
from pipelines.plan import VERSIONS, Task, job_id, made_by, run_id, tasks_of
from pipelines.read.evidence import EvidenceTable, evidence_table, keys_of_tasks, wanted_of
from pipelines.read.files import ROWS, File, files_at, fingerprints
from pipelines.read.jsonlines import roles_of
from pipelines.read.keys import repeated_rows
from pipelines.read.layout import Layout, layout_of
from pipelines.read.rows import sources_of
from pipelines.read.scan import scan_all
from pipelines.read.truth import TruthFrames, truth_files, truth_frames
from pipelines.results import Manifest, is_result, parts_of, published, set_latest
from pipelines.tasks import TaskRun, proofs
from pipelines.views import check_results, write_views
from pipelines.write import Proof, Staging

Progress = Callable[[int, int], None]
"""Told the rows that are done and the rows in all."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run found, new or done before. `checked`: answers with a number or a citation.

    `path` is where it is published, `verdicts` the files of that table. A gate that failed is in
    `gates`, and is no error here: the run is published all the same.
    """

    run_id: str
    path: str
    verdicts: tuple[str, ...]
    read: int
    graded: int
    rejected: int
    grounded: int
    checked: int
    passed: int
    already_done: bool
    gates: tuple[Gate, ...]


def run(job: Job, *, on_progress: Progress | None = None) -> Outcome:
    """Grade the answers of a job and publish the verdicts below `job.out`.

    The same job over the same input is found as done: then only which runs are live is written
    again. Where this raises, nothing was published.

    Raises: JobError, InputError or ResultsError, as `grounding.errors` says.
    """
    job, started = with_demo(job), _now()
    place = place_of(job.out)
    assert job.answers is not None, "the demo stands in for missing answers"
    fixtures = truth_files(job.fixtures)
    beside = _beside(job)
    others = {file.path.resolve() for file in (*fixtures, *beside)}
    answers = files_at(
        job.answers,
        ROWS,
        "answers",
        but=lambda path: path in others or is_result(Path(job.out), path),
    )
    truth = truth_frames(fixtures) if fixtures else None
    with place.held():
        inputs = [
            *fingerprints("answers", answers),
            *fingerprints("evidence" if job.evidence else "passages", beside),
            *fingerprints("fixtures", fixtures),
        ]
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
        done = published(place, header["run_id"])
        check_results(place, header["job_id"])
        work = _Work(job, answers, beside, truth, on_progress)
        manifest = done or _published_run(work, place, header)
        set_latest(place, header["job_id"], job.name, [header["run_id"]])
        write_views(place)
    counts = Counts(**{name: manifest["rows"][name] for name in Counts.__slots__})
    gates = gates_of(job, place, manifest)
    return Outcome(
        header["run_id"],
        f"{place}/{run_name(header['run_id'])}",
        tuple(parts_of(place, manifest, "verdicts")),
        **asdict(counts),
        already_done=bool(done),
        gates=gates,
    )


def _beside(job: Job) -> list[File]:
    """The files of evidence that lies beside the answers."""
    for given, role in ((job.evidence, "evidence"), (job.passages, "passages")):
        if given is not None:
            return files_at(given, ROWS, role)
    return []


@dataclass(frozen=True, slots=True)
class _Work:
    """What a run has to do."""

    job: Job
    answers: list[File]
    beside: list[File]
    truth: TruthFrames | None
    on_progress: Progress | None


def _published_run(work: _Work, place: Place, header: Manifest) -> Manifest:
    """Grade, check and publish. Returns the manifest."""
    try:
        with Staging(place, header["run_id"], made_by(header["software"])) as staging:
            proofs, evidence = _graded(work, staging)
            counts = sum((proof.counts for proof in proofs), Counts())
            _check(counts, proofs, staging, work.job)
            rows = {**asdict(counts), "evidence": evidence}
            truth = truth_tables(staging.run_id, work.truth)
            return staging.publish({**header, "rows": rows, "finished": _now()}, proofs, truth)
    except OSError as error:  # faults of the input are InputErrors by now
        raise TaskError(
            f"out: {place} cannot be written: {error.strerror or error}; nothing was published, "
            "and finished tasks are kept: make room or mend it, and run the same again"
        ) from error


def _graded(work: _Work, staging: Staging) -> tuple[list[Proof], Mapping[str, int] | None]:
    """The proof of every task in source order, and what the evidence counts."""
    job = work.job
    nested = job.map.get("evidence", "evidence")
    sources = sources_of(work.answers, staging.scratch, nested, roles_of(job))
    layout = layout_of({source.file.name: source.schema for source in sources}, job)
    check_gate_by(job, {column.name: str(column.dtype) for column in layout.carried})
    if not layout.has_evidence and not work.beside and work.truth is None:
        raise InputError(
            "answers: no file has a column 'evidence' and no truth tables are given, so there is "
            "nothing to check: name the column with --map evidence=…, or give --evidence, "
            "--passages or --fixtures"
        )
    total = sum(source.rows for source in sources)
    tasks = list(tasks_of(sources))
    evidence = _evidence(work, layout, tasks, staging)
    grader = Grader(
        run_id=staging.run_id,
        layout=layout,
        truth=work.truth,
        evidence=evidence,
        repeated=repeated_rows(sources, layout),
        max_text=job.max_text,
        content=job.content,
        graded_after=job.graded_after,
        require_final_answer=job.require_final_answer,
    )
    staging.declare(grader.schemas())
    done: dict[int, Proof] = {}
    read = 0
    for number, proof in proofs(TaskRun(grader, staging, tasks), job.workers):
        done[number] = proof
        read += proof.counts.read
        if work.on_progress:
            work.on_progress(read, total)
    if read != total:
        raise ResultsError(f"{read} rows were read, the files' footers say {total}")
    return [done[number] for number in range(len(tasks))], evidence.counts if evidence else None


def _evidence(
    work: _Work, layout: Layout, tasks: list[Task], staging: Staging
) -> EvidenceTable | None:
    """The evidence that lies in files of its own, laid out by task."""
    if not work.beside or not tasks:
        return None
    wanted = wanted_of(work.job, layout)
    needs = keys_of_tasks(tasks, layout, wanted.ids)
    return evidence_table(work.beside, wanted, needs, staging.scratch)


def _check(counts: Counts, proofs: list[Proof], staging: Staging, job: Job) -> None:
    """Nothing lost, nothing doubled, and not nothing at all."""
    graded, rejected = (
        sum(proof.parts[name]["rows"] for proof in proofs if name in proof.parts)
        for name in ("verdicts", "rejects")
    )
    if (graded, rejected) != (counts.graded, counts.rejected) or graded + rejected != counts.read:
        raise ResultsError(
            f"{counts.read} rows were read but {graded} graded and {rejected} rejected: "
            "nothing is published; please report this"
        )
    if not job.allow_empty and not counts.graded:
        said = "no row was read"
        if counts.read:
            said = f"all {counts.read} rows are rejected ({_problems(staging)})"
        raise InputError(f"answers: {said}; --allow-empty publishes it all the same")


def _problems(staging: Staging) -> str:
    """The problems of the rejected rows with their counts, most frequent first."""
    parts = staging.place.entries(f"{staging.draft}/rejects")
    rejects = scan_all(staging.place.path(f"{staging.draft}/rejects/{part}") for part in parts)
    counted = rejects.group_by("problem").len().sort("len", "problem", descending=[True, False])
    return ", ".join(f"{problem}: {count}" for problem, count in counted.collect().iter_rows())


def _software() -> dict[str, str]:
    packages = {name: version(name) for name in ("polars", "pyarrow", "polars-hash")}
    return {"python": platform.python_version(), "grounding": __version__, **packages}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
