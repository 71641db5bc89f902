"""Advice on the numbers of a task: the rule's own steps, run one by one."""

import polars as pl

from grounding.advice import ADVISED, Steps, advice
from grounding.causes import Passages
from grounding.schema import polars_schema
from grounding.truth import Truth

_OF_VERDICT = ("n_citations", "cited_indices", "n_unsupported_numbers", "n_invalid_citations")


def with_advice(
    verdicts: pl.DataFrame,
    findings: pl.DataFrame,
    rows: pl.DataFrame,
    held: pl.DataFrame,
    truth: Truth | None,
    texts: pl.LazyFrame | None,
    graded_after: str | None,
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The verdicts with the columns of `ADVISED`, and the findings with those of advice.

    In: `rows` that were graded: row, answer, fixture_id, and evidence (list of string); or, where
    evidence lies in files of its own, passages (their numbers) and `texts`: passage, text.
    Order: as the verdicts are; findings by row, start, end, kind.
    """
    graded = verdicts.lazy().filter(pl.col("n_passages").is_not_null())
    annotated = pl.lit(False) if truth is None else pl.col("fixture_id").is_not_null()
    answers = rows.lazy().join(graded.select("row", *_OF_VERDICT), on="row")
    answers = _run(
        answers.select(
            "row", "answer", *_OF_VERDICT, annotated=annotated, listed=_listed(texts is None)
        )
    )
    given = advice(
        answers.drop("listed"), held.lazy(), _passages(answers, texts), _STEPS, graded_after
    )
    counted, advised = pl.collect_all([given.counts, given.findings])
    both = [findings, advised.with_columns(refusal=False)]
    return (
        verdicts.join(counted, on="row", how="left", maintain_order="left"),
        pl.concat(both, how="diagonal").sort("row", "start", "end", "kind"),
    )


def unadvised(verdicts: pl.DataFrame) -> pl.DataFrame:
    """The verdicts with null for each column of `ADVISED`."""
    nulls = polars_schema(ADVISED).items()
    return verdicts.with_columns(pl.lit(None, dtype).alias(name) for name, dtype in nulls)


def _passages(answers: pl.LazyFrame, texts: pl.LazyFrame | None) -> Passages:
    last = pl.col("listed").list.len().cast(pl.Int64) + 1
    uses = (
        answers.select("row", "listed")
        .with_columns(position=pl.int_ranges(1, last))
        .explode("listed", "position", keep_nulls=False, empty_as_null=False)
    )
    if texts is not None:
        return Passages(uses.rename({"listed": "passage"}), texts)
    uses = _run(uses.with_row_index("passage"))
    return Passages(
        uses.select("row", "position", "passage"), uses.select("passage", text="listed")
    )


def _listed(nested: bool) -> pl.Expr:
    return pl.col("evidence" if nested else "passages")


def _run(frame: pl.LazyFrame) -> pl.LazyFrame:
    return frame.collect().lazy()


def _is_empty(frame: pl.LazyFrame) -> bool:
    return frame.limit(1).collect().is_empty()


_STEPS = Steps(_run, _is_empty)
