"""The causes that lie in the answer itself: how a refused number stands in its text.

A cause is a row of `SPANS`: a pattern of what ends before a number, and of what begins after it.
Numbers of another citation style, and inline runs that count up, are found as wholes.
"""

from typing import NamedTuple

import polars as pl

from grounding.causes.hold import Hold
from grounding.causes.marks import LETTER
from grounding.causes.readings import values
from grounding.causes.texts import EDGE, MARK, mark_places, marks_within, stretches
from grounding.digits import digit_class
from grounding.styles import CITATION, STYLES, style_of
from grounding.tokens import citation_value, numbers
from grounding.unicode16 import WHITE_SPACE

_SHORT = f"^[{digit_class()}]{{1,3}}$"
_BLANK = "[ \t\u00a0]"
_INK = f"(?:[^{WHITE_SPACE}]|$)"
"""Where a stretch between two marks ends stands a number or a marker, and that is ink."""

_LINE = rf"[\r\n](?:{_BLANK}*[>*+-]{_BLANK}+)*{_BLANK}*(?:#+{_BLANK}+)?"
_REST = rf"{_BLANK}[{WHITE_SPACE}--\r\n]*{_INK}"
_SYNTAX = {style.name: style.pattern for style in STYLES if style.kind == "syntax"}


class Span(NamedTuple):
    """A cause that holds where both patterns do, and that of the number itself."""

    cause: str
    before: str
    after: str = ""
    text: str = ""
    behind: str = "after"
    """Where `after` is looked for: `beyond` the markers that a number has."""


SPANS = (
    Span("list_marker", _LINE, f"[.)]{_REST}", _SHORT, "beyond"),
    Span("list_marker", rf"{_LINE}\(", rf"\){_REST}", _SHORT),
    Span("list_marker", rf"{_LINE}\*\*", rf"(?:[.)]\*\*|\*\*\.){_REST}", _SHORT),
    Span("identifier", f"{LETTER}[-\u2010\u2011]?"),
)


def explained_by_text(refused: pl.LazyFrame, answers: pl.LazyFrame, hold: Hold) -> pl.LazyFrame:
    """One row per refused number and cause that its own text holds for it: row, start, cause.

    In: refused: row, start. answers: row, answer (`texts.graded_text`), n_passages; of these rows.
    """
    places = answers.select("row", "answer").pipe(mark_places)
    places = places.filter(~pl.col("text").str.starts_with("[")).pipe(hold)
    own = places.join(refused, on=["row", "start"], how="semi").pipe(hold)
    standing = [
        own.filter(
            pl.col("before").str.contains(f"(?:{span.before})$")
            & pl.col(span.behind).str.contains(f"^(?:{span.after})")
            & pl.col("text").str.contains(span.text)
        ).select("row", "start", cause=pl.lit(span.cause))
        for span in SPANS
    ]
    return pl.concat([cited(answers), *standing, counted_up(places)])


def cited(answers: pl.LazyFrame) -> pl.LazyFrame:
    """One row per number of a citation in another style, all of whose numbers name passages.

    In: row int64, answer string, n_passages int64. Out: row, start, cause `citation_syntax`.
    """
    written = pl.col("text")
    values_of = written.str.extract_all(f"[{digit_class()}]+").list.eval(
        citation_value(pl.element())
    )
    return (
        answers.select("row", "answer", "n_passages")
        .pipe(stretches, CITATION, rf"{digit_class()}(\[^【", sign="|".join(_SYNTAX.values()))
        .filter(~written.str.contains(f"^[{digit_class()}(]"))
        .filter(style_of(written).is_in(list(_SYNTAX)))
        .filter(values_of.list.max() <= pl.col("n_passages"))
        .pipe(marks_within)
        .select("row", "start", cause=pl.lit("citation_syntax"))
    )


def counted_up(places: pl.LazyFrame) -> pl.LazyFrame:
    """One row per number of an inline run such as `1) … 2) …`: row, start, cause `list_marker`.

    In: `texts.mark_places` of numbers. `(1) … (2)` and `1. … 2.` are runs of their own. A run
    begins with a 1, each number is one more than the one before, and one alone is none.
    """
    before, after, value = pl.col("before"), pl.col("after"), pl.col("value")
    closed = after.str.contains(rf"^\)[{WHITE_SPACE}]")
    dotted = after.str.contains(rf"^\.[{WHITE_SPACE}]") & before.str.contains(f"[{WHITE_SPACE}]$")
    opened = before.str.ends_with("(")
    at_the_end = pl.col("last") & after.is_in([f"){EDGE}", f".{EDGE}"])
    form = pl.when(dotted).then(0).when(closed & opened).then(1).when(closed).then(2)
    begins = (value == 1) | (value != value.shift(1) + 1).fill_null(True)
    run = ["row", "form", "run"]
    return (
        places.filter(~at_the_end & pl.col("text").str.contains(_SHORT))
        .with_columns(value=values(pl.col("text")).cast(pl.Int64), form=form)
        .filter(pl.col("form").is_not_null())
        .with_columns(run=begins.cum_sum().over("row", "form", order_by="start"))
        .filter((value.min().over(run) == 1) & (pl.len().over(run) > 1))
        .select("row", "start", cause=pl.lit("list_marker"))
    )


def asked(tokens: pl.LazyFrame, answers: pl.LazyFrame) -> pl.LazyFrame:
    """One row per token that the question of its answer holds: row, text, cause `in_question`.

    In: tokens: row, text. answers: row, question (string).
    """
    held = numbers(pl.col("question").str.extract_all(MARK))
    said = answers.select("row", text=held).explode("text", keep_nulls=False, empty_as_null=False)
    return tokens.join(said, on=["row", "text"], how="semi").select(
        "row", "text", cause=pl.lit("in_question")
    )
