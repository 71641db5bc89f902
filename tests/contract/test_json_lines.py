"""JSON Lines: every value as it is written, every line graded or rejected, files refused whole."""

import gzip
import json
from typing import Any

import polars as pl
import pyarrow as pa
import pytest

from pipelines.read import jsonlines
from tests.contract.bench import BOOK, Bench, answers, put
from tests.contract.json_lines import line, raw


@pytest.mark.parametrize("name", ["a.jsonl", "a.NDJSON", "a.jsonl.gz", "b/A b#%.ndjson.GZ"])
def test_lines_are_rows_plain_or_packed(bench: Bench, name: str) -> None:
    text = "\ufeff" + line("007", model="m") + "\r\n \t\n" + line("ü\n", model=None).strip()
    data = gzip.compress(text.encode()) if name.lower().endswith("gz") else text.encode()
    made = bench.run({name: data})
    verdicts = made.table("verdicts").select("answer_id", "source_row", "model", "passed").rows()
    assert verdicts == [("007", 0, "m", True), ("ü\n", 1, None, True)]
    assert made.column("source_file") == [name] * 2


# JSON of each row's value; None where the key is absent → published type and values
CARRIED: dict[str, tuple[list[str | None], pa.DataType, list[object]]] = {
    "whole": (["1", "-7", "null", None], pa.int64(), [1, -7, None, None]),
    "edge": (
        ["9223372036854775807", "-9223372036854775808", None, None],
        pa.int64(),
        [2**63 - 1, -(2**63), None, None],
    ),
    "beyond": (
        ["9223372036854775808", "1", None, None],
        pa.string(),
        ["9223372036854775808", "1", None, None],
    ),
    "broken": (
        ["1.500", "2", "1E400", "-0"],
        pa.string(),
        ["1.500", "2", "1E400", "-0"],
    ),
    "minus zero": (["-0", "1", "2", "3"], pa.string(), ["-0", "1", "2", "3"]),
    "long": (["1" * 5000, None, None, None], pa.string(), ["1" * 5000, None, None, None]),
    "flag": (["true", "false", "null", None], pa.bool_(), [True, False, None, None]),
    "mixed": (
        ["true", "1", '"x"', "[1.50]"],
        pa.string(),
        ["true", "1", "x", "[1.50]"],
    ),
    "nested": (
        ['{"a": [1.500, {"b": null}]}', "[]", '"[]"', "null"],
        pa.string(),
        ['{"a":[1.500,{"b":null}]}', "[]", "[]", None],
    ),
    "signs": (
        ['"\\ud83d\\ude00\\u0000"', '"\\"\\\\"', '"null"', '""'],
        pa.string(),
        ["😀\0", '"\\', "null", ""],
    ),
    "null": (["null", None, "null", None], pa.string(), [None] * 4),
    "text": (["5", "6", None, None], pa.int64(), [5, 6, None, None]),
}


def test_carried_values_keep_their_text_and_whole_numbers_are_integers(bench: Bench) -> None:
    lines = []
    for row in range(4):
        members = [
            f'"{name}": {values[row]}'
            for name, (values, _, _) in CARRIED.items()
            if values[row] is not None
        ]
        lines.append(raw(", ".join(members), f"a{row}"))
    made = bench.run({"a.jsonl": "".join(lines)})
    for name, (_, dtype, values) in CARRIED.items():
        assert made.schema("verdicts").field(name).type == dtype, name
        assert made.column(name) == values, name


def test_columns_stand_in_the_order_in_which_the_file_first_names_them(bench: Bench) -> None:
    made = bench.run({"a.jsonl": line("a", z=1) + line("b", y=1, z=2) + line("c", x=1)})
    assert made.schema("verdicts").names[5:8] == ["z", "y", "x"]


def test_evidence_is_a_list_of_texts_or_one_text(bench: Bench) -> None:
    forms: list[object] = [["5", "x"], [], "5", "[1] says 5", "", None, ["5", None], 5]
    forms += [["5", 5], [["5"]], {"a": "5"}, True]
    text = "".join(line(str(n), answer="5", evidence=form) for n, form in enumerate(forms))
    made = bench.run({"a.jsonl": text + '{"answer_id": "none", "answer": "5"}\n'})
    verdicts = made.table("verdicts").select("answer_id", "n_passages", "grounded").rows()
    assert verdicts == [
        ("0", 2, True),
        ("1", 0, False),
        ("2", 1, True),
        ("3", 1, True),
        ("4", 1, False),
    ]
    found = [(reject[1], reject[2]) for reject in made.rejects]
    assert found == [
        ("5", "null_evidence"),
        ("6", "null_passage"),
        *((str(n), "unreadable_row") for n in range(7, 12)),
        ("none", "null_evidence"),
    ]
    assert made.rejects[2][3] == (
        "line 8: evidence is a number, wanted a list of texts, or one text"
    )


