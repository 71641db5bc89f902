"""Supported numbers whose sign, unit or the like no occurrence in the evidence has.

What an answer says of a number is compared with what binds to it where the evidence holds it. That
is read where a passage holds a number of which the answer says something, or where a passage
writes a sign; and what numbers of a list share only where nothing else agrees.
"""

import polars as pl

from grounding.advice.bindings import bound
from grounding.advice.measures import patterns, stated_scales
from grounding.advice.offers import offered
from grounding.advice.steps import Steps
from grounding.advice.table import MISMATCH
from grounding.advice.texts import number_places, reading
from grounding.advice.written import as_written
from grounding.causes.explained import Passages
from grounding.units import UnitTable

_TOKEN = ["row", "token"]
_SAID = ["sign", "percent", "currency", "scale", "ordinal", "unit"]
_OFFERED = ["sign", "percent", "currency", "scale", "ordinal", "units"]

_FOUND = {
    "row": pl.Int64(),
    "nearest": pl.String(),
    "passage": pl.Int64(),
    "kind": pl.String(),
    **dict.fromkeys(("b0", "b1", "c0", "c1"), pl.Int64()),
}


def mismatches(
    texts: pl.LazyFrame,
    held: pl.LazyFrame,
    passages: Passages,
    units: UnitTable,
    steps: Steps,
) -> pl.LazyFrame:
    """One row per number of an answer that no occurrence in the evidence agrees with.

    In: texts: row, text (an answer as read), of answers with a supported number, or more. held:
    row, position, token: where each supported number of an answer stands. passages: those of
    these rows.
    Out: row, kind, b0, b1, c0, c1 (of the number with what binds to it), nearest, passage
    (position).
    """
    speaking = pl.col("text").str.contains(patterns(units, in_evidence=False).around)
    held = held.join(passages.uses, on=["row", "position"]).pipe(steps.hold)
    signs = passages.texts.join(held, on="passage", how="semi").pipe(_with_a_sign, units)
    signed = held.join(signs.pipe(steps.hold), on="passage", how="semi").select(_TOKEN).unique()
    signed = signed.pipe(steps.hold)
    rows = [texts.filter(speaking).select("row"), signed.select("row")]
    supported = (
        texts.join(pl.concat(rows), on="row", how="semi")
        .pipe(number_places)
        .join(held, on=_TOKEN, how="semi")
        .with_row_index("id")
        .pipe(steps.hold)
    )
    binding = supported.pipe(bound, units, False, steps)
    # An inner join would copy the text of an answer for each of its numbers.
    supported = supported.drop("text", "gap_before", "gap_after")
    said = supported.join(binding, on="id").pipe(steps.hold)
    unsaid = supported.join(signed, on=_TOKEN, how="semi").join(said, on="id", how="anti")
    asked = pl.concat([said, unsaid], how="diagonal").with_columns(
        currency=pl.coalesce("currency", "currency_after"), unit=pl.col("units").list.first()
    )
    asked = asked.pipe(steps.hold)
    if steps.is_empty(asked):
        return pl.LazyFrame(schema=_FOUND)
    claims = asked.select(*_TOKEN, *_SAID).unique().with_row_index("claim").pipe(steps.hold)
    uses = held.join(claims, on=_TOKEN, how="semi").pipe(steps.hold)
    written = passages.texts.join(uses, on="passage", how="semi").select(
        "passage", text=reading(pl.col("text"))
    )
    written = written.pipe(number_places).with_row_index("id").pipe(steps.hold)
    own = written.join(uses, on=["passage", "token"], how="semi").pipe(steps.hold)
    own = own.pipe(_with_bound, units, steps).pipe(steps.hold)
    left = claims.pipe(_without_agreeing, own.pipe(_as_offered), uses).pipe(steps.hold)
    if steps.is_empty(left):
        return pl.LazyFrame(schema=_FOUND)
    if_shared = held.join(left, on=_TOKEN, how="semi").pipe(steps.hold)
    beside = written.join(if_shared, on="passage", how="semi").pipe(steps.hold)
    shared = beside.pipe(_with_bound, units, steps).sort("id").pipe(offered, units)
    shared = shared.select("passage", "token", "b0", *_OFFERED).pipe(steps.hold)
    left = left.pipe(_without_agreeing, shared, if_shared).pipe(steps.hold)
    stated = shared.pipe(_stated, left, if_shared, passages, units, steps)
    left = left.join(stated, on="claim", how="anti").pipe(steps.hold)
    begins, ends = pl.col("left").fill_null(0), pl.col("right").fill_null(0)
    first_chars, last_chars = (pl.col(name).fill_null(0) for name in ("left_chars", "right_chars"))
    stretch = {
        "b0": pl.col("b0") - begins,
        "b1": pl.col("b1") + ends,
        "c0": pl.col("c0") - first_chars,
        "c1": pl.col("c1") + last_chars,
    }
    nearest = (
        if_shared.join(left, on=_TOKEN, how="semi")
        .join(own.drop("gap_before", "gap_after"), on=["passage", "token"])
        .sort("row", "token", "position", "b0")
        .unique(_TOKEN, keep="first", maintain_order=True)
        .select(*_TOKEN, "position", "passage", **stretch)
        .pipe(as_written, passages.texts.with_columns(annotated=False), "passage", steps.hold)
        .select(*_TOKEN, nearest="text", passage="position")
    )
    key = [*_TOKEN, *_SAID]
    return (
        asked.join(left.select(key), on=key, how="semi", nulls_equal=True)
        .join(nearest, on=_TOKEN)
        .select("row", "nearest", "passage", kind=pl.lit(MISMATCH), **stretch)
    )


