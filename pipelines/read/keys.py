"""Answer ids that occur twice, found over the whole input before anything is graded."""

from itertools import combinations

import polars as pl

from grounding.errors import InputError
from pipelines.read.layout import Layout
from pipelines.read.rows import Source, answer_rows


def repeated_rows(sources: list[Source], layout: Layout) -> pl.DataFrame:
    """One row per answer whose id stands in an earlier row: its `row`, ascending.

    An id counts as seen even where its row is rejected. A null id repeats nothing.

    Raises: InputError where over half of the rows repeat an id, since the key is wrong then; it
    names columns that would make it unique.
    """
    if layout.key == ("row",):
        return pl.DataFrame(schema={"row": pl.Int64})
    rows = pl.concat(answer_rows(source, layout) for source in sources)
    key = pl.col("answer_id")
    repeated = (
        rows.select("row", "answer_id")
        .filter(key.is_not_null())
        .filter(~key.is_first_distinct())
        .select("row")
        .collect()
    )
    total = sum(source.rows for source in sources)
    if 2 * repeated.height > total:
        raise InputError(_wrong_key(repeated.height, total, rows, layout))
    return repeated


def _wrong_key(repeated: int, total: int, rows: pl.LazyFrame, layout: Layout) -> str:
    key = ",".join(layout.key) or layout.columns["answer_id"]
    return (
        f"{repeated} of {total} rows repeat an answer id, so {key} alone is not the key of an "
        f"answer: give --id {_unique_key(rows, layout, total)}"
    )


def _unique_key(rows: pl.LazyFrame, layout: Layout, total: int) -> str:
    """The fewest columns that, with the key, name every row; `row` where none do."""
    now = layout.key or (layout.columns["answer_id"],)
    others = [ours for ours in layout.types if layout.carried[ours] not in now]
    fields = pl.col("carried").struct
    for size in (1, 2):
        for chosen in combinations(others[:20], size):
            columns = [pl.col("answer_id"), *(fields.field(ours) for ours in chosen)]
            if rows.select(pl.struct(columns).n_unique()).collect().item() == total:
                return ",".join([*now, *(layout.carried[ours] for ours in chosen)])
    return "row"
