"""`grounding prune`: retention, which removes only what a manifest lists."""

from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer

from pipelines.cli.terminal import complain, say, say_json, visible

NAME = "prune"


def command(
    directory: Annotated[str, typer.Argument(metavar="DIR", help="A results folder.")],
    *,
    keep_days: Annotated[
        int,
        typer.Option(min=0, max=100_000, metavar="N", help="Keep what ended in the last N days."),
    ],
    live_too: Annotated[
        bool,
        typer.Option("--live-too", help="Remove old runs that a job still shows, too."),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be removed, and remove nothing.")
    ] = False,
    json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object in the place of lines.")
    ] = False,
) -> int:
    """Remove old runs: those that ended over N days ago and that no job shows as its latest.

    Of a run, only the files that its manifest lists are removed.
    """
    from pipelines.places import place_of
    from pipelines.pruning import prune

    found = prune(
        place_of(directory),
        timedelta(days=keep_days),
        datetime.now(UTC),
        live_too=live_too,
        dry_run=dry_run,
    )
    if json:
        runs = [run.run_id for run in found.runs]
        counts = {"files": found.files, "bytes": found.size, "left": list(found.left)}
        say_json({"runs": runs, **counts, "dry_run": dry_run})
    else:
        would = "would remove" if dry_run else "removed"
        for run in found.runs:
            say(f"{would} {run.run_id}, which ended {run.finished}")
        say(f"{would} {len(found.runs):,} runs, {found.files:,} files, {found.size:,} bytes")
    for name in found.left:
        complain(f"{visible(directory)}/{visible(name)} is listed in no manifest, and was left")
    return 0
