"""Texts as they are read, and what stands before and after a place in them.

A place is a byte: a slice of bytes costs the same wherever it lies, a slice of characters counts
its way there. Answers and passages share their text with every row made of them, uncopied.
"""

import polars as pl

from grounding.digits import digit_class
from grounding.tokens import ANNOTATION, MARKER, NUMBER

EDGE = "\0"
"""Stands behind a text that is searched; part of no spelling."""

OPEN = "\n"
"""Stands before one: what may begin a line may begin a text."""


def reading(text: pl.Expr, annotated: pl.Expr | None = None) -> pl.Expr:
    """Each text with a space in the place of each marker and, where `annotated`, annotation."""
    plain = text.str.replace_all(MARKER, " ")
    if annotated is None:
        return plain
    graded = pl.when(annotated).then(text).str.replace_all(f"{MARKER}|{ANNOTATION}", " ")
    return pl.coalesce(graded, plain)


def number_places(texts: pl.LazyFrame) -> pl.LazyFrame:
    """One row per number token of a text, in order.

    In: text string, other columns.
    Out: those, and token, b0, b1 (bytes of the text), c0, c1 (code points), and gap_before and
    gap_after: what stands between it and the numbers beside it.
    """
    begins, ends = pl.col("b0") == 0, pl.col("b1") == pl.col("text").str.len_bytes()
    nothing = pl.lit("")
    return (
        texts.pipe(places, rf"{NUMBER}|[^{digit_class()}]+")
        .with_columns(
            gap_before=pl.when(~begins).then(pl.col("token").shift(1)).otherwise(nothing),
            gap_after=pl.when(~ends).then(pl.col("token").shift(-1)).otherwise(nothing),
        )
        .filter(pl.col("token").str.contains(rf"^[{digit_class()}]"))
    )


def places(texts: pl.LazyFrame, cover: str) -> pl.LazyFrame:
    """One row per piece of a text, as a pattern cuts all of it.

    In: text string, other columns.
    Out: those, and token (the piece), b0, b1 (bytes of the text), c0, c1 (code points).
    """
    text, piece = pl.col("text"), pl.col("token")
    size, length = piece.str.len_bytes().cast(pl.Int64), piece.str.len_chars().cast(pl.Int64)
    whole, chars = text.str.len_bytes().cast(pl.Int64), text.str.len_chars().cast(pl.Int64)
    return (
        texts.with_columns(
            token=text.str.extract_all(cover),
            b1=whole.cum_sum() - whole,
            c1=chars.cum_sum() - chars,
        )
        .explode("token", keep_nulls=False, empty_as_null=False)
        .with_columns(b1=size.cum_sum() - pl.col("b1"), c1=length.cum_sum() - pl.col("c1"))
        .with_columns(b0=pl.col("b1") - size, c0=pl.col("c1") - length)
    )


def after(place: pl.Expr, size: int) -> pl.Expr:
    """About so many bytes of `text` from a place on, whole characters, and the edge."""
    end = place + size
    return pl.concat_str(between(place, end + _to_a_character(end)), pl.lit(EDGE))


def before(place: pl.Expr, size: int) -> pl.Expr:
    """The edge, and at most so many bytes of `text` before a place, whole characters."""
    start = pl.max_horizontal(place - size, pl.lit(0, pl.Int64))
    return pl.concat_str(pl.lit(OPEN), between(start + _to_a_character(start), place))


def _to_a_character(place: pl.Expr) -> pl.Expr:
    """How many bytes of a character are left from a place in its midst: none at its start."""
    raw, moved = pl.col("text").cast(pl.Binary), pl.lit(0, pl.Int64)
    inside = pl.lit(True)
    for step in range(3):
        byte = raw.bin.slice(place + step, 1)
        inside = inside & (byte >= b"\x80") & (byte < b"\xc0")
        moved = moved + inside.cast(pl.Int64)
    return moved


def between(start: pl.Expr, end: pl.Expr) -> pl.Expr:
    """The stretch of `text` between two places."""
    return pl.col("text").cast(pl.Binary).bin.slice(start, end - start).cast(pl.String)


def spots(texts: pl.LazyFrame, pattern: str) -> pl.LazyFrame:
    """One row per match of a pattern, from the left.

    In: text string, other columns. Out: those, and token (the match), b0, b1, c0, c1, ahead (the
    character before it, or the edge) and behind (the two characters after it, or the edge).
    """
    found, gaps = pl.col("token"), pl.col("gap")
    size = (pl.col("gap").str.len_bytes() + pl.col("token").str.len_bytes()).cast(pl.Int64)
    chars = (pl.col("gap").str.len_chars() + pl.col("token").str.len_chars()).cast(pl.Int64)
    # A separator of its own tells where matches stood; where a text holds it, a like one does.
    plain = pl.col("text").str.replace_all(_MET, _LIKE, literal=True)
    edged = pl.concat_str(pl.lit(OPEN), "gap")
    own = pl.col("match")
    following = pl.concat_str(pl.col("gap").shift(-1), pl.col("token").shift(-1).fill_null(""))
    return (
        texts.with_row_index("match")
        .with_columns(
            token=pl.col("text").str.extract_all(pattern),
            gap=plain.str.replace_all(pattern, _MET).str.split(_MET),
        )
        .with_columns(
            b1=pl.col("text").str.len_bytes().cast(pl.Int64),
            c1=pl.col("text").str.len_chars().cast(pl.Int64),
        )
        .with_columns(
            b1=pl.col("b1").cum_sum() - pl.col("b1"), c1=pl.col("c1").cum_sum() - pl.col("c1")
        )
        # The last gap has no match behind it: an empty one, so that all lies in place.
        .with_columns(token=pl.concat_list("token", pl.lit([""], pl.List(pl.String))))
        .explode("token", "gap", keep_nulls=False, empty_as_null=False)
        .with_columns(
            b1=size.cum_sum() - pl.col("b1"),
            c1=chars.cum_sum() - pl.col("c1"),
            ahead=pl.when((gaps == "") & (own == own.shift(1)))
            .then(found.shift(1).str.tail(1))
            .otherwise(edged.str.tail(1)),
            behind=pl.concat_str(
                pl.when((own == own.shift(-1)).fill_null(False)).then(following).fill_null(""),
                pl.lit(EDGE),
            ).str.head(2),
        )
        .filter(found != "")
        .with_columns(
            b0=pl.col("b1") - found.str.len_bytes().cast(pl.Int64),
            c0=pl.col("c1") - found.str.len_chars().cast(pl.Int64),
        )
        .drop("gap", "match")
    )


_MET, _LIKE = "\x1f", "\x1e"
