"""The doctor against the run: it says before what the run says after, and publishes nothing."""

from typing import Any

import polars as pl
import pyarrow as pa
import pytest

from pipelines import plan
from pipelines.doctor import diagnosed
from pipelines.doctor.advice import PROBLEMS
from pipelines.run import run
from tests.contract.bench import Bench, Files, Run, answers, assert_whole, corrupted
from tests.contract.examined import found_in, long, made_job, quick, shared

ROW: dict[str, Any] = {
    "answer_id": pl.String,
    "answer": pl.String,
    "evidence": pl.List(pl.String),
    "fixture_id": pl.String,
    "question_id": pl.String,
}


def nested(*rows: tuple[object, ...]) -> pl.DataFrame:
    return pl.DataFrame(rows, ROW, orient="row")


BARE = answers(6).drop_columns(["evidence"])
IDS = pa.array([["p"], ["p", "q"], [None], [], None, ["gone"]], pa.list_(pa.string()))

# Name → files of answers, files beside them, options. Every problem of a reject is here.
HOSTILE: dict[str, tuple[Files, Files, dict[str, Any]]] = {
    "nested": (
        {
            "a.parquet": nested(
                (None, None, None, "none", None),
                ("a", None, None, None, None),
                ("a", "5", ["5"], None, None),
                ("b", "5", None, None, None),
                ("c", "5", ["5", None], None, None),
                ("d", "5", ["5"], "none", None),
                ("e", "5", ["5"], "book", "none"),
                ("f", "5" * 1025, [], None, None),
                ("g", "", [], None, None),
            ),
            "b/hive=1/\u202ename\u202c #%.parquet": nested(
                ("c", "5", ["5"], None, None), ("z", "5 [1]", ["5"], "book", "q1")
            ),
        },
        {},
        {"max_text": 1024},
    ),
    "csv": (
        {
            "a.csv": (
                'answer_id,answer,evidence\na,5,"[""5""]"\nb,,5\n,5,5\nc,5\nd,5,[x\na,5,5\n'
                "e,5,\nf,5 [1],5\n"
            )
        },
        {},
        {},
    ),
    "json lines": (
        {
            "a.jsonl": (
                '{"answer_id":"a","answer":"5","evidence":["5"]}\n{"answer_id":"b"\n[1]\n'
                '{"answer_id":"c","answer":5,"evidence":["5"]}\n'
                '{"answer_id":"d","answer":"5","evidence":"5"}\n{"answer_id":"d"}\n'
                '{"answer_id":"e","answer":"\\ud800","evidence":[]}\n'
            ),
            "b.parquet": answers(3, answer_id=["a", "x", "y"]),
        },
        {},
        {"max_rejected": "100%"},
    ),
    "long": (
        {"a.parquet": BARE},
        {
            "evidence.parquet": long(
                ("a0", 1, "5"),
                ("a1", 1, "5"),
                ("a1", 3, "5"),
                ("a2", 1, None),
                ("a3", 2, "5"),
                ("a3", 1, "5"),
                ("nobody", 1, "5"),
                ("a4", None, "5"),
            )
        },
        {"evidence": "beside"},
    ),
    "shared": (
        {"a.parquet": BARE.append_column("evidence_ids", IDS)},
        {"p.parquet": shared(("p", "5"), ("q", None), ("unused", "5"), ("p", "5"))},
        {"passages": "beside"},
    ),
    "reasoning": (
        {"a.parquet": answers(3, answer=["1 </think> 5 [1]", "5", None])},
        {},
        {"graded_after": "</think>", "require_final_answer": True},
    ),
    "keys": (
        {"a.parquet": answers(4, answer_id=["p"] * 4, m=["x", "y", "x", None], n=[1, 1, 1, 2])},
        {},
        {"id": ("m", "n"), "map": {"former": "answer_id"}},
    ),
    "types": (
        {
            "a.parquet": answers(2, answer=pa.array(["5", "6"]).dictionary_encode()),
            "b.parquet": answers(1, answer_id=["b"], evidence=pa.array([[]], pa.list_(pa.null()))),
            "c.parquet": answers(1, answer_id=["c"], answer=pa.nulls(1)),
            "d.parquet": answers(0),
        },
        {},
        {"max_rejected": "1"},
    ),
    "all rejected": ({"a.parquet": answers(2, answer=[None, None])}, {}, {"allow_empty": True}),
    "nothing": ({"a.parquet": answers(0)}, {}, {"allow_empty": True}),
}


@quick
@pytest.mark.parametrize("tasks", ["one task", "many tasks"])
@pytest.mark.parametrize("name", HOSTILE)
def test_it_counts_what_the_run_rejects(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, name: str, tasks: str
) -> None:
    if tasks == "many tasks":
        monkeypatch.setattr(plan, "TASK_BYTES", 1)
    files, beside, options = HOSTILE[name]
    job = made_job(bench, files, beside, **options)
    found = found_in(bench, job)
    assert found.fault is None
    made = Run(run(job))
    assert_whole(made)
    rejects = made.table("rejects")
    by_problem = rejects.group_by("problem", maintain_order=True).agg(
        pl.len(), pl.col("source_file", "source_row", "detail").first()
    )
    assert sorted(
        (p.problem, p.rows, p.source_file, p.source_row, p.detail) for p in found.rejects
    ) == sorted(by_problem.rows())
    assert (found.read, found.gradable, found.rejected) == (
        made.outcome.read,
        made.outcome.graded,
        made.outcome.rejected,
    )
    assert found.gates == list(made.outcome.gates)
    assert found.evidence == made.manifest["rows"]["evidence"]


