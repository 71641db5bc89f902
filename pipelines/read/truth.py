"""Truth tables from JSON fixtures and from Parquet, checked alike and joined as one set."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import polars as pl

from grounding.errors import FixtureError, InputError
from grounding.fixtures import BookFixture, Question, load_book_fixture
from grounding.schema import polars_schema
from grounding.tables import TRUTH_FACT, TRUTH_NEGATIVE_FACT, TRUTH_QUESTION
from grounding.truth import Truth
from pipelines.read.files import PARQUET, File, files_at

_JSON = (".json",)

_TABLES = {
    "facts": ("fixture_id", "fact_id", "value"),
    "negative_facts": ("fixture_id", "negative_fact_id"),
    "questions": ("fixture_id", "question_id"),
}
"""What a Parquet truth table must hold to be the one or the other."""


class TruthFrames(NamedTuple):
    """The truth rows of a run, as published: ids folded, values as written, in fixture order."""

    facts: pl.DataFrame
    negative_facts: pl.DataFrame
    questions: pl.DataFrame

    def lazy(self) -> Truth:
        """For the rules."""
        return Truth(*(frame.lazy() for frame in self))


def truth_files(given: Sequence[str]) -> list[File]:
    """The files of all paths and globs that were given, each once."""
    found = [file for path in given for file in files_at(path, (*_JSON, *PARQUET), "fixtures")]
    return list({file.path.resolve(): file for file in found}.values())


def truth_frames(files: list[File]) -> TruthFrames:
    """Read and check truth tables. Raises: FixtureError with every fault of every file."""
    fixtures: list[BookFixture] = []
    faults: list[str] = []
    tables: list[tuple[File, pl.DataFrame]] = []
    for file in files:
        try:
            if file.name.lower().endswith(_JSON):
                fixtures.append(load_book_fixture(file.path))
            else:
                tables.append((file, _read(file)))
        except InputError as error:
            faults += error.faults
    try:
        fixtures += _fixtures(tables)
    except InputError as error:
        faults += error.faults
    ids = [fixture.fixture_id for fixture in fixtures]
    faults += [
        f"fixtures: {fixture_id!r} is defined {ids.count(fixture_id)} times; keep one"
        for fixture_id in sorted(set(ids))
        if ids.count(fixture_id) > 1
    ]
    if faults:
        raise FixtureError(faults)
    return _frames(fixtures)


def _read(file: File) -> pl.DataFrame:
    try:
        return pl.read_parquet(file.path, glob=False, hive_partitioning=False)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise FixtureError(f"{file.path}: cannot be read as Parquet: {error}") from error


def _fixtures(tables: list[tuple[File, pl.DataFrame]]) -> Iterable[BookFixture]:
    """Fixtures gathered from the rows of Parquet tables, in order of first appearance."""
    rows: dict[str, list[dict[str, Any]]] = {kind: [] for kind in _TABLES}
    for file, frame in tables:
        rows[_kind(file, frame)] += frame.rows(named=True)
    ids = dict.fromkeys(row["fixture_id"] for kind in rows.values() for row in kind)
    return [_fixture(fixture_id, rows) for fixture_id in ids]


def _kind(file: File, frame: pl.DataFrame) -> str:
    for kind, columns in _TABLES.items():
        if set(columns) <= set(frame.columns):
            return kind
    wanted = "; ".join(f"{kind}({', '.join(columns)})" for kind, columns in _TABLES.items())
    raise FixtureError(
        f"{file.path}: is no truth table: it has the columns {', '.join(frame.columns)}; wanted "
        f"one of {wanted}"
    )


def _fixture(fixture_id: str, rows: dict[str, list[dict[str, Any]]]) -> BookFixture:
    facts, negative_facts, questions = (
        [row for row in rows[kind] if row["fixture_id"] == fixture_id] for kind in _TABLES
    )
    ids = [row["negative_fact_id"] for row in negative_facts]
    if repeated := sorted({name for name in ids if ids.count(name) > 1}, key=str):
        raise FixtureError(
            f"fixture {fixture_id!r}: the negative fact {name!r} stands in more than one row"
            for name in repeated
        )
    values: dict[str, list[str]] = {}
    for row in facts:
        values.setdefault(row["fact_id"], []).append(row["value"])
    return BookFixture.build(
        fixture_id,
        values,
        {row["negative_fact_id"]: row.get("statement") for row in negative_facts},
        [
            Question(
                row["question_id"],
                row.get("prompt"),
                *(tuple(row.get(part) or ()) for part in ("facts", "negative_facts", "inputs")),
            )
            for row in questions
        ],
    )


def _frames(fixtures: list[BookFixture]) -> TruthFrames:
    facts = [(f.fixture_id, fact, v) for f in fixtures for fact, vs in f.facts.items() for v in vs]
    negative = [(f.fixture_id, *item) for f in fixtures for item in f.negative_facts.items()]
    questions = [
        (f.fixture_id, q.question_id, q.prompt, *map(list, (q.facts, q.negative_facts, q.inputs)))
        for f in fixtures
        for q in f.questions
    ]
    return TruthFrames(
        *(
            pl.DataFrame(rows, polars_schema(block), orient="row")
            for rows, block in (
                (facts, TRUTH_FACT),
                (negative, TRUTH_NEGATIVE_FACT),
                (questions, TRUTH_QUESTION),
            )
        )
    )
