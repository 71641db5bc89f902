"""What is said where the place of the results breaks under a run: what is left, and what to run."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from grounding.errors import TaskError
from pipelines.places import Held, Place
from pipelines.places.names import MANIFEST, run_name
from pipelines.places.stores import StoreFault
from pipelines.write import proofs_of


@contextmanager
def faults_told(place: Place, run: str | None, held: Held) -> Iterator[None]:
    """Faults of the place while a run is made, published and shown, as TaskErrors.

    `run` is None for a command that makes none, and whose work the next one takes up.

    Faults of the input are InputErrors by then, so an OSError is one of the place.
    """
    try:
        yield
    except (FileNotFoundError, NotADirectoryError) as error:
        held.check()  # knows better, where the whole place has gone
        raise _told(place, run, error) from error
    except OSError as error:
        raise _told(place, run, error) from error


def _told(place: Place, run: str | None, error: OSError) -> TaskError:
    # The strerror of pyarrow is a paragraph, that of polars is none, that of a store is ours.
    why = os.strerror(error.errno) if error.errno else str(error)
    if isinstance(error, StoreFault):
        why = error.strerror or str(error)
    return TaskError(
        f"out: {place} cannot be written: {why}; {_left(place, run)}: make room or mend it, and "
        "run the same again"
    )


def _left(place: Place, run: str | None) -> str:
    if run is None:
        return "no run is half there, and what was begun is taken up by the next command"
    try:
        if place.stamp(f"{run_name(run)}/{MANIFEST}") is not None:
            return "the run is published, but perhaps not yet shown as live, nor in views.sql"
        kept = len(proofs_of(place, run))
    except OSError:
        return "nothing more was published"
    if not kept:
        return "nothing was published, and no finished task is left"
    return f"nothing was published, and finished tasks are kept ({kept})"
