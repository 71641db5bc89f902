"""The whole plan, top to bottom: answers and truth tables in, verdicts, findings and claims out."""

from typing import NamedTuple

import polars as pl

from grounding.annotations import (
    ANNOTATIONS,
    annotation_findings,
    annotation_rows,
    annotation_verdicts,
    malformed_rows,
)
from grounding.digests import DIGESTS, digest
from grounding.evidence import (
    held_in_passages,
    nested_evidence,
    unsupported_in_lists,
    unsupported_in_passages,
)
from grounding.final import final_answer, in_whole_answers
from grounding.holders import held_in_lists
from grounding.schema import names, polars_schema
from grounding.tables import ADVICE, CLAIM, FOUND, GRADED
from grounding.truth import Truth, claim_rows, input_rows, missing_rows, unsupported_rows
from grounding.verdicts import answer_tokens, grounding_verdicts, refused_tokens
from grounding.waivers import passed_where


class Evaluation(NamedTuple):
    """Lazy frames over one plan: collect them together (`pl.collect_all`) to run it once."""

    verdicts: pl.LazyFrame
    findings: pl.LazyFrame
    claims: pl.LazyFrame
    held: pl.LazyFrame


def evaluate(
    answers: pl.LazyFrame,
    truth: Truth | None = None,
    passage_numbers: pl.LazyFrame | None = None,
    graded_after: str | None = None,
) -> Evaluation:
    """Grade answers against their evidence and, where they have a fixture, against its truth.

    In: row int64 (unique, the source order), answer string, evidence list of string (null: no
    grounding check), fixture_id and question_id string (null fixture_id, or no truth: annotations
    are not graded, and stay in the text where numbers are read). With `passage_numbers`, as of
    `evidence.held_in_passages`, n_passages, passages and evidence_digest as of
    `evidence.used_evidence` stand in the place of evidence. With `graded_after`, only the text
    after its last occurrence is graded; offsets, and the digest of the answer, are still those of
    the whole.
    Out: verdicts: row and the columns of `GRADED`, in source order; findings: row and the columns
    of `FOUND`, which `causes.explained_findings` explains; claims: row and the columns of `CLAIM`;
    both by row, then place; held: row, position, token, a row for each passage of an answer and
    number of the answer that it holds, which `advice` looks at, in this order.
    """
    annotated = pl.lit(False) if truth is None else pl.col("fixture_id").is_not_null()
    answers = answers.with_columns(
        annotated=annotated,
        answer_digest=digest(pl.col("answer")),
        **(final_answer(graded_after) if graded_after is not None else {}),
    )
    if passage_numbers is None:
        answers = answers.pipe(nested_evidence)
        tokens = answers.pipe(answer_tokens).pipe(unsupported_in_lists)
        tokens = tokens.select(*TOKENS, "evidence_tokens", *names(DIGESTS)).cache()
        held = tokens.pipe(held_in_lists)
    else:
        tokens = answers.pipe(answer_tokens).cache()
        held = tokens.pipe(held_in_passages, passage_numbers).cache()
        tokens = tokens.pipe(unsupported_in_passages, held, passage_numbers)
        tokens = tokens.select(*TOKENS, *names(DIGESTS)).cache()
    refused = refused_tokens(tokens).cache()
    verdicts = grounding_verdicts(tokens, refused)

    if truth is None:
        verdicts = verdicts.with_columns(pl.lit(None, c.dtype).alias(c.name) for c in ANNOTATIONS)
        findings, claims = refused, pl.LazyFrame(schema={"row": pl.Int64, **polars_schema(CLAIM)})
    else:
        graded = answers.filter("annotated")
        annotations = annotation_rows(graded).cache()
        claim = claim_rows(annotations, truth.facts)
        unsupported = unsupported_rows(annotations, truth.negative_facts)
        inputs = input_rows(annotations, truth.facts)
        missing = missing_rows(graded, truth.questions, claim, unsupported, inputs)
        malformed = malformed_rows(graded)
        defects = annotation_findings(annotations, malformed, claim, unsupported, inputs)
        verdicts = verdicts.pipe(
            _beside, annotation_verdicts(graded, annotations, claim, defects, missing)
        )
        findings = pl.concat([frame.select(_PLACED) for frame in (refused, defects)])
        claims = claim.sort("row", "first").select("row", *names(CLAIM))
    if graded_after is not None:
        findings = findings.pipe(in_whole_answers, answers)

    return Evaluation(
        verdicts.with_columns(passed=passed_where(pl.col("grounded"))).select(
            "row", *names(GRADED)
        ),
        findings.sort("row", "start", "end", "kind")
        .with_columns(refusal=~pl.col("kind").is_in(ADVICE))
        .select("row", *names(FOUND)),
        claims,
        held,
    )


_PLACED = ["row", "kind", "text", "start", "end"]

TOKENS = (
    *("row", "answer", "annotated", "n_passages", "n_numbers", "n_citations"),
    *("marks", "numbers", "citations", "unsupported", "n_evidence_numbers"),
)
"""What the verdicts on numbers and citations are made from."""


def _beside(verdicts: pl.LazyFrame, block: pl.LazyFrame) -> pl.LazyFrame:
    """The columns of a block beside their rows; null where a check did not run."""
    return verdicts.join(block, on="row", how="left", maintain_order="left")
