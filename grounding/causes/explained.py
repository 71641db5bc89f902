"""Refused numbers and citations → why they were refused (rule `causes/1`, SPEC §3).

A verdict is never bent: all here is said of what was refused already, and only the answers and
passages of refusals are looked at. Each family of causes gives rows of (token, cause), and those
of a token are gathered in the order of the table.
"""

from typing import NamedTuple

import polars as pl

from grounding.causes.citations import explained_citations
from grounding.causes.hold import Hold
from grounding.causes.keys import explained_by_keys, near_numbers
from grounding.causes.marks import number_marks, passage_clusters, split_marks
from grounding.causes.pairs import calculated, explained_by_pairs
from grounding.causes.readings import numerals, values
from grounding.causes.spans import asked, explained_by_text
from grounding.causes.table import ABSENT, BEYOND_EVIDENCE, CAUSES, ORDER
from grounding.causes.texts import graded_text
from grounding.causes.words import word_marks
from grounding.final import final_answer
from grounding.schema import names, polars_schema
from grounding.tokens import citation_value

_NUMBER, _CITATION = REFUSALS = ("ungrounded_number", "invalid_citation")
"""The kinds of findings that have causes."""

_MARK = ["passage", "kind", "text", "value"]
_KEY = ["row", "start"]
_POSITION = 2**32


class Passages(NamedTuple):
    """The evidence of answers that have a refused number, or of more.

    uses: row int64, position int64 (from 1), passage; one row per passage of an answer.
    texts: passage, text; one row per passage.
    """

    uses: pl.LazyFrame
    texts: pl.LazyFrame


def explained_findings(
    findings: pl.LazyFrame,
    answers: pl.LazyFrame,
    passages: Passages,
    graded_after: str | None,
    hold: Hold,
) -> pl.LazyFrame:
    """The findings with the columns of `CAUSES`: null where no number or citation was refused.

    In: findings: row, kind, text, start (of the whole answer), other columns; held already.
    answers: row, answer (whole), annotated, n_passages, question (string or null), of the rows
    with findings or more. `passages` of rows with an `ungrounded_number`.
    Order: as in `findings`.
    """
    if graded_after is not None:
        answers = answers.with_columns(**final_answer(graded_after))
    else:
        answers = answers.with_columns(skipped=pl.lit(0, pl.Int64))
    refusals = findings.filter(pl.col("kind").is_in(REFUSALS))
    answers = answers.join(refusals, on="row", how="semi").pipe(graded_text).pipe(hold)
    skipped = pl.col("skipped")
    refused = (
        refusals.select("row", "kind", "text", "start")
        .join(answers.select("row", "skipped"), on="row")
        .with_columns(pl.col("start") - skipped)
        .pipe(hold)
    )
    causes = refused.pipe(explained, answers, passages, hold).with_columns(
        pl.col("start") + skipped
    )
    return findings.join(
        causes.select(*_KEY, "kind", *names(CAUSES)),
        on=[*_KEY, "kind"],
        how="left",
        maintain_order="left",
    )


def explained(
    refused: pl.LazyFrame, answers: pl.LazyFrame, passages: Passages, hold: Hold
) -> pl.LazyFrame:
    """The refused numbers and citations with the columns of `CAUSES`.

    In: refused: row, kind (ungrounded_number | invalid_citation), text, start, other columns.
    answers: row, answer (see `texts.graded_text`), n_passages, question, of these rows.
    """
    kind = pl.col("kind")
    numbers = refused.filter(kind == _NUMBER).select(*_KEY, "text").pipe(hold)
    citations = (
        refused.filter(kind == _CITATION)
        .select(*_KEY, value=citation_value(pl.col("text")))
        .pipe(hold)
    )
    with_numbers = answers.join(numbers, on="row", how="semi").pipe(hold)
    with_citations = answers.join(citations, on="row", how="semi").pipe(hold)
    tokens = numbers.select("row", "text").unique()
    tokens = tokens.with_columns(value=values(pl.col("text"))).pipe(hold)
    marks = evidence_marks(tokens, passages, hold)
    compared = compared_with(tokens, marks, hold)
    of_tokens = pl.concat([asked(tokens, with_numbers), compared], how="diagonal")
    found = [
        pl.LazyFrame(schema={"row": pl.Int64, "start": pl.Int64, **polars_schema(CAUSES)}).drop(
            "causes"
        ),
        explained_by_text(numbers, with_numbers, hold),
        explained_citations(citations, with_citations, hold),
        numbers.join(of_tokens, on=["row", "text"]).drop("text"),
    ]
    nothing = pl.when(kind == _NUMBER).then(pl.lit(ABSENT)).otherwise(pl.lit(BEYOND_EVIDENCE))
    return (
        refused.join(pl.concat(found, how="diagonal").pipe(_gathered), on=_KEY, how="left")
        .with_columns(cause=pl.coalesce("cause", nothing))
        .with_columns(causes=pl.coalesce("causes", pl.concat_list("cause")))
    )


