"""Truth tables as files: JSON and Parquet give one set, and every fault of every file is said."""

from typing import Any

import polars as pl
import pyarrow as pa
import pytest

from tests.contract.bench import BOOK, Bench, Files, Run, answers

TRUTH = ("truth_facts", "truth_negative_facts", "truth_questions")
FACTS = {"fixture_id": ["book"], "fact_id": ["year"], "value": ["1911"]}
NEGATIVE = {"fixture_id": ["book"], "negative_fact_id": ["fire"]}
QUESTION = {"fixture_id": ["book"], "question_id": ["q1"]}

# The book of `BOOK`, as tables. Lists may be null, and columns that nobody needs are left alone.
TABLES: dict[str, pl.DataFrame] = {
    "facts.parquet": pl.DataFrame(
        {
            "note": [1, 2, 3],
            "fixture_id": ["book"] * 3,
            "fact_id": ["Year", "keeper", "KEEPER".lower()],
            "value": ["1911", "Ada Lumen", "Lumen, Ada"],
        },
        schema_overrides={"fact_id": pl.Categorical},
    ),
    "negative/facts.parquet": pl.DataFrame({**NEGATIVE, "statement": ["No fire is told of."]}),
    "questions.pq": pl.DataFrame(
        {**QUESTION, "facts": [["YEAR"]], "negative_facts": [["fire"]], "inputs": [["keeper"]]}
    ),
}
ANSWER = answers(1, answer=["[assert:YEAR=1911] 5"], fixture_id=["book"], question_id=["q1"])


def truth_of(made: Run) -> list[list[tuple[object, ...]]]:
    return [made.table(name).drop("run_id").rows() for name in TRUTH]


def test_json_and_parquet_say_the_same(bench: Bench) -> None:
    one = bench.run({"a.parquet": ANSWER}, {"book.json": BOOK})
    other = Bench(bench.folder / "parquet").run({"a.parquet": ANSWER}, TABLES)
    assert truth_of(one) == truth_of(other)
    assert truth_of(one) == [
        [
            ("book", "year", "1911"),
            ("book", "keeper", "Ada Lumen"),
            ("book", "keeper", "Lumen, Ada"),
        ],
        [("book", "fire", "No fire is told of.")],
        [("book", "q1", None, ["year"], ["fire"], ["keeper"])],
    ]
    graded = one.table("verdicts").drop("run_id")
    assert graded.equals(other.table("verdicts").drop("run_id"))


def test_what_a_table_leaves_out_is_null_as_in_json(bench: Bench) -> None:
    book = {**BOOK, "negative_facts": [{"negative_fact_id": "fire"}], "questions": []}
    one = bench.run({"a.parquet": answers(1)}, {"book.json": book})
    assert one.table("truth_negative_facts")["statement"].to_list() == [None]


@pytest.mark.parametrize("column", [{}, {"statement": pa.nulls(1, pa.string())}])
def test_a_statement_that_parquet_leaves_out_is_null(
    bench: Bench, column: dict[str, object]
) -> None:
    made = bench.run({"a.parquet": answers(1)}, {"n.parquet": pa.table({**NEGATIVE, **column})})
    assert made.table("truth_negative_facts")["statement"].to_list() == [None]


def test_many_fixtures_from_both_formats_are_one_set(bench: Bench) -> None:
    other = {"fixture_id": "Book", "facts": [{"fact_id": "year", "values": ["1912"]}]}
    third = pa.table({**FACTS, "fixture_id": ["third"], "value": ["1913"]})
    table = answers(
        4,
        answer=["[assert:year=1912] 5"] * 4,
        fixture_id=["book", "Book", "third", "fourth"],
        question_id=[None, "any", None, None],
    )
    files: Files = {"book.json": BOOK, "other.JSON": other, "deep/er/third.parquet": third}
    made = bench.run({"a.parquet": table}, files)
    assert made.column("passed") == [False, True, False]
    assert made.column("missing_facts") == [None, None, None]
    assert made.rejects == [(3, "a3", "unknown_fixture", "fourth")]
    assert made.table("claims")["accepted"].to_list() == [["1911"], ["1912"], ["1913"]]


