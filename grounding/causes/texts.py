"""Answers cut into their numbers and markers, and what stands between those."""

import polars as pl

from grounding.tokens import ANNOTATION, MARKER, NUMBER, placed

MARK = f"{MARKER}|{NUMBER}"

EDGE = "\n"
"""Stands before a text and after it, so that its first and last lines are like the others."""


def graded_text(answers: pl.LazyFrame) -> pl.LazyFrame:
    """The answers with blanks in the place of what is no text of theirs: graded annotations.

    In: answer string, annotated boolean. Out: those, each answer as long as it was.
    """
    piece = pl.element()
    blank = pl.lit("").str.pad_start(piece.str.len_chars())
    pieces = pl.when("annotated").then("answer").str.extract_all(rf"{ANNOTATION}|[^\[]+|\[")
    blanked = pieces.list.eval(
        pl.when(piece.str.contains(f"^(?:{ANNOTATION})$")).then(blank).otherwise(piece)
    ).list.join("")
    return answers.with_columns(answer=pl.coalesce(blanked, "answer"))


def mark_places(texts: pl.LazyFrame) -> pl.LazyFrame:
    """One row per number and marker of a text, with what stands between it and its neighbours.

    In: row int64, answer string, other columns.
    Out: row, the other columns, text, start (code points), before and after (the stretches up to
    the marks beside it, or through the edge), previous (the mark before), last (none follows),
    beyond (as after, but behind all markers that stand directly behind it).
    """
    text, count = pl.col("text"), pl.col("text").list.len()
    answer = pl.concat_str(pl.lit(EDGE), "answer", pl.lit(EDGE))
    length = pl.element().str.len_chars().cast(pl.Int64)
    followed = (pl.col("after") == "") & pl.col("next").str.starts_with("[")
    return (
        texts.with_columns(
            text=pl.col("answer").str.extract_all(MARK),
            gaps=answer.str.replace_all(MARK, "0").str.split("0"),
        )
        .drop("answer")
        .filter(count > 0)
        .with_columns(
            previous=text.list.shift(1),
            next=text.list.shift(-1),
            before=pl.col("gaps").list.head(count),
            after=pl.col("gaps").list.tail(count),
            following=pl.int_ranges(count.cast(pl.Int64) - 1, -1, -1),
        )
        .with_columns(end=pl.col("before").list.eval(length) + text.list.eval(length))
        .with_columns(pl.col("end").list.eval(pl.element().cum_sum()))
        .drop("gaps")
        .explode("text", "previous", "next", "before", "after", "end", "following")
        .with_columns(
            start=pl.col("end") - text.str.len_chars() - len(EDGE),
            last=pl.col("following") == 0,
            beyond=pl.when(~followed).then("after").fill_null(strategy="backward"),
        )
        .drop("end", "following", "next")
    )


def stretches(
    texts: pl.LazyFrame, pattern: str, begins: str, sign: str | None = None
) -> pl.LazyFrame:
    """One row per leftmost match of a pattern: row, text, start, and the other columns.

    In: row int64, answer string, other columns; `begins`: a class of all characters, without
    brackets, that a match may begin with; `sign`: only texts with a match of it are looked at.
    """
    cover = rf"{pattern}|[^{begins}]+|(?s:.)"
    return (
        texts.filter(pl.col("answer").str.contains(sign or pattern))
        .with_columns(text=pl.col("answer").str.extract_all(cover))
        .drop("answer")
        .pipe(placed)
        .filter(pl.col("text").str.contains(f"^(?:{pattern})$"))
        .drop("end")
    )


def marks_within(found: pl.LazyFrame) -> pl.LazyFrame:
    """One row per number and marker that lies in a stretch: row, text, start.

    In: `stretches` of patterns that no number or marker crosses.
    """
    within = found.select("row", answer="text", base="start").pipe(mark_places)
    return within.select("row", "text", start=pl.col("base") + pl.col("start"))
