"""What binds to a number as it is written: sign, percent, currency, scale, ordinal and unit."""

import polars as pl

from grounding.advice.measures import (
    DENOMINATORS,
    SIGN,
    SIGNABLE,
    Patterns,
    denominator_meanings,
    measure_meanings,
    patterns,
    scale_meanings,
)
from grounding.advice.steps import Steps
from grounding.advice.texts import after, before, between
from grounding.units import UnitTable

BOUND = {
    "sign": pl.String(),
    "percent": pl.String(),
    "currency": pl.String(),
    "currency_after": pl.String(),
    "scale": pl.String(),
    "ordinal": pl.Boolean(),
    "units": pl.List(pl.String()),
    "left": pl.Int64(),
    "right": pl.Int64(),
    "left_chars": pl.Int64(),
    "right_chars": pl.Int64(),
}
"""What binds to a number, null where nothing does.

sign: `-`, or `±` where evidence may mean either; currency: before the number; units: the unit, and
what is left of it without denominators that an answer may leave out; left and right: the bytes
that all this takes before the number and behind it, and the same in code points.
"""

_NEAR = 320
_FAR = 800
"""Bytes that are looked at for a spelling, which has 64 code points at most, of 4 bytes each, and
for a denominator, before which 44 code points may stand in parentheses.
"""


def bound(numbers: pl.LazyFrame, units: UnitTable, in_evidence: bool, steps: Steps) -> pl.LazyFrame:
    """The numbers to which something binds.

    In: `texts.number_places` with id. Out: id and the columns of `BOUND`.
    """
    known = patterns(units, in_evidence)
    seen = (
        numbers.filter(
            pl.col("gap_after").str.contains(known.after)
            | pl.col("gap_before").str.contains(known.before)
        )
        .select("id", "text", "b1", at="b1", before=before(pl.col("b0"), _NEAR))
        .pipe(steps.hold)
    )
    if steps.is_empty(seen):
        return pl.LazyFrame(schema={"id": pl.UInt32, **BOUND})
    behind = seen.pipe(_with_currency, known, units).pipe(_with_sign, known).pipe(steps.hold)
    behind = behind.pipe(_with_scale, known, units).pipe(_with_measure, known, units, in_evidence)
    behind = behind.pipe(steps.hold)
    for _ in range(DENOMINATORS):
        behind = behind.pipe(_with_denominator, known, units)
    if in_evidence:
        behind = behind.pipe(_with_accounting)
    return behind.pipe(_with_units).filter(_binds()).select("id", *BOUND)


def _with_currency(numbers: pl.LazyFrame, known: Patterns, units: UnitTable) -> pl.LazyFrame:
    """With the sign directly before the number, and the currency before that or the number.

    Out: signed, head (what stands before both), currency, left (the text of both).
    """
    signed = pl.col("before").str.contains(f"{SIGN}$")
    bare = pl.when(signed).then(pl.col("before").str.head(-1)).otherwise("before")
    direct = _first("head", known.currency)
    apart = pl.when(~pl.col("signed")).then(_first("head", known.currency_apart))
    found = pl.coalesce(direct, apart.str.slice(1))
    trimmed = pl.col("found").str.strip_chars_end(known.blanks)
    known_by = measure_meanings(units)
    # A symbol that needs another character before it is found with that.
    whole = known_by.of_symbol(trimmed, known.blanks)
    shorter = known_by.of_symbol(trimmed.str.slice(1), known.blanks)
    return (
        numbers.with_columns(signed=signed, head=bare, thu=_first("before", known.ordinal_before))
        .with_columns(found=found)
        .with_columns(whole=whole, shorter=shorter)
        .with_columns(
            currency=pl.coalesce("whole", "shorter").str.slice(1),
            found=pl.when(pl.col("whole").is_not_null())
            .then("found")
            .otherwise(pl.col("found").str.slice(1)),
        )
        .with_columns(
            head=pl.coalesce(pl.col("head").str.strip_suffix(pl.col("found")), "head"),
            touched=pl.col("head"),
        )
        .drop("whole", "shorter")
    )