def test_text_is_never_made_of_anything_else(bench: Bench) -> None:
    text = line("a", answer=5) + line("b", answer={"text": "5"}) + line(True) + line(["x"])
    made = bench.run({"a.jsonl": text + line(1.5) + line("z")})
    assert [reject[3] for reject in made.rejects] == [
        "line 1: answer is a number, wanted text",
        "line 2: answer is an object, wanted text",
        "line 3: answer_id is true or false, wanted text or an integer",
        "line 4: answer_id is a list of other things, wanted text or an integer",
        "line 5: answer_id is a number, wanted text or an integer",
    ]
    assert made.column("answer_id") == ["z"]


@pytest.mark.parametrize(
    ("keys", "published"),
    [
        ([1, 2**63 - 1, -5], [1, 2**63 - 1, -5]),
        ([1, 2**63, 10**30], ["1", str(2**63), str(10**30)]),
        ([1, "2", "03"], ["1", "2", "03"]),
    ],
)
def test_ids_are_integers_where_all_are_and_fit_and_else_text(
    bench: Bench, keys: list[Any], published: list[object]
) -> None:
    made = bench.run({"a.jsonl": "".join(map(line, keys))})
    assert made.column("answer_id") == published


def test_a_csv_may_be_packed_too(bench: Bench) -> None:
    text = "answer_id,answer,evidence,price\n007,It is 5,5,1.500\n"
    made = bench.run({"a.csv.gz": gzip.compress(text.encode())})
    assert made.table("verdicts").select("answer_id", "price").rows() == [("007", "1.500")]
    (fault,) = bench.faults({"b.csv.gz": gzip.compress((text + "ü").encode("latin-1"))})
    assert f"byte {len(text)} (line 3) is 0xfc" in fault


def test_the_same_rows_get_the_same_verdicts_as_parquet(bench: Bench) -> None:
    texts = ["It is 5 [1].", "It is 6 [2].", "[assert:year=1911] 1911", "", "٣ [٣]"] * 40
    rows = [
        {"answer_id": n, "answer": text, "evidence": ["5", "1911"], "fixture_id": "book"}
        for n, text in enumerate(texts)
    ]
    written = "".join(json.dumps(row) + "\n" for row in rows)
    one = bench.run({"a.jsonl": written}, {"book.json": BOOK})
    bench.answers.joinpath("a.jsonl").unlink()
    other = bench.run({"a.parquet": pl.DataFrame(rows)}, {"book.json": BOOK})
    for table in ("verdicts", "findings", "claims"):
        apart = ["run_id", "source_file"] if table == "verdicts" else ["run_id"]
        assert one.table(table).drop(apart).equals(other.table(table).drop(apart)), table


def test_many_batches_are_one_file(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonlines, "_ROWS", 3)
    made = bench.run({"a.jsonl": "".join(line(n) for n in range(10)), "b.parquet": answers(0)})
    assert made.column("answer_id") == list(range(10))


def test_values_as_deep_as_is_allowed_are_carried(bench: Bench) -> None:
    deep = '[{"a":' * 99 + "[1.50]" + "}]" * 99
    made = bench.run({"a.jsonl": raw(f'"x": {deep}')})
    assert made.column("x") == [deep]


def test_evidence_beside_the_answers_may_be_lines_too(bench: Bench) -> None:
    text = '{"answer_id": 1, "answer": "It is 5 [2].", "evidence_ids": [7, "8"]}\n'
    passages = '{"passage_id": 7, "text": "x"}\n{"passage_id": "8", "text": "5"}\n'
    put(bench.folder, {"p.jsonl": passages})
    shared = bench.run({"a.jsonl": text}, passages=str(bench.folder / "p.jsonl"))
    assert shared.column("cited_indices") == [[2]]
    assert shared.column("passed") == [True]
    long = '{"answer_id": 1, "position": 1, "text": "x"}\n{"answer_id": 1, "position": 2, "text": '
    put(bench.folder, {"e.jsonl.gz": gzip.compress((long + '"5"}').encode())})
    put(bench.answers, {"a.jsonl": text.replace(', "evidence_ids": [7, "8"]', "")})
    made = bench.run(evidence=str(bench.folder / "e.jsonl.gz"))
    assert made.column("cited_indices") == [[2]]
    assert made.column("passed") == [True]
