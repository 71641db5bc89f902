"""Evidence in its three layouts, brought to what a verdict needs of it.

Nested evidence is a list of passages beside the answer. Long and shared evidence lies in tables
of its own: each passage is read once there (`passage_rows`), and what the rules need of it, its
numbers, digest and size, is joined to the answers that use it, never its text. The same passages
in the same order give the same columns in each layout.
"""

from typing import NamedTuple

import polars as pl

from grounding.digests import digest, list_digest, text_digest
from grounding.tokens import evidence_numbers, passage_numbers


class Passages(NamedTuple):
    """Evidence that lies outside the answers.

    uses: row int64, passage int64; one row per passage of an answer.
    numbers: passage int64, text string; one row per distinct number token of a passage.
    """

    uses: pl.LazyFrame
    numbers: pl.LazyFrame


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
    """The passages with what the rules need of each in the place of its text.

    In: text string. Out: all but text, and digest uint64, bytes int64, numbers (list of string,
    distinct). Nulls: digest, bytes and numbers are null where the text is.
    """
    text = pl.col("text")
    return passages.with_columns(
        digest=text_digest(text),
        bytes=text.str.len_bytes().cast(pl.Int64),
        numbers=passage_numbers(text),
    ).drop("text")


def used_evidence(uses: pl.LazyFrame) -> pl.LazyFrame:
    """One row per answer with passages in a table of their own.

    In: row int64, position int64, found boolean (the passage is there), digest and bytes of
    `passage_rows`. Positions are 1..k, or the answer has a gap.
    Out: row, the columns of `nested_sizes` and evidence_digest. An answer without a passage has
    no row here: its list is empty, see `no_passages`.
    """
    position, last = pl.col("position"), pl.len()
    whole = (position.min() == 1) & (position.max() == last) & (position.n_unique() == last)
    first_of = pl.col("position").filter
    return (
        uses.group_by("row")
        .agg(
            n_passages=last.cast(pl.Int64),
            evidence_bytes=pl.col("bytes").sum(),
            evidence_digest=pl.col("digest").sort_by("position"),
            null_passage=first_of(pl.col("found") & pl.col("digest").is_null()).min(),
            missing_passage=first_of(~pl.col("found")).min(),
            position_gap=~whole | position.has_nulls(),
        )
        .with_columns(list_digest(pl.col("evidence_digest")))
    )


def no_passages() -> dict[str, pl.Expr]:
    """The columns of `used_evidence` for an answer that has no passage: an empty list."""
    return {
        "n_passages": pl.lit(0, pl.Int64),
        "evidence_bytes": pl.lit(0, pl.Int64),
        "evidence_digest": digest(pl.lit("")),
        "position_gap": pl.lit(False),
    }


def unsupported_in_lists(tokens: pl.LazyFrame) -> pl.LazyFrame:
    """The answers with their `unsupported` numbers: distinct tokens that no nested passage holds.

    In: numbers (list of string), n_numbers, evidence (list of string).
    Evidence is read only for answers that have a number.
    """
    supporting = pl.when(pl.col("n_numbers") > 0).then("evidence").pipe(evidence_numbers)
    return tokens.with_columns(unsupported=pl.col("numbers").list.set_difference(supporting))


def unsupported_in_passages(tokens: pl.LazyFrame, passages: Passages) -> pl.LazyFrame:
    """The answers with their `unsupported` numbers: distinct tokens that no used passage holds.

    In: row, numbers (list of string). Only the numbers of the answers are looked up in passages.
    """
    token = ["row", "text"]
    asked = tokens.select("row", text=pl.col("numbers").list.unique()).explode(
        "text", keep_nulls=False
    )
    supported = (
        asked.join(passages.uses.select("row", "passage").unique(), on="row")
        .join(passages.numbers, on=["passage", "text"], how="semi")
        .select(token)
    )
    lacking = asked.join(supported, on=token, how="anti").group_by("row").agg(unsupported="text")
    return tokens.join(lacking, on="row", how="left", maintain_order="left").with_columns(
        pl.col("unsupported").fill_null([])
    )
