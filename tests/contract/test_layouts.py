"""Nested, long and shared evidence: the same passages give the same verdicts."""

from random import Random
from typing import Any

import polars as pl
import pyarrow as pa
import pytest

from tests.contract.bench import BOOK, Bench, answers

POOL = [
    "Take 7,5 mg every 12 hours.",
    "Not over 40 mg in 24 hours [3].",
    "Nothing to count here.",
    "",
    "٣ to 4, or 1.500",
    "12 and 12 and 1.500",
]


def nested(n: int, seed: int) -> pa.Table:
    """Answers that restate some numbers of their passages, and some that are nowhere."""
    rng = Random(seed)
    evidence = [[rng.choice(POOL) for _ in range(rng.randrange(5))] for _ in range(n)]
    said = ["7,5", "12", "75", "1.500", "٣", "24", "40", "3", "[1]", "[2]", "[9]", "no"]
    texts = [" ".join(rng.choices(said, k=rng.randrange(6))) for _ in range(n)]
    return answers(
        n,
        answer=texts,
        evidence=pa.array(evidence, pa.list_(pa.string())),
        fixture_id=[rng.choice(["book", None]) for _ in range(n)],
    )


def long(table: pa.Table, seed: int = 0) -> tuple[pa.Table, pa.Table]:
    """The answers without their evidence, and the evidence as rows in any order."""
    rows = [
        (row["answer_id"], position, text)
        for row in table.to_pylist()
        for position, text in enumerate(row["evidence"] or (), start=1)
    ]
    Random(seed).shuffle(rows)
    names = ["answer_id", "position", "text"]
    evidence = pl.DataFrame(rows, schema=names, orient="row").to_arrow()
    return table.drop_columns("evidence"), evidence


def shared(table: pa.Table, seed: int = 0) -> tuple[pa.Table, pa.Table]:
    """The answers with ids in the place of texts, and the passages in any order."""
    ids = {text: f"p{number}" for number, text in enumerate(POOL)}
    listed = [[ids[text] for text in row["evidence"]] for row in table.to_pylist()]
    rows = [(name, text) for text, name in ids.items()]
    Random(seed).shuffle(rows)
    passages = pl.DataFrame(rows, schema=["passage_id", "text"], orient="row").to_arrow()
    column = pa.array(listed, pa.list_(pa.string()))
    return table.drop_columns("evidence").append_column("evidence_ids", column), passages


def tables(bench: Bench, **job: Any) -> dict[str, pl.DataFrame]:
    made = bench.run(truth={"book.json": BOOK}, **job)
    names = ("verdicts", "findings", "claims")
    return {name: made.table(name).drop("run_id") for name in names}


def laid_out(bench: Bench, table: pa.Table, form: str, seed: int = 0) -> dict[str, pl.DataFrame]:
    """The tables of a run over the answers in one of the layouts."""
    made = {"long": long, "shared": shared}
    role = {"long": "evidence", "shared": "passages"}
    if form == "nested":
        return tables(bench, files={"a.parquet": table})
    rows, beside = made[form](table, seed)
    pl.DataFrame(beside).write_parquet(bench.folder / "beside.parquet", row_group_size=50)
    where = {role[form]: str(bench.folder / "beside.parquet")}
    return tables(bench, files={"a.parquet": rows}, **where)


@pytest.mark.parametrize("form", ["long", "shared"])
def test_the_same_passages_give_the_same_verdicts(bench: Bench, form: str) -> None:
    table = nested(600, seed=7)
    expected = laid_out(bench, table, "nested")
    for seed in (1, 2):
        found = laid_out(bench, table, form, seed)
        for name, frame in expected.items():
            assert found[name].equals(frame), name


@pytest.mark.slow
@pytest.mark.parametrize("form", ["long", "shared"])
def test_the_same_passages_give_the_same_verdicts_at_length(bench: Bench, form: str) -> None:
    table = nested(50_000, seed=8)
    expected = laid_out(bench, table, "nested")
    found = laid_out(bench, table, form, seed=3)
    assert all(found[name].equals(frame) for name, frame in expected.items())


