"""Numbers, citation markers and annotations of a text column, as polars expressions.

One scan reads a text: markers and annotations are alternatives beside numbers in one pattern
and win at their `[`, which is the same as replacing each by a space first (SPEC §1, §2) and
needs no second copy of the text. polars' regex engine is linear in the text for any pattern.
"""

import polars as pl

from grounding.digits import digit_class, digit_values
from grounding.unicode16 import WHITE_SPACE

INT64_MAX = 2**63 - 1

_DIGIT = digit_class()
_ID = "[A-Za-z0-9_.-]+"
_IN_VALUE = r"[^\[\]\r\n]"
_INK = rf"[^\[\]\r\n{WHITE_SPACE}]"
_VALUE = f"{_IN_VALUE}*{_INK}{_IN_VALUE}*"

NUMBER = rf"[{_DIGIT}]+(?:[.,][{_DIGIT}]+)*"
MARKER = rf"\[[{_DIGIT}]+\]"

# `-u` keeps the case folding to ASCII: a plain `(?i)` would let ſ stand for s.
ANNOTATION = (
    rf"\[(?i-u:assert):{_ID}={_VALUE}\]"
    rf"|\[(?i-u:unsupported):{_ID}\]"
    rf"|\[(?i-u:input):{_VALUE}\]"
)

_GAP = rf"[^\[{_DIGIT}]+|\["


def numbers(text: pl.Expr, annotated: pl.Expr) -> pl.Expr:
    """Number tokens of each text, in order, repeats kept.

    In: `text` string; `annotated` boolean, true where well-formed annotations are blanked too.
    Out: list of string. Nulls: null where the text is null.
    """
    plain = pl.when(~annotated).then(text).str.extract_all(f"{MARKER}|{NUMBER}")
    graded = pl.when(annotated).then(text).str.extract_all(f"{MARKER}|{ANNOTATION}|{NUMBER}")
    return pl.coalesce(plain, graded).list.filter(~pl.element().str.starts_with("["))


def evidence_numbers(passages: pl.Expr) -> pl.Expr:
    """Number tokens over all passages of each row, repeats kept.

    In: list of string without null passages. Out: list of string. Nulls: null where the list is.
    No token spans the line feed that joins two passages, so one scan reads them all.
    """
    tokens = passages.list.join("\n").str.extract_all(f"{MARKER}|{NUMBER}")
    return tokens.list.filter(~pl.element().str.starts_with("["))


def passage_numbers(text: pl.Expr) -> pl.Expr:
    """Distinct number tokens of each passage.

    In: string. Out: list of string. Nulls: null where the text is null.
    """
    tokens = text.str.extract_all(f"{MARKER}|{NUMBER}")
    return tokens.list.filter(~pl.element().str.starts_with("[")).list.unique()


def citations(text: pl.Expr) -> pl.Expr:
    """Values of the citation markers of each text, in order, repeats kept.

    In: string. Out: list of int64, larger values as the largest int64. Nulls: null where null.
    """
    return text.str.extract_all(MARKER).list.eval(citation_value(pl.element()))


def citation_value(marker: pl.Expr) -> pl.Expr:
    """The integer that the digits of a marker spell, in any script: `[٣]` is 3, `[007]` is 7.

    In: string, a whole marker. Out: int64; a value beyond int64 is the largest int64. Leading
    zeros go first, so that what the cast is given is as long as its value is large.
    """
    ascii_digits = marker.str.strip_chars("[]").str.replace_many(digit_values())
    significant = ascii_digits.str.strip_chars_start("0")
    value = significant.cast(pl.Int64, strict=False).fill_null(INT64_MAX)
    return pl.when(significant == "").then(0).otherwise(value)


def spans(answers: pl.LazyFrame) -> pl.LazyFrame:
    """One row per number, marker and annotation of an answer, with its place.

    In: row int64, answer string, annotated boolean.
    Out: row, kind (number | marker | annotation), text, start, end: code points of the answer,
    0-based, end exclusive. Order: row, then start.

    The pattern covers the whole text, gaps included, so the running sum of the lengths of its
    matches is where each one ends.
    """
    plain = pl.when(~pl.col("annotated")).then("answer").str.extract_all(_cover())
    graded = pl.when(pl.col("annotated")).then("answer").str.extract_all(_cover(ANNOTATION))
    text = pl.col("text")
    kind = (
        pl.when(~text.str.starts_with("["))
        .then(pl.when(text.str.contains(f"^[{_DIGIT}]")).then(pl.lit("number")))
        .when(text.str.len_bytes() > 1)
        .then(
            pl.when(text.str.contains(":", literal=True))
            .then(pl.lit("annotation"))
            .otherwise(pl.lit("marker"))
        )
    )
    return (
        answers.select("row", text=pl.coalesce(plain, graded))
        .pipe(placed)
        .with_columns(kind=kind)
        .filter(pl.col("kind").is_not_null())
        .select("row", "kind", "text", "start", "end")
    )


def placed(pieces: pl.LazyFrame) -> pl.LazyFrame:
    """One row per piece of a text that was cut into all its pieces, with its place.

    In: row int64, text list of string, whose concatenation is the whole text.
    Out: row, text, end, start (code points). Order: row, then start.
    """
    ends = pl.col("text").list.eval(pl.element().str.len_chars().cast(pl.Int64).cum_sum())
    return (
        pieces.with_columns(end=ends)
        .explode("text", "end", empty_as_null=False)
        .with_columns(start=pl.col("end") - pl.col("text").str.len_chars())
    )


def _cover(*also: str) -> str:
    return "|".join([MARKER, *also, NUMBER, _GAP])