@quick
def test_every_problem_is_among_the_hostile_inputs(bench: Bench) -> None:
    problems = set()
    for name, (files, beside, options) in HOSTILE.items():
        job = made_job(Bench(bench.folder / name), files, beside, **options)
        problems |= {reject.problem for reject in diagnosed(job).rejects}
    assert problems == set(PROBLEMS)


REFUSED: dict[str, tuple[Files, dict[str, Any]]] = {
    "a column is missing": ({"a.parquet": answers().rename_columns(["id", "a", "b"])}, {}),
    "nothing to check": ({"a.parquet": BARE}, {}),
    "a file is no Parquet": ({"a.parquet": b"PAR1", "b.parquet": answers()}, {}),
    "a column is damaged": ({"a.parquet": corrupted(answers(99), "answer")}, {}),
    "no id column is carried": ({"a.parquet": answers()}, {"id": ("model",)}),
    "over half of the ids repeat": ({"a.parquet": answers(4, answer_id=["p"] * 4)}, {}),
    "every row is rejected": ({"a.parquet": answers(2, answer=[None, None])}, {}),
    "there is no row": ({"a.parquet": answers(0)}, {}),
    "the gate's column is not there": (
        {"a.parquet": answers()},
        {"gate_by": "model", "min_grounded": "1%"},
    ),
    "there is no file": ({}, {"answers": "/nowhere/a.parquet"}),
    "a CSV is cut short": ({"a.csv": 'answer_id,answer,evidence\na,"5'}, {}),
}


@quick
@pytest.mark.parametrize("name", REFUSED)
def test_it_ends_as_the_run_would(bench: Bench, name: str) -> None:
    files, options = REFUSED[name]
    fault = found_in(bench, bench.job(files, **options)).fault
    assert fault is not None
    assert [f"{fault.exit_code}: {line}" for line in fault.faults] == bench.faults(**options)


def test_a_wrong_truth_table_is_a_fault(bench: Bench) -> None:
    truth = {"book.json": {"fixture_id": "a b", "facts": []}}
    fault = found_in(bench, bench.job({"a.parquet": answers()}, truth)).fault
    assert fault is not None
    assert [f"3: {line}" for line in fault.faults] == bench.faults(truth=truth)


def test_a_file_in_the_place_of_results_is_told_before_a_row_is_read(bench: Bench) -> None:
    bench.out.write_text("mine")
    job = bench.job({"a.parquet": answers()})
    found = found_in(bench, job)
    assert found.fault is not None
    assert found.fault.exit_code == 2
    assert "is a file" in str(found.fault)
    assert [file.name for file in found.files] == ["a.parquet"]


@quick
def test_what_was_read_before_the_fault_is_told(bench: Bench) -> None:
    found = found_in(bench, bench.job({"a.parquet": answers().rename_columns(["id", "x", "y"])}))
    assert [(f.name, f.rows) for f in found.files] == [("a.parquet", 2)]
    assert [column.name for column in found.columns] == ["id", "x", "y"]
    assert found.rejected is None


def test_a_run_that_was_published_is_judged_as_the_run_would_again(bench: Bench) -> None:
    made = bench.run({"a.parquet": answers(2, answer=["5", "6"])}, min_grounded="60%")
    job = bench.job(min_grounded="60%")
    found = found_in(bench, job)
    assert (found.already_done, found.run_id) == (True, made.outcome.run_id)
    assert found.gates == list(made.outcome.gates)
    assert found.not_judged == []
    assert not found_in(bench, bench.job(content="verdicts")).already_done


@quick
def test_gates_that_need_verdicts_are_named_and_not_judged(bench: Bench) -> None:
    options: dict[str, Any] = {
        "min_grounded": "1%",
        "gate_by": "m",
        "expect_groups": ("x",),
        "expect_rows": 3,
    }
    found = found_in(bench, bench.job({"a.parquet": answers(2, m=["x", "y"])}, **options))
    assert [(gate.name, gate.passed) for gate in found.gates] == [
        ("max_rejected", True),
        ("expect_rows", False),
    ]
    assert found.not_judged == ["min_grounded", "expect_groups"]


@quick
def test_an_incremental_job_is_examined_for_what_is_new(bench: Bench) -> None:
    options: dict[str, Any] = {"incremental": True, "name": "nightly", "expect_rows": 1}
    bench.run({"1.parquet": answers(2)}, **options)
    job = bench.job({"2.parquet": answers(3, answer_id=["a0", "b", "c"])}, **options)
    found = found_in(bench, job)
    assert [(f.name, f.rows) for f in found.files] == [("1.parquet", None), ("2.parquet", 3)]
    assert [(reject.problem, reject.rows) for reject in found.rejects] == [
        ("duplicate_answer_id", 1)
    ]
    made = Run(run(job))
    assert (found.read, found.rejected, found.run_id) == (3, 1, made.outcome.run_id)
    assert found.gates == list(made.outcome.gates)
    again = found_in(bench, job)
    assert (again.already_done, again.run_id, again.read) == (True, made.outcome.run_id, None)
    assert [gate.name for gate in again.gates if not gate.passed] == ["max_rejected", "expect_rows"]
    assert again.gates == list(run(job).gates)
