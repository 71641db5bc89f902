"""Rows that cannot be graded, and why: nothing is dropped, a row is graded or rejected."""

import polars as pl

from grounding.truth import Truth


def judged_rows(
    rows: pl.LazyFrame, truth: Truth | None, max_text: int, final_after: str | None = None
) -> pl.LazyFrame:
    """The rows as they came, each with the first problem that keeps it from being graded.

    In: answer_id, answer string, fixture_id and question_id string, unreadable string (why the
    row cannot be read), repeated boolean (its id stands in an earlier row), and what
    `evidence.nested_evidence` or `evidence.used_evidence` says of the evidence; `max_text` in
    bytes of UTF-8, answer and evidence together; `final_after`, a literal that every answer must
    hold.
    Out: those, and problem, detail (string). Nulls: both null where the row can be graded.
    Order: kept.
    """
    rows = rows.pipe(_with_known, truth).with_columns(
        text=pl.col("answer").str.len_bytes() + pl.col("evidence_bytes").fill_null(0)
    )
    problems = _problems(truth, max_text, final_after)
    return rows.with_columns(
        problem=pl.coalesce(pl.when(holds).then(pl.lit(name)) for name, holds, _ in problems),
        detail=pl.coalesce(
            pl.when(holds).then(detail.fill_null("")) for _, holds, detail in problems
        ).replace("", None),
    ).drop("text", "known_fixture", "known_question")


def _problems(
    truth: Truth | None, max_text: int, final_after: str | None
) -> list[tuple[str, pl.Expr, pl.Expr]]:
    """Each problem with when it holds and what to say, in the order in which they are tried."""
    nothing = pl.lit(None, pl.String)
    with_truth = pl.lit(truth is not None) & pl.col("fixture_id").is_not_null()
    asked = with_truth & pl.col("question_id").is_not_null()
    final = pl.lit(True)
    if final_after is not None:
        final = pl.col("answer").str.contains(final_after, literal=True)
    null, missing = pl.col("null_passage"), pl.col("missing_passage")
    return [
        ("unreadable_row", pl.col("unreadable").is_not_null(), pl.col("unreadable")),
        ("null_answer_id", pl.col("answer_id").is_null(), nothing),
        ("duplicate_answer_id", pl.col("repeated"), nothing),
        ("null_answer", pl.col("answer").is_null(), nothing),
        ("null_evidence", pl.col("n_passages").is_null() & ~with_truth, nothing),
        ("null_passage", null.is_not_null(), pl.format("passage {}", null)),
        ("missing_passage", missing.is_not_null(), pl.format("passage {}", missing)),
        ("position_gap", pl.col("position_gap").fill_null(False), nothing),
        ("unknown_fixture", with_truth & ~pl.col("known_fixture"), pl.col("fixture_id")),
        ("unknown_question", asked & ~pl.col("known_question"), pl.col("question_id")),
        (
            "too_long",
            pl.col("text") > max_text,
            pl.format("{} bytes of text, the limit is {}", "text", pl.lit(max_text)),
        ),
        ("no_final_answer", ~final, nothing),
    ]


def _with_known(rows: pl.LazyFrame, truth: Truth | None, /) -> pl.LazyFrame:
    """`rows` with known_fixture and known_question.

    A fixture that lists no questions asks none: any question_id is known to it.
    """
    if truth is None:
        return rows.with_columns(known_fixture=False, known_question=False)
    fixtures = pl.concat(table.select("fixture_id") for table in truth).unique()
    asking = truth.questions.select("fixture_id", asks=pl.lit(True)).unique()
    questions = truth.questions.select("fixture_id", "question_id", listed=pl.lit(True)).unique()
    return (
        rows.join(
            fixtures.with_columns(known_fixture=pl.lit(True)),
            on="fixture_id",
            how="left",
            maintain_order="left",
        )
        .join(asking, on="fixture_id", how="left", maintain_order="left")
        .join(questions, on=["fixture_id", "question_id"], how="left", maintain_order="left")
        .with_columns(pl.col("known_fixture", "asks", "listed").fill_null(False))
        .with_columns(known_question=pl.col("listed") | ~pl.col("asks"))
        .drop("asks", "listed")
    )
