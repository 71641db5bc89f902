"""Columns of the answers: of any type, name, order and file, none is lost or confused."""

import datetime as dt
from decimal import Decimal
from typing import Any

import polars as pl
import pyarrow as pa
import pytest

from pipelines.job import Job
from pipelines.places import Folder
from pipelines.views import connect
from tests.contract.bench import BOOK, Bench, answers

DAY, NOON = dt.date(2020, 2, 29), dt.datetime.fromisoformat("2020-02-29T12:00:00.000001")

TEXT = pa.string()

# name: (column of the input, published Arrow type, published values)
TYPES: dict[str, tuple[pa.Array, pa.DataType, list[object]]] = {
    "u8": (pa.array([255, None], pa.uint8()), pa.uint8(), [255, None]),
    "u64": (pa.array([2**64 - 1, None], pa.uint64()), pa.uint64(), [2**64 - 1, None]),
    "i16": (pa.array([-1, None], pa.int16()), pa.int16(), [-1, None]),
    "f16": (pa.array([1.5, None], pa.float16()), pa.float16(), [1.5, None]),
    "f32": (pa.array([1.5, None], pa.float32()), pa.float32(), [1.5, None]),
    "inf": (pa.array([float("inf"), None]), pa.float64(), [float("inf"), None]),
    "flag": (pa.array([True, None]), pa.bool_(), [True, None]),
    "day": (pa.array([DAY, None]), pa.date32(), [DAY, None]),
    "noon": (pa.array([NOON, None]), pa.timestamp("us"), [NOON, None]),
    "zoned": (
        pa.array([NOON, None], pa.timestamp("us", "UTC")),
        pa.timestamp("us", "UTC"),
        [NOON.replace(tzinfo=dt.UTC), None],
    ),
    "time": (pa.array([NOON.time(), None]), pa.time64("ns"), [NOON.time(), None]),
    "span": (pa.array([dt.timedelta(1), None]), pa.duration("us"), [dt.timedelta(1), None]),
    "money": (
        pa.array([Decimal("1.50"), None], pa.decimal128(10, 2)),
        pa.decimal128(10, 2),
        [Decimal("1.50"), None],
    ),
    "bytes": (pa.array([b"\xff\0", None]), pa.binary(), [b"\xff\0", None]),
    "large": (pa.array(["x", None], pa.large_string()), pa.string(), ["x", None]),
    "view": (pa.array(["x", None], pa.string_view()), pa.string(), ["x", None]),
    "category": (pa.array(["x", None]).dictionary_encode(), pa.string(), ["x", None]),
    "null": (pa.nulls(2), pa.string(), [None, None]),
    "list": (pa.array([[1, None], None]), pa.string(), ["[1,null]", None]),
    "empty": (pa.array([[], None], pa.list_(pa.null())), pa.string(), ["[]", None]),
    "pair": (pa.array([["a", '"'], None], pa.list_(TEXT, 2)), TEXT, ['["a","\\""]', None]),
    "struct": (
        pa.array([{"a": DAY, "b": [{"c": "ü\n"}]}, None]),
        TEXT,
        ['{"a":"2020-02-29","b":[{"c":"ü\\n"}]}', None],
    ),
    "map": (pa.array([[("k", 1)], None], pa.map_(TEXT, pa.int64())), TEXT, ['{"k":1}', None]),
}


def test_carried_columns_keep_their_type_and_nested_ones_become_json(bench: Bench) -> None:
    columns = {name: column for name, (column, _, _) in TYPES.items()}
    made = bench.run({"a.parquet": answers(2, **columns)})
    for name, (_, dtype, values) in TYPES.items():
        assert made.schema("verdicts").field(name).type == dtype, name
        assert made.column(name) == values, name
    names = made.schema("verdicts").names
    assert names[:5] == ["run_id", "answer_id", "source_file", "source_row", "label"]
    assert names[5 : 5 + len(TYPES)] == list(TYPES)
    with connect(Folder(bench.out)) as views:
        assert len(views.execute("FROM verdicts").fetchall()) == 2


def test_extension_types_are_carried_as_what_they_store(bench: Bench) -> None:
    column = pa.ExtensionArray.from_storage(pa.json_(), pa.array(['{"a":1}', None]))
    made = bench.run({"a.parquet": answers(2, c=column)})
    assert made.schema("verdicts").field("c").type == pa.string()


def test_bytes_inside_a_nested_column_are_carried_or_refused_with_a_reason(bench: Bench) -> None:
    """As images are kept in many data sets: struct(bytes, path)."""
    images = pa.array([{"bytes": b"\xff", "path": "x.png"}] * 2)
    faults = bench.faults({"a.parquet": answers(2, image=images)})
    assert any("image" in fault and "--carry" in fault for fault in faults)