def _with_bound(numbers: pl.LazyFrame, units: UnitTable, steps: Steps) -> pl.LazyFrame:
    found = numbers.pipe(bound, units, True, steps)
    return numbers.drop("text").join(found, on="id", how="left", maintain_order="left")


def _as_offered(numbers: pl.LazyFrame) -> pl.LazyFrame:
    currency = pl.coalesce("currency", "currency_after")
    return numbers.with_columns(currency=currency).select("passage", "token", "b0", *_OFFERED)


def _without_agreeing(
    claims: pl.LazyFrame, numbers: pl.LazyFrame, uses: pl.LazyFrame
) -> pl.LazyFrame:
    """The claims with which no number of the evidence agrees.

    What many occurrences offer alike is compared once.
    """
    kinds = numbers.drop("b0").unique().join(uses, on=["passage", "token"])
    kinds = kinds.select(*_TOKEN, *(pl.col(name).alias(f"e_{name}") for name in _OFFERED)).unique()
    agreeing = claims.join(kinds, on=_TOKEN).filter(_agrees())
    return claims.join(agreeing, on="claim", how="anti")


def _stated(
    numbers: pl.LazyFrame,
    claims: pl.LazyFrame,
    uses: pl.LazyFrame,
    passages: Passages,
    units: UnitTable,
    steps: Steps,
) -> pl.LazyFrame:
    """The claims that agree with a number in the scale that a passage of the answer states."""
    scaled = claims.filter(pl.col("scale").is_not_null()).pipe(steps.hold)
    if steps.is_empty(scaled):
        return scaled.select("claim")
    of_rows = passages.uses.join(scaled, on="row", how="semi").pipe(steps.hold)
    texts = passages.texts.join(of_rows, on="passage", how="semi").select(
        "passage", text=reading(pl.col("text"))
    )
    texts = texts.pipe(steps.hold)
    scales = pl.concat(
        [
            pl.LazyFrame(
                schema={"passage": texts.collect_schema()["passage"], "stated": pl.String}
            ),
            *(
                texts.filter(pl.col("text").str.contains(pattern)).select(
                    "passage", stated=pl.lit(scale)
                )
                for scale, pattern in stated_scales(units).items()
            ),
        ]
    )
    rows = of_rows.join(scales, on="passage").select("row", "stated").unique()
    bare = pl.all_horizontal(pl.col("scale", "percent", "units").is_null())
    kinds = (
        numbers.filter(bare)
        .drop("b0")
        .unique()
        .join(uses, on=["passage", "token"])
        .join(rows, on="row")
        .with_columns(scale="stated")
        .select(*_TOKEN, *(pl.col(name).alias(f"e_{name}") for name in _OFFERED))
        .unique()
    )
    return scaled.join(kinds, on=_TOKEN).filter(_agrees()).select("claim").unique()


def _with_a_sign(texts: pl.LazyFrame, units: UnitTable) -> pl.LazyFrame:
    """The passages with what may be a sign: a character of those first, which is found fastest."""
    known, text = patterns(units, in_evidence=True), pl.col("text")
    may = texts.filter(text.str.contains(known.may_sign))
    read = may.select("passage", text=reading(text))
    return read.filter(text.str.contains(known.signed)).select("passage")


def _agrees() -> pl.Expr:
    sign, offered_sign = pl.col("sign"), pl.col("e_sign")
    same_sign = (offered_sign == "±") | (sign == "±") | sign.eq_missing(offered_sign)
    plain = [
        pl.col(name).is_null() | (pl.col(name) == pl.col(f"e_{name}")).fill_null(False)
        for name in ("percent", "currency", "scale", "ordinal")
    ]
    unit = pl.col("unit").is_null() | pl.col("e_units").list.contains(pl.col("unit")).fill_null(
        False
    )
    return pl.all_horizontal(same_sign.fill_null(False), *plain, unit)
