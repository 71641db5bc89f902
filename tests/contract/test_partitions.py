"""Hive folders: their values are columns, texts as they are written, and never contradicted."""

import json
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.contract.bench import BOOK, Bench, answers, put

NULL = "__HIVE_DEFAULT_PARTITION__"


def one(key: str, **columns: Any) -> pa.Table:
    return answers(1, answer_id=[key], **columns)


def test_folders_are_columns_of_text_in_files_of_any_kind(bench: Bench) -> None:
    line = json.dumps({"answer_id": "c", "answer": "5", "evidence": ["5"]})
    files = {
        "model=x/run=02a/a.parquet": one("a"),
        "model=x/run=007/b.csv": "answer_id,answer,evidence\nb,5,5\n",
        f"model={NULL}/run=1/c.jsonl": line,
        "model=/run=1=2/d.parquet": one("d"),
        "plain/e.parquet": one("e"),
    }
    made = bench.run(files)
    verdicts = made.table("verdicts").select("answer_id", "model", "run").sort("answer_id")
    assert verdicts.rows() == [
        ("a", "x", "02a"),
        ("b", "x", "007"),
        ("c", None, "1"),
        ("d", "", "1=2"),
        ("e", None, None),
    ]
    assert made.schema("verdicts").field("run").type == pa.string()
    assert set(made.column("source_file")) == set(files)


@pytest.mark.parametrize(
    ("folder", "column", "value"),
    [
        ("model=gpt%2F4%25", "model", "gpt/4%"),
        ("model=m%C3%A9", "model", "mé"),
        ("m%3Dn=x", "m=n", "x"),
        ("model=a b'\"#&+é", "model", "a b'\"#&+é"),
        ("model=100%", "model", "100%"),
        ("model=%zz", "model", "%zz"),
        ("model=*[x]?", "model", "*[x]?"),
        ("_lang=vi", "_lang", "vi"),
    ],
)
def test_names_and_values_are_unescaped(bench: Bench, folder: str, column: str, value: str) -> None:
    made = bench.run({f"{folder}/a.parquet": answers()})
    assert made.column(column) == [value] * 2
    assert made.column("source_file") == [f"{folder}/a.parquet"] * 2


def test_folders_count_below_what_was_given_and_no_others(bench: Bench) -> None:
    put(bench.answers, {"lang=vi/model=x/a.parquet": answers()})
    given = {
        "": {"lang", "model"},
        "/lang=vi": {"model"},
        "/lang=vi/model=x": set(),
        "/lang=vi/model=x/a.parquet": set(),
        "/*/model=*/*.parquet": {"lang", "model"},
        "/lang=vi/**/*.parquet": {"model"},
    }
    for path, columns in given.items():
        made = bench.run(answers=str(bench.answers) + path)
        assert {"lang", "model"} & set(made.schema("verdicts").names) == columns, path


def test_a_folder_can_be_mapped_and_be_a_part_of_the_key(bench: Bench) -> None:
    files = {
        "llm=x/book=book/a.parquet": one("p", answer=["[assert:year=1911] 5"]),
        "llm=y/book=book/a.parquet": one("p"),
    }
    named = {"model": "llm", "fixture_id": "book", "prompt": "answer_id"}
    made = bench.run(files, {"book.json": BOOK}, map=named, id=("answer_id", "llm"))
    assert [json.loads(key) for key in made.column("answer_id")] == [["p", "x"], ["p", "y"]]
    assert made.column("model") == ["x", "y"]
    assert made.column("n_annotations") == [1, 0]


def test_a_folder_can_name_the_answer(bench: Bench) -> None:
    table = answers(1).drop_columns("answer_id")
    made = bench.run({"answer_id=01/a.parquet": table, "answer_id=1/a.parquet": table})
    assert made.column("answer_id") == ["01", "1"]


AGREEING = [
    ("x", pa.array(["x", "x"])),
    ("x", pa.array(["x", "x"]).dictionary_encode()),
    ("02", pa.array([2, 2], pa.int8())),
    ("-2", pa.array([-2, -2])),
    ("True", pa.array([True, True])),
    ("2020-02-29", pa.array(["2020-02-29"] * 2).cast(pa.date32())),
    (NULL, pa.array([None, None], pa.int64())),
    (NULL, pa.nulls(2)),
]


@pytest.mark.parametrize(("value", "column"), AGREEING, ids=str)
def test_where_the_file_holds_the_column_its_own_value_is_used(
    bench: Bench, value: str, column: pa.Array
) -> None:
    made = bench.run({f"c={value}/a.parquet": answers(2, c=column)})
    assert made.column("c") == pl.Series(column).to_list()


DIFFERING = [
    ("x", pa.array(["x", "X"])),
    ("x", pa.array(["x", None])),
    ("x", pa.nulls(2)),
    (NULL, pa.array([None, "x"])),
    ("02a", pa.array([2, 2])),
    ("2", pa.array([2, 3])),
    ("2", pa.array(["02", "02"])),
    ("x", pa.array([b"x", b"x"])),
    ("x", pa.array([["x"], ["x"]])),
]


@pytest.mark.parametrize(("value", "column"), DIFFERING, ids=str)
def test_a_row_that_contradicts_its_folder_is_refused(
    bench: Bench, value: str, column: pa.Array
) -> None:
    files = {f"c={value}/a.parquet": answers(2, c=column), "c=y/b.parquet": one("z", c=["n"])}
    first, second = bench.faults(files)
    assert first.startswith("3: ")
    assert f"c={value}/a.parquet" in first
    assert "'c'" in first
    assert "row 0 holds 'n'" in second


def test_the_contradicting_row_may_stand_anywhere(bench: Bench) -> None:
    folder = bench.answers / "c=x"
    folder.mkdir(parents=True)
    table = answers(3000, c=["x"] * 2500 + ["y"] + ["x"] * 499)
    pq.write_table(table, folder / "a.parquet", row_group_size=100)
    (fault,) = bench.faults()
    assert "row 2500 holds 'y'" in fault


def test_lines_that_cannot_be_read_contradict_nothing(bench: Bench) -> None:
    text = "answer_id,answer,evidence,c\na,5,5,x\nb,5\n"
    lines = '{"answer_id": "c", "answer": "5", "evidence": "5", "c": "x"}\n{\n'
    made = bench.run({"c=x/a.csv": text, "c=x/b.jsonl": lines})
    assert made.column("c") == ["x", "x"]
    assert made.outcome.rejected == 2


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("c=x/c=x/a.parquet", "second time"),
        ("%63=x/c=x/a.parquet", "second time"),
        ("c=%ff/a.parquet", "no UTF-8"),
        ("unreadable row=x/a.parquet", "reserved"),
        ("run_id=x/a.parquet", "--map NEW_NAME=run_id"),
        ("evidence=x/a.parquet", "--map"),
    ],
)
def test_a_folder_that_makes_no_column_is_refused(bench: Bench, path: str, said: str) -> None:
    table = answers().drop_columns("evidence") if path.startswith("ev") else answers()
    faults = bench.faults({path: table})
    assert said in "\n".join(faults) or "wanted a list of texts" in faults[0]


def test_other_folders_are_no_columns(bench: Bench) -> None:
    made = bench.run({"=x/y/a.parquet": answers(), "z/.hidden=1/b.parquet": answers()})
    names = made.schema("verdicts").names
    assert names[5] == "n_passages"
    assert made.outcome.read == 2
