"""Stretches of texts as they are read, found again in the texts as they are written."""

import polars as pl

from grounding.advice.texts import between, spots
from grounding.causes.hold import Hold
from grounding.tokens import ANNOTATION, MARKER

_PLACE = ["b0", "b1", "c0", "c1"]


def as_written(found: pl.LazyFrame, texts: pl.LazyFrame, of: str, hold: Hold) -> pl.LazyFrame:
    """The stretches with their text as written, and their places in it.

    In: found: the column `of`, and b0, b1, c0, c1 of `texts.reading`. texts: `of`, annotated, text
    (as written). Out: the stretches without those places, and text, start, end (code points).

    A marker is one space as read: each that stands before a place moves it by what it has more.
    """
    found = found.pipe(hold)
    texts = texts.join(found, on=of, how="semi").pipe(hold)
    taken = pl.concat(
        [
            texts.filter(~pl.col("annotated")).pipe(spots, MARKER),
            texts.filter(pl.col("annotated")).pipe(spots, f"{MARKER}|{ANNOTATION}"),
        ]
    ).sort(of, "b0")
    own = pl.col("token").str.len_bytes().cast(pl.Int64) - 1
    chars = pl.col("token").str.len_chars().cast(pl.Int64) - 1
    taken = (
        taken.with_columns(bytes=own.cum_sum().over(of), chars=chars.cum_sum().over(of))
        .select(of, "bytes", "chars", at=pl.col("b0") - pl.col("bytes") + own)
        .sort("at")
        .pipe(hold)
    )
    for name, place in (("first", pl.col("b0")), ("last", pl.col("b1") - 1)):
        moved = taken.select(of, "at", pl.struct("bytes", "chars").alias(name))
        found = (
            found.with_columns(at=place)
            .sort("at")
            .join_asof(moved, on="at", by=of, strategy="backward", check_sortedness=False)
            .drop("at")
        )

    def more(name: str, field: str) -> pl.Expr:
        return pl.col(name).struct.field(field).fill_null(0)

    start = pl.col("b0") + more("first", "bytes")
    return (
        found.join(texts.select(of, "text"), on=of, how="left")
        .with_columns(
            start=pl.col("c0") + more("first", "chars"),
            end=pl.col("c1") + more("last", "chars"),
            text=between(start, pl.col("b1") + more("last", "bytes")),
        )
        .drop("first", "last", *_PLACE)
    )
