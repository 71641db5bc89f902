"""Labels beside the answers: published as they are, or refused with a way out."""

from typing import Any

import polars as pl
import pyarrow as pa
import pytest

from grounding.labels import LABELS
from tests.contract.bench import Bench, answers
from tests.contract.examined import found_in, quick
from tests.contract.labelled import beside, labelled, labels

SAID = [*LABELS, None]


@pytest.mark.parametrize("name", ["a.parquet", "a.csv", "a.jsonl"])
def test_a_column_of_labels_stands_after_the_place_of_its_row(bench: Bench, name: str) -> None:
    table = pl.DataFrame(answers(5, label=SAID, model=["m"] * 5))
    content: Any = table
    if name == "a.csv":
        content = table.with_columns(evidence=pl.lit("5")).write_csv()
    elif name == "a.jsonl":
        content = table.write_ndjson()
    made = bench.run({name: content})
    names = made.schema("verdicts").names
    assert names[2:6] == ["source_file", "source_row", "label", "model"]
    assert names.count("label") == 1
    assert made.column("label") == SAID
    assert bench.run(carry=()).column("label") == SAID
    assert bench.run(carry=("label", "model")).column("label") == SAID


def test_a_run_without_labels_has_the_column_and_null_in_it(bench: Bench) -> None:
    made = bench.run({"a.parquet": answers(2)})
    assert made.schema("verdicts").field("label").type == pa.string()
    assert made.column("label") == [None, None]
    assert made.manifest["rows"]["labels"] is None


def test_a_label_comes_in_whatever_form_and_file(bench: Bench) -> None:
    made = bench.run(
        {
            "a.parquet": answers(1, human=pa.array(["na"]).dictionary_encode()),
            "b.parquet": answers(1, answer_id=["b"]),
            "human=partial/c.parquet": answers(1, answer_id=["c"]),
        },
        map={"label": "human"},
    )
    assert labelled(made) == {"a0": "na", "b": None, "c": "partial"}
    assert "human" not in made.schema("verdicts").names


def test_what_is_no_label_is_told_with_its_file_and_a_way_out_that_works(bench: Bench) -> None:
    strange = ["yes", "no", "Supported", "", " na", "x" * 500, "unsupported"]
    files = {"a.parquet": answers(1, label=["na"]), "b.parquet": answers(7, label=strange)}
    files["b.parquet"] = files["b.parquet"].set_column(0, "answer_id", [list("bcdefgh")])
    (fault,) = bench.faults(files)
    assert fault.startswith("3: answers: b.parquet: column 'label' holds 'yes', 'no', 'Supported',")
    assert ", …, wanted supported, partial, unsupported, na or null" in fault
    assert len(fault) < 400
    assert "--map my_label=label" in fault
    made = bench.run(map={"my_label": "label"})
    assert made.column("my_label") == ["na", *strange]
    assert set(made.column("label")) == {None}


def test_a_column_of_labels_that_is_no_text_is_refused(bench: Bench) -> None:
    (fault,) = bench.faults({"a.parquet": answers(2, label=[0, 1])})
    assert fault.startswith("3: a.parquet: column 'label' is Int64, wanted text")
    assert "--map my_label=label" in fault


def test_a_column_that_differs_from_label_in_case_only_is_not_published_beside_it(
    bench: Bench,
) -> None:
    (fault,) = bench.faults({"a.parquet": answers(1, Label=["na"])})
    assert "'Label' would be published beside our 'label'" in fault
    assert bench.run(map={"label": "Label"}).column("label") == ["na"]


@quick
def test_the_doctor_counts_labels_and_tells_what_is_none(bench: Bench) -> None:
    folder = beside(bench, labels(("a0", "na"), ("zip", "na")))
    found = found_in(bench, bench.job({"a.parquet": answers(2)}, labels=folder))
    assert found.labels == {"rows": 2, "unused": 1}
    assert [(file.name, file.role) for file in found.files] == [
        ("a.parquet", "answers"),
        ("l.parquet", "labels"),
    ]
    found = found_in(bench, bench.job({"a.parquet": answers(2, label=["na", "yes"])}))
    assert "holds 'yes'" in str(found.fault)
    assert {c.name: (c.read_as, c.nulls) for c in found.columns}["label"] == ("label", None)


def test_a_question_is_carried_as_before_whatever_it_is_called(bench: Bench) -> None:
    made = bench.run({"a.parquet": answers(1, question=["Why 5?"])})
    assert made.column("question") == ["Why 5?"]
    made = bench.run({"a.parquet": answers(1, asked=["Why 5?"])}, map={"question": "asked"})
    assert "asked" not in made.schema("verdicts").names
    (fault,) = bench.faults({"a.parquet": answers(1, question=[["Why 5?"]])})
    assert "'question' is List(String), wanted text" in fault
    assert "--map my_question=question" in fault
