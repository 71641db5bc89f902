"""Evidence in its three layouts, brought to what a verdict needs of it.

Nested evidence is a list of passages beside the answer. Long and shared evidence lies in tables
of its own: each passage is read once there (`passage_rows`), and what the rules need of it, its
numbers, digest and size, is joined to the answers that use it, never its text. The same passages
in the same order give the same columns in each layout.
"""

import polars as pl

from grounding.digests import digest, list_digest, text_digest
from grounding.holders import evidence_tokens, n_listed_numbers
from grounding.tokens import passage_numbers


def nested_sizes(rows: pl.LazyFrame) -> pl.LazyFrame:
    """The rows with what can be wrong with their list of passages.

    In: evidence list of string. Out: those, and n_passages, evidence_bytes int64, null_passage
    int64 (place of the first null passage, from 1), missing_passage int64 and position_gap
    boolean (never, in this layout). Nulls: null where the list is null.
    """
    passage, evidence = pl.element(), pl.col("evidence")
    has_null = evidence.list.eval(passage.is_null())
    return rows.with_columns(
        n_passages=evidence.list.len().cast(pl.Int64),
        evidence_bytes=evidence.list.eval(passage.str.len_bytes()).list.sum().cast(pl.Int64),
        null_passage=pl.when(has_null.list.any()).then(has_null.list.arg_max() + 1).cast(pl.Int64),
        missing_passage=pl.lit(None, pl.Int64),
        position_gap=pl.lit(False),
    )


def nested_evidence(answers: pl.LazyFrame) -> pl.LazyFrame:
    """The answers with the length and the digest of their list of passages.

    In: evidence list of string. Out: those, and n_passages int64, evidence_digest string.
    Nulls: null where the list is null.
    """
    evidence = pl.col("evidence")
    return answers.with_columns(
        n_passages=evidence.list.len().cast(pl.Int64),
        evidence_digest=list_digest(evidence.list.eval(text_digest(pl.element()))),
    )


def passage_rows(passages: pl.LazyFrame) -> pl.LazyFrame:
    """The passages with what the rules need of each.

    In: text string. Out: those, and digest uint64, bytes int64, numbers (list of string,
    distinct). Nulls: digest, bytes and numbers are null where the text is.
    """
    text = pl.col("text")
    return passages.with_columns(
        digest=text_digest(text),
        bytes=text.str.len_bytes().cast(pl.Int64),
        numbers=passage_numbers(text),
    )


def used_evidence(uses: pl.LazyFrame) -> pl.LazyFrame:
    """One row per answer with passages in a table of their own.

    In: row int64, position int64, passage (its number), found boolean (the passage is there),
    digest and bytes of `passage_rows`; by row, then position. Positions are 1..k, or the answer
    has a gap.
    Out: row, passages (list of their numbers), the columns of `nested_sizes` and evidence_digest.
    An answer without a passage has no row here: its list is empty, see `no_passages`.
    """
    position, found = pl.col("position"), pl.col("found")
    return (
        uses.with_columns(
            null_passage=pl.when(found & pl.col("digest").is_null()).then(position),
            missing_passage=pl.when(~found).then(position),
        )
        .group_by("row", maintain_order=True)
        .agg(
            pl.col("null_passage", "missing_passage").min(),
            n_passages=pl.len().cast(pl.Int64),
            evidence_bytes=pl.col("bytes").sum(),
            evidence_digest="digest",
            passages="passage",
            position_gap="position",
        )
        .with_columns(
            list_digest(pl.col("evidence_digest")),
            position_gap=pl.col("position_gap") != pl.int_ranges(1, pl.col("n_passages") + 1),
        )
    )


def no_passages() -> dict[str, pl.Expr]:
    """The columns of `used_evidence` for an answer that has no passage: an empty list."""
    return {
        "n_passages": pl.lit(0, pl.Int64),
        "evidence_bytes": pl.lit(0, pl.Int64),
        "evidence_digest": digest(pl.lit("")),
        "position_gap": pl.lit(False),
        "passages": pl.lit([], pl.List(pl.UInt32)),
    }


