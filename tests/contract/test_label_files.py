"""Labels in files of their own: joined by answer, whatever their form, number and order."""

from typing import Any

import polars as pl
import pytest

from grounding.labels import LABELS
from pipelines.read import buckets
from tests.contract.bench import Bench, answers
from tests.contract.labelled import beside, labelled, labels


@pytest.mark.parametrize("name", ["l.parquet", "l.csv", "l.jsonl"])
def test_labels_of_a_file_are_joined_by_answer(bench: Bench, name: str) -> None:
    rows = labels(("a3", "supported"), ("a0", "na"), ("zip", "partial"), ("a1", None))
    content: Any = rows
    if name != "l.parquet":
        content = rows.write_csv() if name == "l.csv" else rows.write_ndjson()
    made = bench.run({"a.parquet": answers(4)}, labels=beside(bench, content, name))
    assert labelled(made) == {"a0": "na", "a1": None, "a2": None, "a3": "supported"}
    assert made.manifest["rows"]["labels"] == {"rows": 4, "unused": 1}
    roles = [(i["role"], i["name"]) for i in made.manifest["inputs"]]
    assert roles == [("answers", "a.parquet"), ("labels", name)]


def test_an_answer_may_be_labelled_twice_but_only_alike(bench: Bench) -> None:
    folder = beside(bench, labels(("a0", "na"), ("a0", "na"), ("a1", None), ("a1", "partial")))
    files = {"a.parquet": answers(2)}
    assert labelled(bench.run(files, labels=folder)) == {"a0": "na", "a1": "partial"}
    beside(bench, labels(("a1", "supported")), "m.parquet")
    (fault,) = bench.faults(labels=folder)
    assert fault.startswith("3: labels: l.parquet, m.parquet: answers with different labels: a1;")


def test_labels_stand_beside_the_answers_or_in_a_file_but_not_in_both(bench: Bench) -> None:
    folder = beside(bench, labels(("a0", "na")))
    (fault,) = bench.faults({"a.parquet": answers(1, label=["na"])}, labels=folder)
    assert fault.startswith("2: column 'label' of the answers holds labels, and --labels is given")
    made = bench.run(labels=folder, map={"own": "label"})
    assert (made.column("own"), made.column("label")) == (["na"], ["na"])


def test_labels_are_keyed_as_the_answers_are(bench: Bench) -> None:
    table = answers(3, answer_id=["p", "p", "q"], model=["m", "n", "m"])
    rows = pl.DataFrame({"answer_id": ["p", "q"], "model": ["n", "m"], "label": ["na", "partial"]})
    key = ("answer_id", "model")
    made = bench.run({"a.parquet": table}, labels=beside(bench, rows), id=key)
    assert labelled(made) == {'["p","m"]': None, '["p","n"]': "na", '["q","m"]': "partial"}
    (fault,) = bench.faults(labels=str(bench.folder / "labels"), id=("row",), carry=())
    assert fault == "2: --id row: labels in a file of their own cannot name a file and row"


def test_integer_ids_are_labelled_too(bench: Bench) -> None:
    rows = labels((7, "na"), (8, "partial"), key=pl.Int32)
    made = bench.run({"a.parquet": answers(2, answer_id=[8, 9])}, labels=beside(bench, rows))
    assert labelled(made) == {8: "partial", 9: None}


@pytest.mark.parametrize(
    ("content", "name", "said"),
    [
        (labels(("a0", "yes")), "l.parquet", "column 'label' holds 'yes', wanted supported"),
        (labels(("a0", "na")).drop("label"), "l.parquet", "no column 'label'; there are"),
        (labels(("a0", "na")).drop("answer_id"), "l.parquet", "no column 'answer_id'; there are"),
        (pl.DataFrame({"answer_id": ["a0"], "label": [1]}), "l.parquet", "is Int64, wanted text"),
        (pl.DataFrame({"answer_id": [[1]], "label": ["na"]}), "l.parquet", "wanted text or an int"),
        ("answer_id,label\na0,na\na1,na,na\n", "l.csv", "3 cells, the header has 2"),
        ('{"answer_id": "a0", "label": "na"}\nx\n', "l.jsonl", "line 2"),
    ],
)
def test_a_file_of_labels_that_is_wrong_is_refused(
    bench: Bench, content: Any, name: str, said: str
) -> None:
    folder = beside(bench, content, name)
    faults = bench.faults({"a.parquet": answers(2)}, labels=folder)
    assert all(fault.startswith(f"3: labels: {name}: ") for fault in faults)
    assert any(said in fault for fault in faults)


