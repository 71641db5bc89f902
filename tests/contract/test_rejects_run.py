"""Rows that cannot be graded, and the keys that name the others: nothing is dropped or doubled."""

import json
from typing import Any

import polars as pl
import pyarrow as pa
import pytest

from tests.contract.bench import BOOK, Bench, answers

ROW: dict[str, Any] = {
    "answer_id": pl.String,
    "answer": pl.String,
    "evidence": pl.List(pl.String),
    "fixture_id": pl.String,
    "question_id": pl.String,
}
LONG = "5" * 1024

# answer_id, answer, evidence, fixture_id, question_id → problem, detail; None where it is graded.
# Each row has every problem that stands below its own in the order in which they are tried.
CASES: list[tuple[tuple[object, ...], tuple[str, str | None] | None]] = [
    ((None, None, None, "none", "none"), ("null_answer_id", None)),
    (("a", None, None, None, None), ("null_answer", None)),
    (("a", None, None, "none", "none"), ("duplicate_answer_id", None)),
    (("a", "5", ["5"], None, None), ("duplicate_answer_id", None)),
    (("b", None, None, None, None), ("null_answer", None)),
    (("c", LONG, None, None, "none"), ("null_evidence", None)),
    (("d", LONG, ["5", None, None], "none", "none"), ("null_passage", "passage 2")),
    (("e", LONG, ["5"], "none", "none"), ("unknown_fixture", "none")),
    (("f", LONG, None, "none", "none"), ("unknown_fixture", "none")),
    (("g", LONG, ["5"], "book", "none"), ("unknown_question", "none")),
    (("h", LONG, ["5"], "book", "q1"), ("too_long", "1025 bytes of text, the limit is 1024")),
    (("i", LONG, [], "book", "q1"), None),
    (("j", "é" * 512, [], None, None), None),
    (
        ("k", "é" * 512, ["", "x"], None, None),
        ("too_long", "1025 bytes of text, the limit is 1024"),
    ),
    (("l", "", [], None, "none"), None),
    (("m", "[assert:year=1911]", None, "book", None), None),
]


def test_each_row_is_graded_or_rejected_for_its_first_problem(bench: Bench) -> None:
    frame = pl.DataFrame([row for row, _ in CASES], ROW, orient="row")
    made = bench.run({"a.parquet": frame}, {"book.json": BOOK}, max_text=1024)
    expected = [
        (number, row[0], *said) for number, (row, said) in enumerate(CASES) if said is not None
    ]
    assert made.rejects == expected
    graded = [number for number, (_, said) in enumerate(CASES) if said is None]
    assert made.column("source_row") == graded
    assert (made.outcome.read, made.outcome.rejected) == (len(CASES), len(expected))


def test_without_truth_tables_a_fixture_id_is_a_carried_column(bench: Bench) -> None:
    table = answers(2, fixture_id=["none", "none"], question_id=["none", None])
    made = bench.run({"a.parquet": table})
    assert made.column("fixture_id") == ["none", "none"]
    assert made.column("response_evidence_valid") == [None, None]


def test_an_id_counts_as_seen_in_all_files_even_where_its_row_is_rejected(bench: Bench) -> None:
    files = {
        "a.parquet": answers(2, answer_id=["x", "y"], answer=[None, "5"]),
        "b.parquet": answers(3, answer_id=["z", "x", "y"]),
    }
    made = bench.run(files)
    assert made.rejects == [
        (0, "x", "null_answer", None),
        (1, "x", "duplicate_answer_id", None),
        (2, "y", "duplicate_answer_id", None),
    ]
    assert made.column("source_file", "rejects") == ["a.parquet", "b.parquet", "b.parquet"]


def test_integer_ids_stay_integers_in_every_table(bench: Bench) -> None:
    ids = pa.array([2**63 - 1, -1, -1, None], pa.int64())
    made = bench.run({"a.parquet": answers(4, answer_id=ids, answer=["5 6"] * 4)})
    assert made.column("answer_id") == made.column("answer_id", "findings") == [2**63 - 1, -1]
    assert made.rejects == [
        (2, -1, "duplicate_answer_id", None),
        (3, None, "null_answer_id", None),
    ]


def test_where_all_rows_are_rejected_the_error_counts_their_problems(bench: Bench) -> None:
    table = answers(3, answer=[None, None, "5"], evidence=[["5"], ["5"], None])
    (fault,) = bench.faults({"a.parquet": table})
    assert fault.startswith("3: ")
    assert "null_answer: 2, null_evidence: 1" in fault
    assert "--allow-empty" in fault
    made = bench.run(allow_empty=True)
    assert (made.outcome.read, made.outcome.graded, made.outcome.rejected) == (3, 0, 3)


@pytest.mark.parametrize(
    "files", [{"a.parquet": answers(0)}, {"a.csv": "answer_id,answer,evidence\n"}]
)
def test_no_row_at_all_is_refused(bench: Bench, files: dict[str, object]) -> None:
    (fault,) = bench.faults(files)
    assert "no row" in fault
    assert "--allow-empty" in fault


def test_no_row_at_all_is_published_where_that_is_allowed(bench: Bench) -> None:
    made = bench.run({"a.parquet": answers(0, x=pa.array([], pa.int8()))}, allow_empty=True)
    assert made.outcome.read == 0
    assert made.schema("verdicts").field("x").type == pa.int8()


