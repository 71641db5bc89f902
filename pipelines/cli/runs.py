"""`grounding runs`: the runs of a results folder, and which of them are live."""

from typing import TYPE_CHECKING, Annotated

import typer

from pipelines.cli.rows import TEXTS, Format, Rows, as_table
from pipelines.cli.terminal import say_exactly, show

if TYPE_CHECKING:
    from pipelines.views.published import Published

NAME = "runs"

COLUMNS = ("run_id", "job", "finished", "read", "graded", "rejected", "bytes", "live")


def command(
    directory: Annotated[str, typer.Argument(metavar="DIR", help="A results folder.")] = "results",
    *,
    form: Annotated[
        Format, typer.Option("--format", help="How the rows are written.")
    ] = Format.table,
) -> int:
    """List the runs of a results folder, oldest first.

    A run is live where the latest views show it, and partly live where a later run of an
    incremental job has superseded some of its files.
    """
    from pipelines.places import place_of
    from pipelines.views.published import published

    rows = run_rows(published(place_of(directory)))
    if form is Format.table:
        show(as_table(rows))
    else:
        say_exactly(TEXTS[form](rows))
    return 0


def run_rows(folder: "Published") -> Rows:
    """One row per run."""
    labels = folder.labels()
    whole = {run: not live.superseded.get(run) for live in folder.live for run in live.run_ids}
    said = {True: "yes", False: "partly", None: "no"}
    return Rows(
        COLUMNS,
        [
            (
                *(run.run_id, labels[run.job_id], run.finished),
                *(run.read, run.graded, run.rejected),
                sum(size for table in run.tables.values() for _, size in table.parts),
                said[whole.get(run.run_id)],
            )
            for run in folder.runs
        ],
    )