def test_a_type_that_cannot_be_read_is_a_fault_of_the_file(bench: Bench) -> None:
    column = pa.array([Decimal("1.5")] * 2, pa.decimal256(50, 10))
    assert any("a.parquet" in fault for fault in bench.faults({"a.parquet": answers(2, c=column)}))


MIXED: list[tuple[str, str, pa.DataType, list[object]]] = [
    ("i16", "i16", pa.int16(), [-1, None, -1, None]),
    ("i16", "null", pa.int16(), [-1, None, None, None]),
    ("i16", "f32", TEXT, ["-1", None, "1.5", None]),
    ("flag", "large", TEXT, ["true", None, "x", None]),
    ("day", "noon", TEXT, ["2020-02-29", None, "2020-02-29 12:00:00.000001", None]),
    ("money", "view", TEXT, ["1.50", None, "x", None]),
    ("list", "i16", TEXT, ["[1,null]", None, "-1", None]),
    ("category", "view", TEXT, ["x", None, "x", None]),
    ("struct", "null", TEXT, ['{"a":"2020-02-29","b":[{"c":"ü\\n"}]}', None, None, None]),
]


def test_a_column_whose_type_differs_between_files_is_published_as_one_that_fits(
    bench: Bench,
) -> None:
    first = {f"c{i}": TYPES[one][0] for i, (one, _, _, _) in enumerate(MIXED)}
    second = {f"c{i}": TYPES[other][0] for i, (_, other, _, _) in enumerate(MIXED)}
    made = bench.run(
        {
            "a.parquet": answers(2, **first),
            "b.parquet": answers(2, answer_id=["b0", "b1"], **second),
        }
    )
    for i, (one, other, dtype, values) in enumerate(MIXED):
        assert made.schema("verdicts").field(f"c{i}").type == dtype, (one, other)
        assert made.column(f"c{i}") == values, (one, other)


@pytest.mark.parametrize("kind", ["bytes", "span"])
def test_a_column_that_no_type_fits_is_refused_by_name(bench: Bench, kind: str) -> None:
    first = answers(2, c=TYPES[kind][0])
    faults = bench.faults(
        {"a.parquet": first, "b.parquet": answers(2, answer_id=["x", "y"], c=TYPES["view"][0])}
    )
    assert any("column 'c'" in fault and "--carry" in fault for fault in faults)


def test_files_may_lack_columns_and_order_them_otherwise(bench: Bench) -> None:
    shuffled = answers(1, answer_id=["b"], x=[7], y=["why"]).select(
        ["y", "evidence", "x", "answer_id", "answer"]
    )
    no_evidence = answers(1, answer_id=["c"], y=["why not"]).drop_columns(["evidence"])
    made = bench.run(
        {"a.parquet": answers(1), "b.parquet": shuffled, "c.parquet": no_evidence},
        {"book.json": BOOK},
    )
    assert made.table("verdicts").select("answer_id", "y", "x").rows() == [
        ("a0", None, None),
        ("b", "why", 7),
    ]
    assert made.rejects == [(0, "c", "null_evidence", None)]


def test_text_and_lists_are_read_in_whatever_form_they_come(bench: Bench) -> None:
    view, empty = pa.large_list(pa.string_view()), pa.list_(pa.null())
    forms: list[tuple[pa.DataType, pa.DataType, list[list[str]]]] = [
        (pa.large_string(), pa.large_list(pa.large_string()), [["5"]]),
        (pa.string_view(), view, [["5"]]),
        (pa.dictionary(pa.int32(), TEXT), pa.list_(pa.dictionary(pa.int8(), TEXT)), [["5"]]),
        (TEXT, pa.list_(TEXT, 1), [["5"]]),
        (TEXT, empty, [[]]),
    ]
    files = {
        f"{i}.parquet": answers(
            1,
            answer_id=pa.array([f"a{i}"], text),
            answer=pa.array(["5"], text),
            evidence=pa.array(evidence, listed),
        )
        for i, (text, listed, evidence) in enumerate(forms)
    }
    made = bench.run(files)
    assert made.column("answer_id") == ["a0", "a1", "a2", "a3", "a4"]
    assert made.column("grounded") == [True] * 4 + [False]


INNER = ("carried", "repeated", "unreadable", "problem", "detail", "text", "known_fixture", "v")
HOSTILE = ("q\"uo'te", "a;b", "😀", "{}", "%s", "a.b", "^a", "null", "unreadable row", " ", *INNER)


def test_hostile_column_names_are_carried_as_they_are(bench: Bench) -> None:
    columns = {name: [f"{name}!", None] for name in HOSTILE}
    made = bench.run({"a.parquet": answers(2, **columns)})
    assert {name: made.column(name) for name in HOSTILE} == columns
    with connect(Folder(bench.out)) as views:
        seen = {row[0] for row in views.execute("DESCRIBE verdicts").fetchall()}
    assert set(HOSTILE) <= seen


