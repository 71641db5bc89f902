"""The tasks of a run, done here or by worker processes, each once, whatever stopped them before.

What a task gives depends on its rows alone, so that neither the number of workers nor the tries
that it took can be seen in the result.
"""

import multiprocessing
import os
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass

from grounding.errors import TaskError
from pipelines.grade import Grader
from pipelines.plan import Task
from pipelines.write import Proof, Staging


@dataclass(frozen=True, slots=True)
class TaskRun:
    """All that a process needs to do any of the tasks."""

    grader: Grader
    staging: Staging
    tasks: list[Task]

    def done(self, number: int) -> "Done":
        """Do a task."""
        started = time.perf_counter()
        tables, counts = self.grader.graded(number, self.tasks[number])
        proof = self.staging.write(number, tables, counts)
        return Done(number, proof, time.perf_counter() - started)


@dataclass(frozen=True, slots=True)
class Done:
    """A task that is done, its proof, and the seconds that it took; None in an earlier try."""

    number: int
    proof: Proof
    seconds: float | None


def done_tasks(work: TaskRun, workers: int) -> Iterator[Done]:
    """Every task, as they are done; first those of an earlier try.

    Raises: TaskError where a worker process died; what was proven stays for the next try.
    """
    waiting = []
    for number in range(len(work.tasks)):
        proof = work.staging.proven(number)
        if proof is None:
            waiting.append(number)
        else:
            yield Done(number, proof, None)
    if workers == 1 or len(waiting) < 2:
        for number in waiting:
            yield work.done(number)
    else:
        yield from _by_workers(work, waiting, min(workers, len(waiting)))


def _by_workers(work: TaskRun, waiting: list[int], workers: int) -> Iterator[Done]:
    spawned = multiprocessing.get_context("spawn")  # polars must not be forked
    with (
        _threads(max(1, (os.cpu_count() or 1) // workers)),
        ProcessPoolExecutor(workers, spawned, _begin, (work,)) as pool,
    ):
        futures = [pool.submit(_done, number) for number in waiting]
        try:
            for future in as_completed(futures):
                yield future.result()
        except BrokenProcessPool as error:
            raise TaskError(
                "a worker process was killed, perhaps for want of memory; finished tasks are "
                "kept: run the same again, with fewer --workers if it happens twice"
            ) from error
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


@contextmanager
def _threads(count: int) -> Iterator[None]:
    """How many threads polars takes in the processes that are started meanwhile."""
    name = "POLARS_MAX_THREADS"
    before = os.environ.get(name)
    os.environ[name] = str(count)
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


_work: list[TaskRun] = []
"""In a worker process: what it was begun with."""


def _begin(work: TaskRun) -> None:
    _work[:] = [work]


def _done(number: int) -> Done:
    return _work[0].done(number)
