"""What a reader should know of numbers that were supported (rule `advice/1`, SPEC §3).

Exact matching has blind spots. All here is said beside a verdict, and changes none.
"""

from typing import NamedTuple

import polars as pl

from grounding.advice import citations as cites
from grounding.advice import mismatches as differs
from grounding.advice import unread as unreads
from grounding.advice.steps import Steps
from grounding.advice.table import ADVISED, MISMATCH, NOT_CITED, NOT_NEAREST, UNREAD
from grounding.advice.texts import reading
from grounding.advice.written import as_written
from grounding.causes.explained import Passages
from grounding.final import final_answer, in_whole_answers
from grounding.schema import names
from grounding.units import UnitTable, shipped_units

FOUND_BESIDE = {
    "row": pl.Int64(),
    "kind": pl.String(),
    "text": pl.String(),
    "start": pl.Int64(),
    "end": pl.Int64(),
    "nearest": pl.String(),
    "passage": pl.Int64(),
}
"""Of a finding of `KINDS`: the stretch, and what it is compared with, or where it stands."""


class Advice(NamedTuple):
    """What is found, and how often.

    findings: row and the columns of `FOUND_BESIDE`; by row, start, end, kind.
    counts: row and the columns of `ADVISED`; a row an answer.
    """

    findings: pl.LazyFrame
    counts: pl.LazyFrame


def advice(
    answers: pl.LazyFrame,
    held: pl.LazyFrame,
    passages: Passages,
    steps: Steps,
    graded_after: str | None = None,
    units: UnitTable | None = None,
) -> Advice:
    """The advice on answers for which grounding was run.

    In: answers: row, answer (whole), annotated, and of their verdicts n_citations, cited_indices,
    n_unsupported_numbers and n_invalid_citations. held: row, position, token, one row per passage
    of an answer and number of the answer that it holds. passages: those of these answers.
    """
    units = units or shipped_units()
    if graded_after is not None:
        answers = answers.with_columns(**final_answer(graded_after)).pipe(steps.hold)
    text = reading(pl.col("answer"), pl.col("annotated"))
    read = answers.select("row", text=text).pipe(steps.hold)
    citing = answers.filter(pl.col("n_citations") > 0).pipe(steps.hold)
    cited = citing.select("row", position="cited_indices").explode("position", keep_nulls=False)
    held = held.pipe(steps.hold)
    of_citing = held.join(citing, on="row", how="semi").pipe(steps.hold)
    tokens = cites.cited_tokens(of_citing, cited).pipe(steps.hold)
    by_citation = cites.citation_advice(citing, of_citing, tokens, steps.hold)
    supported = read.join(held, on="row", how="semi")
    differing = differs.mismatches(supported, held, passages, units, steps)
    not_read = unreads.unread(read, passages, steps)
    whole = answers.select("row", "annotated", text="answer")
    in_place = pl.concat([differing, not_read], how="diagonal")
    in_place = in_place.pipe(as_written, whole, "row", steps.hold)
    found = [pl.LazyFrame(schema=FOUND_BESIDE), by_citation, in_place]
    findings = pl.concat(found, how="diagonal").select(*FOUND_BESIDE).pipe(steps.hold)
    lacking = of_citing.join(tokens, on=["row", "token"], how="anti").select("row").unique()
    counts = answers.pipe(_counted, findings, lacking.with_columns(lacking=True))
    if graded_after is not None:
        findings = findings.pipe(in_whole_answers, answers)
    return Advice(findings.sort("row", "start", "end", "kind"), counts)


def _counted(answers: pl.LazyFrame, findings: pl.LazyFrame, lacking: pl.LazyFrame) -> pl.LazyFrame:
    kind = pl.col("kind")
    columns = {
        "n_qualifier_mismatches": MISMATCH,
        "n_not_cited": NOT_CITED,
        "n_unread_numerals": UNREAD,
        "n_not_in_nearest": NOT_NEAREST,
    }
    counted = findings.group_by("row").agg(
        (kind == which).sum().cast(pl.Int64).alias(name) for name, which in columns.items()
    )
    sound = (
        (pl.col("n_invalid_citations") == 0)
        & (pl.col("n_unsupported_numbers") == 0)
        & pl.col("lacking").is_null()
    )
    return (
        answers.join(counted, on="row", how="left", maintain_order="left")
        .join(lacking, on="row", how="left", maintain_order="left")
        .with_columns(pl.col(*columns).fill_null(0))
        .with_columns(grounded_in_cited=pl.when(pl.col("n_citations") > 0).then(sound))
        .select("row", *names(ADVISED))
    )
