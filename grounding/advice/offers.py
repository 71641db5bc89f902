"""What numbers of evidence offer beyond what is written at each: lists and ranges share it."""

import polars as pl

from grounding.advice.measures import patterns
from grounding.units import UnitTable

_LINK = 96
"""Bytes of a link at most."""

_LINK_CHARS = 24


def offered(numbers: pl.LazyFrame, units: UnitTable) -> pl.LazyFrame:
    """The numbers with what they share.

    `5` of `5 to 10 mg` has the unit, `35` of `$30-35` the currency.

    In: all numbers of passages in order: passage, gap_after and the columns of
    `bindings.BOUND`. Out: those, with percent, currency, scale and units as offered.
    """
    same = pl.col("passage") == pl.col("passage").shift(-1)
    left, right = pl.col("left").shift(-1).fill_null(0), pl.col("right").fill_null(0)
    room = pl.col("gap_after").str.len_bytes().cast(pl.Int64) - left - right
    gap = pl.col("gap_after").cast(pl.Binary).bin.slice(right, room)
    linkable = (same & room.is_between(1, _LINK)).fill_null(False)
    text = pl.when(linkable).then(gap).cast(pl.String)
    linked = text.str.contains(patterns(units, in_evidence=True).link) & (
        text.str.len_chars() <= _LINK_CHARS
    )
    own = pl.col("percent", "currency_after", "units")
    bare = pl.all_horizontal(own.is_null()) & pl.col("ordinal").is_null()
    money = pl.col("currency").is_not_null()
    return (
        numbers.with_columns(linked=linked.fill_null(False), bare=bare)
        .with_columns(takes=pl.col("linked") & pl.col("bare"))
        .with_columns(
            shared=pl.when(~pl.col("takes") | money).then(
                pl.struct("percent", "currency_after", "units")
            ),
            scaled=pl.when(~pl.col("takes") | pl.col("scale").is_not_null()).then(
                pl.struct("scale")
            ),
        )
        .with_columns(pl.col("shared", "scaled").fill_null(strategy="backward"))
        .drop("percent", "currency_after", "units", "scale")
        .unnest("shared", "scaled")
        .with_columns(
            given=pl.when(
                ~(
                    pl.col("linked").shift(1, fill_value=False)
                    & pl.all_horizontal(own.is_null())
                    & ~money
                )
            ).then(pl.struct("currency"))
        )
        .with_columns(pl.col("given").fill_null(strategy="forward"))
        .drop("currency")
        .unnest("given")
        .with_columns(currency=pl.coalesce("currency", "currency_after"))
        .drop("linked", "bare", "takes")
    )
