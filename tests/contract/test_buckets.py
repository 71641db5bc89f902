"""Ids and keys beyond memory: split into buckets, they give what they give at once."""

from random import Random
from typing import Any

import polars as pl
import pyarrow as pa
import pytest

from tests.contract.bench import Bench, answers

SPLIT = pytest.mark.parametrize("bucket_rows", [1, 7, 1_000_000])


def split(monkeypatch: pytest.MonkeyPatch, bucket_rows: int) -> None:
    monkeypatch.setattr("pipelines.read.buckets.BUCKET_ROWS", bucket_rows)


def repeating(n: int) -> pa.Table:
    """Answers of which some repeat an earlier id, and some have none."""
    rng = Random(5)
    ids = [rng.choice([f"a{i}", f"a{i}", f"a{i // 2}", None]) for i in range(n)]
    return answers(n, answer_id=pa.array(ids, pa.string()))


@SPLIT
def test_a_repeated_id_is_found_in_whatever_bucket(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, bucket_rows: int
) -> None:
    table = repeating(60)
    split(monkeypatch, bucket_rows)
    files = {"a.parquet": table.slice(0, 25), "b.parquet": table.slice(25)}
    made = bench.run(files, max_rejected="100%")
    seen: set[str] = set()
    wanted = []
    for row, name in enumerate(table["answer_id"].to_pylist()):
        if name is None or name in seen:
            problem = "null_answer_id" if name is None else "duplicate_answer_id"
            wanted.append((row if row < 25 else row - 25, name, problem, None))
        seen.add(name)
    assert made.rejects == wanted
    assert len({problem for _, _, problem, _ in wanted}) == 2


@SPLIT
def test_integer_ids_are_split_too(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, bucket_rows: int
) -> None:
    split(monkeypatch, bucket_rows)
    made = bench.run({"a.parquet": answers(5, answer_id=[3, 1, 3, 2, 1])}, max_rejected="100%")
    assert [row for row, *_ in made.rejects] == [2, 4]


@SPLIT
def test_the_key_that_would_be_unique_is_named_over_all_buckets(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, bucket_rows: int
) -> None:
    split(monkeypatch, bucket_rows)
    monkeypatch.setattr("pipelines.read.keys.BUCKET_ROWS", bucket_rows)
    # `part` repeats only in the last row, so that the first rows alone would name it.
    prompt = [f"p{i // 4}" for i in range(40)]
    part = [*(f"{i}" for i in range(39)), "36"]
    model = [f"m{i % 4}" for i in range(40)]
    table = answers(40, answer_id=prompt, part=part, model=model)
    (fault,) = bench.faults({"a.parquet": table})
    assert fault.endswith("give --id answer_id,model")
    assert [path.name for path in bench.out.rglob("*") if path.is_dir()] == []


@SPLIT
@pytest.mark.parametrize("role", ["evidence", "passages"])
def test_evidence_is_laid_out_alike_whatever_the_buckets(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, bucket_rows: int, role: str
) -> None:
    split(monkeypatch, bucket_rows)
    monkeypatch.setattr("pipelines.plan.TASK_BYTES", 300)
    shared = role == "passages"
    table = answers(30).drop_columns("evidence")
    ids = [[f"a{i}", "a7"] if i % 3 else [] for i in range(30)]
    if shared:
        table = table.append_column("evidence_ids", pa.array(ids, pa.list_(pa.string())))
    pl.DataFrame(
        {
            "passage_id": [*(f"a{i}" for i in range(40)), "a7", None, None],
            "answer_id": [*(f"a{i}" for i in range(40)), "a7", None, None],
            "position": [*([1] * 40), 2, 1, 2],
            "text": [*(["5", "6"] * 20), "6", "7", "8"],
        }
    ).write_parquet(bench.folder / "beside.parquet")
    files = {f"{n}.parquet": table.slice(n * 10, 10) for n in range(3)}
    where: dict[str, Any] = {role: str(bench.folder / "beside.parquet")}
    made = bench.run(files, **where)
    assert len(made.parts("verdicts")) > 1
    grounded = made.column("grounded")
    if shared:
        assert grounded == [i % 3 != 0 and i % 2 == 0 for i in range(30)]
        assert made.manifest["rows"]["evidence"] == {"rows": 43, "unused": 22, "repeated": 1}
    else:
        assert grounded == [i % 2 == 0 for i in range(30)]
        assert made.manifest["rows"]["evidence"] == {"rows": 43, "unused": 12}


@SPLIT
def test_ids_of_different_texts_are_named_over_all_buckets(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, bucket_rows: int
) -> None:
    split(monkeypatch, bucket_rows)
    ids = [f"p{i}" for i in range(20)]
    passages = pl.DataFrame({"passage_id": ids * 2, "text": [*(["5"] * 20), *(["6"] * 20)]})
    passages.write_parquet(bench.folder / "p.parquet")
    column = pa.array([["p1"]] * 2, pa.list_(pa.string()))
    table = answers(2).drop_columns("evidence").append_column("evidence_ids", column)
    (fault,) = bench.faults({"a.parquet": table}, passages=str(bench.folder / "p.parquet"))
    assert "different texts: p0, p1, p10, p11, p12;" in fault
