"""What to do about what was found."""

from collections.abc import Iterator

import polars as pl

from pipelines.doctor.diagnosis import ColumnFound
from pipelines.doctor.tally import ENDINGS, Tally
from pipelines.read.layout import Layout
from pipelines.read.rows import Source, answer_rows, carried_names
from pipelines.read.types import is_key_part

PROBLEMS = {
    "unreadable_row": "mend the line where it was written; the detail names it",
    "null_answer_id": "give --id the columns that name an answer, or --id row",
    "duplicate_answer_id": "give --id the columns that together name an answer, or --id row",
    "null_answer": "an answer that was never given cannot be graded; an empty text can",
    "null_evidence": "give each answer a list of passages; an empty list supports nothing",
    "null_passage": "an empty text is a passage, null is none: mend or drop it, and keep [n] true",
    "missing_passage": "bring the passages that evidence_ids names, or name others",
    "position_gap": "number the passages of an answer from 1 without a gap",
    "unknown_fixture": "give --fixtures the truth table of that fixture_id",
    "unknown_question": "add the question to its fixture, or leave question_id null",
    "too_long": "raise --max-text where texts may be so long",
    "no_final_answer": "leave out --require-final-answer to grade such answers whole",
}
"""Problem of a reject → what to do about it."""

_OFTEN = 20
"""Advice is given on what one of so many answers shows."""

_REPEATED, _ALIKE = 1_000, 100_000


def advice_on(tally: Tally, columns: list[ColumnFound]) -> Iterator[str]:
    """What the user may want to know before the run, most important first."""
    yield from _on_endings(tally)
    yield from _on_citations(tally)
    drifting = [repr(c.name) for c in columns if c.read_as and len(c.types) > 1]
    if drifting:
        yield f"the type of {', '.join(drifting)} differs between files, and is read as one"
    lacking = [repr(c.name) for c in columns if c.read_as and c.missing_in]
    if lacking:
        yield f"some files lack {', '.join(lacking)}, which is null in their rows"


def _on_endings(tally: Tally) -> Iterator[str]:
    answers, job = tally.sums["answers"], tally.job
    if job.graded_after is not None:
        whole = tally.sums["whole"]
        if whole and not job.require_final_answer:
            yield (
                f"{whole:,} of {answers:,} answers do not hold {job.graded_after!r} and are graded "
                "whole; --require-final-answer rejects them"
            )
        return
    for sign in ENDINGS:
        if tally.sums[sign] * _OFTEN >= max(answers, 1):
            yield (
                f"{tally.sums[sign]:,} of {answers:,} answers hold {sign!r}, as models end their "
                f"reasoning: --graded-after '{sign}' grades only what follows"
            )


def _on_citations(tally: Tally) -> Iterator[str]:
    citing, unread = tally.citing["answers"], tally.citing["unread"]
    if 2 * unread > citing:
        named = [style for style in tally.styles() if not style.read]
        yield (
            f"{unread:,} of {citing:,} answers that cite use a style that the rule does not "
            f"read, mostly {named[0].style} as in {named[0].example}: its numbers are graded as "
            "numbers; have the model cite as [n], or rewrite its citations"
        )
    zero, read = tally.answers_of_style["zero_based"], tally.citing["read"]
    if 2 * zero > read:
        yield (
            f"{zero:,} of {read:,} answers that cite as [n] cite [0], which names no passage: they "
            "seem to count from 0, and the rule counts from 1"
        )


def key_advice(sources: list[Source], layout: Layout, repeated: pl.DataFrame) -> str | None:
    """The column that tells most rows apart whose ids repeat, or None where none does.

    Judged by the first repeated rows alone, in one more pass over the keys.
    """
    rows = pl.concat(answer_rows(source, layout) for source in sources)
    some = repeated.lazy().head(_REPEATED).select("row")
    ids = rows.select("row", "answer_id").join(some, on="row", how="semi").select("answer_id")
    candidates = {
        column.theirs: pl.struct("answer_id", _carried(name)).hash().alias(name)
        for name, column in zip(carried_names(layout), layout.carried, strict=True)
        if is_key_part(column.dtype) and "," not in column.theirs
    }
    alike = (
        rows.select("answer_id", *candidates.values())
        .join(ids.unique(), on="answer_id", how="semi")
        .head(_ALIKE)
        .collect(engine="streaming")
    )
    apart = zip((s.n_unique() for s in alike.drop("answer_id")), candidates, strict=True)
    most, column = max(apart, key=lambda found: found[0], default=(0, ""))
    ids_alone = alike["answer_id"].n_unique()
    if 2 * (most - ids_alone) <= alike.height - ids_alone:
        return None
    key = layout.key or (layout.columns["answer_id"],)
    told = "all" if most == alike.height else f"{most:,}"
    return (
        f"of the first {alike.height:,} rows whose ids repeat, --id {','.join([*key, column])} "
        f"tells {told} apart"
    )


def _carried(name: str) -> pl.Expr:
    return pl.col("carried").struct.field(name)