def _with_sign(numbers: pl.LazyFrame, known: Patterns) -> pl.LazyFrame:
    """With sign and left_text, what stands before the number and binds to it."""
    currency, signed = pl.col("currency").is_not_null(), pl.col("signed")
    before_currency = ~signed & currency & pl.col("head").str.contains(f"{SIGN}$")
    # What stands before the sign: behind a currency symbol it always counts.
    ahead = (
        pl.when(before_currency)
        .then(pl.col("head").str.head(-1))
        .when(signed & ~currency)
        .then("touched")
    )
    parted = ahead.str.contains(known.parted)
    counts = (
        pl.when(signed & currency)
        .then(True)
        .otherwise(ahead.str.contains(SIGNABLE) & (~parted | pl.lit(known.in_evidence)))
        .fill_null(False)
    )
    either_sign = counts & parted.fill_null(False)
    found = pl.col("found").fill_null("")
    sign = pl.col("before").str.tail(1)
    return (
        numbers.with_columns(
            sign=pl.when(either_sign).then(pl.lit("±")).when(counts).then(pl.lit("-")),
            left_text=pl.when(signed & counts & ~either_sign)
            .then(found + sign)
            .when(before_currency & counts & ~either_sign)
            .then(pl.col("head").str.tail(1) + found)
            .when(~signed)
            .then(found)
            .otherwise(pl.lit("")),
            opened=pl.when(before_currency & counts)
            .then(pl.col("head").str.head(-1))
            .otherwise("head")
            .str.ends_with("("),
        )
        .with_columns(
            left_text=pl.when(
                pl.col("thu").str.len_bytes() - 1 > pl.col("left_text").str.len_bytes()
            )
            .then(pl.col("thu").str.slice(1))
            .otherwise("left_text"),
        )
        .drop("head", "touched", "found", "signed")
    )


def _with_scale(numbers: pl.LazyFrame, known: Patterns, units: UnitTable) -> pl.LazyFrame:
    """With ordinal, scale, and rest: what stands behind all that was read."""
    glued = pl.col("rest").str.contains(known.ordinal)
    day = pl.col("rest").str.contains(known.month_after) | pl.col("before").str.contains(
        known.month_before
    )
    money = pl.col("currency").is_not_null()
    scale = (
        pl.when(~pl.col("glued") & money)
        .then(_first("rest", known.money_scale))
        .when(~pl.col("glued"))
        .then(_first("rest", known.scale))
    )
    return (
        numbers.with_columns(rest=after(pl.col("at"), _NEAR))
        .with_columns(glued=glued, closed=pl.col("rest").str.starts_with(")"))
        .with_columns(
            rest=pl.when("glued").then(pl.col("rest").str.slice(2)).otherwise("rest"),
            at=pl.col("at") + 2 * pl.col("glued").cast(pl.Int64),
        )
        .with_columns(
            ordinal=(pl.col("glued") & ~day) | pl.col("thu").is_not_null(),
            day=pl.col("glued") & day,
        )
        .with_columns(m=_ended(scale, known))
        .with_columns(
            scale=scale_meanings(units).of(_spelling("m", known), known.blanks).str.slice(1)
        )
        .pipe(_past, "m")
        .drop("before", "thu")
    )


def _with_measure(
    numbers: pl.LazyFrame, known: Patterns, units: UnitTable, in_evidence: bool
) -> pl.LazyFrame:
    """With percent, currency_after, unit, and rest behind them."""
    here = pl.when(~pl.col("glued")).then(_first("rest", known.measure))
    found = _ended(here, known)
    if in_evidence:
        bracketed = pl.when(~pl.col("glued")).then(_first("rest", known.percent_behind))
        found = pl.coalesce(found, _ended(bracketed, known))
    meaning = pl.col("meaning")
    return (
        numbers.with_columns(rest=after(pl.col("at"), _NEAR))
        .with_columns(m=found)
        .with_columns(meaning=measure_meanings(units).of(_spelling("m", known), known.blanks))
        .pipe(_past, "m")
        .with_columns(
            percent=pl.when(meaning.str.starts_with("%")).then(meaning.str.slice(1)),
            # A number has one currency, and the one before it is that.
            currency_after=pl.when(
                meaning.str.starts_with("$") & pl.col("currency").is_null()
            ).then(meaning.str.slice(1)),
            unit=pl.when(meaning.str.contains("^[uU]")).then(meaning.str.slice(1)),
            offered=pl.when(meaning.str.contains("^[uU]")).then(
                pl.concat_list(meaning.str.slice(1))
            ),
        )
        .with_columns(
            closed_behind=pl.col("text").cast(pl.Binary).bin.slice("at", 1) == b")",
            has=pl.any_horizontal(
                pl.col("currency", "currency_after", "percent", "scale", "unit").is_not_null()
            ),
            going=~pl.col("glued"),
        )
    )


