"""CSV and TSV: read as text, every record graded or rejected, the file refused where that fails."""

import json

import pyarrow as pa
import pytest

from tests.contract.bench import BOOK, Bench, answers

HEAD = "answer_id,answer,evidence,c\n"
GOOD = "z,It is 5,5,z\n"


def bad_rows(bench: Bench, rows: str) -> list[str]:
    """Details of the unreadable rows. All others must be graded."""
    made = bench.run({"a.csv": HEAD + rows})
    assert {reject[2] for reject in made.rejects} == {"unreadable_row"}
    return [str(reject[3]) for reject in made.rejects]


def passages(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"'


@pytest.mark.parametrize("sign", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_delimiter_line_end_and_byte_order_mark_are_detected(
    bench: Bench, sign: str, end: str, mark: str
) -> None:
    lines = [
        ["answer_id", '"answer"', "evidence", "price", "memo"],
        ["007", '"It is 1.500, or ""2;3"""', '"1.500\t2;3"', "1.500", ""],
        ["8", '"one\ntwo 2"', "2", "1e5", '5" pipe'],
    ]
    made = bench.run({"a.csv": mark + end.join(sign.join(line) for line in lines) + end})
    verdicts = made.table("verdicts").select("answer_id", "price", "memo", "passed", "n_numbers")
    assert verdicts.rows() == [("007", "1.500", None, True, 3), ("8", "1e5", '5" pipe', True, 1)]


def test_an_empty_cell_is_null(bench: Bench) -> None:
    rows = 'a,,5,x\nb,5,,x\n,5,5,x\nc,"",5,x\nd,5,5,\n'
    made = bench.run({"a.csv": HEAD + rows})
    assert [reject[2] for reject in made.rejects] == [
        "null_answer",
        "null_evidence",
        "null_answer_id",
        "null_answer",
    ]
    assert made.column("c") == [None]


EVIDENCE = [
    (["It is 5.", "6"], 2, True),
    (["5, [1] said", 'a\nb"c'], 2, True),
    ([], 0, False),
    (["\U0001f600 5\0"], 1, True),
]


def test_evidence_is_a_json_list_or_one_passage(bench: Bench) -> None:
    rows = [passages(json.dumps(cell)) for cell, _, _ in EVIDENCE]
    rows += [passages(json.dumps(cell, ensure_ascii=False, indent=1)) for cell, _, _ in EVIDENCE]
    rows += ["five is 5", '" [""5""]"', '"{""5"": [5]}"']
    text = "".join(f"{i},It is 5,{row},x\n" for i, row in enumerate(rows))
    made = bench.run({"a.csv": HEAD + text})
    found = made.table("verdicts").select("n_passages", "grounded").rows()
    assert found == [(n, good) for _, n, good in EVIDENCE * 2] + [(1, True)] * 3


def test_numbered_columns_are_the_passages_in_the_order_of_their_numbers(bench: Bench) -> None:
    text = (
        "answer_id,answer,evidence_3,evidence_2,evidence_1,evidence_x,evidence_01\n"
        "a,It is 5 [3],5,b,a,x,y\nb,It is 5 [2],,5,a,x,y\nc,It is 5 [1],,,5,x,y\n"
        "d,5,,,,x,y\ne,5,5,,a,x,y\n"
    )
    made = bench.run({"a.csv": text})
    assert made.column("n_passages") == [3, 2, 1]
    assert made.column("cited_indices") == [[3], [2], [1]]
    assert made.rejects == [(3, "d", "null_evidence", None), (4, "e", "null_passage", "passage 2")]
    assert {"evidence_x", "evidence_01"} < set(made.schema("verdicts").names)
    mapped = bench.run({"a.csv": text.replace("evidence_", "ctx_")}, map={"evidence": "ctx"})
    assert mapped.column("cited_indices") == [[3], [2], [1]]


def test_a_gap_in_the_numbers_of_evidence_columns_is_a_fault(bench: Bench) -> None:
    text = "answer_id,answer,evidence_1,evidence_3\na,It is 5 [2],4,5\n"
    assert any("evidence_2" in fault for fault in bench.faults({"a.csv": text}))


def test_passages_in_two_places_make_a_row_unreadable(bench: Bench) -> None:
    text = "answer_id,answer,evidence,evidence_1\na,It is 5,,5\nb,It is 5,5,6\n"
    made = bench.run({"a.csv": text})
    assert made.column("answer_id") == ["a"]
    assert made.rejects[0][:3] == (1, "b", "unreadable_row")


NO_LISTS = {
    "marker": "[1] says so",
    "cut": '["5", "6',
    "bare": "[5]",
    "nested": '[["5"]]',
    "tail": '["5"] and more',
    "constants": "[NaN]",
    "surrogate": '["\\ud800"]',
    "digits": "[" + "1" * 4301 + "]",
    "deep": "[" * 100_000,
    "deep and closed": "[" * 100_000 + "]" * 100_000,
    "control": '["a\nb"]',
}


def test_a_cell_that_opens_with_a_bracket_and_is_no_list_of_texts_is_rejected(
    bench: Bench,
) -> None:
    rows = "".join(f"{name},It is 5,{passages(cell)},x\n" for name, cell in NO_LISTS.items())
    made = bench.run({"a.csv": HEAD + rows + GOOD})
    rejected = {reject[1]: str(reject[3]) for reject in made.rejects}
    assert {reject[2] for reject in made.rejects} == {"unreadable_row"}
    assert set(rejected) == set(NO_LISTS)
    assert all("evidence" in detail and "JSON list" in detail for detail in rejected.values())
    assert max(map(len, rejected.values())) < 300
    assert made.column("answer_id") == ["z"]


def test_no_detail_asks_for_a_change_of_python(bench: Bench) -> None:
    (detail,) = bad_rows(bench, f"a,5,{NO_LISTS['digits']},x\n{GOOD}")
    assert "sys." not in detail


def test_records_that_cannot_be_read_are_rejected_one_by_one(bench: Bench) -> None:
    rows = 'a,5,5\nb,5,5,x,y\nc,"It" is,5,x\n\nd,"5\n"x"",5,x\n' + GOOD
    first, second, third, fourth = bad_rows(bench, rows)
    assert (first, second) == ("3 cells, the header has 4", "5 cells, the header has 4")
    assert third.startswith("line 4: ")
    assert fourth.startswith("lines 6 to 7: ")


def test_a_reject_names_all_the_lines_that_it_swallowed(bench: Bench) -> None:
    rows = f'a,"open,5,x\nb,"5",5,x\n{GOOD}'
    (detail,) = bad_rows(bench, rows)
    assert "2" in detail
    assert "3" in detail


REFUSED: dict[str, tuple[bytes, list[str]]] = {
    "an open quote": ((HEAD + GOOD + 'a,"5,5,x\n' + GOOD).encode(), ["quote", "line 3"]),
    "latin-1": ((HEAD + "a,café").encode("latin-1") + b",5,x\n", ["UTF-8", "byte 33", "0xe9"]),
    "latin-1 below": ((HEAD + GOOD + "ü").encode("latin-1"), ["UTF-8", "byte 42", "line 3"]),
    "latin-1 header": (HEAD.replace("c", "é").encode("latin-1"), ["UTF-8", "line 1"]),
    "UTF-16": ((HEAD + GOOD).encode("utf-16"), ["UTF-8", "byte 0", "line 1"]),
    "a surrogate": (HEAD.encode() + b"a,\xed\xa0\x80,5,x\n", ["UTF-8", "0xed"]),
    "cut": (HEAD.encode() + b"a,\xe2\x82", ["UTF-8", "byte 30"]),
    "empty": (b"", ["no header"]),
    "blank": (b"\n\n", ["no header"]),
    "a column twice": (b"answer_id,answer,evidence,answer\n", ["answer", "twice"]),
    "an open header": (b'answer_id,"answer,evidence\n', ["header"]),
    "no column": (b"id,output,contexts\n1,5,5\n", ["--map answer=output", "--id row"]),
    "no delimiter": (b"answer_id|answer|evidence\n1|5|5\n", ["'answer'"]),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_file_that_cannot_be_read_as_a_whole_is_refused(bench: Bench, name: str) -> None:
    content, said = REFUSED[name]
    faults = "\n".join(bench.faults({"a.csv": content}))
    assert faults.startswith("3: ")
    assert [word for word in ["a.csv", *said] if word not in faults] == []


@pytest.mark.parametrize(
    ("header", "said"),
    [
        pytest.param("answer_id,answer,evidence,unreadable row", "reserved"),
        pytest.param("\0a\0n\0s\0w\0e\0r\0_\0i\0d", "UTF-16"),
    ],
)
def test_an_odd_header_is_refused_for_what_is_odd(bench: Bench, header: str, said: str) -> None:
    assert said in "\n".join(bench.faults({"a.csv": header + "\n"}))


def test_faults_of_all_files_are_said_at_once(bench: Bench) -> None:
    files = {"a.csv": b"\xff", "b.csv": b"", "c.parquet": b"PAR1", "d.csv": HEAD + GOOD}
    faults = bench.faults(files)
    assert [name in fault for name, fault in zip(files, faults, strict=False)] == [True] * 3
    assert len(faults) == 3


def test_cells_out_of_all_proportion_are_read(bench: Bench) -> None:
    million = passages("[" + ",".join(['"5"'] * 10**6) + "]")
    rows = f"a,It is 5,{'x' * 20_000_000} 5,x\nb,It is 5 [1000000],{million},x\nc,\0 5,5\0,\0\n"
    made = bench.run({"a.csv": HEAD + rows})
    verdicts = made.table("verdicts").select("n_passages", "passed", "c").rows()
    assert verdicts == [(1, True, "x"), (10**6, True, "x"), (1, True, "\0")]


def test_a_row_over_the_limit_is_too_long_in_bytes(bench: Bench) -> None:
    made = bench.run({"a.csv": HEAD + "a,ééé,ééé,x\nb,ééé,éé,x\n"}, max_text=10)
    assert made.rejects == [(0, "a", "too_long", "12 bytes of text, the limit is 10")]


def test_csv_and_parquet_are_one_input_and_differing_columns_become_text(bench: Bench) -> None:
    table = answers(1, answer_id=["p"], c=[1.5])
    files = {"a.csv": HEAD + "a,5,5,1.50\n", "b.parquet": table, "C.TSV": HEAD.replace(",", "\t")}
    made = bench.run(files)
    assert made.table("verdicts").select("source_file", "answer_id", "c").rows() == [
        ("a.csv", "a", "1.50"),
        ("b.parquet", "p", "1.5"),
    ]
    assert made.schema("verdicts").field("c").type == pa.string()


def test_csv_is_joined_to_the_truth(bench: Bench) -> None:
    text = "answer_id,answer,fixture_id,question_id\na,[assert:year=1911],book,q1\nb,5,,\n"
    made = bench.run({"a.csv": text}, {"book.json": BOOK})
    assert made.column("missing_facts") == [[]]
    assert made.rejects == [(1, "b", "null_evidence", None)]
