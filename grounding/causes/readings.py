"""What a number token says once it is taken apart: digits, groups, and the readings it may have.

Expressions over `values`: the token in ASCII digits, its separators as written. A reading is an
exact integer with a count of decimals, never a float. `1.500` has two readings, so that nothing
here chooses between them.
"""

import polars as pl

from grounding.digits import digit_values

DIGITS_OF_INT64 = 18
"""Any integer of so many digits fits, and so does its rounding."""

_GROUPED = r"[0-9]{1,3}(?:(?:\.[0-9]{3})+|(?:,[0-9]{3})+)"
_GROUPED_DECIMAL = r"[0-9]{1,3}(?:(?:\.[0-9]{3})+,|(?:,[0-9]{3})+\.)[0-9]+"
_TWO_READINGS = r"[1-9][0-9]{0,2}[.,][0-9]{3}"


def values(text: pl.Expr) -> pl.Expr:
    """Each token with ASCII digits in the place of all others."""
    plain = text.str.len_bytes() == text.str.len_chars()
    other = pl.when(~plain).then(text).str.replace_many(digit_values())
    return pl.coalesce(other, text)


def digits(value: pl.Expr) -> pl.Expr:
    """The digits without separators."""
    return value.str.replace_all("[.,]", "")


def groups(value: pl.Expr) -> pl.Expr:
    """The digit groups, whatever stands between them."""
    return value.str.replace_all("[.,]", "|")


def numerals(values: pl.LazyFrame) -> pl.LazyFrame:
    """What the causes compare, one row per distinct value of a number.

    In: value string (see `values`).
    Out: value; digits, groups, first, last (groups), mantissa string; separators int64;
    two_readings, grouped, grouped_decimal boolean; decimals int64, of the one reading (null where
    there are two, or none); number int64, the digits as an integer (null beyond int64); length and
    significant uint32, of all digits and of those that the zeros around an integer are not.
    """
    value, last = pl.col("value"), pl.col("last").str.len_bytes().cast(pl.Int64)
    count = pl.col("separators")
    separated = pl.when(count > 0).then("value")
    leading = pl.col("digits").str.strip_chars_start("0")
    whole = leading.str.strip_chars_end("0")
    return (
        values.select("value")
        .unique()
        .with_columns(digits=digits(value), groups=groups(value))
        .with_columns(
            separators=(value.str.len_bytes() - pl.col("digits").str.len_bytes()).cast(pl.Int64),
            mantissa=pl.col("digits").str.strip_chars("0"),
            number=pl.col("digits").cast(pl.Int64, strict=False),
            length=pl.col("digits").str.len_bytes(),
        )
        .with_columns(
            first=pl.coalesce(separated.str.extract("^([0-9]+)"), "value"),
            last=pl.coalesce(separated.str.extract("([0-9]+)$"), "value"),
            two_readings=_matches(separated, _TWO_READINGS) & (count == 1),
            grouped=_matches(separated, _GROUPED),
            grouped_decimal=_matches(separated, _GROUPED_DECIMAL) & (count > 1),
        )
        .with_columns(
            decimals=pl.when(count == 0)
            .then(0)
            .when((count == 1) & ~pl.col("two_readings"))
            .then(last)
            .when((count > 1) & pl.col("grouped"))
            .then(0)
            .when("grouped_decimal")
            .then(last)
        )
        .with_columns(
            significant=pl.when(pl.col("decimals") == 0)
            .then(whole)
            .otherwise(leading)
            .str.len_bytes()
        )
    )


def _matches(value: pl.Expr, pattern: str) -> pl.Expr:
    return value.str.contains(f"^{pattern}$").fill_null(False)


def without_padding() -> pl.Expr:
    """The token without leading zeros, and without trailing zeros of what is surely a fraction.

    In: the columns of `numerals`.
    """
    value, count = pl.col("value"), pl.col("separators")
    fraction = ((count == 1) & (pl.col("last").str.len_bytes() != 3)) | pl.col("grouped_decimal")
    short = value.str.strip_chars_end("0").str.strip_chars_end(".,")
    return pl.when(fraction).then(short).otherwise(value).str.replace("^0+([0-9])", "$1")


def without_grouping() -> pl.Expr:
    """The token without the separators that group its digits by three.

    In: the columns of `numerals`. Nulls: null where separators stand in no such way.
    """
    value, last = pl.col("value"), pl.col("last")
    mark = value.str.extract("([.,])[0-9]+$")
    whole = pl.col("digits").str.head(pl.col("digits").str.len_chars() - last.str.len_chars())
    return (
        pl.when("grouped")
        .then("digits")
        .when("grouped_decimal")
        .then(pl.concat_str(whole, mark, last))
        .when(pl.col("separators") <= 1)
        .then(value)
    )


def exponent() -> pl.Expr:
    """The power of ten that the mantissa is multiplied by, as text, under the one reading.

    In: the columns of `numerals`. Nulls: null without a reading, or with two.
    """
    significant = pl.col("digits").str.strip_chars_end("0").str.len_bytes().cast(pl.Int64)
    zeros = pl.col("digits").str.len_bytes().cast(pl.Int64) - significant
    return (zeros - pl.col("decimals")).cast(pl.String)


def readable(most_digits: int) -> pl.Expr:
    """Whether a token has one reading and at most so many digits, as written.

    In: the columns of `numerals`.
    """
    return pl.col("decimals").is_not_null() & (pl.col("length") <= most_digits)


def rounded(tokens: pl.LazyFrame, wanted: pl.LazyFrame) -> pl.LazyFrame:
    """One row per token, count of fewer decimals, and way to lose the others, where any is lost.

    In: row and columns of `numerals` for tokens that are `readable` with `DIGITS_OF_INT64`;
    wanted: row, fewer.
    Out: the columns, and fewer int64, result int64: truncated, then rounded half up.
    """
    number, power = pl.col("number"), pl.col("power")
    cut = (
        tokens.filter(pl.col("decimals") > 0)
        .with_columns(fewer=pl.int_ranges(0, pl.col("decimals")))
        .explode("fewer", keep_nulls=False)
        .join(wanted, on=["row", "fewer"], how="semi")
        .with_columns(power=pl.lit(10, pl.Int64).pow(pl.col("decimals") - pl.col("fewer")))
        .filter(number % power != 0)
    )
    return pl.concat(
        cut.with_columns(result=result)
        for result in (number // power, (number + power // 2) // power)
    )