def nested_passages(answers: pl.LazyFrame, refused: pl.LazyFrame, hold: Hold) -> Passages:
    """The passages of answers that hold them as a list, where a number was refused.

    In: answers: row, evidence (list of string). refused: row, kind.
    """
    numbers = refused.filter(pl.col("kind") == _NUMBER)
    passages = (
        answers.join(numbers, on="row", how="semi")
        .select("row", text="evidence")
        .with_columns(position=pl.int_ranges(1, pl.col("text").list.len().cast(pl.Int64) + 1))
        .explode("text", "position", keep_nulls=False, empty_as_null=False)
        .with_row_index("passage")
        .pipe(hold)
    )
    return Passages(
        passages.select("row", "position", "passage"), passages.select("passage", "text")
    )


def compared_with(tokens: pl.LazyFrame, marks: pl.LazyFrame, hold: Hold) -> pl.LazyFrame:
    """One row per token and cause that compares it with the evidence, and holds.

    In: tokens: row, text, value, distinct. marks: as of `evidence_marks`.
    Out: row, text, cause, nearest, passage.
    """
    is_number, at = pl.col("kind") == "number", ["row", "at"]
    numbers, others = marks.filter(is_number), marks.filter(~is_number).pipe(hold)
    both = pl.concat([tokens.select("value"), numbers.select("value")])
    known = both.pipe(numerals).pipe(hold)
    tokens = tokens.join(known, on="value").pipe(hold)
    compact = known.drop("digits", "groups", "two_readings", "grouped", "grouped_decimal")
    numbers = numbers.select("row", "at", "value").join(compact, on="value").pipe(hold)
    near = near_numbers(numbers, tokens).join(known, on="value").pipe(hold)
    by_keys = explained_by_keys(tokens, near, others, hold).pipe(hold)
    by_pairs = explained_by_pairs(tokens, numbers, hold).pipe(hold)
    used = pl.concat([by_keys.select(at), by_pairs.select(at), by_pairs.select("row", at="at_b")])
    written = marks.join(used, on=at, how="semi").select(*at, a="text").pipe(hold)
    second = written.rename({"at": "at_b", "a": "b"})
    return pl.concat(
        [
            by_keys.join(written, on=at).with_columns(nearest="a"),
            by_pairs.join(written, on=at)
            .join(second, on=["row", "at_b"])
            .with_columns(nearest=calculated(), cause=pl.lit("derived")),
        ],
        how="diagonal",
    ).select("row", "text", "cause", "nearest", passage=(pl.col("at") // _POSITION).cast(pl.Int64))


def evidence_marks(tokens: pl.LazyFrame, passages: Passages, hold: Hold) -> pl.LazyFrame:
    """One row per answer and mark of its evidence: row, at, kind, text, value.

    In: tokens: row, text, value. Out: `at` puts the marks of a row and kind in order: the position
    of the passage, then the place in it.
    """
    uses = passages.uses.join(tokens, on="row", how="semi").pipe(hold)
    read = passages.texts.join(uses, on="passage", how="semi").pipe(hold)
    clusters = read.pipe(passage_clusters).pipe(hold)
    kinds = [
        clusters.pipe(number_marks),
        clusters.pipe(split_marks),
        word_marks(read, uses, tokens, hold),
    ]
    marks = pl.concat(frame.select(_MARK) for frame in kinds).with_row_index("place")
    at = pl.col("position").cast(pl.UInt64) * _POSITION + pl.col("place")
    marks = marks.join(uses, on="passage").select("row", "kind", "text", "value", at=at)
    return marks.pipe(hold)


def _gathered(found: pl.LazyFrame) -> pl.LazyFrame:
    """One row per refusal that is explained: row, start and the columns of `CAUSES`."""
    return (
        found.with_columns(order=pl.col("cause").replace_strict(ORDER, return_dtype=pl.UInt8))
        .unique([*_KEY, "cause"])
        .sort(*_KEY, "order")
        .group_by(_KEY, maintain_order=True)
        .agg(pl.col("cause", "nearest", "passage").first(), causes="cause")
    )