@pytest.mark.parametrize("form", ["long", "shared"])
def test_tasks_make_no_difference(bench: Bench, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = nested(300, seed=9)
    whole = laid_out(bench, table, form)
    monkeypatch.setattr("pipelines.plan.TASK_BYTES", 400)
    rows, beside = {"long": long, "shared": shared}[form](table)
    files = {f"{n}.parquet": rows.slice(n * 100, 100) for n in range(3)}
    pl.DataFrame(beside).write_parquet(bench.folder / "beside.parquet")
    role = {"long": "evidence", "shared": "passages"}[form]
    again = Bench(bench.folder / "again")
    cut = tables(again, files=files, **{role: str(bench.folder / "beside.parquet")})
    assert (
        cut["verdicts"]
        .drop("source_file", "source_row")
        .equals(whole["verdicts"].drop("source_file", "source_row"))
    )
    assert cut["findings"].equals(whole["findings"])


def long_run(bench: Bench, rows: list[tuple[Any, ...]]) -> Any:
    evidence = pl.DataFrame(rows, schema=["answer_id", "position", "text"], orient="row")
    evidence.write_parquet(bench.folder / "e.parquet")
    table = answers(3).drop_columns("evidence")
    where = str(bench.folder / "e.parquet")
    return bench.run({"a.parquet": table}, evidence=where, allow_empty=True)


def test_positions_are_1_to_k_or_the_answer_is_rejected(bench: Bench) -> None:
    rows = [("a0", 1, "5"), ("a0", 3, "5"), ("a1", 1, "5"), ("a1", 1, "5"), ("a2", 1, None)]
    made = long_run(bench, rows)
    assert [reject[2] for reject in made.rejects] == ["position_gap"] * 2 + ["null_passage"]


def test_an_answer_without_a_row_of_evidence_has_an_empty_list(bench: Bench) -> None:
    made = long_run(bench, [("a0", 1, "5"), ("other", 1, "6"), (None, 1, "7")])
    assert made.column("n_passages") == [1, 0, 0]
    assert made.column("reason") == ["grounded", "ungrounded_number", "ungrounded_number"]
    assert made.manifest["rows"]["evidence"] == {"rows": 3, "unused": 2}


def shared_run(bench: Bench, ids: list[Any], passages: list[tuple[Any, ...]]) -> Any:
    frame = pl.DataFrame(passages, schema=["passage_id", "text"], orient="row")
    frame.write_parquet(bench.folder / "p.parquet")
    column = pa.array(ids, pa.list_(pa.string()))
    table = answers(len(ids)).drop_columns("evidence").append_column("evidence_ids", column)
    return bench.run({"a.parquet": table}, passages=str(bench.folder / "p.parquet"))


def test_ids_that_lead_nowhere_reject_their_answer(bench: Bench) -> None:
    ids = [["p"], ["p", "q"], [None], [], None, ["n"]]
    made = shared_run(bench, ids, [("p", "5"), ("n", None), ("unused", "6")])
    assert [(reject[0], reject[2], reject[3]) for reject in made.rejects] == [
        (1, "missing_passage", "passage 2"),
        (2, "missing_passage", "passage 1"),
        (4, "null_evidence", None),
        (5, "null_passage", "passage 1"),
    ]
    assert made.column("n_passages") == [1, 0]


def test_a_passage_id_may_stand_twice_for_one_text_only(bench: Bench) -> None:
    made = shared_run(bench, [["p", "p"]], [("p", "5"), ("p", "5")])
    assert made.column("n_passages") == [2]
    assert made.manifest["rows"]["evidence"] == {"rows": 2, "unused": 0, "repeated": 1}
    pl.DataFrame({"passage_id": ["p", "p"], "text": ["5", "6"]}).write_parquet(
        bench.folder / "q.parquet"
    )
    (fault,) = bench.faults(passages=str(bench.folder / "q.parquet"))
    assert "different texts: p" in fault


def test_evidence_in_two_places_is_a_fault(bench: Bench) -> None:
    pl.DataFrame({"answer_id": ["a0"], "position": [1], "text": ["5"]}).write_parquet(
        bench.folder / "e.parquet"
    )
    (fault,) = bench.faults({"a.parquet": answers(1)}, evidence=str(bench.folder / "e.parquet"))
    assert "'evidence'" in fault
    assert "--evidence" in fault


def test_columns_of_evidence_that_are_wrong_are_all_said(bench: Bench) -> None:
    pl.DataFrame({"id": ["a0"], "position": ["1"], "text": [5]}).write_parquet(
        bench.folder / "e.parquet"
    )
    table = answers(1).drop_columns("evidence")
    faults = bench.faults({"a.parquet": table}, evidence=str(bench.folder / "e.parquet"))
    assert [word for word in ("answer_id", "position", "text") if word not in str(faults)] == []
    assert len(faults) == 3


def test_a_key_of_columns_joins_long_evidence(bench: Bench) -> None:
    table = answers(2, model=["m", "n"], prompt=[1, 1]).drop_columns(["answer_id", "evidence"])
    evidence = pl.DataFrame(
        {"model": ["n", "m"], "prompt": [1, 1], "position": [1, 1], "text": ["5", "6"]}
    )
    evidence.write_parquet(bench.folder / "e.parquet")
    made = bench.run(
        {"a.parquet": table}, id=("model", "prompt"), evidence=str(bench.folder / "e.parquet")
    )
    assert made.column("grounded") == [False, True]
