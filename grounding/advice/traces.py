"""Where each number of an answer stands in its evidence."""

import polars as pl

from grounding.causes.hold import Hold
from grounding.schema import COUNT, FLAG, INTEGERS, TEXT, Block, Column
from grounding.tokens import marks, spans

TRACE: Block = (
    Column("text", TEXT, "the number, as written", content=True),
    Column("start", COUNT, "its first code point in the answer, from 0"),
    Column("end", COUNT, "the code point after its last"),
    Column("supported", FLAG, "a passage holds it"),
    Column("passages", INTEGERS, "the passages that hold it, ascending, from 1", content=True),
    Column("cited", FLAG, "the answer cites one of those", "the answer cites nothing"),
)


def traces(answers: pl.LazyFrame, held: pl.LazyFrame, hold: Hold) -> pl.LazyFrame:
    """One row per number of an answer: row and the columns of `TRACE`; by row, then place.

    In: answers: row, answer (what is graded of it), annotated, n_citations, cited_indices, for
    which grounding was run. held: row, position, token: what passages hold of their numbers.
    """
    token = ["row", "text"]
    held = held.rename({"token": "text"}).pipe(hold)
    cited = answers.select("row", position="cited_indices").explode("position", keep_nulls=False)
    cited = held.join(cited, on=["row", "position"], how="semi").select(token).unique()
    where = held.group_by(token).agg(passages=pl.col("position").sort())
    cites = answers.select("row", cites=pl.col("n_citations") > 0)
    written = pl.col("answer"), pl.col("annotated")
    return (
        answers.select("row", *written, marks=marks(*written))
        .pipe(spans)
        .filter(pl.col("kind") == "number")
        .join(where, on=token, how="left")
        .join(cited.with_columns(cited=True), on=token, how="left")
        .join(cites, on="row")
        .sort("row", "start")
        .select(
            *token,
            "start",
            "end",
            supported=pl.col("passages").is_not_null(),
            passages=pl.col("passages").fill_null([]),
            cited=pl.when("cites").then(pl.col("cited").fill_null(False)),
        )
    )