def unsupported_in_lists(tokens: pl.LazyFrame) -> pl.LazyFrame:
    """The answers with what their nested passages make of their numbers.

    In: numbers (list of string), n_numbers, evidence (list of string).
    Out: those, and evidence_tokens (as of `holders`), n_evidence_numbers, unsupported (the numbers
    that no passage holds). Evidence is read only for answers that have a number.
    """
    supporting = evidence_tokens(pl.when(pl.col("n_numbers") > 0).then("evidence"))
    return tokens.with_columns(evidence_tokens=supporting).with_columns(
        unsupported=pl.col("numbers").list.set_difference("evidence_tokens"),
        n_evidence_numbers=n_listed_numbers(pl.col("evidence_tokens")),
    )


def held_in_passages(tokens: pl.LazyFrame, passage_numbers: pl.LazyFrame) -> pl.LazyFrame:
    """One row per passage of an answer and number of the answer that it holds.

    In: row, numbers (list of string), passages (list of uint32); passage_numbers: passage uint32,
    text, one row per distinct number token of a passage. Out: row, position, token.

    A token that stands in any passage gets a number, so that what a passage holds is one integer,
    and one join of integers tells which tokens of an answer stand in a passage of its own. Only
    those of the answers are looked up: a passage is never copied for an answer.
    """
    vocabulary = passage_numbers.pipe(_vocabulary).cache()
    written = pl.col("numbers").alias("token")
    asked = tokens.select("row", "passages", written.list.unique())
    asked = asked.explode("token", keep_nulls=False)
    held = passage_numbers.join(vocabulary, on="text").select(_holding())
    last = pl.col("passage").list.len().cast(pl.Int64) + 1
    return (
        asked.join(vocabulary, left_on="token", right_on="text")
        .select("row", "number", "token", passage="passages")
        .with_columns(position=pl.int_ranges(1, last))
        .explode("passage", "position", keep_nulls=False)
        .with_columns(_holding())
        .join(held, on="holding", how="semi")
        .select("row", "position", "token")
        .sort("row", "position", "token")
    )


def unsupported_in_passages(
    tokens: pl.LazyFrame, held: pl.LazyFrame, passage_numbers: pl.LazyFrame
) -> pl.LazyFrame:
    """The answers with what passages in a table of their own make of their numbers.

    In: row, numbers (list of string), n_numbers, passages (list of uint32); held: of
    `held_in_passages`. Out: those, and unsupported, n_evidence_numbers.
    """
    asked = tokens.select("row", pl.col("numbers").alias("token"))
    asked = asked.explode("token", keep_nulls=False)
    lacking = asked.join(held, on=["row", "token"], how="anti")
    lacking = lacking.group_by("row").agg(unsupported="token")
    numbered = passage_numbers.join(passage_numbers.pipe(_vocabulary), on="text")
    listed = numbered.group_by("passage").agg("number")
    some = pl.col("n_numbers") > 0
    counted = (
        tokens.filter(some)
        .select("row", passage="passages")
        .explode("passage", keep_nulls=False)
        .join(listed, on="passage")
        .group_by("row")
        .agg(n_evidence_numbers=pl.col("number").explode().n_unique().cast(pl.Int64))
    )
    return (
        tokens.join(lacking, on="row", how="left", maintain_order="left")
        .join(counted, on="row", how="left", maintain_order="left")
        .with_columns(pl.when(some).then(pl.col("n_evidence_numbers").fill_null(0)))
    )


def _vocabulary(passage_numbers: pl.LazyFrame) -> pl.LazyFrame:
    """Each distinct token, with a number."""
    return passage_numbers.select("text").unique(maintain_order=True).with_row_index("number")


def _holding() -> pl.Expr:
    """A passage and a token of it as one integer: each is a row number of polars, of 32 bits."""
    holding = pl.col("passage").cast(pl.UInt64) * 2**32 + pl.col("number").cast(pl.UInt64)
    return holding.alias("holding")
