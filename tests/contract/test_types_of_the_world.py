"""Columns as other tools type them: text and lists in every form, in every role."""

from typing import Any

import polars as pl
import pyarrow as pa
import pytest

from tests.contract.bench import BOOK, Bench, answers

TEXT = pa.string()
WORDS = {
    "string": TEXT,
    "large string": pa.large_string(),
    "string view": pa.string_view(),
    "dictionary": pa.dictionary(pa.int8(), TEXT),
    "dictionary of large strings": pa.dictionary(pa.int32(), pa.large_string()),
}
LISTS: dict[str, tuple[pa.DataType, list[str]]] = {
    "list": (pa.list_(TEXT), ["5", "x"]),
    "large list": (pa.large_list(TEXT), ["5"]),
    "list of large strings": (pa.list_(pa.large_string()), ["5"]),
    "large list of views": (pa.large_list(pa.string_view()), ["5"]),
    "list of a dictionary": (pa.list_(pa.dictionary(pa.int8(), TEXT)), ["5"]),
    "fixed size": (pa.list_(TEXT, 2), ["5", "x"]),
    "fixed size of large strings": (pa.list_(pa.large_string(), 1), ["5"]),
}


@pytest.mark.parametrize("kind", WORDS)
def test_text_of_any_type_is_read_in_every_role(bench: Bench, kind: str) -> None:
    def words(*values: str | None) -> pa.Array:
        return pa.array(values, TEXT).cast(WORDS[kind])

    table = answers(
        2,
        answer_id=words("ü1", "2"),
        answer=words("[assert:year=1911] 5", "It is 5."),
        fixture_id=words("book", None),
        question_id=words("q1", None),
        model=words("m", None),
    )
    made = bench.run({"a.parquet": table}, {"book.json": BOOK})
    columns = ["answer_id", "fixture_id", "question_id", "model", "n_numbers", "n_annotations"]
    assert made.table("verdicts").select(columns).rows() == [
        ("ü1", "book", "q1", "m", 1, 1),
        ("2", None, None, None, 1, None),
    ]
    assert {made.schema("verdicts").field(name).type for name in columns[:4]} == {TEXT}


@pytest.mark.parametrize("kind", LISTS)
def test_lists_of_any_type_are_evidence(bench: Bench, kind: str) -> None:
    dtype, passages = LISTS[kind]
    evidence = pa.array([passages, passages, None], dtype)
    made = bench.run({"a.parquet": answers(3, evidence=evidence)})
    assert made.column("n_passages") == [len(passages)] * 2
    assert made.column("grounded") == [True] * 2
    assert made.rejects == [(2, "a2", "null_evidence", None)]


@pytest.mark.parametrize("dtype", [pa.list_(pa.null()), pa.large_list(pa.null()), pa.null()])
def test_a_file_without_one_passage_is_read_beside_others(bench: Bench, dtype: pa.DataType) -> None:
    empty: list[Any] = [None] if pa.types.is_null(dtype) else [[]]
    files = {
        "a.parquet": answers(1, answer_id=["a"], evidence=pa.array(empty, dtype)),
        "b.parquet": answers(1, answer_id=["b"]),
    }
    made = bench.run(files)
    if pa.types.is_null(dtype):
        assert made.rejects == [(0, "a", "null_evidence", None)]
        assert made.column("answer_id") == ["b"]
    else:
        assert made.column("n_passages") == [0, 1]
        assert made.column("grounded") == [False, True]


@pytest.mark.parametrize("column", ["answer_id", "answer", "model"])
def test_a_column_of_nulls_alone_has_no_type_and_is_null(bench: Bench, column: str) -> None:
    files = {
        "a.parquet": answers(1, **{"model": ["m"], column: pa.nulls(1)}),
        "b.parquet": answers(1, answer_id=["b"], model=["m"]),
    }
    made = bench.run(files)
    problems = {"answer_id": ["null_answer_id"], "answer": ["null_answer"], "model": []}
    assert [reject[2] for reject in made.rejects] == problems[column]
    assert made.column("model") == ([None, "m"] if column == "model" else ["m"])


@pytest.mark.parametrize("dtype", [pa.list_view(TEXT), pa.large_list_view(pa.string_view())])
def test_list_views_are_refused_by_name(bench: Bench, dtype: pa.DataType) -> None:
    evidence = pa.array([["5"]] * 2, dtype)
    (fault,) = bench.faults({"a.parquet": answers(2, evidence=evidence)})
    assert "a.parquet" in fault
    assert "'evidence'" in fault
    assert "write them as lists" in fault


@pytest.mark.parametrize(
    ("column", "published"),
    [
        (pa.ExtensionArray.from_storage(pa.bool8(), pa.array([1, 0], pa.int8())), [1, 0]),
        (pa.array([5, 6]).dictionary_encode(), [5, 6]),
        (pa.array([b"x", b"y"]).dictionary_encode(), [b"x", b"y"]),
        (pa.array([b"x", b"y"], pa.binary_view()), [b"x", b"y"]),
        (pa.array([b"xx", b"yy"], pa.binary(2)), [b"xx", b"yy"]),
        (pa.array([[1], []], pa.large_list(pa.int8())), ["[1]", "[]"]),
    ],
    ids=lambda value: str(getattr(value, "type", "")),
)
def test_other_types_are_carried_as_what_they_hold(
    bench: Bench, column: pa.Array, published: list[object]
) -> None:
    made = bench.run({"a.parquet": answers(2, c=column)})
    assert made.column("c") == published


def test_polars_writes_what_is_read(bench: Bench) -> None:
    frame = pl.DataFrame({"answer_id": ["a"], "answer": ["5"], "evidence": [["5"]]})
    frame = frame.with_columns(c=pl.lit("x").cast(pl.Enum(["x", "y"])))
    assert bench.run({"a.parquet": frame}).column("c") == ["x"]
