"""`grounding views`: a DuckDB file with the views of a results folder."""

from pathlib import Path
from typing import Annotated

import typer

from pipelines.cli.terminal import say, visible

NAME = "views"


def command(
    directory: Annotated[str, typer.Argument(metavar="DIR", help="A results folder.")],
    *,
    database: Annotated[
        Path, typer.Option(metavar="FILE.duckdb", help="The file to write, or write anew.")
    ],
) -> int:
    """Write a DuckDB file whose views show all runs of a folder."""
    from pipelines.places import place_of
    from pipelines.views import write_database

    write_database(place_of(directory), database)
    say(f"wrote {visible(str(database))}")
    return 0
