"""The cause that takes two numbers of the evidence: a refused number that is derived from them.

All is exact. The values of a row are integers of one unit, that of its finest number; of a
quotient, only its rounding to the decimals of a token counts. The pairs that come near any token
of their row are found first, in narrow integers where those are wide enough.
"""

from functools import reduce
from operator import or_
from typing import NamedTuple

import polars as pl

from grounding.causes.hold import Hold
from grounding.causes.readings import readable

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

    @property
    def ends(self) -> tuple[str, str]:
        """The columns that hold how far its results may reach: see `_rows`."""
        of = f"{'exact' if self.exact else 'rounded'}_{self.least}"
        return f"low_{of}", f"high_{of}"


OPERATIONS = (
    Operation("{} + {}", "ab", _A + _B, pl.lit(1), exact=True),
    Operation("{} - {}", "ab", (_A - _B).abs(), pl.lit(1), exact=True),
    Operation("{} * {}", "ab", _A * _B, _UNIT, exact=True),
    Operation("{} / {}", "ab", _UNIT * _A, _B, least=4),
    Operation("100 * {} / {}", "ab", 100 * _UNIT * _A, _B, least=4),
    Operation("100 * ({} - {}) / {}", "abb", 100 * _UNIT * (_A - _B).abs(), _B),
)


def explained_by_pairs(tokens: pl.LazyFrame, numbers: pl.LazyFrame, hold: Hold) -> pl.LazyFrame:
    """One row per token that two numbers of its evidence give.

    In: tokens: row, text and the columns of `readings.numerals`, distinct. numbers: row, at (their
    order in a row), value, and those columns.
    Out: row, text, at and at_b (of the first such pair), operation (its place in `OPERATIONS`).
    """
    readable_ones = readable(_MOST_DIGITS) & (pl.col("decimals") <= _MOST_DECIMALS)
    telling = (pl.col("number") > 0) & (pl.col("significant") >= LEAST_SIGNIFICANT)
    wanted = tokens.filter(readable_ones & telling).pipe(hold)
    operands = numbers.filter(readable_ones).join(wanted, on="row", how="semi")
    operands = operands.pipe(_first_few, hold).pipe(hold)
    rows = _rows(wanted, operands).pipe(hold)
    operands = operands.join(rows, on="row").with_columns(a=_in_units()).pipe(hold)
    pairs = pl.concat(
        operands.filter(pl.col("narrow") == narrow).pipe(_near_pairs, dtype)
        for narrow, dtype in ((True, pl.Int64()), (False, pl.Int128()))
    ).pipe(hold)
    targets = wanted.select("row", "text", "decimals", "significant", result="number").pipe(hold)
    whole = wanted.join(rows, on="row").with_columns(result=_in_units()).pipe(hold)
    found = []
    for number, operation in enumerate(OPERATIONS):
        enough = pl.col("significant") >= operation.least
        if operation.exact:
            hits = pairs.pipe(_exact, operation).join(whole.filter(enough), on=["row", "result"])
        else:
            asked = targets.filter(enough)
            hits = pairs.join(asked.select("row", "decimals").unique(), on="row")
            hits = hits.pipe(_rounded, operation).join(asked, on=["row", "decimals", "result"])
        place = pl.lit(number, pl.UInt8)
        found.append(hits.select("row", "text", "at", "at_b", operation=place))
    hits = pl.concat(found).sort("at", "at_b", "operation")
    return hits.unique(["row", "text"], keep="first", maintain_order=True)


def calculated() -> pl.Expr:
    """What an operation calculates: its numbers, as written, in the place of its letters.

    In: operation; a, b string.
    """
    return pl.coalesce(
        pl.when(pl.col("operation") == number).then(pl.format(operation.written, *operation.order))
        for number, operation in enumerate(OPERATIONS)
    )


def _first_few(numbers: pl.LazyFrame, hold: Hold) -> pl.LazyFrame:
    """The telling ones of the first numbers of each row that differ in value.

    Out: row, at, number, decimals.
    """
    exact = pl.col("number") * _power(_MOST_DECIMALS - pl.col("decimals"))
    first = pl.all().sort_by("at").first()
    distinct = (
        numbers.select("row", "at", "number", "decimals", "significant", exact=exact)
        .group_by("row", "exact")
        .agg(first)
        .with_columns(count=pl.len().over("row"))
        .pipe(hold)
    )
    many = distinct.filter(pl.col("count") > MOST_OPERANDS).sort("row", "at")
    few = [
        distinct.filter(pl.col("count") <= MOST_OPERANDS),
        many.filter(pl.int_range(pl.len()).over("row") < MOST_OPERANDS),
    ]
    telling = pl.col("significant") >= LEAST_SIGNIFICANT
    return pl.concat(few).filter(telling).select("row", "at", "number", "decimals")


def _rows(wanted: pl.LazyFrame, operands: pl.LazyFrame) -> pl.LazyFrame:
    """One row per answer: its unit, and how far the results of each operation may reach.

    Twice the least and the greatest result, since a rounding reaches half a step further.
    """
    finest = pl.concat([wanted.select("row", "decimals"), operands.select("row", "decimals")])
    half = _power(pl.col("finest") - pl.col("decimals"))
    twice = 2 * _in_units()
    ends = {
        name: end.filter(pl.col("significant") >= operation.least)
        for operation in OPERATIONS
        for step in [0 if operation.exact else half]
        for name, end in zip(operation.ends, (twice - step, twice + step), strict=True)
    }
    reach = (
        wanted.join(finest.group_by("row").agg(finest=pl.col("decimals").max()), on="row")
        .with_columns(unit=_power(pl.col("finest")))
        .group_by("row", "unit", "finest")
        .agg(
            greatest=(twice + half).max(),
            **{
                name: end.min() if name.startswith("low") else end.max()
                for name, end in ends.items()
            },
        )
    )
    greatest = operands.join(reach, on="row").group_by("row").agg(most=_in_units().max())
    narrow = pl.max_horizontal("most", "greatest") <= _NARROW
    return reach.join(greatest, on="row").with_columns(narrow=narrow).drop("most", "greatest")


def _in_units() -> pl.Expr:
    """A number in the units of its row. Twelve digits and four zeros fit int64."""
    return pl.col("number") * _power(pl.col("finest") - pl.col("decimals"))


def _power(exponent: pl.Expr) -> pl.Expr:
    return pl.lit(10, pl.Int64).pow(exponent)


def _near_pairs(operands: pl.LazyFrame, dtype: pl.DataType) -> pl.LazyFrame:
    """One row per two different numbers of a row of which some result is near a token of the row.

    Out: row, at, at_b, a, b, unit (int128).
    """
    reach = {end for operation in OPERATIONS for end in operation.ends}
    first = operands.select("row", "at", pl.col("a", "unit", *reach).cast(dtype))
    second = first.select("row", at_b="at", b="a")
    near = (
        (2 * operation.over).is_between(
            pl.col(operation.ends[0]) * operation.under, pl.col(operation.ends[1]) * operation.under
        )
        for operation in OPERATIONS
    )
    return (
        first.join(second, on="row")
        .filter((pl.col("at") != pl.col("at_b")) & reduce(or_, near))
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
