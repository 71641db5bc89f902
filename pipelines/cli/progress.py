"""Who watches a run: a progress bar on stderr, only where a person looks at it, or the JSON log."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from pipelines.cli.jsonlog import log, logs_json
from pipelines.log import Event, Observer, TaskDone


@contextmanager
def observer(title: str) -> Iterator[Observer | None]:
    """The log in JSON lines, else a bar, or None where stderr is no terminal."""
    if logs_json():
        yield log
        return
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn())
    console = Console(stderr=True, markup=False, emoji=False, highlight=False)
    with Progress(*columns, TimeElapsedColumn(), console=console, transient=True) as progress:
        bar = progress.add_task(title, total=None)

        def follow(event: Event) -> None:
            if isinstance(event, TaskDone):
                progress.update(bar, completed=event.read, total=event.total)

        yield follow
