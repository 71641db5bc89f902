"""Annotation rows joined against the truth tables: what is claimed, known, used and missing.

facts(fixture_id, fact_id, value), negative_facts(fixture_id, negative_fact_id) and
questions(fixture_id, question_id, facts, negative_facts, inputs) have folded ids; values are as
written and compared in normal form.
"""

from typing import NamedTuple

import polars as pl

from grounding.normal import normalised


class Truth(NamedTuple):
    """The truth tables of one or many fixtures, ids folded."""

    facts: pl.LazyFrame
    negative_facts: pl.LazyFrame
    questions: pl.LazyFrame


def claim_rows(annotations: pl.LazyFrame, facts: pl.LazyFrame) -> pl.LazyFrame:
    """One row per fact that an answer claims, with its last value, joined to the truth table.

    In: `annotation_rows`; facts(fixture_id, fact_id folded, value as written).
    Out: row, fixture_id, fact_id, value (normalised), accepted list (as written, empty for an
    unknown fact), supported boolean, text, start, end (of the kept assertion), first (start of
    the first assertion of that fact).
    """
    kept = (
        annotations.filter(pl.col("kind") == "assert")
        .group_by("row", "fixture_id", fact_id="id")
        .agg(
            pl.col("value", "text", "start", "end").sort_by("start").last(),
            first=pl.col("start").min(),
        )
    )
    written = facts.with_row_index("position").group_by("fixture_id", "fact_id")
    fact = ["fixture_id", "fact_id"]
    return (
        kept.join(accepted_values(facts), on=[*fact, "value"], how="left")
        .join(written.agg(accepted=pl.col("value").sort_by("position")), on=fact, how="left")
        .with_columns(pl.col("accepted").fill_null([]), pl.col("supported").fill_null(False))
    )


def accepted_values(facts: pl.LazyFrame) -> pl.LazyFrame:
    """One row per accepted value of a fact: fixture_id, fact_id, value (normalised), supported."""
    return (
        facts.select("fixture_id", "fact_id", normalised(pl.col("value")))
        .unique()
        .with_columns(supported=pl.lit(True))
    )


def input_rows(annotations: pl.LazyFrame, facts: pl.LazyFrame) -> pl.LazyFrame:
    """One row per declared input and fact that it is an accepted value of (fact_id null if none).

    In: `annotation_rows`; facts as in `claim_rows`. Out: row, fact_id, text, start, end.
    """
    return (
        annotations.filter(pl.col("kind") == "input")
        .join(accepted_values(facts), on=["fixture_id", "value"], how="left")
        .select("row", "fact_id", "value", "text", "start", "end")
    )


def unsupported_rows(annotations: pl.LazyFrame, negative_facts: pl.LazyFrame) -> pl.LazyFrame:
    """One row per id declared unsupported: row, id, known (a negative fact), text, start, end.

    In: `annotation_rows`; negative_facts(fixture_id, negative_fact_id folded), ids unique.
    """
    known = negative_facts.select("fixture_id", id="negative_fact_id", known=pl.lit(True))
    return (
        annotations.filter(pl.col("kind") == "unsupported")
        .join(known, on=["fixture_id", "id"], how="left")
        .select("row", "id", pl.col("known").fill_null(False), "text", "start", "end")
    )


def missing_rows(
    graded: pl.LazyFrame,
    questions: pl.LazyFrame,
    claims: pl.LazyFrame,
    unsupported: pl.LazyFrame,
    inputs: pl.LazyFrame,
) -> pl.LazyFrame:
    """One row per graded answer to a known question, with what it lacks.

    Where a question stands twice, the first counts.

    In: graded(row, fixture_id, question_id); questions; rows of this module for these answers.
    Out: row, missing_facts, missing_negative_facts, missing_inputs: lists of folded ids in the
    order of the fixture, empty where nothing is missing.
    """
    met = pl.concat(
        [
            claims.filter("supported").select("row", id="fact_id", list=pl.lit("facts")),
            unsupported.filter("known").select("row", "id", list=pl.lit("negative_facts")),
            inputs.select("row", id="fact_id", list=pl.lit("inputs")),
        ]
    )
    question = ["fixture_id", "question_id"]
    once = questions.unique(question, keep="first", maintain_order=True)
    asked = graded.join(once, on=question)
    wanted = pl.concat(
        asked.select("row", id=name, list=pl.lit(name))
        .with_columns(position=pl.int_ranges(pl.col("id").list.len()))
        .explode("id", "position", keep_nulls=False)
        for name in ("facts", "negative_facts", "inputs")
    )
    lacking = wanted.join(met, on=["row", "list", "id"], how="anti").group_by("row")
    gathered = lacking.agg(
        pl.when(pl.col("list") == name)
        .then("id")
        .sort_by("position")
        .drop_nulls()
        .alias(f"missing_{name}")
        for name in ("facts", "negative_facts", "inputs")
    )
    return (
        asked.select("row")
        .join(gathered, on="row", how="left")
        .with_columns(pl.exclude("row").fill_null([]))
    )


def with_questions(answers: pl.LazyFrame, questions: pl.LazyFrame) -> pl.LazyFrame:
    """The answers with what they were asked: their own question, else that of their fixture.

    Where a question stands twice, the first counts.

    In: question, fixture_id and question_id (string or null); questions with prompt. Order: kept.
    """
    question = ["fixture_id", "question_id"]
    prompts = questions.select(*question, "prompt").unique(
        question, keep="first", maintain_order=True
    )
    return (
        answers.join(prompts, on=question, how="left", maintain_order="left")
        .with_columns(question=pl.coalesce("question", "prompt"))
        .drop("prompt")
    )
