"""`grounding query`: a bundled query, or SQL over the runs of a folder."""

from typing import Annotated

import typer

from pipelines.cli.rows import MOST_ROWS, TEXTS, Format, Rows, as_table
from pipelines.cli.terminal import complain, say_exactly, show

NAME = "query"


def command(
    asked: Annotated[
        str | None,
        typer.Argument(metavar="NAME-OR-SQL", help="A bundled query, or one SELECT statement."),
    ] = None,
    values: Annotated[
        list[str] | None,
        typer.Argument(metavar="VALUE", help="What the query takes, in order."),
    ] = None,
    *,
    directory: Annotated[
        str, typer.Option("--dir", metavar="DIR", help="A results folder.")
    ] = "results",
    form: Annotated[
        Format, typer.Option("--format", help="How the rows are written.")
    ] = Format.table,
) -> int:
    """Ask the runs of a results folder. Without a name, list the bundled queries."""
    rows = _bundled() if asked is None else _answered(directory, asked, values or [])
    if form is not Format.table:
        say_exactly(TEXTS[form](rows))
        return 0
    show(as_table(rows))
    if len(rows.values) > MOST_ROWS:
        complain(f"{len(rows.values) - MOST_ROWS:,} more rows; --format csv writes all")
    return 0


def _bundled() -> Rows:
    """The bundled queries, with what they take and what a row of theirs is."""
    from pipelines.query import queries

    named = sorted(queries(), key=lambda query: query.name)
    calls = [" ".join([query.name, *map(str.upper, query.parameters)]) for query in named]
    grains = [query.grain for query in named]
    return Rows(("query", "grain"), list(zip(calls, grains, strict=True)))


def _answered(directory: str, asked: str, values: list[str]) -> Rows:
    from pipelines.places import place_of
    from pipelines.query import run_query

    table = run_query(place_of(directory), asked, parameters=values or None)
    columns = [column.to_pylist() for column in table.columns]
    return Rows(table.column_names, list(zip(*columns, strict=True)))
