"""A policy of a job: what it waives and demands is published beside the verdict, and recorded."""

from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pytest

from grounding.policies import Policy
from grounding.reference.causes import explained
from grounding.reference.waivers import grounded_with_waivers
from pipelines.places import Folder
from pipelines.query import run_query
from tests.contract.bench import BOOK, Bench, answers, put

# answer, its question, its evidence
ROWS: list[tuple[str, str | None, list[str]]] = [
    ("1. Take 5 mg\n2. Rest", None, ["5 mg"]),
    ("In 1998 it was 5.", "What of 1998?", ["5"]),
    ("In 1998 it was 5.", None, ["5"]),
    ("1. Take 75 mg", None, ["7,5 mg"]),
    ("It is 5 [9].", None, ["5"]),
    ("It is 5.", None, ["5"]),
    ("Nothing.", None, []),
    ("７ mg in 2020", "2020?", ["7 mg"]),
]
TEXTS = pa.list_(pa.string())


ADVICE_COLUMNS = (
    *("grounded_in_cited", "n_qualifier_mismatches", "n_not_cited"),
    *("n_unread_numerals", "n_not_in_nearest"),
)


def table(rows: list[tuple[str, str | None, list[str]]] = ROWS) -> pa.Table:
    columns = dict(zip(("answer", "question", "evidence"), zip(*rows, strict=True), strict=True))
    return answers(
        len(rows),
        answer=list(columns["answer"]),
        evidence=pa.array(columns["evidence"], TEXTS),
        question=pa.array(columns["question"], pa.string()),
    )


POLICIES: list[tuple[str, ...]] = [
    (),
    ("list_marker",),
    ("in_question",),
    ("digit_script", "in_question"),
    ("list_marker", "digit_script", "in_question", "zero_padding"),
]


@pytest.mark.parametrize("waive", POLICIES, ids=",".join)
def test_waivers_are_published_beside_a_verdict_that_stays_as_it_was(
    bench: Bench, waive: tuple[str, ...]
) -> None:
    strict = bench.run({"a.parquet": table()}).table("verdicts")
    made = bench.run(waive=waive)
    got = made.table("verdicts")
    expected = [
        grounded_with_waivers(explained(answer, evidence, question=question), Policy(waive))
        for answer, question, evidence in ROWS
    ]
    assert got["grounded_with_waivers"].to_list() == expected
    assert got["passed_with_policy"].to_list() == expected
    same = pl.exclude("run_id", "grounded_with_waivers", "passed_with_policy")
    assert got.select(same).equals(strict.select(same))
    if not waive:
        assert expected == strict["grounded"].to_list() == [False] * 5 + [True, True, False]
    assert sorted(made.manifest["job"]["waive"]) == sorted(waive)


def test_what_waiving_would_change_is_what_it_changes(bench: Bench) -> None:
    """The queries foretell from the strict run what runs with a policy then say."""
    bench.run({"a.parquet": table()}, name="strict")
    told = run_query(Folder(bench.out), "waiver_effects").to_pylist()
    assert {row["cause"] for row in told} == {"list_marker", "in_question", "digit_script"}
    for number, row in enumerate(told):
        out = str(bench.folder / f"out{number}")
        verdicts = bench.run(waive=(row["cause"],), out=out).table("verdicts")
        rescued = verdicts.filter(~pl.col("grounded") & pl.col("grounded_with_waivers")).height
        assert row["rescued"] == rescued, row["cause"]


def test_what_is_demanded_is_looked_for_among_the_advice(bench: Bench) -> None:
    said = ["[input:nowhere] It is 5.", "[input:1911] It is 5."]
    rows = answers(2, answer=said, fixture_id=["book"] * 2)
    made = bench.run({"a.parquet": rows}, {"book.json": BOOK}, demand=("unknown_input",))
    assert made.column("passed") == [True, True]
    assert made.column("passed_with_policy") == [False, True]
    assert made.column("grounded_with_waivers") == [True, True]


def test_without_explanations_there_are_no_causes_and_nothing_else_changes(bench: Bench) -> None:
    explained_run = bench.run({"a.parquet": table()}, explain="causes")
    plain = bench.run(explain="none")
    causes = ["cause", "causes", "nearest", "passage"]
    findings = plain.table("findings")
    assert findings.select(causes).null_count().row(0) == (findings.height,) * 4
    assert explained_run.table("findings")["cause"].null_count() == 0
    for name, others in (("findings", causes), ("verdicts", [])):
        same = pl.exclude("run_id", *others)
        one, two = explained_run.table(name), plain.table(name)
        assert one.select(same).equals(two.select(same))
    assert plain.column("grounded_with_waivers") == plain.column("grounded")


