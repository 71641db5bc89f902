"""The vectorised rules beside the reference: the same rows through both, every difference named."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from itertools import islice, zip_longest
from typing import Any, Literal, NamedTuple

import polars as pl

from grounding.evaluation import evaluate
from grounding.fixtures import BookFixture
from grounding.reference import AnswerReport, findings, grade
from grounding.schema import polars_schema
from grounding.tables import CLAIM, FINDING, TRUTH_FACT, TRUTH_NEGATIVE_FACT, TRUTH_QUESTION
from grounding.truth import Truth

Engine = Literal["in-memory", "streaming"]
ENGINES: tuple[Engine, ...] = ("in-memory", "streaming")

LARGEST = 2**63 - 1
"""A cited value beyond it is stored as it."""

VERDICT_COLUMNS = [field.name for field in fields(AnswerReport)]
ANSWERS = {
    "row": pl.Int64(),
    "answer": pl.String(),
    "evidence": pl.List(pl.String()),
    "fixture_id": pl.String(),
    "question_id": pl.String(),
}


class Row(NamedTuple):
    """One answer to grade. Without evidence grounding is not run, without a fixture no grammar."""

    answer: str
    evidence: tuple[str, ...] | None = ()
    fixture: BookFixture | None = None
    question_id: str | None = None


class Tables(NamedTuple):
    """The collected tables of `evaluate`."""

    verdicts: pl.DataFrame
    findings: pl.DataFrame
    claims: pl.DataFrame
    held: pl.DataFrame


class Values(NamedTuple):
    """The same as plain values: per row number one verdict, and lists of findings and claims."""

    verdicts: list[tuple[Any, ...]]
    findings: list[tuple[Any, ...]]
    claims: list[tuple[Any, ...]]


def differences(rows: Sequence[Row], engine: Engine = "in-memory") -> list[str]:
    """What the vectorised rules say of the rows that the reference does not, one line a value.

    Every column of a verdict, every finding and every claim are compared, their order included.
    """
    got, wanted = vectorised(rows, engine), referred(rows)
    if got == wanted:
        return []
    return [
        *_verdict_differences(rows, got.verdicts, wanted.verdicts),
        *_listed_differences(rows, "finding", got.findings, wanted.findings),
        *_listed_differences(rows, "claim", got.claims, wanted.claims),
    ]


def agreed(rows: Sequence[Row]) -> Values:
    """What both sides say of the rows. Fails where they differ."""
    got, wanted = vectorised(rows), referred(rows)
    assert got == wanted
    return got


def unlike(got: Sequence[Any], wanted: Sequence[Any], most: int = 5) -> list[object]:
    """The first pairs that differ. A million values are too many for pytest to explain."""
    if got == wanted:
        return []
    pairs = (pair for pair in zip_longest(got, wanted) if pair[0] != pair[1])
    return list(islice(pairs, most))


def vectorised(rows: Sequence[Row], engine: Engine = "in-memory") -> Values:
    """What the vectorised rules say of the rows."""
    fixtures = [row.fixture for row in rows if row.fixture is not None]
    tables = evaluated(answers(rows), truth(fixtures) if fixtures else None, engine)
    return Values(
        tables.verdicts.select("row", *VERDICT_COLUMNS).rows(),
        tables.findings.rows(),
        tables.claims.rows(),
    )


def referred(rows: Sequence[Row]) -> Values:
    """What the reference says of the rows, in the values of the tables."""
    said = Values([], [], [])
    for number, row in enumerate(rows):
        report = grade(row.answer, row.evidence, row.fixture, _asked(row))
        verdict = (_plain(name, getattr(report, name)) for name in VERDICT_COLUMNS)
        said.verdicts.append((number, *verdict))
        for f in findings(row.answer, row.evidence, row.fixture):
            said.findings.append((number, f.kind, f.refusal, f.text, f.start, f.end))
        if row.fixture is not None:
            for fact, value in report.response_claims or ():
                accepted = list(row.fixture.facts.get(fact, ()))
                supported = row.fixture.accepts(fact, value)
                claim = (row.fixture.fixture_id, fact, value, accepted, supported)
                said.claims.append((number, *claim))
    return said


def evaluated(
    rows: pl.DataFrame, truth_tables: Truth | None, engine: Engine = "in-memory"
) -> Tables:
    """The tables of `evaluate`, collected together as a run does."""
    return Tables(*pl.collect_all(evaluate(rows.lazy(), truth_tables), engine=engine))


def answers(rows: Sequence[Row]) -> pl.DataFrame:
    """The rows as the frame that `evaluate` takes."""
    return pl.DataFrame(
        {
            "row": range(len(rows)),
            "answer": [row.answer for row in rows],
            "evidence": [None if row.evidence is None else list(row.evidence) for row in rows],
            "fixture_id": [row.fixture.fixture_id if row.fixture else None for row in rows],
            "question_id": [row.question_id for row in rows],
        },
        schema=ANSWERS,
    )


def truth(fixtures: Iterable[BookFixture]) -> Truth:
    """The truth tables of fixtures; one that is given more than once counts once."""
    books = {fixture.fixture_id: fixture for fixture in fixtures}.values()
    return Truth(
        pl.LazyFrame(
            [(b.fixture_id, fact, v) for b in books for fact, vs in b.facts.items() for v in vs],
            schema=polars_schema(TRUTH_FACT),
            orient="row",
        ),
        pl.LazyFrame(
            [(b.fixture_id, *item) for b in books for item in b.negative_facts.items()],
            schema=polars_schema(TRUTH_NEGATIVE_FACT),
            orient="row",
        ),
        pl.LazyFrame(
            [
                (b.fixture_id, q.question_id, q.prompt, *map(list, _wanted_lists(q)))
                for b in books
                for q in b.questions
            ],
            schema=polars_schema(TRUTH_QUESTION),
            orient="row",
        ),
    )


def _wanted_lists(question: Any) -> tuple[tuple[str, ...], ...]:
    return (question.facts, question.negative_facts, question.inputs)


def _asked(row: Row) -> str | None:
    """The question that the reference is asked for: a fixture without questions asks none."""
    return row.question_id if row.fixture is not None and row.fixture.questions else None


def _plain(name: str, value: object) -> object:
    if not isinstance(value, tuple):
        return value
    if name == "invalid_citations":
        return [min(number, LARGEST) for number in value]
    return [part._asdict() if name == "response_claims" else part for part in value]


def _verdict_differences(
    rows: Sequence[Row], got: list[tuple[Any, ...]], wanted: list[tuple[Any, ...]]
) -> Iterator[str]:
    for pair in zip_longest(got, wanted):
        if None in pair:
            yield f"{len(got)} verdicts for {len(wanted)} rows"
            return
        for name, mine, other in zip(["row", *VERDICT_COLUMNS], *pair, strict=True):
            if mine != other:
                yield f"{name}: {mine!r}, the reference {other!r}; of {rows[pair[1][0]]!a}"


def _listed_differences(
    rows: Sequence[Row], what: str, got: list[tuple[Any, ...]], wanted: list[tuple[Any, ...]]
) -> Iterator[str]:
    names = ["row", *polars_schema(FINDING if what == "finding" else CLAIM)]
    mine: dict[int, list[tuple[Any, ...]]] = {}
    others: dict[int, list[tuple[Any, ...]]] = {}
    for into, values in ((mine, got), (others, wanted)):
        for value in values:
            into.setdefault(value[0], []).append(value)
    for number in mine.keys() | others.keys():
        if mine.get(number) != others.get(number):
            row = f"of {rows[number]!a}"
            yield f"{what}s {names}: {mine.get(number)}, the reference {others.get(number)}; {row}"