def test_the_column_of_labels_in_a_file_can_be_mapped(bench: Bench) -> None:
    rows = labels(("a0", "na")).rename({"label": "verdict", "answer_id": "uid"})
    table = answers(1).rename_columns(["uid", "answer", "evidence"])
    mapping = {"label": "verdict", "answer_id": "uid"}
    made = bench.run({"a.parquet": table}, labels=beside(bench, rows), map=mapping)
    assert labelled(made) == {"a0": "na"}


def test_a_file_of_labels_below_the_answers_is_no_answer(bench: Bench) -> None:
    files = {"a.parquet": answers(1), "labels.parquet": labels(("a0", "na"))}
    made = bench.run(files, labels=str(bench.answers / "labels.parquet"))
    assert labelled(made) == {"a0": "na"}


def test_rejected_rows_need_no_label_and_a_repeated_id_takes_none_twice(bench: Bench) -> None:
    table = answers(3, answer_id=["a", "a", None])
    rows = labels(("a", "na"))
    made = bench.run({"a.parquet": table}, labels=beside(bench, rows), max_rejected="100%")
    assert labelled(made) == {"a": "na"}
    assert made.manifest["rows"]["labels"] == {"rows": 1, "unused": 0}


@pytest.mark.parametrize("bucket_rows", [1, 7, 1_000])
def test_labels_are_the_same_in_whatever_buckets_and_tasks(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, bucket_rows: int
) -> None:
    said = {f"a{i}": LABELS[i % 4] for i in range(0, 50, 3)}
    rows = labels(*said.items(), ("zip", "na"), ("zap", "na"), *list(said.items())[:3])
    files = {"a.parquet": answers(30), "b.parquet": answers(50).slice(30)}
    monkeypatch.setattr(buckets, "BUCKET_ROWS", bucket_rows)
    monkeypatch.setattr("pipelines.plan.TASK_BYTES", 100)
    made = bench.run(files, labels=beside(bench, rows))
    assert len(made.parts("verdicts")) > 1
    assert labelled(made) == {f"a{i}": said.get(f"a{i}") for i in range(50)}
    assert made.manifest["rows"]["labels"] == {"rows": len(said) + 5, "unused": 2}


def test_different_labels_are_found_in_whatever_bucket(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [(f"a{i}", "na") for i in range(20)]
    folder = beside(bench, labels(*rows, ("a7", "partial"), ("a3", "supported"), ("zip", "na")))
    monkeypatch.setattr(buckets, "BUCKET_ROWS", 2)
    (fault,) = bench.faults({"a.parquet": answers(20)}, labels=folder)
    assert "answers with different labels: a3, a7;" in fault


def test_a_label_that_changes_is_another_run_of_the_same_job(bench: Bench) -> None:
    folder = beside(bench, labels(("a0", "na")))
    one = bench.run({"a.parquet": answers(1)}, labels=folder)
    beside(bench, labels(("a0", "partial")))
    two = bench.run(labels=folder)
    assert one.outcome.run_id != two.outcome.run_id
    assert one.manifest["job_id"] == two.manifest["job_id"]
    assert bench.run(labels=folder).outcome.already_done


def test_an_incremental_job_grades_anew_where_labels_come_or_change(
    bench: Bench,
) -> None:
    nightly: dict[str, Any] = {"name": "nightly", "incremental": True}
    folder = beside(bench, labels(("a0", "na")), "1.parquet")
    bench.run({"1.parquet": answers(1)}, labels=folder, **nightly)
    beside(bench, labels(("b0", "partial")), "2.parquet")
    two = bench.run({"2.parquet": answers(1, answer_id=["b0"])}, labels=folder, **nightly)
    assert labelled(two) == {"a0": "na", "b0": "partial"}
    beside(bench, labels(("a0", "supported")), "1.parquet")
    three = bench.run(labels=folder, **nightly)
    assert labelled(three) == {"a0": "supported", "b0": "partial"}
