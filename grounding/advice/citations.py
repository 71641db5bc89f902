"""Supported numbers that stand in no passage which the answer cites, or cites beside them."""

import polars as pl

from grounding.advice.table import NOT_CITED, NOT_NEAREST
from grounding.advice.texts import places
from grounding.causes.hold import Hold
from grounding.digits import digit_class
from grounding.tokens import ANNOTATION, MARKER, NUMBER, citation_value
from grounding.unicode16 import WHITE_SPACE

_LINE = r"[\r\n]"
_SPACES = rf"[{WHITE_SPACE},;--\r\n]"
_RUN = f"{MARKER}(?:{_SPACES}*{MARKER})*"
_TOKEN = ["row", "token"]
_PLACED = ["row", "kind", "text", "start", "end", "passage"]


def cited_tokens(held: pl.LazyFrame, citations: pl.LazyFrame) -> pl.LazyFrame:
    """One row per number of an answer that a cited passage holds: row, token.

    In: held: row, position, token. citations: row, position.
    """
    return held.join(citations, on=["row", "position"], how="semi").select(_TOKEN).unique()


def citation_advice(
    answers: pl.LazyFrame, held: pl.LazyFrame, cited: pl.LazyFrame, hold: Hold
) -> pl.LazyFrame:
    """One row per supported number that is not cited, or not in its own citation.

    In: answers: row, answer, annotated; they have a marker. held: row, position, token. cited:
    `cited_tokens`. Out: row, kind, text, start, end (code points of the answer), passage.
    """
    uncited = held.join(cited, on=_TOKEN, how="anti").select("row").unique()
    answer = pl.col("answer")
    several = (answer.str.count_matches(_RUN) > 1) | answer.str.contains(_LINE)
    rows = answers.join(held, on="row", how="semi")
    asked = pl.concat(
        [rows.filter(several), rows.filter(~several).join(uncited, on="row", how="semi")]
    )
    numbers, runs = marked(asked, hold)
    first = held.group_by(_TOKEN).agg(passage=pl.col("position").min(), holders=pl.len()).pipe(hold)
    numbers = numbers.join(first, on=_TOKEN).pipe(hold)
    not_cited = numbers.join(cited, on=_TOKEN, how="anti").with_columns(kind=pl.lit(NOT_CITED))
    owned = numbers.filter(pl.col("run").is_not_null())
    key = ["row", "token", "run"]
    sizes = runs.group_by("run").agg(values=pl.len())
    pairs = owned.select(*key, "holders").unique().join(sizes, on="run").pipe(hold)
    few = pairs.filter(pl.col("values") <= pl.col("holders")).join(runs, on="run")
    many = pairs.filter(pl.col("values") > pl.col("holders")).join(held, on=_TOKEN)
    near = pl.concat(
        [
            few.join(held, on=[*_TOKEN, "position"], how="semi").select(key),
            many.join(runs, on=["run", "position"], how="semi").select(key),
        ]
    ).unique()
    not_near = owned.join(near, on=key, how="anti").with_columns(kind=pl.lit(NOT_NEAREST))
    found = pl.concat([not_cited, not_near], how="diagonal")
    return found.rename({"token": "text"}).select(_PLACED)


def marked(answers: pl.LazyFrame, hold: Hold) -> tuple[pl.LazyFrame, pl.LazyFrame]:
    """The numbers of answers with the run of markers that each is cited by, and those runs.

    In: row, answer, annotated.
    Out: row, token, start, end, run (null where its line has none); and run, position (of its
    markers, each value once).
    """
    token = pl.col("token")
    rest = rf"{NUMBER}|[^{digit_class()}\[]+|\["
    pieces = pl.concat(
        [
            answers.filter(~pl.col("annotated")).pipe(_cut, f"{MARKER}|{rest}"),
            answers.filter(pl.col("annotated")).pipe(_cut, f"{MARKER}|{ANNOTATION}|{rest}"),
        ]
    )
    bracketed = token.str.starts_with("[") & (token.str.len_bytes() > 1)
    marker = bracketed & ~token.str.contains(":", literal=True)
    number = token.str.contains(f"^[{digit_class()}]")
    other_row = (pl.col("row") != pl.col("row").shift(1)).fill_null(True)
    line = other_row | token.str.contains(_LINE)
    breaks = line | number | (~marker & ~token.str.contains(f"^{_SPACES}*$"))
    pieces = (
        pieces.with_columns(marker=marker, number=number, line=line, breaks=breaks)
        .with_columns(pl.col("line", "breaks").cum_sum())
        .filter(pl.col("marker") | pl.col("number"))
        .with_columns(cited=pl.when("marker").then(pl.struct("line", run="breaks")))
        .with_columns(
            ahead=pl.col("cited").fill_null(strategy="backward"),
            back=pl.col("cited").fill_null(strategy="forward"),
        )
        .pipe(hold)
    )

    def on_line(name: str) -> pl.Expr:
        there = pl.col(name).struct
        return pl.when(there.field("line") == pl.col("line")).then(there.field("run"))

    numbers = pieces.filter("number").select(
        "row", "token", start="c0", end="c1", run=pl.coalesce(on_line("ahead"), on_line("back"))
    )
    runs = pieces.filter("marker").select(run="breaks", position=citation_value(token)).unique()
    return numbers, runs.pipe(hold)


def _cut(answers: pl.LazyFrame, cover: str) -> pl.LazyFrame:
    return answers.select("row", "annotated", text="answer").pipe(places, cover).drop("text")
