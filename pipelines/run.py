"""The main job, top to bottom: find, recognise, read, grade, write, publish."""

import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from grounding import __version__
from grounding.errors import ResultsError
from pipelines.broken import faults_told
from pipelines.gates import Gate, gates_of
from pipelines.grade import Counts, truth_tables
from pipelines.increments import Increment, increment_of
from pipelines.job import Job, identity
from pipelines.log import AlreadyDone, Event, Observer, Published, Started, TaskDone
from pipelines.places import Held, Place, place_of
from pipelines.places.names import run_name
from pipelines.plan import VERSIONS, job_id, made_by, run_id
from pipelines.prepared import (
    Inputs,
    check_not_empty,
    inputs_of,
    judged_layout,
    opened_answers,
    prepared,
)
from pipelines.pruning import finish_pruning
from pipelines.read.files import Fingerprint, check_unchanged, fingerprints
from pipelines.read.scan import scan_all
from pipelines.results import Live, Manifest, live_of, parts_of, published, set_latest
from pipelines.tasks import Done, TaskRun, done_tasks
from pipelines.views import check_results, write_views
from pipelines.write import Proof, Staging


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


@dataclass(frozen=True, slots=True)
class Intent:
    """What a command would do: the run that it would publish, and what it found of its job.

    `done` is the manifest where that run is published already, or where nothing is new.
    """

    inputs: Inputs
    header: dict[str, Any]
    increment: Increment | None
    done: Manifest | None


def run(job: Job, *, observer: Observer | None = None) -> Outcome:
    """Grade the answers of a job and publish the verdicts below `job.out`.

    The same job over the same input is found as done: then only which runs are live is written
    again. Where this raises, nothing was published, unless the error says that the run is.

    Raises: JobError, InputError, TaskError or ResultsError, as `grounding.errors` says.
    """
    started, tell = _now(), observer or _unheard
    inputs = inputs_of(job)
    place = place_of(job.out)
    with place.held() as held:
        with faults_told(place, None, held):
            finish_pruning(place)
            intent = intent_of(inputs, place)
            check_results(place, intent.header["job_id"])
        header = {**intent.header, "started": started}
        with faults_told(place, header["run_id"], held):
            manifest = intent.done or _published_run(intent, place, header, held, tell)
            held.check()
            if intent.increment:
                intent.increment.publish(place, manifest)
            else:
                set_latest(place, Live(header["job_id"], job.name, (manifest["run_id"],)))
            write_views(place)
            gates = gates_of(job, place, manifest, nothing_new=_nothing_new(intent))
    counts = {name: manifest["rows"][name] for name in Counts.__slots__}
    path = f"{place}/{run_name(manifest['run_id'])}"
    tell((AlreadyDone if intent.done else Published)(manifest["run_id"], path, **counts))
    return Outcome(
        manifest["run_id"],
        path,
        tuple(parts_of(place, manifest, "verdicts")),
        **counts,
        already_done=intent.done is not None,
        gates=gates,
    )


def intended(job: Job) -> Intent:
    """What `run` would do, found without holding the place or writing anything.

    Raises: as `run`.
    """
    return intent_of(inputs_of(job), place_of(job.out))


def intent_of(inputs: Inputs, place: Place) -> Intent:
    """Hold a job against what is published. Reads every input once; writes nothing.

    Raises: InputError where an input cannot be read; ResultsError where the place contradicts
    its manifests.
    """
    job = inputs.job
    given = _fingerprints(inputs)
    of_job, increment = job_id(given, job), None
    if job.incremental:
        increment = increment_of(place, live_of(place, of_job), given)
        fresh = set(increment.fresh)
        inputs = replace(inputs, answers=[f for f in inputs.answers if f.name in fresh])
        given = [i for i in given if i.role != "answers" or i.name in fresh]
    named = run_id(given, job, increment.base if increment else None)
    header: dict[str, Any] = {
        "run_id": named,
        "job_id": of_job,
        "name": job.name,
        "versions": VERSIONS,
        "job": identity(job),
        "content": job.content,
        "inputs": [asdict(fingerprint) for fingerprint in given],
        **({"base": increment.base} if increment else {}),
        "software": _software(),
    }
    if increment and not increment.fresh:
        return Intent(inputs, header, increment, increment.last)
    return Intent(inputs, header, increment, published(place, named))


