"""Which passage holds which number of an answer."""

import polars as pl

from grounding.tokens import MARKER, NUMBER

PASSAGE = "\x1f"
"""Opens each passage among the numbers of all; where a passage holds it, it stands for a blank."""


def evidence_tokens(passages: pl.Expr) -> pl.Expr:
    """The number tokens over all passages of each row, repeats kept, each passage opened by a sign.

    In: list of string without null passages. Out: list of string. Nulls: null where the list is.
    One scan reads all passages, and what it gives tells them apart.
    """
    piece = pl.element()
    plain = piece.str.replace_all(PASSAGE, " ", literal=True)
    signs = passages.list.eval(piece.str.contains(PASSAGE, literal=True)).list.any()
    clean = pl.when(signs).then(passages).list.eval(plain)
    whole = pl.coalesce(clean, passages).list.join(PASSAGE)
    whole = pl.when(passages.list.len() > 0).then(pl.lit(PASSAGE) + whole).otherwise(whole)
    found = whole.str.extract_all(f"{MARKER}|{NUMBER}|{PASSAGE}")
    return found.list.filter(~piece.str.starts_with("["))


def n_listed_numbers(tokens: pl.Expr) -> pl.Expr:
    """The distinct numbers among `evidence_tokens`. Nulls: null where the list is."""
    signs = tokens.list.contains(PASSAGE).cast(pl.Int64)
    return tokens.list.n_unique().cast(pl.Int64) - signs


def held_in_lists(answers: pl.LazyFrame) -> pl.LazyFrame:
    """One row per passage of an answer and number of the answer that it holds.

    In: row, numbers, evidence_tokens (lists of string), n_passages. Out: row, position, token.
    """
    token = pl.col("token")
    opens = token == PASSAGE
    asked = answers.select("row", pl.col("numbers").alias("token"))
    asked = asked.explode("token", keep_nulls=False)
    before = pl.col("n_passages").cum_sum() - pl.col("n_passages")
    return (
        answers.filter(pl.col("evidence_tokens").list.len() > 0)
        .select("row", pl.col("evidence_tokens").alias("token"), before=before)
        .explode("token")
        .with_columns(position=opens.cast(pl.Int64).cum_sum() - pl.col("before"))
        .join(asked, on=["row", "token"], how="semi")
        .select("row", "position", "token")
        .unique()
        .sort("row", "position", "token")
    )
