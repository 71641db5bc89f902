"""Which types of a file are read as what, and what a carried column is published as."""

from typing import Any

import polars as pl
import pyarrow as pa

WANTED = {
    "answer_id": "text or an integer",
    "answer": "text",
    "evidence": "a list of texts",
    "fixture_id": "text",
    "question_id": "text",
    "question": "text",
    "label": "text",
    "evidence_ids": "a list of texts or integers",
}


_MOST_DIGITS = 38
"""Of a decimal that polars and Parquet's readers can hold: 128 bits."""


def accepts(ours: str, dtype: pl.DataType) -> bool:
    """Whether a column of this type is read as one of ours."""
    if ours in ("evidence", "evidence_ids"):
        inner = dtype.inner if isinstance(dtype, pl.List | pl.Array) else None
        ids = ours == "evidence_ids" and inner is not None and inner.is_integer()
        return isinstance(dtype, pl.Null) or ids or (inner is not None and is_text(inner))
    return is_text(dtype) or (ours == "answer_id" and dtype.is_integer())


def is_text(dtype: object) -> bool:
    """Whether a type is read as text. A column that is null in every row is text too."""
    return isinstance(dtype, pl.String | pl.Categorical | pl.Enum | pl.Null)


def is_key_part(dtype: pl.DataType) -> bool:
    """Whether two values of this type are equal just when their JSON is."""
    return is_text(dtype) or dtype.is_integer() or isinstance(dtype, pl.Boolean | pl.Date)


def published_type(dtype: pl.DataType) -> pl.DataType | None:
    """The type that a carried column is published as, or None where it cannot be.

    Nested ones are published as JSON text, which bytes and objects have none of.
    """
    if isinstance(dtype, pl.Object) or (dtype.is_nested() and not _has_json(dtype)):
        return None
    if isinstance(dtype, pl.Decimal) and (dtype.precision or 0) > _MOST_DIGITS:
        return None
    if dtype.is_nested() or isinstance(dtype, pl.Categorical | pl.Enum):
        return pl.String()
    return dtype


def unified_type(types: list[pl.DataType]) -> pl.DataType | None:
    """The published type over all files: the same, or a wider integer, or text; None if neither."""
    seen = {published_type(dtype) for dtype in types} - {pl.Null(), None} or {pl.String()}
    if len(seen) == 1:
        return seen.pop()
    if all(dtype is not None and dtype.is_integer() and dtype != pl.UInt64 for dtype in seen):
        return pl.Int64()
    without_text = (pl.Binary, pl.Duration, pl.Object)
    return None if any(isinstance(dtype, without_text) for dtype in seen) else pl.String()


def list_views(schema: Any) -> list[str]:
    """The columns of an Arrow schema that hold list views, at any depth: polars panics at them."""
    return [field.name for field in schema if _holds_list_view(field.type)]


def _holds_list_view(dtype: Any) -> bool:
    if pa.types.is_list_view(dtype) or pa.types.is_large_list_view(dtype):
        return True
    return any(_holds_list_view(dtype.field(i).type) for i in range(dtype.num_fields))


def _has_json(dtype: object) -> bool:
    if isinstance(dtype, pl.Struct):
        return all(_has_json(field.dtype) for field in dtype.fields)
    if isinstance(dtype, pl.List | pl.Array):
        return _has_json(dtype.inner)
    return not isinstance(dtype, pl.Binary | pl.Object)