def test_without_evidence_only_annotations_are_graded(bench: Bench) -> None:
    table = answers(
        3, answer=["[assert:year=1911] 7 [3]"] * 3, fixture_id=["book", None, "book"]
    ).drop_columns(["evidence"])
    made = bench.run({"a.parquet": table}, {"book.json": BOOK})
    assert made.rejects == [(1, "a1", "null_evidence", None)]
    row = made.table("verdicts").row(0, named=True)
    assert [row[name] for name in ("grounded", "reason", "n_numbers", "n_passages")] == [None] * 4
    assert (row["response_evidence_valid"], row["passed"]) == (True, True)
    assert (made.outcome.graded, made.outcome.grounded, made.outcome.checked) == (2, 0, 0)


def test_with_nothing_to_check_the_error_names_both_ways_out(bench: Bench) -> None:
    table = answers(1).rename_columns(["answer_id", "answer", "contexts"])
    (fault,) = bench.faults({"a.parquet": table})
    assert "--map evidence=" in fault
    assert "--fixtures" in fault


# keys

FREED = {"former_id": "answer_id"}
"""Where other columns make the key, the answer_id of the input cannot be published as it is."""

TEXTS = ['a"b', "\\", "x,y", "😀", "\n", "\0", "", "1"]


def test_a_key_of_columns_is_a_json_array(bench: Bench) -> None:
    table = answers(9, a=[*TEXTS, None], b=pa.array([*range(8), 8], pa.int32()))
    made = bench.run({"a.parquet": table}, id=("a", "b"), map=FREED)
    assert [json.loads(key) for key in made.column("answer_id")] == [
        [text, number] for number, text in enumerate(TEXTS)
    ]
    assert made.rejects == [(8, None, "null_answer_id", None)]
    assert made.column("a") == TEXTS
    again = bench.run(id=("b", "a"), map=FREED)
    assert json.loads(again.column("answer_id")[0]) == [0, 'a"b']


def test_the_parts_of_a_key_never_run_together(bench: Bench) -> None:
    table = answers(3, a=['x","y', "x", '"'], b=["z", 'y","z', "x"])
    assert bench.run({"a.parquet": table}, id=("a", "b"), map=FREED).outcome.rejected == 0


def test_file_and_row_are_a_key_that_is_always_there(bench: Bench) -> None:
    text = "answer,evidence\n5,5\n5,5\n"
    name = 'ä "b".csv'
    made = bench.run({name: text, "z/é.parquet": answers(1).drop_columns("answer_id")}, id=("row",))
    keys = [json.loads(key) for key in made.column("answer_id")]
    assert keys == [["z/é.parquet", 0], [name, 0], [name, 1]]


def test_with_another_key_the_type_of_answer_id_is_of_no_matter(bench: Bench) -> None:
    table = answers(2, answer_id=[1.5, 2.5], other=["x", "y"])
    assert bench.run({"a.parquet": table}, id=("other",), map=FREED).outcome.graded == 2


def test_a_column_of_bytes_is_no_key(bench: Bench) -> None:
    faults = bench.faults({"a.parquet": answers(2, sha=[b"\xff", b"\xfe"])}, id=("sha",))
    assert any("--id sha" in fault for fault in faults)


def test_an_answer_id_beside_another_key_is_no_column_of_ours(bench: Bench) -> None:
    (fault,) = bench.faults({"a.parquet": answers(2, other=["x", "y"])}, id=("other",))
    assert "--map NEW_NAME=answer_id" in fault


def test_numbers_that_json_lacks_are_no_key(bench: Bench) -> None:
    table = answers(4, score=[float("nan"), float("inf"), 1.0, 2.0])
    faults = bench.faults({"a.parquet": table}, id=("score",), map=FREED)
    assert any("--id score" in fault and "Float64" in fault for fault in faults)


def test_where_over_half_repeat_the_error_names_the_columns_that_would_do(bench: Bench) -> None:
    table = answers(4, answer_id=["p"] * 4, lang=["x"] * 4, model=["m", "n"] * 2, run=[1, 1, 2, 2])
    (fault,) = bench.faults({"a.parquet": table})
    assert fault.startswith("3: 3 of 4 rows")
    assert "--id answer_id,model,run" in fault
    assert bench.run(id=("answer_id", "model", "run")).outcome.rejected == 0


def test_where_no_columns_would_do_file_and_row_are_offered(bench: Bench) -> None:
    (fault,) = bench.faults({"a.parquet": answers(4, answer_id=["p"] * 4, lang=["x"] * 4)})
    assert "--id row" in fault


def test_half_of_the_rows_may_repeat(bench: Bench) -> None:
    made = bench.run({"a.parquet": answers(4, answer_id=["p", "p", "q", "q"])})
    assert (made.outcome.graded, made.outcome.rejected) == (2, 2)


def test_a_key_of_one_type_in_one_file_and_another_in_the_next_is_a_fault(bench: Bench) -> None:
    files = {"a.parquet": answers(2, answer_id=[1, 2]), "b.parquet": answers(2)}
    (fault,) = bench.faults(files)
    assert all(word in fault for word in ("'answer_id'", "a.parquet", "b.parquet", "integer"))


def test_a_key_of_categories_is_text_too(bench: Bench) -> None:
    words = pa.array(["x", "y"]).dictionary_encode()
    files = {"a.parquet": answers(2, answer_id=[1, 2]), "b.parquet": answers(2, answer_id=words)}
    assert any("'answer_id'" in fault for fault in bench.faults(files))


def test_a_key_beyond_int64_is_a_fault(bench: Bench) -> None:
    table = answers(2, answer_id=pa.array([1, 2**63], pa.uint64()))
    assert any("answer_id" in fault for fault in bench.faults({"a.parquet": table}))
