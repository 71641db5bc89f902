"""The cause that takes two numbers of the evidence: a refused number that is derived from them.

All is exact. The values of a row are integers of one unit, that of its finest number; of a
quotient, only its rounding to the decimals of a token counts. The pairs that come near any token
of their row are found first, in narrow integers where those are wide enough.
"""

from typing import NamedTuple

import polars as pl

from grounding.causes.hold import Hold
from grounding.causes.readings import readable, taken_apart

MOST_OPERANDS = 64
_MOST_DIGITS, _MOST_DECIMALS = 12, 4
LEAST_SIGNIFICANT = 3
_NARROW = 2**31 - 1
"""Twice the product of two values up to it fits int64, and so does a value times 200 units."""

_A, _B, _UNIT = pl.col("a"), pl.col("b"), pl.col("unit")


class Operation(NamedTuple):
    """A way to derive: `over` divided by `under`, in units of the row.

    `exact`: only the result itself will do, and (b, a) gives the same. Otherwise its rounding.
    """

    written: str
    order: str
    """The letters that stand in `written`, one after another."""
    over: pl.Expr
    under: pl.Expr
    exact: bool = False
    least: int = LEAST_SIGNIFICANT
    """Significant digits of a token that it is tried for: a ratio hits three by chance."""


OPERATIONS = (
    Operation("{} + {}", "ab", _A + _B, pl.lit(1), exact=True),
    Operation("{} - {}", "ab", (_A - _B).abs(), pl.lit(1), exact=True),
    Operation("{} * {}", "ab", _A * _B, _UNIT, exact=True),
    Operation("{} / {}", "ab", _UNIT * _A, _B, least=4),
    Operation("100 * {} / {}", "ab", 100 * _UNIT * _A, _B, least=4),
    Operation("100 * ({} - {}) / {}", "abb", 100 * _UNIT * (_A - _B).abs(), _B),
)


def explained_by_pairs(
    tokens: pl.LazyFrame, numbers: pl.LazyFrame, hold: Hold
) -> pl.LazyFrame:
    """One row per token that two numbers of its evidence give.

    In: tokens: row, text, value, distinct. numbers: row, at (their order in a row), text, value.
    Out: row, text, cause, at (of the first number), nearest (what is calculated, as `120 - 100`).
    """
    wanted = tokens.pipe(_readable).filter((pl.col("number") > 0) & (pl.col("significant") >= LEAST_SIGNIFICANT)).pipe(hold)
    operands = numbers.join(wanted, on="row", how="semi").pipe(_readable).pipe(_first_few).pipe(hold)
    rows = _rows(wanted, operands).pipe(hold)
    operands = operands.join(rows, on="row").with_columns(a=_in_units()).pipe(hold)
    pairs = pl.concat(
        operands.filter(pl.col("narrow") == narrow).pipe(_near_pairs, dtype)
        for narrow, dtype in ((True, pl.Int64), (False, pl.Int128))
    ).pipe(hold)
    rounded = pairs.join(wanted.select("row", "decimals").unique(), on="row").pipe(hold)
    exactly = wanted.join(rows, on="row").select("row", "text", "significant", result=_in_units()).pipe(hold)
    nearly = wanted.select("row", "text", "decimals", "significant", result="number").pipe(hold)
    found = pl.concat(
        (
            pairs.pipe(_exact, operation).join(exactly, on=["row", "result"])
            if operation.exact
            else rounded.pipe(_rounded, operation).join(nearly, on=["row", "decimals", "result"])
        )
        .filter(pl.col("significant") >= operation.least)
        .select("row", "text", "at", "at_b", operation=pl.lit(number, pl.UInt8))
        for number, operation in enumerate(OPERATIONS)
    )
    return found.pipe(_firsts).pipe(hold).pipe(_written, numbers, hold)


def _firsts(found: pl.LazyFrame) -> pl.LazyFrame:
    """The first pair of each token, and of what may be done with it the first."""
    return found.sort("at", "at_b", "operation").unique(["row", "text"], keep="first")


def _written(found: pl.LazyFrame, numbers: pl.LazyFrame, hold: Hold) -> pl.LazyFrame:
    """The operation with its numbers, as written, in the place of its letters."""
    both = pl.concat([found.select("row", "at"), found.select("row", at="at_b")])
    texts = numbers.select("row", "at", a="text").join(both, on=["row", "at"], how="semi").pipe(hold)
    written = pl.coalesce(
        pl.when(pl.col("operation") == number).then(pl.format(operation.written, *operation.order))
        for number, operation in enumerate(OPERATIONS)
    )
    return (
        found.join(texts, on=["row", "at"])
        .join(texts, left_on=["row", "at_b"], right_on=["row", "at"], suffix="_b")
        .rename({"a_b": "b"})
        .select("row", "text", "at", cause=pl.lit("derived"), nearest=written)
    )