def _nothing_new(intent: Intent) -> bool:
    return intent.increment is not None and not intent.increment.fresh


def _fingerprints(inputs: Inputs) -> list[Fingerprint]:
    return [
        *fingerprints("answers", inputs.answers),
        *fingerprints("evidence" if inputs.job.evidence else "passages", inputs.beside),
        *fingerprints("fixtures", inputs.fixtures),
        *fingerprints("labels", inputs.labels),
    ]


def _published_run(
    intent: Intent, place: Place, header: Manifest, held: Held, tell: Observer
) -> Manifest:
    """Grade, check and publish. Returns the manifest."""
    tell(_started(intent, place))
    with Staging(place, header["run_id"], made_by(header["software"])) as staging:
        proofs, beside = _graded(intent, staging, held, tell)
        check_unchanged(intent.inputs.files)
        counts = sum((proof.counts for proof in proofs), Counts())
        _check(counts, proofs)
        check_not_empty(intent.inputs.job, counts.graded, _problems(staging))
        rows = {**asdict(counts), **beside}
        truth = truth_tables(staging.run_id, intent.inputs.truth)
        manifest = {**header, "rows": rows, "finished": _now()}
        return staging.publish(manifest, proofs, truth, held)


def _graded(
    intent: Intent, staging: Staging, held: Held, tell: Observer
) -> tuple[list[Proof], Mapping[str, object]]:
    """The proof of every task in source order, and what the files beside the answers count."""
    inputs = intent.inputs
    sources = opened_answers(inputs, staging.scratch)
    layout = judged_layout(inputs, sources)
    known = intent.increment.held_ids(staging.place) if intent.increment else None
    ready = prepared(inputs, sources, layout, staging.scratch, staging.run_id, known)
    staging.declare(ready.grader.schemas())
    total = sum(source.rows for source in sources)
    done: dict[int, Proof] = {}
    read = 0
    work = TaskRun(ready.grader, staging, ready.tasks)
    for task in done_tasks(work, inputs.job.workers):
        held.check()
        done[task.number] = task.proof
        read += task.proof.counts.read
        tell(_task_done(work, task, read, total))
    if read != total:
        raise ResultsError(f"{read} rows were read, the files' footers say {total}")
    return [done[number] for number in range(len(ready.tasks))], ready.counts


def _check(counts: Counts, proofs: list[Proof]) -> None:
    """Nothing lost and nothing doubled."""
    graded, rejected = (
        sum(proof.parts[name]["rows"] for proof in proofs if name in proof.parts)
        for name in ("verdicts", "rejects")
    )
    if (graded, rejected) != (counts.graded, counts.rejected) or graded + rejected != counts.read:
        raise ResultsError(
            f"{counts.read} rows were read but {graded} graded and {rejected} rejected: "
            "nothing is published; please report this"
        )


def _problems(staging: Staging) -> dict[str, int]:
    """Problem → rejected rows."""
    folder = f"{staging.draft}/rejects"
    parts = [staging.place.path(f"{folder}/{part}") for part in staging.place.entries(folder)]
    if not parts:
        return {}
    return dict(scan_all(parts).group_by("problem").len().collect().iter_rows())


def _unheard(_: Event) -> None:
    """Nobody watches."""


def _started(intent: Intent, place: Place) -> Started:
    header, inputs = intent.header, intent.header["inputs"]
    size, workers = sum(i["size"] for i in inputs), intent.inputs.job.workers
    return Started(header["run_id"], header["job_id"], str(place), len(inputs), size, workers)


def _task_done(work: TaskRun, done: Done, read: int, total: int) -> TaskDone:
    task, counts = work.tasks[done.number], done.proof.counts
    return TaskDone(
        task=done.number + 1,
        tasks=len(work.tasks),
        rows=counts.read,
        rejected=counts.rejected,
        bytes=sum(stretch.bytes for stretch in task),
        seconds=None if done.seconds is None else round(done.seconds, 3),
        resumed=done.seconds is None,
        input=tuple(map(str, task)),
        read=read,
        total=total,
    )


def _software() -> dict[str, str]:
    packages = {name: version(name) for name in ("polars", "pyarrow", "polars-hash")}
    return {"python": platform.python_version(), "grounding": __version__, **packages}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
