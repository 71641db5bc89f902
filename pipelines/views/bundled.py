"""The bundled views: plain SQL files that name only relations, read from `sql/`.

The first line of a file is its grain, `-- one row per …`. A line `-- called as name(column)` makes
it a table macro, for what a view can't do: take a parameter. The files of `functions/` give one
value each, and may be used in all others.
"""

import re
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

from pipelines.views.published import TABLES, Published
from pipelines.views.relations import Locate, base_relations, identifier


@dataclass(frozen=True, slots=True)
class Query:
    """A bundled query: its name, what one row of it is, its text, the parameters it takes.

    `is_value` says that it is no query, but a function of its parameters.
    """

    name: str
    grain: str
    sql: str
    parameters: tuple[str, ...] = ()
    is_value: bool = False

    def definition(self) -> str:
        """The statement that makes the query a relation of DuckDB."""
        if self.is_value:
            return (
                f"CREATE OR REPLACE MACRO {self.name}({', '.join(self.parameters)}) AS (\n"
                f"{self.sql}\n);\n"
            )
        if self.parameters:
            head = f"CREATE OR REPLACE MACRO {self.name}({', '.join(self.parameters)}) AS TABLE"
        else:
            head = f"CREATE OR REPLACE VIEW {identifier(self.name)} AS"
        return f"{head}\n{self.sql};\n"


def relations() -> tuple[str, ...]:
    """The names that SQL may ask for, other than the bundled queries."""
    return (*TABLES, "runs", "latest", "superseded")


@cache
def queries() -> tuple[Query, ...]:
    """All bundled queries, each after those that it reads."""
    found = {file.stem: _query(file) for file in sorted(_folder().glob("*.sql"))}
    reads = {
        name: sorted(found.keys() & set(re.findall(r"\b(?:FROM|JOIN)\s+(\w+)", _code(query.sql))))
        for name, query in found.items()
    }
    return tuple(found[name] for name in TopologicalSorter(reads).static_order())


@cache
def functions() -> tuple[Query, ...]:
    """The functions that bundled queries share, each after those that it calls."""
    found = {file.stem: _query(file, "value") for file in sorted(_folder().glob("functions/*.sql"))}
    calls = {
        name: sorted(found.keys() & set(re.findall(r"\b(\w+)\(", _code(function.sql))) - {name})
        for name, function in found.items()
    }
    return tuple(found[name] for name in TopologicalSorter(calls).static_order())


def definitions(folder: Published, locate: Locate) -> str:
    """The statements that define every relation of a results folder, in an order that works."""
    base = (
        f"CREATE OR REPLACE VIEW {identifier(name)} AS\n{query};\n"
        for name, query in base_relations(folder, locate)
    )
    made = (query.definition() for query in (*functions(), *queries()))
    return "\n".join((*base, *made))


def _folder() -> Path:
    """Where the bundled SQL lies: inside an installed package, beside it in a checkout."""
    installed = Path(__file__).parents[1] / "_sql"
    return installed if installed.is_dir() else Path(__file__).parents[2] / "sql"


def _query(file: Path, of: str = "row") -> Query:
    text = file.read_text(encoding="utf-8").strip()
    grain = re.match(rf"-- (one {of} per .+)\n", text)
    if grain is None:
        raise ValueError(f"{file}: the first line must be its grain, `-- one {of} per …`")
    called = re.search(rf"^-- called as {file.stem}\((.+)\)$", text, re.MULTILINE)
    parameters = tuple(re.split(r",\s*", called[1])) if called else ()
    return Query(file.stem, grain[1], text, parameters, of == "value")


def _code(sql: str) -> str:
    return re.sub(r"--.*", "", sql)
