"""Quantities that the rule does not read whole: `½`, `10⁶`, `1/2`, `40 000`, `two hundred`.

Each kind is a pattern, and what may not stand beside it. Kinds that share a character are one
stretch. It is no finding where the same reading finds the same stretch in a passage.
"""

from typing import NamedTuple

import polars as pl

from grounding.advice.steps import Steps
from grounding.advice.table import UNREAD
from grounding.advice.texts import places, reading, spots
from grounding.categories import letter_and_mark_class, numeral_class
from grounding.causes.explained import Passages
from grounding.causes.words import _runs
from grounding.causes.wordscan import WORD, word_runs, word_runs_and_numbers
from grounding.digits import digit_class
from grounding.normal import normalised
from grounding.tokens import NUMBER
from grounding.unicode16 import WHITE_SPACE

_PLACE = ["b0", "b1", "c0", "c1"]

_D, _NO, _Q = f"[{digit_class()}]", f"[^{digit_class()}]", f"[{numeral_class()}]"
_BLANKS = " \u00a0\u202f\u2009"
_B = f"[{_BLANKS}]"
_GAP = f"(?:{_B}|[\\-\u2010\u2011])"
_RAISED = f"(?:[⁺⁻₊₋]?{_Q})+"
_POWER = rf"(?:\^[{{(]?[+−\-]?{_D}+[)}}]?)+\^?"
_SMALL = "[\u00b2\u00b3\u00b9\u2070-\u209c]"
_FRACTION = "[\u00bc-\u00be\u2150-\u215f\u2189]"
_MARKS = "[·'’٫٬_˙⸱．]"
_WORD_CHARACTER = f"[{letter_and_mark_class()}{digit_class()}{numeral_class()}]"
_LETTER = f"[{letter_and_mark_class()}_]"
_NONE = "[^\\s\\S]"


class Kind(NamedTuple):
    """A pattern, and what every text holds that has a match, and few others.

    Then what must stand directly before a match, what may not, what may not behind it; and what
    the whole match must be.
    """

    pattern: str
    hint: str
    ahead: str = ""
    not_ahead: str = _NONE
    not_behind: str = _NONE
    only: str = ""


_NAKED_AFTER = rf"[{WHITE_SPACE}(\[{{\"'“‘«‹<>=≤≥~≈±+\-−$€£]"

KINDS = (
    Kind(rf"[.,]{NUMBER}", rf"(?:^|{_NAKED_AFTER})[.,]{_D}", _NAKED_AFTER),
    Kind(
        f"{NUMBER}{_RAISED}|{NUMBER}{_GAP}{_FRACTION}|{NUMBER}{_POWER}"
        f"|{NUMBER}{_B}?[x×*·]{_B}?{NUMBER}(?:{_RAISED}|{_POWER})",
        rf"{_Q}|\^",
    ),
    Kind(_RAISED, _Q, not_ahead=_D),
    Kind(
        rf"{NUMBER}[eE][+−\-]?{_D}+",
        rf"{_D}[eE][+−\-]?{_D}",
        not_behind=f"^{_WORD_CHARACTER}",
    ),
    Kind(f"{NUMBER}(?:[/⁄∕]{NUMBER})+", f"[/⁄∕]{_D}", not_ahead="/", not_behind="^/"),
    Kind(
        f"{NUMBER}{_GAP}{_D}{{1,2}}[/⁄]{_D}{{1,3}}",
        f"[/⁄]{_D}",
        not_behind=f"^(?:[.,]?{_D}|/)",
    ),
    Kind(f"{NUMBER}(?:{_MARKS}{NUMBER})+", f"{_MARKS}{_D}", not_behind="^_"),
    Kind(
        f"{NUMBER}(?:{_B}{NUMBER})+",
        f"(?:^|(?:^|{_NO})[.,{_BLANKS}]|[^{digit_class()}{_BLANKS}.,])"
        f"{_D}{{1,3}}(?:{_B}{_D}{{3}})+(?:[.,]{_D}+)?"
        f"(?:$|[^{digit_class()}{_BLANKS}.,]|[.,{_BLANKS}](?:{_NO}|$))",
        only=f"^{_D}{{1,3}}(?:{_B}{_D}{{3}})+(?:[.,]{_D}+)?$",
    ),
)