def test_without_advice_there_is_none_and_nothing_else_changes(bench: Bench) -> None:
    advised = bench.run({"a.parquet": table()})
    plain = bench.run(explain="causes")
    counts = [name for name in advised.schema("verdicts").names if name in ADVICE_COLUMNS]
    assert counts == list(ADVICE_COLUMNS)
    assert plain.table("verdicts").select(counts).null_count().row(0) == (8,) * len(counts)
    one, two = (made.table("verdicts").drop("run_id", *counts) for made in (advised, plain))
    assert one.equals(two)
    one, two = (made.table("findings").drop("run_id") for made in (advised, plain))
    assert one.filter("refusal").equals(two)
    assert set(one.filter(~pl.col("refusal"))["kind"]) != set()


def test_a_run_that_publishes_no_content_still_tells_causes(bench: Bench) -> None:
    made = bench.run({"a.parquet": table()}, content="verdicts", waive=("list_marker",))
    assert set(made.column("cause", "findings")) >= {"list_marker", "separator_dropped"}
    assert set(made.column("nearest", "findings")) == {None}
    assert made.column("grounded_with_waivers")[0] is True


def test_the_question_of_an_answer_is_its_own_or_that_of_its_fixture(bench: Bench) -> None:
    book = {**BOOK, "questions": [{"question_id": "q1", "prompt": "What of 1998 and 12?"}]}
    said = "1998, 12, 77"
    rows = answers(
        4,
        answer=[said] * 4,
        fixture_id=["book", "book", "book", None],
        question_id=["q1", "q1", None, None],
        question=[None, "Is it 77?", None, "Is it 12?"],
    )
    made = bench.run({"a.parquet": rows}, {"book.json": book})
    found = made.table("findings").filter(pl.col("cause") == "in_question")
    asked = found.group_by("answer_id").agg(pl.col("text").sort()).sort("answer_id")
    assert asked.rows() == [("a0", ["12", "1998"]), ("a1", ["77"]), ("a3", ["12"])]
    renamed = rows.rename_columns({"question": "asked"})
    again = bench.run({"a.parquet": renamed}, map={"question": "asked"}, fixtures=made_from(bench))
    assert again.table("findings").drop("run_id").equals(made.table("findings").drop("run_id"))


def made_from(bench: Bench) -> tuple[str, ...]:
    return (str(bench.folder / "truth"),)


def test_policies_agree_in_every_layout(bench: Bench) -> None:
    strict = bench.run({"a.parquet": table()}, waive=("list_marker", "in_question"))
    long = [
        {"answer_id": f"a{row}", "position": place, "text": text}
        for row, (_, _, evidence) in enumerate(ROWS)
        for place, text in enumerate(evidence, start=1)
    ]
    folder = put(bench.folder / "evidence", {"e.parquet": pl.DataFrame(long)})
    apart = bench.run(
        {"a.parquet": table().drop_columns("evidence")},
        waive=("list_marker", "in_question"),
        evidence=str(folder),
    )
    for name in ("grounded_with_waivers", "passed_with_policy"):
        assert apart.column(name) == strict.column(name)


def test_agreement_is_told_from_labels_of_a_file(bench: Bench, tmp_path: Path) -> None:
    said: list[dict[str, Any]] = [
        {"answer_id": f"a{row}", "label": label}
        for row, label in enumerate(
            ["supported", "supported", "unsupported", "unsupported", "partial", "supported"]
        )
    ]
    folder = put(tmp_path / "labels", {"l.parquet": pl.DataFrame(said)})
    bench.run({"a.parquet": table()}, labels=str(folder), waive=("in_question",), name="told")
    columns = (
        *("policy", "true_positives", "false_positives", "false_negatives", "true_negatives"),
        "partial",
    )
    found = run_query(
        Folder(bench.out),
        f"SELECT {', '.join(columns)} FROM agreement WHERE job = 'told' AND among = 'all'",
    )
    assert [tuple(row.values()) for row in found.to_pylist()] == [
        ("strict", 2, 2, 0, 1, 1),
        ("with_waivers", 2, 1, 0, 2, 1),
        ("recommended", 2, 1, 0, 2, 1),
    ]
