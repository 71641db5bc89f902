"""The causes that compare a refused number with one number of the evidence, by a key of each.

A cause is a row of `KEYS`: what both must share, and what must differ beside it. All are one join
of (row, cause, key). Of the marks with one key only the first is kept, and the first that differs
from it, so that no key is quadratic however many numbers share it.
"""

from collections.abc import Callable
from typing import NamedTuple

import polars as pl

from grounding.causes.hold import Hold
from grounding.causes.readings import (
    DIGITS_OF_INT64,
    exponent,
    readable,
    rounded,
    without_grouping,
    without_padding,
)

Rows = Callable[[pl.LazyFrame, pl.LazyFrame], pl.LazyFrame]


class Side(NamedTuple):
    """What a token or a mark is compared by: only rows with a key count.

    `apart` must differ between token and mark; those of a token and of a mark never agree where
    it is not given. `rows` makes other rows of one side, such as one a rounding, knowing both.
    """

    key: pl.Expr
    apart: pl.Expr | None = None
    rows: Rows | None = None


class Key(NamedTuple):
    """A cause of the family KEY."""

    cause: str
    token: Side
    mark: Side
    kind: str = "number"


def _where(holds: pl.Expr, key: str | pl.Expr) -> pl.Expr:
    return pl.when(holds).then(key)


_VALUE, _COUNT = pl.col("value"), pl.col("separators")
_PRECISE = readable(DIGITS_OF_INT64)
_READ = pl.col("two_readings") | pl.col("decimals").is_not_null()
_OWN = pl.format("{}:{}", "decimals", "number")
_ROUNDED = pl.format("{}:{}", "fewer", "result")
_SAME = Side(_VALUE)
_GROUPS = Side(_where(_COUNT > 0, "groups"), _VALUE)
_DIGITS = Side(pl.col("digits"), pl.col("groups"))
_PADDING = Side(without_padding(), _VALUE)
_SCALE = Side(_where(_READ & (pl.col("mantissa") != ""), "mantissa"), exponent())


def _roundings(these: pl.LazyFrame, others: pl.LazyFrame) -> pl.LazyFrame:
    """One row per rounding to as many decimals as a number of the other side has."""
    wanted = others.filter(_COARSE).select("row", fewer="decimals").unique()
    return these.filter(_PRECISE).pipe(rounded, wanted)


_LEADING = pl.col("digits").str.strip_chars_start("0").str.len_bytes()
_LONE = Side(_where((_COUNT == 0) & (_LEADING >= 2), _VALUE))
# A rounding to one digit is mostly chance, and so is that of an answer to a short integer.
_COARSE = _PRECISE & (_LEADING >= 2)
_COARSE_MARK = _COARSE & ((pl.col("decimals") > 0) | (_LEADING >= 3))


KEYS = (
    Key("digit_script", _SAME, _SAME),
    Key("separator_swapped", _GROUPS, _GROUPS),
    Key("separator_dropped", _DIGITS, _DIGITS),
    Key("zero_padding", _PADDING, _PADDING),
    Key("split_in_evidence", _SAME, _SAME, "separated"),
    Key("split_in_evidence", Side(without_grouping()), _SAME, "spaced"),
    Key("number_word", Side(_where(_COUNT == 0, _VALUE)), _SAME, "words"),
    Key("scale", _SCALE, _SCALE),
    Key("precision", Side(_where(_COARSE, _OWN)), Side(_ROUNDED, rows=_roundings)),
    Key("precision", Side(_ROUNDED, rows=_roundings), Side(_where(_COARSE_MARK, _OWN))),
    Key("part_of_longer", _LONE, Side(_where(_COUNT > 0, "first"))),
    Key("part_of_longer", _LONE, Side(_where(_COUNT > 0, "last"))),
)
"""The causes of the family KEY. What holds for any of the rows of a cause holds for the cause."""

_ON = ["row", "of", "key"]


def explained_by_keys(
    tokens: pl.LazyFrame, numbers: pl.LazyFrame, others: pl.LazyFrame, hold: Hold
) -> pl.LazyFrame:
    """One row per token and cause that holds for it.

    In: tokens: row, text and the columns of `readings.numerals`, distinct. numbers: row, at (their
    order in a row) and those columns, of the `near_numbers` or more, any number of times.
    others: row, at, kind, value, the marks of other kinds.
    Out: row, text, cause, at: the first mark for which it holds.
    """
    asked, given = [], []
    for number, key in enumerate(KEYS):
        place = pl.lit(number, pl.UInt8)
        those = numbers if key.kind == "number" else others.filter(pl.col("kind") == key.kind)
        asked.append(
            tokens.pipe(_compared, those, key.token, "token", "text").with_columns(of=place)
        )
        given.append(those.pipe(_compared, tokens, key.mark, "mark", "at").with_columns(of=place))
    wanted = pl.concat(asked).pipe(hold)
    found = pl.concat(given).join(wanted, on=_ON, how="semi").pipe(_firsts)
    cause = pl.col("of").replace_strict(
        dict(enumerate(key.cause for key in KEYS)), return_dtype=pl.String
    )
    first_differs = pl.col("apart") != pl.col("apart_of_first")
    return (
        wanted.join(found, on=_ON)
        .with_columns(at=pl.when(first_differs).then("first").otherwise("other"), cause=cause)
        .filter(pl.col("at").is_not_null())
        .group_by("row", "text", "cause")
        .agg(pl.col("at").min())
    )


def _compared(
    these: pl.LazyFrame, others: pl.LazyFrame, side: Side, which: str, name: str
) -> pl.LazyFrame:
    """One row per key: row, `name`, key, apart."""
    rows = these if side.rows is None else side.rows(these, others)
    apart = pl.lit(which) if side.apart is None else side.apart.fill_null(which)
    return rows.select("row", name, key=side.key, apart=apart).filter(pl.col("key").is_not_null())


def _firsts(given: pl.LazyFrame) -> pl.LazyFrame:
    """One row per key: the first mark, what it has `apart`, and the first that has another."""
    at, apart = pl.col("at"), pl.col("apart")
    of_first = apart.sort_by("at").first()
    return given.group_by(_ON).agg(
        first=at.min(), apart_of_first=of_first, other=at.filter(apart != of_first).min()
    )


def near_numbers(numbers: pl.LazyFrame, tokens: pl.LazyFrame) -> pl.LazyFrame:
    """The numbers that a row of `KEYS` can join to a token of their answer, some of them twice.

    They share its digits between zeros, or their integer parts are at most one apart, or one of
    their groups is the token.

    In: numbers: row, at, value and most columns of `readings.numerals`. Out: row, at, value.
    """
    power = pl.lit(10, pl.Int64).pow(pl.col("decimals"))
    part = pl.col("number") // power
    parts = (
        tokens.filter(_PRECISE)
        .select("row", part=pl.concat_list(part - 1, part, part + 1))
        .explode("part", keep_nulls=False)
        .unique()
    )
    lone = tokens.filter(_COUNT == 0)
    separated = numbers.filter(_COUNT > 0)
    near = [
        numbers.join(tokens, on=["row", "mantissa"], how="semi"),
        numbers.filter(_PRECISE)
        .with_columns(part=part)
        .join(parts, on=["row", "part"], how="semi"),
        *(
            separated.join(lone, left_on=["row", group], right_on=["row", "value"], how="semi")
            for group in ("first", "last")
        ),
    ]
    return pl.concat(frame.select("row", "at", "value") for frame in near)
