"""Answer ids that occur twice, found over the whole input before anything is graded."""

from itertools import combinations
from pathlib import Path

import polars as pl

from grounding.errors import InputError
from pipelines.read.buckets import BUCKET_ROWS, bucketed, buckets_of
from pipelines.read.layout import Layout
from pipelines.read.rows import Source, answer_rows, carried_names
from pipelines.read.scan import collected
from pipelines.read.types import is_key_part


def repeated_rows(sources: list[Source], layout: Layout, scratch: Path) -> pl.DataFrame:
    """One row per answer whose id stands in an earlier row: its `row`, ascending.

    An id counts as seen even where its row is rejected. A null id repeats nothing.

    Raises: InputError where over half of the rows repeat an id, since the key is wrong then; it
    names columns that would make it unique.
    """
    if layout.key == ("row",):
        return pl.DataFrame(schema={"row": pl.Int64})
    rows = pl.concat(answer_rows(source, layout) for source in sources)
    key = pl.col("answer_id")
    total = sum(source.rows for source in sources)
    where = f"answers: the ids of {', '.join(source.file.name for source in sources[:5])}"
    ids = rows.select("row", "answer_id").filter(key.is_not_null())
    buckets = bucketed(ids, key, buckets_of(total), scratch / "ids", where)
    repeated = pl.concat(
        collected(ids.sort("row").filter(~key.is_first_distinct()).select("row"), where)
        for ids in buckets
    ).sort("row")
    if 2 * repeated.height > total:
        raise InputError(_wrong_key(repeated.height, total, rows, layout, scratch))
    return repeated


def _wrong_key(repeated: int, total: int, rows: pl.LazyFrame, layout: Layout, scratch: Path) -> str:
    key = layout.key or (layout.columns["answer_id"],)
    return (
        f"{repeated} of {total} rows repeat an answer id, so {', '.join(key)} alone is not the key "
        f"of an answer: {_advice(key, rows, layout, total, scratch)}"
    )


def _advice(
    key: tuple[str, ...], rows: pl.LazyFrame, layout: Layout, total: int, scratch: Path
) -> str:
    """The fewest columns that, with the key, name every row; file and row where none do."""
    others = [
        (name, column)
        for name, column in zip(carried_names(layout), layout.carried, strict=True)
        if column.theirs not in key and is_key_part(column.dtype) and "," not in column.theirs
    ]
    few = min(total, BUCKET_ROWS)
    for size, most in ((1, 40), (2, 8)):
        for chosen in combinations(others[:most], size):
            fields = (pl.col("carried").struct.field(name) for name, _ in chosen)
            named = rows.select(key=pl.struct(pl.col("answer_id"), *fields))
            # Most columns repeat soon: only one that does not is looked for in all rows.
            if _distinct(named.head(few), few, scratch) and _distinct(named, total, scratch):
                return f"give --id {','.join([*key, *(column.theirs for _, column in chosen)])}"
    own = "" if layout.key else f" --map former_id={key[0]}"
    return f"give --id row{own}"


def _distinct(keys: pl.LazyFrame, total: int, scratch: Path) -> bool:
    """Whether no key stands twice."""
    key, where = pl.col("key"), "answers: the columns that may make a key"
    buckets = bucketed(keys, key, buckets_of(total), scratch / "keys", where)
    return all(
        collected(bucket.select(key.n_unique() == pl.len()), where).item() for bucket in buckets
    )
