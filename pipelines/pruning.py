"""Retention: old runs are removed, and of a run nothing but what its manifest lists.

A run is gone the moment its manifest is. A copy of that stands in `_pruned/` until its parts are
gone too, so that whoever comes next finishes what a killed process began.
"""

import json
from dataclasses import dataclass
from datetime import datetime, timedelta

from grounding.errors import InputError, ResultsError
from pipelines.broken import faults_told
from pipelines.places import Place
from pipelines.places.names import LATEST, MANIFEST, PRUNED, VIEWS
from pipelines.results import Live, set_latest
from pipelines.views import check_results, write_views
from pipelines.views.published import Published, Run, published, run_of


@dataclass(frozen=True, slots=True)
class Pruned:
    """What was removed, or would be: the runs, and the files and bytes that they list.

    `left` are files that lie in their folders and are none of ours.
    """

    runs: tuple[Run, ...]
    files: int
    size: int
    left: tuple[str, ...] = ()


def prunable(folder: Published, older_than: datetime, live_too: bool = False) -> Pruned:
    """The runs that ended before a time and that no job shows; `live_too` takes those as well."""
    live = {run for job in folder.live for run in job.run_ids}
    runs = [
        run
        for run in folder.runs
        if datetime.fromisoformat(run.finished) < older_than
        and (live_too or run.run_id not in live)
    ]
    sizes = [size for run in runs for table in run.tables.values() for _, size in table.parts]
    return Pruned(tuple(runs), len(sizes) + len(runs), sum(sizes))


def prune(
    place: Place, keep: timedelta, now: datetime, *, live_too: bool = False, dry_run: bool = False
) -> Pruned:
    """Remove the runs that ended longer ago than is kept.

    Raises: InputError where no run is published; ResultsError where the place contradicts its
    manifests; JobError where it is in use; TaskError where it cannot be written.
    """
    would = prunable(published(place), now - keep, live_too)  # also where there is no place
    if dry_run:
        return would
    with place.held() as held, faults_told(place, None, held):
        finish_pruning(place)
        folder = published(place)
        found = prunable(folder, now - keep, live_too)
        gone = {run.run_id for run in found.runs}
        held.check()
        for live in folder.live:
            if gone & set(live.run_ids):
                _no_longer_live(place, live, gone)
        for run in found.runs:
            name = f"{run.folder}/{MANIFEST}"
            place.write(f"{PRUNED}/{run.run_id}.json", place.read(name).decode())
            place.remove(name)
        _show_what_is_left(place)
        finish_pruning(place)
        left = [f"{run.folder}/{name}" for run in found.runs for name in place.sizes(run.folder)]
    return Pruned(found.runs, found.files, found.size, tuple(left))


def finish_pruning(place: Place) -> None:
    """Remove the parts of runs whose manifest is gone. For the process that holds the place.

    Raises: ResultsError where what is left of a manifest cannot be read.
    """
    for entry in place.entries(PRUNED):
        name = f"{PRUNED}/{entry}"
        try:
            run = run_of(json.loads(place.read(name)))
        except (ValueError, KeyError, TypeError) as error:
            raise ResultsError(f"{place}/{name}: is no manifest ({error!r}); remove it") from error
        parts = (path for table in run.tables.values() for path, _ in table.parts)
        place.remove(f"{run.folder}/{MANIFEST}", *parts)
        place.remove(name)


def _no_longer_live(place: Place, live: Live, gone: set[str]) -> None:
    runs = tuple(run for run in live.run_ids if run not in gone)
    if not runs:
        place.remove(f"{LATEST}/{live.job_id}")
        return
    superseded = {run: files for run, files in live.superseded.items() if run in runs}
    set_latest(place, Live(live.job_id, live.name, runs, superseded))


def _show_what_is_left(place: Place) -> None:
    """Write the views anew, before their parts are gone; none where no run is left."""
    check_results(place, "")
    try:
        write_views(place)
    except InputError:
        place.remove(VIEWS)