def test_a_file_that_is_given_twice_is_read_once(bench: Bench) -> None:
    bench.job({"a.parquet": ANSWER}, {"book.json": BOOK})
    truth = bench.folder / "truth"
    given = (str(truth), str(truth / "book.json"), str(truth / "b*.json"))
    made = bench.run(fixtures=given)
    assert [i["role"] for i in made.manifest["inputs"]] == ["answers", "fixtures"]


def test_one_fixture_in_two_files_is_a_fault(bench: Bench) -> None:
    for truth in ({"a.json": BOOK, "b.json": BOOK}, {"c.parquet": pa.table(FACTS)}):
        (bench.folder / "truth" / "b.json").unlink(missing_ok=True)
        (fault,) = bench.faults({"a.parquet": ANSWER}, truth)
        assert fault.startswith("3: ")
        assert "'book'" in fault


def test_a_fixture_may_be_spread_over_tables(bench: Bench) -> None:
    more = pa.table({**FACTS, "fact_id": ["keeper"], "value": ["Ada"]})
    made = bench.run(
        {"a.parquet": ANSWER.drop_columns("question_id")},
        {"1.parquet": pa.table(FACTS), "2.parquet": more},
    )
    assert truth_of(made)[0] == [("book", "year", "1911"), ("book", "keeper", "Ada")]


def test_the_faults_of_all_json_files_are_said_at_once(bench: Bench) -> None:
    truth: Files = {
        "a.json": "{",
        "b.json": "[]",
        "c.json": {**BOOK, "fixture_id": "", "facts": [{"fact_id": "a b", "values": []}]},
        "d.json": BOOK,
        "e.json": b"\xff\xfe{",
        "f.json": b"",
        "g.parquet": b"PAR1",
        "h.json": '{"fixture_id": "h", "facts": [], "facts": []}',
        "i.json": '{"fixture_id": "\\ud800", "facts": []}',
        "j.json": "[" * 100_000,
        "k.json": '{"fixture_id": ' + "1" * 5000 + ', "facts": []}',
    }
    faults = bench.faults({"a.parquet": ANSWER}, truth)
    assert {fault[:3] for fault in faults} == {"3: "}
    named = {name for name in truth if any(f"/{name}: " in fault for fault in faults)}
    assert named == {*truth} - {"d.json"}
    assert sum("/c.json: " in fault for fault in faults) >= 3


def test_the_faults_of_all_parquet_files_are_said_at_once(bench: Bench) -> None:
    truth: Files = {
        "a.parquet": pa.table({"x": [1]}),
        "b.parquet": pa.table({"y": [1]}),
        "c.parquet": pa.table({**FACTS, "fixture_id": ["c"], "fact_id": ["a b"]}),
        "d.parquet": pa.table({**FACTS, "fixture_id": ["d"], "fact_id": ["c d"]}),
    }
    faults = bench.faults({"a.parquet": ANSWER}, truth)
    for word in ("a.parquet", "b.parquet", "'a b'", "'c d'"):
        assert any(word in fault for fault in faults), word


def column(name: str, value: object, dtype: pa.DataType | None = None) -> dict[str, Any]:
    return {name: pa.array([value], dtype)}


