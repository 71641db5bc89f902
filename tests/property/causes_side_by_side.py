"""Causes from columns beside those of the reference."""

from collections.abc import Sequence
from functools import partial

import polars as pl

from grounding.causes import Hold, explained_findings, nested_passages
from grounding.evidence import unsupported_in_lists
from grounding.final import final_answer, in_whole_answers
from grounding.reference.causes import explained
from grounding.verdicts import answer_tokens, refused_tokens
from tests.property.causes_rows import Asked
from tests.property.side_by_side import Engine

SCHEMA = {
    "row": pl.Int64(),
    "answer": pl.String(),
    "evidence": pl.List(pl.String()),
    "question": pl.String(),
    "annotated": pl.Boolean(),
}
COLUMNS = ["text", "start", "end", "kind", "cause", "causes", "nearest", "passage"]


def ran(frame: pl.LazyFrame, engine: Engine = "in-memory") -> pl.LazyFrame:
    """The frame, run."""
    return frame.collect(engine=engine).lazy()


def answers(rows: Sequence[Asked]) -> pl.LazyFrame:
    """The rows as a frame."""
    plain = [(n, r.answer, list(r.evidence), r.question, r.annotated) for n, r in enumerate(rows)]
    frame = pl.LazyFrame(plain, schema=SCHEMA, orient="row")
    return frame.with_columns(n_passages=pl.col("evidence").list.len().cast(pl.Int64))


def refusals_of(rows: Sequence[Asked], graded_after: str | None = None) -> pl.DataFrame:
    """The refused numbers and citations, by row and place."""
    frame = answers(rows)
    if graded_after is not None:
        frame = frame.with_columns(**final_answer(graded_after))
    refused = refused_tokens(frame.pipe(answer_tokens).pipe(unsupported_in_lists))
    if graded_after is not None:
        refused = refused.pipe(in_whole_answers, frame)
    return refused.sort("row", "start").select("row", "kind", "text", "start", "end").collect()


def causes_of(
    rows: Sequence[Asked],
    engine: Engine = "in-memory",
    graded_after: str | None = None,
    findings: pl.DataFrame | None = None,
    hold: Hold | None = None,
) -> pl.DataFrame:
    """What the vectorised rule says of the refusals of the rows."""
    hold = hold or partial(ran, engine=engine)
    frame = answers(rows)
    found = (refusals_of(rows, graded_after) if findings is None else findings).lazy()
    passages = nested_passages(frame, found, hold)
    return explained_findings(found, frame, passages, graded_after, hold).collect(engine=engine)


def differences(
    rows: Sequence[Asked], engine: Engine = "in-memory", graded_after: str | None = None
) -> list[str]:
    """What the vectorised rule says of the rows and the reference does not, one line a refusal."""
    got = causes_of(rows, engine, graded_after).select("row", *COLUMNS).rows()
    wanted = []
    for number, row in enumerate(rows):
        said = explained(
            row.answer,
            row.evidence,
            question=row.question,
            annotated=row.annotated,
            graded_after=graded_after,
        )
        for e in sorted(said, key=lambda each: each.start):
            place = (e.text, e.start, e.end, e.kind)
            wanted.append((number, *place, e.cause, list(e.causes), e.nearest, e.passage))
    if got == wanted:
        return []
    ours, theirs = ({one[:5]: one for one in said} for said in (got, wanted))
    return [
        f"{ours.get(place)!a}, the reference {theirs.get(place)!a}; of {rows[place[0]]!a}"
        for place in sorted(ours.keys() | theirs.keys())
        if ours.get(place) != theirs.get(place)
    ] or ["the same refusals, in another order"]
