"""A results folder of two jobs with two runs each, that the tests of the views share."""

from pathlib import Path

import duckdb
import pyarrow as pa

from pipelines.views import queries, relations
from tests.unit.results_folder import (
    COUNT,
    TEXT,
    claim,
    finding,
    point,
    publish,
    ungraded,
    verdict,
)

HOSTILE = "a\"b'; DROP VIEW x; --"
"""A column name that would end a quoted identifier, a quoted string and a statement."""


def two_jobs(directory: Path) -> Path:
    """Two runs of each of two jobs; the later ones are live, and carried columns differ.

    `leaflets` holds four answers with evidence, of two models: one passes, one is refused for its
    number, one for its citation, one says nothing to check. `jB` holds three without evidence.
    """
    leaflets = [
        verdict("a0", model="m1", lang="vi", score=1, **{HOSTILE: "x"}),
        verdict("a1", model="m1", lang="vi", unsupported_numbers=["7", "7"]),
        verdict("a2", model="m2", lang="en", n_numbers=0, invalid_citations=[9]),
        verdict("a3", model="m2", lang="en", n_numbers=0),
    ]
    found = [
        finding("a1", "ungrounded_number", "7"),
        finding("a1", "ungrounded_number", "7", start=5),
        finding("a2", "invalid_citation", "[9]"),
    ]
    for run_id, hour in (("rA1", 9), ("rA2", 10)):
        publish(
            directory,
            run_id,
            job_id="jA",
            name="leaflets",
            carried={"model": TEXT, "lang": TEXT, "score": COUNT, HOSTILE: TEXT},
            started=f"2026-12-01T{hour:02}:00:00.000000Z",
            parts=2,
            verdicts=leaflets,
            findings=found,
        )
    book = {"fixture_id": "gh", "question_id": "q1"}
    responses = [
        ungraded(0, **book, score=1.5, missing_facts=["f2"]),
        ungraded(1, **book, score=2.5, missing_facts=[], unsupported_claim_count=1),
        ungraded(2, fixture_id="gh", score=0.5),
    ]
    claims = [
        claim(0, "f1", "1911"),
        claim(1, "f1", "1911"),
        claim(1, "invented", "x", known=False),
    ]
    for run_id, hour in (("rB1", 11), ("rB2", 12)):
        publish(
            directory,
            run_id,
            job_id="jB",
            key=COUNT,
            carried={"fixture_id": TEXT, "question_id": TEXT, "score": pa.float64()},
            started=f"2026-12-01T{hour}:00:00.000000Z",
            verdicts=responses,
            findings=[finding(1, "invented_claim", "[assert:invented=x]")],
            claims=claims,
            truth_facts=[
                {"fixture_id": "gh", "fact_id": fact, "value": "1911"}
                for fact in ("f1", "f2", "f3")
            ],
            truth_questions=[
                {"fixture_id": "gh", "question_id": "q1", "facts": ["f1", "f2"]},
                {"fixture_id": "gh", "question_id": "q2", "facts": ["f3"]},
            ],
            rejects=[{"source_file": "b.parquet", "source_row": 3, "problem": "null_answer"}],
        )
    point(directory, "jA", "rA2", name="leaflets")
    point(directory, "jB", "rB2")
    return directory


def everything(connection: duckdb.DuckDBPyConnection) -> dict[str, list[tuple[object, ...]]]:
    """The rows of every relation that takes no parameter."""
    names = [*relations(), *(query.name for query in queries() if not query.parameters)]
    return {name: connection.execute(f"FROM {name} ORDER BY ALL").fetchall() for name in names}
