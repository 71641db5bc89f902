"""Answers and their evidence → grounding verdicts and what was refused (rule `strict/1`, SPEC §1).

An answer may only restate its evidence: every number token must stand in a passage, code point
for code point, and every citation must name a passage. Which answers are refused is decided
with set operations on whole lists; only their tokens are then placed one by one, and the lists
of a verdict are those very findings, gathered, so that the two can never disagree.
"""

import polars as pl

from grounding.schema import COUNT, FLAG, INTEGERS, TEXT, TEXTS, Block, Column
from grounding.tokens import citation_value, citations, marks, numbers, spans

_NOT_RUN = "grounding did not run"

GROUNDING: Block = (
    Column("n_passages", COUNT, "passages of the evidence", _NOT_RUN),
    Column("n_numbers", COUNT, "number tokens of the answer", _NOT_RUN),
    Column("n_citations", COUNT, "citation markers of the answer", _NOT_RUN),
    Column("grounded", FLAG, "no unsupported number and no invalid citation", _NOT_RUN),
    Column("reason", TEXT, "grounded, ungrounded_number or invalid_citation", _NOT_RUN),
    Column(
        "unsupported_numbers",
        TEXTS,
        "number tokens that no passage holds, in answer order, repeats kept",
        _NOT_RUN,
        content=True,
    ),
    Column(
        "invalid_citations",
        INTEGERS,
        "cited values outside 1..n_passages, in answer order, repeats kept; "
        "a value beyond int64 is stored as the largest int64",
        _NOT_RUN,
        content=True,
    ),
    Column(
        "cited_indices",
        INTEGERS,
        "the distinct valid cited values, ascending",
        _NOT_RUN,
        content=True,
    ),
)

REFUSED: Block = (
    Column("n_unsupported_numbers", COUNT, "length of unsupported_numbers", _NOT_RUN),
    Column("n_invalid_citations", COUNT, "length of invalid_citations", _NOT_RUN),
)


def answer_tokens(answers: pl.LazyFrame) -> pl.LazyFrame:
    """The answers with their tokens.

    In: row int64, answer string, annotated boolean, n_passages int64 (null: grounding is not run).
    Out: those, and marks and numbers (lists of string), citations (list of int64), n_numbers,
    n_citations. Nulls: where grounding is not run.
    """
    run = pl.col("n_passages").is_not_null()
    written = pl.col("marks")
    return (
        answers.with_columns(marks=marks(pl.when(run).then("answer"), pl.col("annotated")))
        .with_columns(numbers=numbers(written), citations=citations(written))
        .with_columns(n_numbers=_length("numbers"), n_citations=_length("citations"))
    )


def refused_tokens(tokens: pl.LazyFrame) -> pl.LazyFrame:
    """One row per refused number or citation of an answer, with its place.

    In: `answer_tokens` with unsupported (list of string: tokens that no passage holds).
    Out: row, kind (ungrounded_number | invalid_citation), text, value (of a citation), start, end.
    """
    cited = pl.col("citations").list
    invalid = (cited.min() < 1) | (cited.max() > pl.col("n_passages"))
    suspects = tokens.filter((pl.col("unsupported").list.len() > 0) | invalid)
    unsupported = suspects.select("row", text="unsupported").explode("text", keep_nulls=False)
    written = suspects.select("row", "n_passages", "answer", "annotated", "marks")
    places = spans(written).cache()  # once for both kinds
    refused_numbers = (
        places.filter(pl.col("kind") == "number")
        .join(unsupported, on=["row", "text"], how="semi")
        .with_columns(kind=pl.lit("ungrounded_number"), value=pl.lit(None, pl.Int64))
    )
    invalid_citations = (
        places.filter(pl.col("kind") == "marker")
        .with_columns(kind=pl.lit("invalid_citation"), value=citation_value(pl.col("text")))
        .filter(~pl.col("value").is_between(1, pl.col("n_passages")))
    )
    columns = ["row", "kind", "text", "value", "start", "end"]
    return pl.concat([refused_numbers.select(columns), invalid_citations.select(columns)])


def grounding_verdicts(tokens: pl.LazyFrame, refused: pl.LazyFrame) -> pl.LazyFrame:
    """The answers with the columns of `GROUNDING` and `REFUSED`.

    In: `answer_tokens` and `refused_tokens` of the same answers. Order: as in `tokens`.
    """
    kind, run = pl.col("kind"), pl.col("n_passages").is_not_null()
    lists = (
        refused.sort("row", "start")
        .group_by("row", maintain_order=True)
        .agg(
            unsupported_numbers=pl.col("text").filter(kind == "ungrounded_number"),
            invalid_citations=pl.col("value").filter(kind == "invalid_citation"),
        )
    )
    refusals = pl.col("unsupported_numbers", "invalid_citations")
    valid = pl.col("citations").list.set_difference("invalid_citations")
    return (
        tokens.join(lists, on="row", how="left", maintain_order="left")
        .with_columns(pl.when(run).then(refusals.fill_null([])))
        .with_columns(
            cited_indices=valid.list.sort(),
            n_unsupported_numbers=_length("unsupported_numbers"),
            n_invalid_citations=_length("invalid_citations"),
        )
        .with_columns(reason=pl.when(run).then(_reason()))
        .with_columns(grounded=pl.col("reason") == "grounded")
    )


def _length(column: str) -> pl.Expr:
    return pl.col(column).list.len().cast(pl.Int64)


def _reason() -> pl.Expr:
    return (
        pl.when(pl.col("n_unsupported_numbers") > 0)
        .then(pl.lit("ungrounded_number"))
        .when(pl.col("n_invalid_citations") > 0)
        .then(pl.lit("invalid_citation"))
        .otherwise(pl.lit("grounded"))
    )
