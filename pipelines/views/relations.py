"""The base relations of a results folder as SQL: its tables over all runs, and what is live.

The manifests are read here and not in SQL: a view then names exactly the published parts, it
needs neither a glob (which would see unfinished runs) nor DuckDB's JSON extension (which a build
may lack and would fetch from the network), and no file but those it shows is opened. The price
is that the text is written again whenever a run is published or becomes live.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from pipelines.views.published import TABLES, Published, Table

OPTIONAL = {
    "verdicts": {
        **dict.fromkeys(("model", "question_id", "label", "fixture_id"), "VARCHAR"),
        **dict.fromkeys(("grounded_with_waivers", "passed_with_policy"), "BOOLEAN"),
    },
    "findings": {"cause": "VARCHAR", "causes": "VARCHAR[]"},
}
"""Columns that the bundled views rely on, with their types: null where no run has them."""

KEYED = ("verdicts", "findings", "claims")
"""Tables that are joined by `answer_id`, which therefore has one type in all of them."""

Locate = Callable[[str], str]
"""Makes of a part's path in the folder the path that the SQL shall name."""


def base_relations(folder: Published, locate: Locate) -> Iterator[tuple[str, str]]:
    """(name, query) of every base relation."""
    tables = {name: [run.tables[name] for run in folder.runs] for name in TABLES}
    keys = _differing(chain.from_iterable(tables[name] for name in KEYED)) & {"answer_id"}
    for name in TABLES:
        as_text = _differing(tables[name]) | (keys if name in KEYED else set())
        yield name, _union(tables[name], as_text, OPTIONAL.get(name, {}), locate)
    yield "runs", _runs(folder)
    yield "latest", _latest(folder)
    yield "superseded", _superseded(folder)


def identifier(name: str) -> str:
    """A name as SQL, whatever its characters."""
    return '"' + name.replace('"', '""') + '"'


def literal(value: str | int | None) -> str:
    """A value as SQL, whatever its characters."""
    if value is None:
        return "NULL"
    return str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"


def unglobbed(path: str) -> str:
    """The pattern that matches this path alone: DuckDB reads `*`, `?` and `[` in any path."""
    return re.sub(r"([*?\[])", r"[\1]", path)


def globbed(pattern: str) -> str:
    """The path that such a pattern matches.

    >>> globbed(unglobbed("a[1]*")), unglobbed("a[1]*")
    ('a[1]*', 'a[[]1][*]')
    """
    return re.sub(r"\[([*?\[])\]", r"\1", pattern)


def _fold(name: str) -> str:
    """DuckDB takes two names for the same column where they differ in ASCII case only."""
    return re.sub("[A-Z]+", lambda capitals: capitals[0].lower(), name)


def _differing(tables: Iterable[Table]) -> set[str]:
    """The columns (folded) whose type is not the same in all the runs that have them."""
    types: dict[str, set[str]] = {}
    for columns in {table.columns for table in tables}:
        for name, kind in columns:
            types.setdefault(_fold(name), set()).add(kind)
    return {name for name, kinds in types.items() if len(kinds) > 1}


def _union(
    tables: Sequence[Table], as_text: set[str], absent: Mapping[str, str], locate: Locate
) -> str:
    """One scan per set of columns, joined by name: most folders have one set, so one scan.

    Types that differ are cast here since DuckDB would widen (1 and 1.5 to 1.0 and 1.5). The
    empty branch gives absent columns a type, and makes text of those that are to be text.
    """
    parts: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for table in tables:
        parts.setdefault(table.columns, []).extend(path for path, _ in table.parts)
    branches = []
    for columns, paths in parts.items():
        casts = [
            f"CAST({identifier(name)} AS VARCHAR) AS {identifier(name)}"
            for name, kind in columns
            if kind != "string" and _fold(name) in as_text
        ]
        listed = ",\n    ".join(casts)
        replace = f" REPLACE (\n    {listed}\n)" if casts else ""
        files = ",\n    ".join(literal(unglobbed(locate(path))) for path in paths)
        branches.append(
            f"SELECT *{replace} FROM read_parquet([\n    {files}\n], hive_partitioning = false)"
        )
    if absent:
        nulls = ",\n    ".join(
            f"CAST(NULL AS {kind}) AS {identifier(name)}" for name, kind in absent.items()
        )
        branches.append(f"SELECT\n    {nulls}\nWHERE false")
    return "\nUNION ALL BY NAME\n".join(branches)


def _runs(folder: Published) -> str:
    labels = folder.labels()
    columns = {
        **dict.fromkeys(("run_id", "job_id", "name", "job"), "VARCHAR"),
        **dict.fromkeys(("started", "finished"), "TIMESTAMPTZ"),
        **dict.fromkeys(("read", "graded", "rejected"), "BIGINT"),
        **dict.fromkeys(("content", "versions", "settings"), "VARCHAR"),
    }
    rows = [
        [labels[run.job_id] if name == "job" else getattr(run, name) for name in columns]
        for run in folder.runs
    ]
    return _values(columns, rows)


def _latest(folder: Published) -> str:
    labels = folder.labels()
    columns = dict.fromkeys(("run_id", "job_id", "job"), "VARCHAR")
    rows = [
        (run_id, live.job_id, labels[live.job_id])
        for live in folder.live
        for run_id in live.run_ids
    ]
    return _values(columns, rows)


def _superseded(folder: Published) -> str:
    rows = [
        (run_id, file)
        for live in folder.live
        for run_id, files in live.superseded.items()
        for file in files
    ]
    return _values(dict.fromkeys(("run_id", "source_file"), "VARCHAR"), rows)


def _values(columns: dict[str, str], rows: Sequence[Sequence[str | int | None]]) -> str:
    """Literal rows; with none, a row of nulls that is not shown keeps the columns."""
    typed = ",\n    ".join(f"CAST({name} AS {kind}) AS {name}" for name, kind in columns.items())
    lines = rows or [[None] * len(columns)]
    values = ",\n    ".join("(" + ", ".join(map(literal, line)) + ")" for line in lines)
    given = f"SELECT\n    {typed}\nFROM (VALUES\n    {values}\n) AS given({', '.join(columns)})"
    return given if rows else f"{given}\nWHERE false"
