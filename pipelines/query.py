"""Asks a results folder: a bundled query by its name, or a SELECT over the views of all runs."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from grounding.errors import JobError
from pipelines.places import Place
from pipelines.views import Query, asked, queries, relations

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Parameters", "Query", "queries", "run_query"]

Parameters = Mapping[str, object] | Sequence[object]
"""Values for `$name`, or in order for `?`."""

READING = {"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"}
"""The kinds of query node that only read. DuckDB 2 also takes COPY and INSERT as a WITH clause."""

RUNS_TEXT = {"query", "json_execute_serialized_sql"}
"""Functions that run SQL given as a value, out of sight of the check below."""


def run_query(
    place: Place, text_or_name: str, *, parameters: Parameters | None = None
) -> "pa.Table":
    """The rows of a bundled query or relation (one word), or of one SELECT statement.

    Raises: InputError where no run is published in `place`; ResultsError where its manifests
    are contradicted; JobError where the name is unknown, or the SQL is wrong or would do more
    than read.
    """
    import duckdb

    text = text_or_name.strip()
    named = re.fullmatch(r"\w+", text) is not None
    sql, values = _called(text, parameters) if named else (text, parameters)
    try:
        _check_reads(sql)
        with asked(place) as connection:
            return connection.sql(sql, params=values).to_arrow_table()
    except duckdb.Error as error:
        raise JobError(f"{str(error).strip()}\nin the statement:\n{sql}") from error


def _called(name: str, parameters: Parameters | None) -> tuple[str, Parameters | None]:
    """The statement and the values that ask for a bundled query or a relation by its name."""
    bundled = {query.name: query for query in queries()}
    if name not in bundled and name not in relations():
        known = ", ".join(sorted(bundled)), ", ".join(relations())
        raise JobError(f"no query {name!r}; there are {known[0]}; and the relations {known[1]}")
    wanted = bundled[name].parameters if name in bundled else ()
    given = parameters if parameters is not None else ()
    if not isinstance(given, Mapping) and len(given) == len(wanted):
        given = dict(zip(wanted, given, strict=True))
    if not isinstance(given, Mapping) or set(given) != set(wanted):
        call = f"{name}({', '.join(wanted)})" if wanted else f"{name} without parameters"
        raise JobError(f"{name}: got the parameters {given!r}; it is called as {call}")
    if not wanted:
        return f"FROM {name}", None
    return f"FROM {name}({', '.join(f'${key}' for key in wanted)})", given


def _check_reads(sql: str) -> None:
    """Refuse what does more than read.

    The locked connection already keeps SQL from every file but the published parts. Those it
    could still overwrite, so one statement is run, and only if its parse tree holds nothing but
    reading nodes and no function that runs a text.
    """
    import duckdb

    with duckdb.connect() as parser:
        kinds = [statement.type.name for statement in parser.extract_statements(sql)]
        ((tree,),) = parser.execute("SELECT json_serialize_sql($1)", [sql]).fetchall()
    if kinds != ["SELECT"]:
        raise JobError(
            f"only one SELECT statement is run, not {', '.join(kinds) or 'nothing'} "
            f"(a PIVOT must name its values: ON reason IN ('grounded')):\n{sql}"
        )
    nodes = set(re.findall(r'"type":"(\w+_NODE)"', tree))
    functions = {name.lower() for name in re.findall(r'"function_name":"(\w+)"', tree)}
    if not nodes or not nodes <= READING or functions & RUNS_TEXT:
        said = ", ".join(sorted((nodes - READING) | (functions & RUNS_TEXT))) or "unreadable"
        raise JobError(f"only statements that read are run, not this one ({said}):\n{sql}")
