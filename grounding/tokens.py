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

_MARK = f"{MARKER}|{NUMBER}"

# `-u` keeps the case folding to ASCII: a plain `(?i)` would let ſ stand for s.
ANNOTATION = (
    rf"\[(?i-u:assert):{_ID}={_VALUE}\]"
    rf"|\[(?i-u:unsupported):{_ID}\]"
    rf"|\[(?i-u:input):{_VALUE}\]"
)
_MARK_OR_ANNOTATION = f"{MARKER}|{ANNOTATION}|{NUMBER}"


def marks(text: pl.Expr, annotated: pl.Expr) -> pl.Expr:
    """Number tokens, citation markers and annotations of each text, as written and in order.

    In: `text` string; `annotated` boolean, true where well-formed annotations are found too.
    Out: list of string. Nulls: null where the text is null.
    """
    plain = pl.when(~annotated).then(text).str.extract_all(_MARK)
    graded = pl.when(annotated).then(text).str.extract_all(_MARK_OR_ANNOTATION)
    return pl.coalesce(plain, graded)


def numbers(marks: pl.Expr) -> pl.Expr:
    """The number tokens among `marks`, in order, repeats kept."""
    return marks.list.filter(~_opens_a_bracket())


def citations(marks: pl.Expr) -> pl.Expr:
    """Values of the citation markers among `marks`, in order, repeats kept.

    Out: list of int64, larger values as the largest int64. Nulls: null where null.
    """
    bracketed = marks.list.filter(_opens_a_bracket())
    markers = bracketed.list.filter(~_is_annotation(pl.element()))
    return markers.list.eval(citation_value(pl.element()))


def passage_numbers(text: pl.Expr) -> pl.Expr:
    """Distinct number tokens of each passage.

    In: string. Out: list of string. Nulls: null where the text is null.
    """
    return numbers(text.str.extract_all(_MARK)).list.unique()


def citation_value(marker: pl.Expr) -> pl.Expr:
    """The integer that the digits of a marker spell, in any script: `[٣]` is 3, `[007]` is 7.

    In: string, a whole marker. Out: int64; a value beyond int64 is the largest int64.
    """
    digits = marker.str.strip_chars("[]")
    plain = digits.cast(pl.Int64, strict=False)
    return pl.coalesce(plain, _spelled(pl.when(plain.is_null()).then(digits)))


def _spelled(digits: pl.Expr) -> pl.Expr:
    """As `citation_value`, of digits that polars does not read: of another script, or very many.

    Leading zeros go first, so that what the cast is given is as long as its value is large.
    """
    significant = digits.str.replace_many(digit_values()).str.strip_chars_start("0")
    value = significant.cast(pl.Int64, strict=False).fill_null(INT64_MAX)
    return pl.when(significant == "").then(0).when(digits.is_not_null()).then(value)


def spans(answers: pl.LazyFrame) -> pl.LazyFrame:
    """One row per number, marker and annotation of an answer, with its place.

    In: row int64, answer string, annotated boolean, marks as of `marks`.
    Out: the columns of `answers` but those three, and kind (number | marker | annotation), text,
    start, end: code points of the answer, 0-based, end exclusive. Order: row, then start.

    Every digit lies in a mark. So when a zero has taken the place of each mark, the text is cut
    at its zeros into what stands between the marks.
    """
    answer, annotated, written = pl.col("answer"), pl.col("annotated"), pl.col("marks")
    plain = pl.when(~annotated).then(answer).str.replace_all(_MARK, "0")
    graded = pl.when(annotated).then(answer).str.replace_all(_MARK_OR_ANNOTATION, "0")
    gaps = pl.coalesce(plain, graded).str.split("0").list.head(written.list.len())
    text = pl.col("text")
    return (
        answers.with_columns(text=written, end=(_lengths(gaps) + _lengths(written)))
        .drop("answer", "annotated", "marks")
        .with_columns(pl.col("end").list.eval(pl.element().cum_sum()))
        .explode("text", "end", keep_nulls=False)
        .with_columns(
            start=pl.col("end") - text.str.len_chars(),
            kind=pl.when(~text.str.starts_with("["))
            .then(pl.lit("number"))
            .when(_is_annotation(text))
            .then(pl.lit("annotation"))
            .otherwise(pl.lit("marker")),
        )
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


def _lengths(texts: pl.Expr) -> pl.Expr:
    """Code points of each text of each list."""
    return texts.list.eval(pl.element().str.len_chars().cast(pl.Int64))


def _opens_a_bracket() -> pl.Expr:
    return pl.element().str.starts_with("[")


def _is_annotation(mark: pl.Expr) -> pl.Expr:
    """Whether a mark with a bracket is no citation marker: its word ends with a colon."""
    return mark.str.contains(":", literal=True)
