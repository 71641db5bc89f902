"""Advice on columns beside that of the reference: the same rows through both."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import polars as pl

from grounding.advice import Steps, advice, traces
from grounding.causes import Passages
from grounding.evidence import unsupported_in_lists
from grounding.holders import held_in_lists
from grounding.reference.advice import advised
from grounding.units import UnitTable
from grounding.verdicts import answer_tokens, grounding_verdicts, refused_tokens
from tests.property.advice_rows import Asked

ANSWERS = {
    "row": pl.Int64(),
    "answer": pl.String(),
    "evidence": pl.List(pl.String()),
    "annotated": pl.Boolean(),
}
COUNTED = (
    *("qualifier_mismatch", "supported_but_not_cited", "unread_numeral"),
    "not_in_nearest_citation",
)
COUNTS = (
    *("n_qualifier_mismatches", "n_not_cited", "n_unread_numerals", "n_not_in_nearest"),
    *("grounded_in_cited", "n_evidence_numbers"),
)


class Said(NamedTuple):
    """Findings (row, kind, text, start, end, nearest, passage), counts and traces, a row each."""

    findings: list[tuple[Any, ...]]
    counts: list[tuple[Any, ...]]
    traces: list[tuple[Any, ...]]


def run(frame: pl.LazyFrame) -> pl.LazyFrame:
    """The frame, run."""
    return frame.collect().lazy()


STEPS = Steps(run, lambda frame: frame.limit(1).collect().is_empty())


def vectorised(rows: Sequence[Asked], traced: bool = True, units: UnitTable | None = None) -> Said:
    """What the vectorised rules say of the rows; traces repeat passages, and may be left out."""
    listed = [(number, r.answer, list(r.evidence), r.annotated) for number, r in enumerate(rows)]
    answers = pl.DataFrame(listed, schema=ANSWERS, orient="row")
    asked = answers.lazy().with_columns(n_passages=pl.col("evidence").list.len().cast(pl.Int64))
    tokens = asked.pipe(answer_tokens).pipe(unsupported_in_lists).pipe(run)
    verdicts = grounding_verdicts(tokens, refused_tokens(tokens)).pipe(run)
    held = tokens.pipe(held_in_lists).pipe(run)
    last = pl.col("text").list.len().cast(pl.Int64) + 1
    passages = (
        asked.select("row", text="evidence")
        .with_columns(position=pl.int_ranges(1, last))
        .explode("text", "position", keep_nulls=False, empty_as_null=False)
        .with_row_index("passage")
        .pipe(run)
    )
    beside = Passages(
        passages.select("row", "position", "passage"), passages.select("passage", "text")
    )
    given = advice(verdicts, held, beside, STEPS, units=units)
    counts = given.counts.join(
        verdicts.select("row", "n_evidence_numbers"), on="row", maintain_order="left"
    )
    return Said(
        given.findings.collect().rows(),
        counts.select("row", *COUNTS).collect().rows(),
        traces(verdicts, held, run).collect().rows() if traced else [],
    )


def referred(rows: Sequence[Asked]) -> Said:
    """What the reference says of the rows."""
    said = Said([], [], [])
    for number, row in enumerate(rows):
        told = advised(row.answer, list(row.evidence), annotated=row.annotated)
        said.findings.extend(
            (number, f.kind, f.text, f.start, f.end, f.nearest, f.passage) for f in told.findings
        )
        kinds = [finding.kind for finding in told.findings]
        said.counts.append(
            (
                number,
                *(kinds.count(kind) for kind in COUNTED),
                told.grounded_in_cited,
                told.n_evidence_numbers,
            )
        )
        said.traces.extend(
            (number, t.text, t.start, t.end, t.supported, list(t.passages), t.cited)
            for t in told.traces
        )
    return said


def differences(rows: Sequence[Asked]) -> list[str]:
    """What the vectorised rules say of the rows that the reference does not, and the converse."""
    found = []
    for name, mine, others in zip(Said._fields, vectorised(rows), referred(rows), strict=True):
        if mine != others:
            unlike = (
                [one for one in mine if one not in others],
                [o for o in others if o not in mine],
            )
            for whose, values in zip(("got", "the reference says"), unlike, strict=True):
                found += [f"{name}: {whose} {value}; of {rows[value[0]]!a}" for value in values]
            if not any(unlike):
                found.append(f"{name}: in another order")
    return found
