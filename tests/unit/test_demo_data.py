"""The demo is what its sources say, and its mix of faults is the one that was designed."""

import hashlib
import json
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any
from unicodedata import is_normalized

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from grounding.fixtures import load_book_fixture
from grounding.reference import findings, grade, verify

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "data" / "demo"
SOURCES = ROOT / "tests" / "data"
EXPERTQA = ROOT.parent / "shared" / "data" / "expertqa.parquet"

WRITER = "26.0.1"
"""The pyarrow that wrote the committed files; another version may lay out other bytes."""

EXPERTQA_DIGEST = "0a2aa4a871b983295a095d9856af581e34d14f1ddcbe90534b203ac5740deea5"

COLUMNS = {
    "glass_harbor": "answer_id model question_id fixture_id question answer evidence lang",
    "expertqa": "answer_id model question answer evidence label lang field",
    "doses_vi": "answer_id model question answer evidence label lang error_class planted",
}
ROWS = {"glass_harbor": 210, "expertqa": 160, "doses_vi": 60}

PLANTED = {  # class: (answers, of which the strict rule refuses)
    "none": (15, 3),
    "separator": (5, 4),
    "tenfold": (5, 4),
    "naked_decimal": (4, 2),
    "unit": (5, 0),
    "per_dose_or_day": (5, 0),
    "frequency": (5, 1),
    "age_band": (4, 1),
    "swapped_drug": (4, 0),
    "number_word": (4, 1),
    "fraction": (4, 1),
}

Row = dict[str, Any]


def demo(name: str) -> list[Row]:
    rows: list[Row] = pq.read_table(DEMO / f"{name}.parquet").to_pylist()
    return rows


def json_lines(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def build(out: Path, *options: str) -> None:
    command = [sys.executable, str(SOURCES / "build_demo.py"), "--out", str(out), *options]
    subprocess.run(command, check=True)


def assert_same_file(rebuilt: Path, committed: Path) -> None:
    again, before = pq.read_table(rebuilt), pq.read_table(committed)
    assert again.schema == before.schema
    assert again.to_pylist() == before.to_pylist()
    if pa.__version__ == WRITER:
        assert rebuilt.read_bytes() == committed.read_bytes()


def test_made_files_are_rebuilt_from_their_sources(tmp_path: Path) -> None:
    build(tmp_path)
    assert sorted(path.stem for path in tmp_path.iterdir()) == ["doses_vi", "glass_harbor"]
    for path in tmp_path.iterdir():
        assert_same_file(path, DEMO / path.name)


def test_the_selection_from_expertqa_is_the_one_that_was_attributed() -> None:
    content = (DEMO / "expertqa.parquet").read_bytes()
    assert hashlib.sha256(content).hexdigest() == EXPERTQA_DIGEST


@pytest.mark.skipif(not EXPERTQA.exists(), reason="the whole set is not part of the project")
def test_expertqa_is_rebuilt_where_the_whole_set_is_at_hand(tmp_path: Path) -> None:
    build(tmp_path, "--expertqa", str(EXPERTQA))
    assert_same_file(tmp_path / "expertqa.parquet", DEMO / "expertqa.parquet")


@pytest.mark.parametrize("name", COLUMNS)
def test_a_file_has_the_stated_columns_rows_and_plain_types(name: str) -> None:
    file = pq.ParquetFile(DEMO / f"{name}.parquet")
    assert file.schema_arrow.names == COLUMNS[name].split()
    assert (file.metadata.num_rows, file.num_row_groups) == (ROWS[name], 1)
    kinds = {field.name: str(field.type) for field in file.schema_arrow}
    assert kinds.pop("evidence").startswith("list<")
    assert set(kinds.values()) == {"string"}


def test_no_row_of_the_demo_can_be_rejected() -> None:
    rows = [row for name in COLUMNS for row in demo(name)]
    assert len({row["answer_id"] for row in rows}) == len(rows)
    for row in rows:
        assert all(row[name] for name in ("answer_id", "model", "question", "answer"))
        assert row["evidence"] is not None or row["fixture_id"] == "glass-harbor"
        assert all(passage is not None for passage in row["evidence"] or ())


def test_the_demo_stays_small() -> None:
    assert sum(path.stat().st_size for path in DEMO.iterdir()) < 1_000_000
    assert (DEMO / "expertqa.parquet").stat().st_size < 400_000


def test_the_book_says_what_its_truth_table_says() -> None:
    text = (ROOT / "data" / "fixtures" / "glass_harbor.json").read_text(encoding="utf-8")
    book = json.loads(text)
    assert is_normalized("NFC", text)
    assert (len(book["facts"]), len(book["negative_facts"]), len(book["questions"])) == (26, 10, 10)
    for fact in book["facts"]:
        assert any(fact["values"][0] in passage for passage in book["passages"]), fact["fact_id"]


def test_every_glass_harbor_answer_has_the_flaws_that_its_source_states() -> None:
    book = load_book_fixture()
    stated = [
        (path.stem, source["question_id"], set(source["flaws"]))
        for path in sorted((SOURCES / "glass_harbor").glob("*.jsonl"))
        for source in json_lines(path)
    ]
    found = []
    for row in demo("glass_harbor"):
        report = grade(row["answer"], row["evidence"], book, row["question_id"])
        flaws = {finding.kind for finding in findings(row["answer"], row["evidence"], book)}
        for kind in ("fact", "negative_fact", "input"):
            flaws |= {f"missing_{kind}"} if getattr(report, f"missing_{kind}s") else set()
        found.append((row["model"], row["question_id"], flaws))
    assert found == stated


def test_glass_harbor_shows_every_outcome_and_three_models_that_differ() -> None:
    book = load_book_fixture()
    reasons: Counter[str | None] = Counter()
    passed: Counter[str] = Counter()
    claimed: set[str] = set()
    for row in demo("glass_harbor"):
        report = grade(row["answer"], row["evidence"], book, row["question_id"])
        reasons[report.reason] += 1
        passed[row["model"]] += report.passed
        claimed |= {claim.fact for claim in report.response_claims or ()}
    expected = {"grounded": 132, "ungrounded_number": 63, "invalid_citation": 8, None: 7}
    assert reasons == expected
    assert passed == {"harbor-small": 21, "lantern-2": 32, "tidewater-xl": 60}
    assert book.accepted.keys() - claimed == {"lens.panes", "museum.pieces"}


def test_doses_are_refused_as_often_as_their_readme_says() -> None:
    answers: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    for row in demo("doses_vi"):
        assert (row["label"] == "supported") == (row["error_class"] == "none")
        assert (row["planted"] is None) == (row["error_class"] == "none")
        answers[row["error_class"]] += 1
        refused[row["error_class"]] += not verify(row["answer"], row["evidence"]).grounded
    assert {name: (n, refused[name]) for name, n in answers.items()} == PLANTED


def test_a_faithful_dose_becomes_wrong_by_its_planted_change_alone() -> None:
    used = defaultdict(set)
    for row, source in zip(
        demo("doses_vi"), json_lines(SOURCES / "doses_vi" / "answers.jsonl"), strict=True
    ):
        assert all(is_normalized("NFC", str(value)) for value in (*row.values(), source))
        used[row["error_class"]].add(row["model"])
        if source["change"]:
            before, after = source["change"]
            assert row["planted"] == f"{before} → {after}"
            assert row["answer"].replace(after, before, 1) == source["faithful"]
            assert verify(source["faithful"], row["evidence"]).reason == "grounded"
    assert all(models == {"sen-mini", "trang-1"} for models in used.values())
