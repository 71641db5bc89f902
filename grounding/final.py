"""The part of an answer that is graded: what stands after its reasoning, where a sign ends that.

The sign is a literal such as `</think>`; only the text after its last occurrence is graded. Where
it does not occur, the whole answer is. Offsets always refer to the whole answer.
"""

import polars as pl


def final_answer(graded_after: str) -> dict[str, pl.Expr]:
    """The columns that stand in the place of `answer`, whose text is graded from then on.

    In: answer string.
    Out: answer (the graded part), skipped (int64, the code points before it).
    Nulls: null where the answer is.
    Raises: ValueError where the literal is empty, since that occurs everywhere.
    """
    if not graded_after:
        raise ValueError("graded_after is empty: wanted the text that a final answer follows")
    answer = pl.col("answer")
    if _overlaps_itself(graded_after):  # then a split from the left misses the last occurrence
        final = answer.str.replace(rf"(?s)^.*{pl.escape_regex(graded_after)}", "")
    else:  # a search for a literal is four times as fast as a pattern
        final = answer.str.split(graded_after).list.last()
    return {
        "answer": final,
        "skipped": (answer.str.len_chars() - final.str.len_chars()).cast(pl.Int64),
    }


def _overlaps_itself(text: str) -> bool:
    """Whether two occurrences may share characters: `aa` in `aaa`, never `</think>`."""
    return any(text.startswith(text[at:]) for at in range(1, len(text)))


def in_whole_answers(findings: pl.LazyFrame, answers: pl.LazyFrame) -> pl.LazyFrame:
    """The findings of graded parts, with their places in the whole answers.

    In: findings with row, start, end; answers with row, skipped.
    """
    skipped = answers.select("row", "skipped").filter(pl.col("skipped") > 0)
    before = pl.col("skipped").fill_null(0)
    return (
        findings.join(skipped, on="row", how="left", maintain_order="left")
        .with_columns(pl.col("start", "end") + before)
        .drop("skipped")
    )