_HINT = "|".join(sorted({kind.hint for kind in KINDS}))
"""What every text holds that has a stretch of `KINDS`."""

_MANY = 16
"""Stretches of an answer that are looked for one by one at most."""

_SMALL_AFTER = rf"[{WHITE_SPACE}(\[{{\"'“‘«‹]"
_BETWEEN_WORDS = "[ \\-\u2010\u2011]+"
_NO_NUMBER = ("one", "first", "second", "third")
"""Runs of one word that are mostly no number."""


def unread(answers: pl.LazyFrame, passages: Passages, steps: Steps) -> pl.LazyFrame:
    """One row per stretch of an answer that the rule does not read and no passage holds.

    In: answers: row, text (as read). passages: those of rows with such a stretch, or more.
    Out: row, kind, and the stretch: b0, b1, c0, c1.
    """
    found = answers.pipe(stretches, "row", steps).pipe(steps.hold)
    if steps.is_empty(found):
        return found.select("row", *_PLACE, kind=pl.lit(UNREAD))
    asked = passages.uses.pipe(_worth_reading, found, passages.texts, steps).pipe(steps.hold)
    texts = passages.texts.join(asked, on="passage", how="semi").select(
        "passage", text=reading(pl.col("text"))
    )
    texts = texts.pipe(steps.hold)
    if steps.is_empty(texts):
        return found.select("row", *_PLACE, kind=pl.lit(UNREAD))
    held = texts.pipe(stretches, "passage", steps).select("passage", "key", "words")
    held = asked.join(held, on="passage").select("row", "key", "words").unique()
    return (
        found.join(held, on=["row", "key", "words"], how="anti")
        .with_columns(kind=pl.lit(UNREAD))
        .select("row", "kind", *_PLACE)
    )


def _worth_reading(
    uses: pl.LazyFrame, found: pl.LazyFrame, texts: pl.LazyFrame, steps: Steps
) -> pl.LazyFrame:
    """The passages that may hold a stretch of their answer: row, passage.

    Most do not hold it as it stands, which is quickly seen. Words are compared folded, markers are
    read as a space, and where there are many stretches a passage is better read.
    """
    keys = found.select("row", "key", "words").unique()
    keys = keys.with_columns(many=pl.len().over("row") > _MANY)
    sure = pl.col("words") | pl.col("many")
    rows = uses.select("row", "passage").join(keys.filter(sure), on="row", how="semi")
    few = keys.filter(~sure).select("row", "key").pipe(steps.hold)
    looked = (
        uses.select("row", "passage")
        .join(few, on="row")
        .join(texts, on="passage", how="left")
        .filter(
            pl.col("text").str.contains("[", literal=True)
            | pl.col("text").cast(pl.Binary).bin.contains(pl.col("key").cast(pl.Binary))
        )
        .select("row", "passage")
    )
    return pl.concat([rows, looked]).unique()


