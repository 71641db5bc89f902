"""Number words of passages: runs of words that spell an integer (see `numberwords`)."""

from functools import cache
from typing import NamedTuple

import polars as pl

from grounding.causes.hold import Hold
from grounding.causes.wordscan import BLANKS, HYPHEN, JOINT, WORD, word_runs, word_runs_and_numbers
from grounding.digits import digit_class
from grounding.normal import normalised
from grounding.numberwords import number_words
from grounding.tokens import NUMBER

_SPELLABLE = "^[0-9]{1,4}$|^[1-9][0-9]*000$"
"""The table ends at 9,999, but for multiples of a thousand."""


class _Tables(NamedTuple):
    words: pl.LazyFrame
    pairs: pl.LazyFrame
    phrases: pl.LazyFrame


@cache
def _tables() -> _Tables:
    """The words, with what they may do in a phrase; pairs with a weak word; phrases."""
    known = number_words()
    words = sorted(known.words)
    return _Tables(
        pl.LazyFrame(
            {
                "word": words,
                "weak": [word in known.weak for word in words],
                "opens": [word not in known.weak or word in known.openers for word in words],
                "followed": [word in known.followed for word in words],
                "closes": [word not in known.weak or word in known.closers for word in words],
            }
        ),
        pl.LazyFrame(sorted(known.pairs), schema=["before", "word"], orient="row").with_columns(
            pair=True
        ),
        pl.LazyFrame(
            {"phrase": list(known.values), "value": [str(n) for n in known.values.values()]}
        ),
    )


def word_marks(
    passages: pl.LazyFrame, uses: pl.LazyFrame, tokens: pl.LazyFrame, hold: Hold
) -> pl.LazyFrame:
    """One row per run of words that spells a token of an answer, in order.

    In: passages: passage, text. uses: row, passage. tokens: row, value (in ASCII digits).
    Out: passage, text (as written), value (the integer), kind. Other runs may be there too.

    All passages are looked through for runs that spell a token of theirs; which of those have a
    number beside them is looked at only where there is one.
    """
    spellable = tokens.filter(pl.col("value").str.contains(_SPELLABLE)).select("row", "value")
    asked = uses.join(spellable, on="row").select("passage", "value").unique().pipe(hold)
    read = passages.join(asked, on="passage", how="semi").pipe(hold)
    seen = read.pipe(_found, word_runs()).pipe(hold)
    meant = seen.select("text").unique().with_row_index("stretch").pipe(hold)
    spelled = meant.pipe(_runs).select("stretch", "value").unique()
    worth = (
        seen.join(meant, on="text")
        .select("passage", "stretch")
        .join(spelled, on="stretch")
        .join(asked, on=["passage", "value"], how="semi")
    )
    stretches = (
        read.join(worth, on="passage", how="semi")
        .pipe(_found, word_runs_and_numbers())
        .with_row_index("stretch")
        .pipe(hold)
    )
    return (
        stretches.select("stretch", "text")
        .pipe(_runs)
        .filter(~pl.col("beside_number"))
        .join(stretches.select("stretch", "passage"), on="stretch")
        .sort("stretch", "start")
        .select("passage", text="written", value="value", kind=pl.lit("words"))
    )


def _found(passages: pl.LazyFrame, pattern: str) -> pl.LazyFrame:
    """One row per match: passage, text."""
    return passages.select("passage", pl.col("text").str.extract_all(pattern)).explode(
        "text", keep_nulls=False, empty_as_null=False
    )


def _runs(stretches: pl.LazyFrame) -> pl.LazyFrame:
    """One row per run of number words that spells an integer.

    In: stretch (a number of its own), text.
    Out: stretch, start, written, value, beside_number.
    """
    piece, tables = pl.col("text"), _tables()
    near = pl.col("back", "back_2", "next", "next_2")
    pieces = piece.str.extract_all(rf"(?s){WORD}|{NUMBER}|{HYPHEN}|{BLANKS}+|.")
    shifted = {"back": 1, "back_2": 2, "next": -1, "next_2": -2}
    cut = stretches.select("stretch", text=pieces).with_columns(
        piece.list.shift(by).alias(name) for name, by in shifted.items()
    )
    ends = piece.list.eval(pl.element().str.len_chars().cast(pl.Int64).cum_sum())
    words = (
        cut.with_columns(end=ends)
        .explode("text", *shifted, "end", empty_as_null=False)
        .with_columns(near.fill_null(""), word=normalised(piece))
        .with_columns(start=pl.col("end") - piece.str.len_chars())
        .join(tables.words, on="word")
        .sort("stretch", "start")
        .with_columns(before=pl.col("word").shift(1))
        .join(tables.pairs, on=["before", "word"], how="left", maintain_order="left")
    )
    weak, number = pl.col("weak"), f"^[{digit_class()}]"
    joined = (
        (pl.col("stretch") == pl.col("stretch").shift(1))
        & (pl.col("end").shift(1) == pl.col("start") - pl.col("back").str.len_chars())
        & pl.col("back").str.contains(f"^{JOINT}$")
        & pl.col("followed").shift(1)
        & ((~weak & ~weak.shift(1)) | pl.col("pair").fill_null(False))
    )
    blank = f"^{BLANKS}+$"
    digit_before, digit_after = (
        pl.col(one).str.contains(number)
        | (pl.col(one).str.contains(blank) & pl.col(two).str.contains(number))
        for one, two in (("back", "back_2"), ("next", "next_2"))
    )
    return (
        words.with_columns(run=(~joined).fill_null(True).cum_sum())
        .with_columns(digit_before=digit_before, digit_after=digit_after)
        .filter(pl.col("opens").cum_max().over("run"))
        .filter(pl.col("closes").cum_max(reverse=True).over("run"))
        .group_by("run")
        .agg(
            pl.col("stretch").first(),
            start=pl.col("start").min(),
            opening=piece.sort_by("start").first(),
            others=pl.concat_str("back", piece).sort_by("start").slice(1).str.join(""),
            phrase=pl.col("word").sort_by("start").str.join(" "),
            beside_number=pl.col("digit_before").sort_by("start").first()
            | pl.col("digit_after").sort_by("start").last(),
        )
        .join(tables.phrases, on="phrase")
        .select(
            "stretch",
            "start",
            "value",
            "beside_number",
            written=pl.concat_str("opening", "others"),
        )
    )
