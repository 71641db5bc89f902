"""Why the numbers and citations of a task were refused: the rule's own steps, run one by one."""

import polars as pl

from grounding.causes import CAUSES, REFUSALS, Passages, explained_findings, nested_passages
from grounding.schema import polars_schema
from grounding.truth import Truth, with_questions


def with_causes(
    findings: pl.DataFrame,
    rows: pl.DataFrame,
    truth: Truth | None,
    texts: pl.LazyFrame | None,
    graded_after: str | None,
) -> pl.DataFrame:
    """The findings with the columns of `CAUSES`, in their order.

    In: `rows` that were graded: row, answer, question, fixture_id, question_id, n_passages, and
    evidence (list of string); or, where evidence lies in files of its own, passages (their
    numbers) and `texts`: passage, text.
    """
    refused = findings.lazy().filter(pl.col("kind").is_in(REFUSALS)).select("row").collect()
    if refused.is_empty():
        return unexplained(findings)
    evidence = "evidence" if texts is None else "passages"
    columns = ["row", "answer", "question", "fixture_id", "question_id", "n_passages", evidence]
    answers = rows.lazy().select(columns).join(refused.lazy(), on="row", how="semi")
    if truth is not None:
        answers = answers.pipe(with_questions, truth.questions)
    annotated = pl.lit(False) if truth is None else pl.col("fixture_id").is_not_null()
    answers = _run(answers.with_columns(annotated=annotated))
    if texts is None:
        passages = nested_passages(answers, findings.lazy(), _run)
    else:
        uses = (
            answers.select("row", passage="passages")
            .with_columns(
                position=pl.int_ranges(1, pl.col("passage").list.len().cast(pl.Int64) + 1)
            )
            .explode("passage", "position", keep_nulls=False, empty_as_null=False)
        )
        passages = Passages(uses, texts)
    return explained_findings(findings.lazy(), answers, passages, graded_after, _run).collect()


def unexplained(findings: pl.DataFrame) -> pl.DataFrame:
    """The findings with null for each column of `CAUSES`."""
    nulls = polars_schema(CAUSES).items()
    return findings.with_columns(pl.lit(None, dtype).alias(name) for name, dtype in nulls)


def _run(frame: pl.LazyFrame) -> pl.LazyFrame:
    return frame.collect().lazy()