def stretches(texts: pl.LazyFrame, of: str, steps: Steps) -> pl.LazyFrame:
    """One row per stretch that is not read: `of` (whose text it is), key, words, b0, b1, c0, c1.

    In: text as read, and the column `of`. `key` is equal for equal stretches; `words` says that
    number words are all of it.
    """
    texts = texts.select(of, "text")
    hinted = texts.filter(pl.col("text").str.contains(_HINT)).pipe(steps.hold)
    ahead, behind, token = pl.col("ahead"), pl.col("behind"), pl.col("token")
    frames = []
    for kind in () if steps.is_empty(hinted) else KINDS:
        opens_small = token.str.contains(f"^{_SMALL}") & ~ahead.str.contains(_SMALL_AFTER)
        frames.append(
            hinted.filter(pl.col("text").str.contains(kind.hint))
            .pipe(spots, kind.pattern)
            .filter(
                ahead.str.contains(kind.ahead)
                & ~ahead.str.contains(_LETTER)
                & ~ahead.str.contains(kind.not_ahead)
                & ~behind.str.contains(kind.not_behind)
                & token.str.contains(kind.only)
                & ~opens_small
            )
            .select(of, *_PLACE, words=pl.lit(False))
        )
    frames.append(texts.pipe(_spelled, of, steps).select(of, *_PLACE, words=pl.lit(True)))
    found = pl.concat(frames).sort(of, "b0", "b1")
    ends = pl.col("b1").cum_max().over(of).shift(1)
    begins = (pl.col(of) != pl.col(of).shift(1)) | (pl.col("b0") >= ends)
    return (
        found.with_columns(stretch=begins.fill_null(True).cum_sum())
        .group_by("stretch", maintain_order=True)
        .agg(
            pl.col(of).first(),
            pl.col("b0", "c0").min(),
            pl.col("b1", "c1").max(),
            pl.col("words").all(),
        )
        .join(texts, on=of, how="left", maintain_order="left")
        .with_columns(key=_between())
        .with_columns(
            key=pl.when("words")
            .then(normalised(pl.col("key")).str.replace_all(_BETWEEN_WORDS, " "))
            .otherwise("key")
        )
        .select(of, "key", "words", *_PLACE)
    )


def _between() -> pl.Expr:
    start, end = pl.col("b0"), pl.col("b1")
    return pl.col("text").cast(pl.Binary).bin.slice(start, end - start).cast(pl.String)


def _spelled(texts: pl.LazyFrame, of: str, steps: Steps) -> pl.LazyFrame:
    """One row per run of number words: `of`, b0, b1, c0, c1.

    A run is found by what it looks like; each different one is looked up once, and where it stands
    only in texts that have one.
    """
    seen = texts.select(of, run=pl.col("text").str.extract_all(word_runs()))
    seen = seen.explode("run", keep_nulls=False, empty_as_null=False).pipe(steps.hold)
    meant = seen.select(text="run").unique().with_row_index("stretch").pipe(steps.hold)
    numbers = meant.pipe(_runs).filter(_is_number()).select("stretch").unique()
    worth = seen.join(meant.join(numbers, on="stretch"), left_on="run", right_on="text")
    worth = worth.select(of).unique().pipe(steps.hold)
    if steps.is_empty(worth):
        return worth.select(of, **dict.fromkeys(_PLACE, pl.lit(0, pl.Int64)))
    found = (
        texts.join(worth, on=of, how="semi")
        .pipe(spots, word_runs_and_numbers())
        .select(of, *_PLACE, text="token")
        .with_row_index("stretch")
        .pipe(steps.hold)
    )
    runs = found.pipe(_runs).filter(~pl.col("beside_number") & _is_number()).pipe(steps.hold)
    pieces = found.select("stretch", "text").join(runs, on="stretch", how="semi")
    pieces = pieces.pipe(places, rf"(?s){WORD}|.").select("stretch", start="c0", within="b0")
    written = pl.col("written")
    return (
        runs.with_columns(pl.col("start").cast(pl.Int64))
        .join(pieces, on=["stretch", "start"])
        .join(found, on="stretch")
        .select(
            of,
            b0=pl.col("b0") + pl.col("within"),
            b1=pl.col("b0") + pl.col("within") + written.str.len_bytes().cast(pl.Int64),
            c0=pl.col("c0") + pl.col("start"),
            c1=pl.col("c0") + pl.col("start") + written.str.len_chars().cast(pl.Int64),
        )
    )


def _is_number() -> pl.Expr:
    return ~normalised(pl.col("written")).is_in(_NO_NUMBER)
