"""Answer ids that occur twice, found over the whole input before anything is graded."""

from itertools import combinations

import polars as pl

from grounding.errors import InputError
from pipelines.read.layout import Layout
from pipelines.read.rows import Source, answer_rows, carried_names
from pipelines.read.scan import collected
from pipelines.read.types import is_key_part


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
    repeated = collected(
        rows.select("row", "answer_id")
        .filter(key.is_not_null())
        .filter(~key.is_first_distinct())
        .select("row"),
        f"answers: the ids of {', '.join(source.file.name for source in sources[:5])}",
    )
    total = sum(source.rows for source in sources)
    if 2 * repeated.height > total:
        raise InputError(_wrong_key(repeated.height, total, rows, layout))
    return repeated


def _wrong_key(repeated: int, total: int, rows: pl.LazyFrame, layout: Layout) -> str:
    key = layout.key or (layout.columns["answer_id"],)
    return (
        f"{repeated} of {total} rows repeat an answer id, so {', '.join(key)} alone is not the key "
        f"of an answer: {_advice(key, rows, layout, total)}"
    )


def _advice(key: tuple[str, ...], rows: pl.LazyFrame, layout: Layout, total: int) -> str:
    """The fewest columns that, with the key, name every row; file and row where none do."""
    others = [
        (name, column)
        for name, column in zip(carried_names(layout), layout.carried, strict=True)
        if column.theirs not in key and is_key_part(column.dtype) and "," not in column.theirs
    ]
    for size, most in ((1, 40), (2, 8)):
        for chosen in combinations(others[:most], size):
            fields = (pl.col("carried").struct.field(name) for name, _ in chosen)
            distinct = rows.select(pl.struct(pl.col("answer_id"), *fields).n_unique()).collect()
            if distinct.item() == total:
                return f"give --id {','.join([*key, *(column.theirs for _, column in chosen)])}"
    own = "" if layout.key else f" --map former_id={key[0]}"
    return f"give --id row{own}"
