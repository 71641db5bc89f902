"""What a run would take, estimated from rows that are graded and thrown away.

The sample is graded by a process of its own, as a worker of a run would, so that what it takes at
most is its own peak and nobody else's.
"""

import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from grounding.errors import GroundingError, TaskError
from pipelines.doctor.diagnosis import Estimate
from pipelines.places import place_of
from pipelines.plan import Stretch, Task
from pipelines.prepared import Inputs, Prepared
from pipelines.write import Staging

SAMPLE_BYTES = 64 * 2**20
"""Before compression, of the first task: enough to measure, and graded in seconds."""


@dataclass(frozen=True, slots=True)
class Taken:
    """Seconds that something took, and the most memory that its process held by its end."""

    cpu: float
    wall: float
    peak: int


@dataclass(frozen=True, slots=True)
class Graded:
    """What a sample took, what its process took and held before, and what was written."""

    starting: Taken
    grading: Taken
    output: int


@dataclass(frozen=True, slots=True)
class Clock:
    """The time of this process, and that on the wall, when it was started."""

    cpu: float
    wall: float

    @classmethod
    def started(cls) -> "Clock":
        """A clock that starts now."""
        return cls(time.process_time(), time.perf_counter())

    def taken(self) -> Taken:
        """What has passed since."""
        cpu, wall = time.process_time() - self.cpu, time.perf_counter() - self.wall
        return Taken(cpu, wall, peak_memory())


def estimate(inputs: Inputs, work: Prepared, preparing: Taken, folder: Path) -> Estimate | None:
    """What a run would take, or None where it has nothing to do, or its sample faults.

    Such a fault shows again when all rows are read. In: `preparing`, what the way to the first task
    took, digests of the input included; `folder`, where a sample may be written.

    Raises: TaskError where the process that graded a sample was killed.
    """
    if not work.tasks or not bytes_of(work.tasks[0]):
        return None
    sample = sample_of(work.tasks[0])
    try:
        graded = _graded_sample(work, sample, folder)
    except TaskError:
        raise
    except GroundingError:
        return None
    sizes, size = [bytes_of(task) for task in work.tasks], bytes_of(sample)
    times, larger = sum(sizes) / size, max(1.0, max(sizes) / size)
    workers = min(inputs.job.workers, len(work.tasks))
    task = graded.starting.peak + int((graded.grading.peak - graded.starting.peak) * larger)
    grading = graded.grading.wall * times / min(workers, os.cpu_count() or 1)
    return Estimate(
        sample_rows=sum(stretch.rows for stretch in sample),
        sample_bytes=size,
        cpu_seconds=graded.starting.cpu + preparing.cpu + graded.grading.cpu * times,
        seconds=graded.starting.wall + preparing.wall + grading,
        peak_memory=max(preparing.peak, task) if workers == 1 else preparing.peak + workers * task,
        output=int(graded.output * times),
    )


def sample_of(task: Task) -> Task:
    """The first rows of a task, up to about `SAMPLE_BYTES`."""
    sample: list[Stretch] = []
    left = float(SAMPLE_BYTES)
    for stretch in task:
        share = min(1.0, left / max(stretch.bytes, 1))
        rows, size = max(1, int(stretch.rows * share)), int(stretch.bytes * share)
        sample.append(stretch._replace(rows=rows, bytes=size))
        left -= stretch.bytes
        if left <= 0:
            break
    return tuple(sample)


def bytes_of(task: Task) -> int:
    """The bytes of a task before compression."""
    return sum(stretch.bytes for stretch in task)


def _graded_sample(work: Prepared, sample: Task, folder: Path) -> Graded:
    spawned = get_context("spawn")  # polars must not be forked
    with ProcessPoolExecutor(1, spawned) as pool:
        try:
            return pool.submit(_graded, work, sample, folder).result()
        except BrokenProcessPool as error:
            raise TaskError(
                "the process that graded a sample was killed, perhaps for want of memory"
            ) from error


def _graded(work: Prepared, sample: Task, folder: Path) -> Graded:
    """In a process of its own: grade the sample, the first task, and write what a run would."""
    cpu = time.process_time()
    starting = Taken(cpu, cpu, peak_memory())  # importing waits for nothing
    clock = Clock.started()
    with Staging(place_of(folder), work.grader.run_id, {}) as staging:
        staging.declare(work.grader.schemas())
        proof = staging.write(0, *work.grader.graded(0, sample))
    output = sum(part["size"] for part in proof.parts.values())
    return Graded(starting, clock.taken(), output)


def peak_memory() -> int:
    """The most bytes that this process has held at once.

    Linux keeps it for the process alone; elsewhere that of the one that started it may shine
    through.
    """
    status = Path("/proc/self/status")
    if status.exists():
        lines = status.read_text("ascii", "replace").split("\n")
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024