def _with_denominator(numbers: pl.LazyFrame, known: Patterns, units: UnitTable) -> pl.LazyFrame:
    """With one denominator more, where there is one."""
    has = pl.col("has")
    found = (
        pl.when(pl.col("going") & has)
        .then(_first("rest", known.further))
        .when(pl.col("going"))
        .then(_first("rest", known.denominator))
    )
    name = pl.col("m").str.replace(known.joint, "")
    meaning = pl.col("meaning")
    unit = pl.concat_str(pl.col("unit").fill_null(""), pl.lit("/"), meaning.str.slice(1))
    aside = pl.col("m").str.replace(known.aside, "")
    dropped = meaning.str.starts_with("U") & ~aside.str.contains("/")
    return (
        numbers.with_columns(rest=after(pl.col("at"), _FAR))
        .with_columns(m=_ended(found, known))
        .with_columns(
            meaning=denominator_meanings(units).of(
                name.str.strip_chars_start(known.blanks), known.blanks
            )
        )
        .with_columns(going=meaning.is_not_null(), unit=pl.coalesce(unit, "unit"))
        .with_columns(
            offered=pl.when(~pl.col("going"))
            .then("offered")
            .when(dropped)
            .then(pl.concat_list("unit", pl.col("offered").fill_null([])))
            .otherwise(pl.concat_list("unit")),
        )
        .pipe(_past, "m")
    )


def _with_accounting(numbers: pl.LazyFrame) -> pl.LazyFrame:
    """With either sign for `(5)` and `(5%)`, as accountants write what is negative."""
    closed = pl.col("closed") | (pl.col("percent").is_not_null() & pl.col("closed_behind"))
    return numbers.with_columns(
        sign=pl.when(pl.col("opened") & closed).then(pl.lit("±")).otherwise("sign")
    )


def _with_units(numbers: pl.LazyFrame) -> pl.LazyFrame:
    read = pl.when(pl.col("day").not_()).then(between(pl.col("b1"), pl.col("at"))).fill_null("")
    return numbers.with_columns(
        units=pl.col("offered"),
        ordinal=pl.when("ordinal").then(True),
        left=pl.col("left_text").str.len_bytes().cast(pl.Int64),
        left_chars=pl.col("left_text").str.len_chars().cast(pl.Int64),
        right=read.str.len_bytes().cast(pl.Int64),
        right_chars=read.str.len_chars().cast(pl.Int64),
    )


def _binds() -> pl.Expr:
    dimensions = ("sign", "percent", "currency", "currency_after", "scale", "ordinal", "units")
    return pl.any_horizontal(pl.col(*dimensions).is_not_null())


def _first(column: str, pattern: str) -> pl.Expr:
    """The first match of a pattern: found as a whole, which spares what groups cost."""
    return pl.col(column).str.extract_all(pattern).list.first()


def _ended(found: pl.Expr, known: Patterns) -> pl.Expr:
    """A match without what shows that its spelling ends."""
    return found.str.head(-1).str.strip_chars_end(known.blanks)


def _spelling(column: str, known: Patterns) -> pl.Expr:
    """The spelling of a match, without the gap before it."""
    return pl.col(column).str.strip_chars_start(f"{known.blanks}+)-\u2010\u2011")


def _past(numbers: pl.LazyFrame, column: str) -> pl.LazyFrame:
    size = pl.col(column).str.len_bytes().cast(pl.Int64).fill_null(0)
    return numbers.with_columns(at=pl.col("at") + size).drop("rest", column)