def _readable(frame: pl.LazyFrame) -> pl.LazyFrame:
    """The numbers that can take part, with their digits as an integer `number`."""
    few = readable(_MOST_DIGITS) & (pl.col("decimals") <= _MOST_DECIMALS)
    return (
        frame.pipe(taken_apart)
        .filter(few)
        .with_columns(number=pl.col("digits").cast(pl.Int64), significant=_significant())
    )


def _significant() -> pl.Expr:
    """How many significant digits a number has: the zeros around an integer are none."""
    digits = pl.col("digits").str.strip_chars_start("0")
    whole = digits.str.strip_chars_end("0")
    return pl.when(pl.col("decimals") == 0).then(whole).otherwise(digits).str.len_bytes()


def _first_few(numbers: pl.LazyFrame) -> pl.LazyFrame:
    """The telling ones of the first numbers of each row that differ in value.

    Out: row, at, number, decimals.
    """
    exact = pl.col("number") * _power(_MOST_DECIMALS - pl.col("decimals"))
    first = pl.all().sort_by("at").first()
    return (
        numbers.select("row", "at", "number", "decimals", "significant", exact=exact)
        .group_by("row", "exact")
        .agg(first)
        .sort("row", "at")
        .filter(pl.int_range(pl.len()).over("row") < MOST_OPERANDS)
        .filter(pl.col("significant") >= LEAST_SIGNIFICANT)
        .select("row", "at", "number", "decimals")
    )


def _rows(wanted: pl.LazyFrame, operands: pl.LazyFrame) -> pl.LazyFrame:
    """One row per answer: its unit, twice the least and the greatest result that may count."""
    finest = pl.concat([wanted.select("row", "decimals"), operands.select("row", "decimals")])
    half = _power(pl.col("finest") - pl.col("decimals"))
    twice = 2 * _in_units()
    reach = (
        wanted.join(finest.group_by("row").agg(finest=pl.col("decimals").max()), on="row")
        .with_columns(unit=_power(pl.col("finest")))
        .group_by("row", "unit", "finest")
        .agg(low=(twice - half).min(), high=(twice + half).max())
    )
    greatest = operands.join(reach, on="row").group_by("row").agg(most=_in_units().max())
    narrow = pl.max_horizontal("most", "high") <= _NARROW
    return reach.join(greatest, on="row").select(
        "row", "unit", "finest", "low", "high", narrow=narrow
    )


def _in_units() -> pl.Expr:
    """A number in the units of its row. Twelve digits and four zeros fit int64."""
    return pl.col("number") * _power(pl.col("finest") - pl.col("decimals"))


def _power(exponent: pl.Expr) -> pl.Expr:
    return pl.lit(10, pl.Int64).pow(exponent)


def _near_pairs(operands: pl.LazyFrame, dtype: pl.DataType) -> pl.LazyFrame:
    """One row per two different numbers of a row of which some result is near a token of the row.

    Out: row, at, at_b, a, b, unit (int128).
    """
    first = operands.select("row", "at", pl.col("a", "unit", "low", "high").cast(dtype))
    second = first.select("row", at_b="at", b="a")
    near = (
        (operation.under > 0)
        & (pl.col("low") * operation.under <= 2 * operation.over)
        & (2 * operation.over <= pl.col("high") * operation.under)
        for operation in OPERATIONS
    )
    return (
        first.join(second, on="row")
        .filter((pl.col("at") != pl.col("at_b")) & pl.any_horizontal(near))
        .select("row", "at", "at_b", pl.col("a", "b", "unit").cast(pl.Int128))
    )


def _exact(pairs: pl.LazyFrame, operation: Operation) -> pl.LazyFrame:
    """The pairs whose result is whole in units of the row, with it as `result`."""
    whole = operation.over % operation.under == 0
    result = (operation.over // operation.under).cast(pl.Int64, strict=False)
    return pairs.filter((pl.col("at") < pl.col("at_b")) & whole).with_columns(result=result)


def _rounded(pairs: pl.LazyFrame, operation: Operation) -> pl.LazyFrame:
    """The pairs with the result rounded half up to `decimals`, as an integer of those decimals."""
    over = 2 * operation.over * _power(pl.col("decimals")).cast(pl.Int128)
    under = operation.under * _UNIT
    result = ((over + under) // (2 * under)).cast(pl.Int64, strict=False)
    return pairs.filter(operation.under > 0).with_columns(result=result)
