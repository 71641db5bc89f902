"""Truth tables from JSON fixtures and from Parquet, checked alike and joined as one set."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import polars as pl

from grounding.errors import FixtureError, InputError
from grounding.fixtures import BookFixture, Question, parse_fixture
from grounding.schema import polars_schema
from grounding.tables import TRUTH_FACT, TRUTH_NEGATIVE_FACT, TRUTH_QUESTION
from grounding.truth import Truth
from pipelines.read.files import PARQUET, File, files_at
from pipelines.read.scan import scan
from pipelines.read.types import accepts

_JSON = (".json",)

_Rows = list[dict[str, Any]]

_TABLES = {
    "facts": ("fixture_id", "fact_id", "value"),
    "negative_facts": ("fixture_id", "negative_fact_id"),
    "questions": ("fixture_id", "question_id"),
}
"""What a Parquet truth table must hold to be the one or the other."""

_TEXTS = (
    *("fixture_id", "fact_id", "value", "negative_fact_id", "statement"),
    *("question_id", "prompt"),
)
_LISTS = ("facts", "negative_facts", "inputs")


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
    rows: dict[str, _Rows] = {kind: [] for kind in _TABLES}
    tables: list[str] = []
    for file in files:
        try:
            if file.name.lower().endswith(_JSON):
                fixtures.append(_book(file))
            else:
                kind, of_file = _table(file)
                rows[kind] += of_file
                tables.append(file.name)
        except InputError as error:
            faults += error.faults
    for fixture_id, of_fixture in _by_fixture(rows).items():
        try:
            fixtures.append(_fixture(fixture_id, of_fixture))
        except InputError as error:
            faults += [f"{', '.join(tables)}: {fault}" for fault in error.faults]
    counts = Counter(fixture.fixture_id for fixture in fixtures)
    faults += [
        f"fixtures: {fixture_id!r} is defined {count} times; keep one"
        for fixture_id, count in counts.items()
        if count > 1
    ]
    if faults:
        raise FixtureError(faults)
    return _frames(fixtures)


def _book(file: File) -> BookFixture:
    try:
        content = file.path.read_bytes()
    except OSError as error:
        raise FixtureError(f"{file.path}: cannot be read: {error.strerror or error}") from error
    return parse_fixture(content, str(file.path))


def _table(file: File) -> tuple[str, _Rows]:
    """Which table a Parquet file is, and its rows, as texts and lists of texts."""
    try:
        frame = scan(file.path).collect()
    except (pl.exceptions.PolarsError, OSError) as error:
        raise FixtureError(f"{file.path}: cannot be read as Parquet: {error}") from error
    kinds = [kind for kind, columns in _TABLES.items() if set(columns) <= set(frame.columns)]
    if not kinds:
        wanted = "; ".join(f"{kind}({', '.join(columns)})" for kind, columns in _TABLES.items())
        raise FixtureError(
            f"{file.path}: is no truth table: it has the columns {', '.join(frame.columns)}; "
            f"wanted one of {wanted}"
        )
    types: dict[str, pl.DataType] = {name: pl.String() for name in _TEXTS}
    types |= {name: pl.List(pl.String) for name in _LISTS}
    known = {name: dtype for name, dtype in types.items() if name in frame.columns}
    wrong = [
        f"{file.path}: column {name!r} is {frame.schema[name]}, wanted "
        f"{'a list of texts' if name in _LISTS else 'text'}"
        for name in known
        if not accepts("evidence" if name in _LISTS else "answer", frame.schema[name])
    ]
    if wrong:
        raise FixtureError(wrong)
    texts = frame.select(pl.col(name).cast(dtype) for name, dtype in known.items())
    return kinds[0], texts.rows(named=True)


def _by_fixture(rows: dict[str, _Rows]) -> dict[Any, dict[str, _Rows]]:
    """The rows of each table, by fixture, in order of first appearance."""
    fixtures: dict[Any, dict[str, _Rows]] = {}
    for kind, of_kind in rows.items():
        for row in of_kind:
            empty: dict[str, _Rows] = {name: [] for name in _TABLES}
            fixtures.setdefault(row["fixture_id"], empty)[kind].append(row)
    return fixtures


def _fixture(fixture_id: Any, rows: dict[str, _Rows]) -> BookFixture:
    counts = Counter(row["negative_fact_id"] for row in rows["negative_facts"])
    if repeated := [name for name, count in counts.items() if count > 1]:
        raise FixtureError(
            f"fixture {fixture_id!r}: the negative fact {name!r} stands in more than one row"
            for name in repeated
        )
    values: dict[str, list[str]] = {}
    for row in rows["facts"]:
        values.setdefault(row["fact_id"], []).append(row["value"])
    return BookFixture.build(
        fixture_id,
        values,
        {row["negative_fact_id"]: row.get("statement") for row in rows["negative_facts"]},
        [
            Question(
                row["question_id"],
                row.get("prompt"),
                *(tuple(row.get(part) or ()) for part in _LISTS),
            )
            for row in rows["questions"]
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
