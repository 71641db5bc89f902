"""A JSON value in its column: as what it is where all others are too, else as text as written.

What is to be text is never made from anything else: an answer `5` is no text of ours.
"""

from typing import Any

import pyarrow as pa

from pipelines.read.jsonvalues import SAID, Number, json_text

_LISTS = ("evidence", "evidence_ids")
_KEYS = ("answer_id", "passage_id")
_TEXTS = ("answer", "fixture_id", "question_id", "text")
_LONGEST_INT64 = 20
_INT64 = range(-(2**63), 2**63)


def kind_of(value: Any) -> type:
    """The type of a value; int for a number that int64 holds and gives back as written."""
    kind = type(value)
    if kind is Number and value.is_integer and len(value) <= _LONGEST_INT64:
        return int if int(value) in _INT64 and str(int(value)) == value else kind
    return kind


def column_type(kinds: set[type], ours: str | None) -> pa.DataType:
    """The type of a column whose values are of these kinds: one that loses nothing."""
    if ours in _LISTS:
        return pa.list_(pa.string())
    if not kinds:
        return pa.null()
    if ours not in _TEXTS and kinds == {int}:
        return pa.int64()
    return pa.bool_() if ours is None and kinds == {bool} else pa.string()


def cell(value: Any, dtype: pa.DataType, ours: str | None) -> tuple[object, str | None]:
    """What a value is in its column, or null and what is wrong with it."""
    if value is None:
        return None, None
    kind = type(value)
    if ours in _LISTS:
        listed = [value] if kind is str else value
        if isinstance(listed, list) and all(_is_passage(item, ours) for item in listed):
            return listed, None
        return None, f"is {SAID[kind]}, wanted a list of texts, or one text"
    if ours in _TEXTS and kind is not str:
        return None, f"is {SAID[kind]}, wanted text"
    if ours in _KEYS and kind is not str and not _is_integer(value):
        return None, f"is {SAID[kind]}, wanted text or an integer"
    if kind is str or pa.types.is_boolean(dtype):
        return value, None
    return (int(value) if pa.types.is_int64(dtype) else json_text(value)), None


def _is_passage(item: Any, ours: str | None) -> bool:
    """Whether an item of a list is a text, or null. An id may be an integer, kept as written."""
    return item is None or type(item) is str or (ours == "evidence_ids" and _is_integer(item))


def _is_integer(value: Any) -> bool:
    return isinstance(value, Number) and value.is_integer
