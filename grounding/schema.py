"""Tables as data: a column is its name, its dtype, when it is null, and what it means.

Each rule module owns the block of columns that it computes; `tables` joins the blocks. The
README's tables and the declared schemas of published files are made from these, so that a
column is described in one place.
"""

from dataclasses import dataclass

import polars as pl


@dataclass(frozen=True, slots=True)
class Column:
    """One published column.

    `null` says when the value is null ("never" if it cannot be). `content` marks a column that
    repeats text of an answer: a job with `content = "verdicts"` publishes it as null.
    """

    name: str
    dtype: pl.DataType
    meaning: str
    null: str = "never"
    content: bool = False


Block = tuple[Column, ...]

TEXT = pl.String()
COUNT = pl.Int64()
FLAG = pl.Boolean()
TEXTS = pl.List(pl.String())
INTEGERS = pl.List(pl.Int64())


def names(block: Block) -> list[str]:
    """The column names of a block, in order."""
    return [column.name for column in block]


def polars_schema(block: Block) -> pl.Schema:
    """The block as a polars schema."""
    return pl.Schema({column.name: column.dtype for column in block})