SILENT, HASHED = "accepted without a word", "not hashable"
WRONG = [
    pytest.param({**FACTS, **column("value", 1911)}, "is Int64, wanted text", id="number"),
    pytest.param({**FACTS, **column("value", None, pa.string())}, "null", id="null value"),
    pytest.param({**FACTS, **column("fact_id", None, pa.string())}, "null", id="null fact"),
    pytest.param({**FACTS, **column("fixture_id", None, pa.string())}, "", id="null fixture"),
    pytest.param({**FACTS, **column("fixture_id", 7)}, "is Int64", id="number of fixture"),
    pytest.param({**FACTS, **column("value", b"1911")}, "value", id="bytes"),
    pytest.param({**FACTS, **column("value", ["1911"])}, "wanted text", id="list"),
    pytest.param({**FACTS, **column("value", {"a": "1911"})}, "wanted text", id="struct"),
    pytest.param({**FACTS, **column("value", "  ")}, "empty once normalised", id="blank"),
    pytest.param({**FACTS, **column("value", float("nan"))}, "Float64", id="NaN"),
    pytest.param({**FACTS, **column("fact_id", "jahr zwei")}, "'jahr zwei'", id="illegal id"),
    pytest.param({"fixture_id": ["b"], "fact_id": ["c"]}, "value", id="column missing"),
    pytest.param(
        {"fixture_id": ["b"] * 2, "fact_id": ["a", "A"], "value": ["1", "2"]}, "'A'", id="case"
    ),
    pytest.param(
        {**FACTS, **column("fact_id", ["year"])},
        "",
        id="list of ids",
    ),
    pytest.param(
        {**FACTS, **column("fixture_id", {"a": 1})},
        "",
        id="struct id",
    ),
    pytest.param({**NEGATIVE, **column("negative_fact_id", 3)}, "Int64", id="number of a fact"),
    pytest.param({**NEGATIVE, **column("statement", 3)}, "Int64", id="number as statement"),
    pytest.param({**NEGATIVE, **column("statement", 0)}, "Int64", id="zero"),
    pytest.param(
        {**NEGATIVE, **column("negative_fact_id", ["x"])},
        "",
        id="list of negative ids",
    ),
    pytest.param(
        {k: v * 2 for k, v in NEGATIVE.items()} | {"statement": ["one", "other"]},
        "'fire'",
        id="negative fact twice",
    ),
    pytest.param({k: v * 2 for k, v in QUESTION.items()}, "'q1'", id="question twice"),
    pytest.param({**QUESTION, **column("question_id", 1)}, "Int64", id="number of a question"),
    pytest.param({**QUESTION, **column("facts", ["none"])}, "'none'", id="unknown fact"),
    pytest.param({**QUESTION, **column("facts", [3])}, "List(Int64)", id="list of numbers"),
    pytest.param(
        {**QUESTION, **column("inputs", [None], pa.list_(pa.string()))}, "null", id="null"
    ),
    pytest.param({**QUESTION, **column("prompt", 3)}, "Int64", id="number as prompt"),
    pytest.param(
        {**QUESTION, **column("facts", "yy")},
        "wanted a list of texts",
        id="text for a list",
    ),
    pytest.param(
        {**QUESTION, **column("facts", 3)},
        "",
        id="number for a list",
    ),
    pytest.param({**QUESTION, **column("facts", False)}, "", id="false for a list"),
]


@pytest.mark.parametrize(("columns", "said"), WRONG)
def test_a_wrong_parquet_table_is_a_fault(bench: Bench, columns: dict[str, Any], said: str) -> None:
    truth: Files = {"wrong.parquet": pa.table(columns)}
    if "fact_id" not in columns:
        facts = {"fixture_id": ["book"] * 2, "fact_id": ["year", "y"], "value": ["1911", "1"]}
        truth = {"facts.parquet": pa.table(facts), **truth}
    faults = bench.faults({"a.parquet": ANSWER}, truth)
    assert {fault[:3] for fault in faults} == {"3: "}
    assert any(said in fault for fault in faults)


def test_a_fault_of_a_table_names_its_file(bench: Bench) -> None:
    faults = bench.faults({"a.parquet": ANSWER}, {"x.parquet": pa.table({**FACTS, "value": [1]})})
    assert all("x.parquet" in fault for fault in faults)


def test_where_no_truth_is_found_the_error_says_so(bench: Bench) -> None:
    bench.job({"a.parquet": ANSWER}, {"notes.txt": "none"})
    truth = bench.folder / "truth"
    for given, said in (
        (truth, "without a file ending in .json"),
        (truth / "none.json", "does not exist"),
        (truth / "*.json", "no file matches"),
        (truth / "notes.txt", "notes.txt"),
    ):
        (fault,) = bench.faults(fixtures=(str(given),))
        assert said in fault


def test_a_fixture_that_states_nothing_is_a_fault(bench: Bench) -> None:
    (fault,) = bench.faults({"a.parquet": ANSWER}, {"book.json": {"fixture_id": "b", "facts": []}})
    assert "book.json" in fault
    assert "states nothing" in fault
