"""What the doctor says of files, columns, sizes, citations and keys, and what it advises."""

import pyarrow as pa
import pytest

from pipelines.doctor.files import meaning
from pipelines.doctor.tally import ENDINGS
from pipelines.job import Job
from tests.contract.bench import Bench, answers
from tests.contract.examined import found_in, long, made_job, quick, shared


@quick
def test_files_and_columns_are_told_with_their_drift(bench: Bench) -> None:
    files = {
        "a.parquet": answers(3, n=pa.array([1, 2, None], pa.int8()), fixture_id=[None] * 3),
        "b.csv": "answer_id,answer,evidence,extra\nb,5,5,x\n",
        "k=v/c.parquet": answers(1, answer_id=["c"], n=["1"]),
    }
    found = found_in(bench, bench.job(files, carry=("n", "k")))
    assert [(f.name, f.format, f.rows, f.row_groups) for f in found.files] == [
        ("a.parquet", "parquet", 3, 1),
        ("b.csv", "csv", 1, 1),
        ("k=v/c.parquet", "parquet", 1, 1),
    ]
    assert [f.bytes for f in found.files] == [
        (bench.answers / name).stat().st_size for name in files
    ]
    columns = {c.name: (c.read_as, c.types, c.missing_in, c.nulls) for c in found.columns}
    assert columns["answer"] == ("answer", {"String": 3}, 0, 0)
    assert columns["n"] == ("carried", {"Int8": 1, "String": 1}, 1, None)
    assert columns["extra"] == (None, {"String": 1}, 2, None)
    assert columns["k"] == ("carried", {"String": 1}, 2, None)
    assert columns["fixture_id"][:2] == ("fixture_id", {"Null": 1})
    assert columns["fixture_id"][3] == 5
    assert any("'n'" in told and "type" in told for told in found.advice)
    assert not any("extra" in told for told in found.advice)


def test_a_column_is_read_as_the_job_says() -> None:
    job = Job(answers="a", map={"answer": "output", "topic": "label"}, id=("m", "n"))
    told = {c: meaning(c, job) for c in ("output", "answer", "label", "m", "answer_id", "evidence")}
    assert told == {
        "output": "answer",
        "answer": "carried",
        "label": "carried as topic",
        "m": "key",
        "answer_id": "carried",
        "evidence": "evidence",
    }


@quick
@pytest.mark.parametrize("layout", ["nested", "long", "shared"])
def test_ids_and_sizes_are_counted(bench: Bench, layout: str) -> None:
    ids, texts = ["a", "b", "b", None], ["é" * 10, "", None, "5"]
    lists: list[list[str] | None] = [["xx", "é"], [], ["xxxxxx"], ["x"] * 7]
    table = pa.table({"answer_id": ids, "answer": texts})
    places = [(i, n, text) for i, ps in enumerate(lists) for n, text in enumerate(ps or (), 1)]
    if layout == "nested":
        job = bench.job({"a.parquet": table.append_column("evidence", pa.array(lists))})
    elif layout == "shared":
        named = pa.array(
            [[f"{i}-{n}" for n, _ in enumerate(ps or (), 1)] for i, ps in enumerate(lists)]
        )
        passages = shared(*((f"{i}-{n}", text) for i, n, text in places))
        files = {"a.parquet": table.append_column("evidence_ids", named)}
        job = made_job(bench, files, {"p.parquet": passages}, passages="beside")
    else:
        evidence = long(*((ids[i], n, text) for i, n, text in places if i in (0, 2)))
        job = made_job(bench, {"a.parquet": table}, {"e.parquet": evidence}, evidence="beside")
    found = found_in(bench, job)
    assert found.ids is not None
    assert (found.ids.rows, found.ids.distinct, found.ids.repeated, found.ids.null) == (4, 2, 1, 1)
    assert found.answers is not None
    assert (found.answers.count, found.answers.mean, found.answers.longest) == (3, 7, 20)
    nulls = {c.read_as: c.nulls for c in found.columns}
    assert (nulls["answer_id"], nulls["answer"]) == (1, 1)
    assert found.passages is not None
    assert found.passages.longest == 6
    if layout != "long":  # where both rows of b have its passage, and null has none
        assert (found.passages.count, found.passages.mean) == (10, (4 + 6 + 7) // 10)
        spread = found.passages_per_answer
        assert spread is not None
        assert (spread.least, spread.median, spread.most) == (0, 1, 7)


# Citations, reasoning, keys


@quick
def test_citation_styles_are_counted_and_a_foreign_one_is_told(bench: Bench) -> None:
    texts = ["[1, 2] [2,1]", "[1, 2] [1]", "[1998, 2002]", "none", None, "[^1]"]
    table = answers(6, answer=texts, evidence=[["x", "y"]] * 6)
    found = found_in(bench, bench.job({"a.parquet": table}))
    styles = {s.style: (s.read, s.answers, s.groups, s.out_of_range) for s in found.citations}
    assert styles == {
        "list": (False, 2, 4, 1),
        "plain": (True, 1, 1, 0),
        "footnote": (False, 1, 1, 0),
    }
    assert found.citing == 3
    assert any("3 of 3 answers" in told and "[1, 2]" in told for told in found.advice)


@quick
@pytest.mark.parametrize(("texts", "told"), [(["[0] [1]", "[1]"], False), (["[0]", "[00]"], True)])
def test_citations_from_zero_are_told(bench: Bench, texts: list[str], told: bool) -> None:
    found = found_in(bench, bench.job({"a.parquet": answers(2, answer=texts)}))
    assert any("from 0" in advice for advice in found.advice) == told


@quick
def test_citations_are_those_of_the_graded_part(bench: Bench) -> None:
    table = answers(2, answer=["[1, 1] </think> [1]", "[1]"])
    found = found_in(bench, bench.job({"a.parquet": table}, graded_after="</think>"))
    assert [(style.style, style.groups) for style in found.citations] == [("plain", 2)]
    assert any("1 of 2 answers do not hold '</think>'" in told for told in found.advice)


@quick
@pytest.mark.parametrize("sign", ENDINGS)
def test_reasoning_that_is_not_cut_off_is_told(bench: Bench, sign: str) -> None:
    job = bench.job({"a.parquet": answers(2, answer=[f"Hm. {sign} 5", "5"])})
    assert any(f"--graded-after '{sign}'" in told for told in found_in(bench, job).advice)
    few = answers(40, answer=[f"Hm. {sign} 5", *["5"] * 39])
    assert found_in(bench, bench.job({"a.parquet": few})).advice == []


@quick
def test_where_ids_repeat_the_column_that_tells_them_apart_is_named(bench: Bench) -> None:
    columns = {"lang": ["x"] * 4, "n": [1.0] * 4, "model": ["m", "n"] * 2, "z": ["1", "2"] * 2}
    table = answers(4, answer_id=["p", "p", "q", "q"], **columns)
    found = found_in(bench, bench.job({"a.parquet": table}))
    assert any("--id answer_id,model tells all apart" in told for told in found.advice)
    same = answers(4, answer_id=["p", "p", "q", "q"], lang=["x"] * 4)
    assert found_in(bench, bench.job({"a.parquet": same})).advice == []