@pytest.mark.parametrize("name", ["", "new\nline", "x\0y", "\x85"])
def test_a_column_whose_name_cannot_be_written_is_left_out_or_a_fault(
    bench: Bench, name: str
) -> None:
    ours = {"answer_id": ["a"], "answer": ["5"], "evidence": [["5"]]}
    (fault,) = bench.faults({"a.parquet": pl.DataFrame({**ours, name: ["x"]})})
    assert repr(name) in fault
    assert "--carry" in fault
    assert bench.run(carry=()).outcome.graded == 1


def test_a_column_named_row_is_carried(bench: Bench) -> None:
    assert bench.run({"a.parquet": answers(2, row=["x", "y"])}).column("row") == ["x", "y"]


@pytest.mark.parametrize("name", ["*", "^.*$", "^answer$", "^c.*$"])
def test_a_column_whose_name_is_a_pattern_to_polars_is_carried(bench: Bench, name: str) -> None:
    made = bench.run({"a.parquet": answers(2, **{name: ["x", "y"], "cc": [1, 2]})})
    assert made.column(name) == ["x", "y"]


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"Reason": ["x"]}, ["'Reason'", "'reason'", "--map", "--carry"]),
        ({"RUN_ID": ["x"]}, ["'RUN_ID'", "'run_id'", "--map", "--carry"]),
        ({"job": ["x"]}, ["'job'", "--map"]),
        ({"Ünit": ["x"], "üNIT": ["y"]}, ["'Ünit'", "'üNIT'", "--map"]),
        ({"straße": ["x"], "STRASSE": ["y"]}, ["'straße'", "'STRASSE'"]),
    ],
)
def test_a_name_that_is_taken_whatever_its_case_is_a_fault(
    bench: Bench, columns: dict[str, list[str]], said: list[str]
) -> None:
    (fault,) = bench.faults({"a.parquet": answers(1, **columns)})
    assert fault.startswith("3: ")
    assert [word for word in said if word not in fault] == []
    narrowed = bench.run(carry=())
    assert set(columns) - set(narrowed.schema("verdicts").names) - {"job"} == set(columns) - {"job"}


def test_a_carried_column_is_renamed_out_of_a_collision(bench: Bench) -> None:
    table = answers(2, reason=["x", "y"])
    bench.job({"a.parquet": table})
    job = Job.from_flags(
        {"answers": str(bench.answers), "out": str(bench.out), "map": "other=reason"}
    )
    assert bench.run(map=job.map).column("other") == ["x", "y"]


@pytest.mark.parametrize("ours", ["model", "fixture_id", "question_id", "label"])
def test_two_columns_under_one_name_are_a_fault(bench: Bench, ours: str) -> None:
    table = answers(2, **{"theirs": ["t0", "t1"], ours: ["o0", "o1"]})
    (fault,) = bench.faults({"a.parquet": table}, map={ours: "theirs"})
    assert "'theirs'" in fault
    assert f"'{ours}'" in fault


def test_a_map_gives_columns_our_names_wherever_they_matter(bench: Bench) -> None:
    table = pa.table(
        {
            "uid": [3, 4],
            "output": ["[assert:year=1911] 5", "6"],
            "contexts": [["5"], ["5"]],
            "book": ["book", None],
            "asked": ["q1", None],
            "llm": ["m", "n"],
        }
    )
    named = "answer_id=uid,answer=output,evidence=contexts,fixture_id=book,question_id=asked"
    pairs = dict(pair.split("=") for pair in f"{named},model=llm".split(","))
    made = bench.run({"a.parquet": table}, {"book.json": BOOK}, map=pairs)
    verdicts = made.table("verdicts")
    assert verdicts.select("answer_id", "fixture_id", "question_id", "model", "passed").rows() == [
        (3, "book", "q1", "m", True),
        (4, None, None, "n", False),
    ]
    assert {"uid", "output", "contexts", "book", "asked", "llm"}.isdisjoint(verdicts.columns)


def test_carry_narrows_but_keeps_what_joins_to_the_truth(bench: Bench) -> None:
    table = answers(2, fixture_id=["book"] * 2, question_id=["q1"] * 2, m=[1, 2], n=[3, 4])
    for carry, kept in ((("n",), ["n"]), ((), [])):
        made = bench.run({"a.parquet": table}, {"book.json": BOOK}, carry=carry)
        names = made.schema("verdicts").names
        assert names[5 : names.index("n_passages")] == ["fixture_id", "question_id", *kept]


@pytest.mark.parametrize(
    "options",
    [
        {"map": {"answer": "zip"}},
        {"carry": ("zip",)},
        {"id": ("zip", "zap"), "map": {"key": "answer_id"}},
    ],
    ids=str,
)
def test_a_column_that_the_job_names_and_no_file_has_is_a_fault(
    bench: Bench, options: dict[str, Any]
) -> None:
    faults = bench.faults({"a.parquet": answers(1, zipped=[1])}, **options)
    assert all("'zipped'" in fault for fault in faults)
    assert any("'zip'" in fault for fault in faults)
