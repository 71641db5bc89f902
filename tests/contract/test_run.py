"""The main job, end to end: the demo, the shape of what is published, order, parts and content."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipelines import plan
from pipelines.grade import Grader
from pipelines.job import Job
from pipelines.log import Event, TaskDone
from pipelines.places import Folder
from pipelines.read.layout import Layout
from pipelines.run import run
from pipelines.views import connect
from tests.contract.bench import BOOK, Bench, Run, answers, assert_whole
from tests.unit.results_folder import TABLES, TEXT, columns_of

CITED = "It is 5, or 6.5, or 7 [1][9]."
CLAIMS = "[assert:YEAR=1912] [assert:keeper=ada  LUMEN] [unsupported:smoke] [input:Nobody] 1911"


def mixed(n: int = 12, first: int = 0) -> pa.Table:
    """Answers of every kind, in turn: grounded, refused, annotated, rejected."""
    texts = ["It is 5 [1].", CITED, CLAIMS, None]
    return answers(
        n,
        answer_id=[f"a{first + i:03d}" for i in range(n)],
        answer=[texts[i % 4] for i in range(n)],
        evidence=[["5", "1911"]] * n,
        fixture_id=["book" if i % 4 == 2 else None for i in range(n)],
        question_id=["q1" if i % 4 == 2 else None for i in range(n)],
        model=["m1", "m2"] * (n // 2),
    )


def arrow_schema(columns: dict[str, pa.DataType]) -> pa.Schema:
    return pa.schema({"run_id": TEXT, **columns}.items())


def test_the_demo_runs_and_is_found_as_done(tmp_path: Path) -> None:
    done = run(Job(out=str(tmp_path)))
    assert_whole(Run(done))
    assert done.read == done.graded > 200
    assert 0 < done.passed < done.graded
    again = run(Job(out=str(tmp_path)))
    assert again.already_done
    assert (again.run_id, again.graded, again.passed) == (done.run_id, done.graded, done.passed)
    with connect(Folder(tmp_path)) as views:
        counted = views.execute("SELECT count(*), count(*) FILTER (passed) FROM verdicts")
        assert counted.fetchone() == (done.graded, done.passed)
        assert views.execute("SELECT run_id FROM latest").fetchall() == [(done.run_id,)]


@pytest.mark.parametrize(
    ("column", "key"), [(["1", "2"], TEXT), (pa.array([1, 2], pa.uint8()), pa.int64())]
)
def test_every_table_has_the_declared_columns(bench: Bench, column: Any, key: pa.DataType) -> None:
    table = answers(2, answer_id=column, fixture_id=["book", None], score=[1.5, None])
    made = bench.run({"a.parquet": table}, {"book.json": BOOK})
    carried = {"fixture_id": TEXT, "score": pa.float64()}
    for name in TABLES:
        expected = columns_of(name, key, carried)
        if name == "rejects":
            expected = {**expected, "answer_id": key}
        assert made.schema(name) == arrow_schema(dict(expected)), name
    said = {c["name"]: c["type"] for c in made.manifest["tables"]["verdicts"]["columns"]}
    assert said["n_numbers"] == "int64"
    assert said["unsupported_numbers"] == "list<string>"
    assert said["invalid_citations"] == "list<int64>"
    assert said["response_claims"] == "list<struct<fact: string, value: string>>"
    assert made.column("answer_id") == pl.Series(column).to_list()


def test_the_declared_schemas_are_those_of_the_files(bench: Bench) -> None:
    made = bench.run({"a.parquet": answers()})
    layout = Layout({}, (), (), pl.String())
    grader = Grader("r", layout, None, None, pl.DataFrame(), 1, "full")
    for name, schema in grader.schemas().items():
        assert made.table(name).schema == schema, name


def test_a_table_without_rows_is_one_empty_part(bench: Bench) -> None:
    made = bench.run({"a.parquet": answers()})
    assert made.table("verdicts").height == 2
    for name in ("findings", "claims", "rejects", "truth_facts", "truth_questions"):
        assert [part.name for part in made.parts(name)] == ["part-00000.parquet"]
        assert pq.read_metadata(made.parts(name)[0]).num_rows == 0
        assert made.manifest["tables"][name]["rows"] == 0
    with connect(Folder(bench.out)) as views:
        for name in TABLES:
            views.execute(f"FROM {name}").fetchall()


def test_verdicts_findings_claims_and_rejects_name_their_answers(bench: Bench) -> None:
    made = bench.run({"a.parquet": mixed(4)}, {"book.json": BOOK})
    refused = made.table("findings").select("answer_id", "kind", "refusal", "text", "start").rows()
    assert refused == [
        ("a001", "ungrounded_number", True, "6.5", 12),
        ("a001", "ungrounded_number", True, "7", 20),
        ("a001", "invalid_citation", True, "[9]", 25),
        ("a002", "invented_claim", True, "[assert:YEAR=1912]", 0),
        ("a002", "unknown_negative_fact", True, "[unsupported:smoke]", 46),
        ("a002", "unknown_input", False, "[input:Nobody]", 66),
    ]
    assert made.table("claims").drop("run_id").rows() == [
        ("a002", "book", "year", "1912", ["1911"], False),
        ("a002", "book", "keeper", "ada lumen", ["Ada Lumen", "Lumen, Ada"], True),
    ]
    assert made.rejects == [(3, "a003", "null_answer", None)]
    verdicts = made.table("verdicts")
    assert verdicts["answer_id"].to_list() == ["a000", "a001", "a002"]
    assert verdicts["passed"].to_list() == [True, False, False]
    missing = verdicts.select("missing_facts", "missing_negative_facts", "missing_inputs").rows()
    assert missing == [(None,) * 3, (None,) * 3, (["year"], ["fire"], ["keeper"])]
    assert made.outcome.checked == 3


def test_rows_come_in_source_order_by_file_then_row(bench: Bench) -> None:
    files = {"b.parquet": mixed(4, 0), "a/z.parquet": mixed(4, 4), "a.parquet": mixed(4, 8)}
    made = bench.run(files, {"book.json": BOOK})
    places = made.table("verdicts").select("source_file", "source_row", "answer_id").rows()
    assert [place[0] for place in places] == ["a.parquet"] * 3 + ["a/z.parquet"] * 3 + [
        "b.parquet"
    ] * 3
    assert [place[1] for place in places] == [0, 1, 2] * 3
    assert [place[2] for place in places][::3] == ["a008", "a004", "a000"]
    assert [row[0] for row in made.rejects] == [3, 3, 3]


def test_many_tasks_give_the_rows_of_one(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.answers.mkdir()
    for name, first in (("a.parquet", 0), ("b.parquet", 40)):
        pq.write_table(mixed(40, first), bench.answers / name, row_group_size=15)
    truth = {"book.json": BOOK}
    one = bench.run(truth=truth)
    footers = [pq.read_metadata(file) for file in bench.answers.iterdir()]
    least = min(f.row_group(n).total_byte_size for f in footers for n in range(f.num_row_groups))
    monkeypatch.setattr(plan, "TASK_BYTES", least)
    events: list[Event] = []
    job = bench.job(truth=truth, out=str(bench.folder / "many"))
    many = Run(run(job, observer=events.append))
    assert_whole(many)
    told = [(event.read, event.total) for event in events if isinstance(event, TaskDone)]
    assert told[0] == (15, 80)
    assert told[-1] == (80, 80)
    assert told == sorted(told)
    for name in TABLES:
        assert many.table(name).equals(one.table(name)), name
        assert len(one.parts(name)) <= 2
    assert len(many.parts("verdicts")) == len(told) == 6
    assert many.path.name == one.path.name


def texts_of(made: Run) -> bytes:
    """All that is published about answers, as one text in lower case, and the manifest."""
    frames = [made.table(name) for name in TABLES if not name.startswith("truth_")]
    texts = [frame.write_json().encode() for frame in frames]
    return b"\n".join([*texts, (made.path / "manifest.json").read_bytes()]).lower()


HIDDEN = (
    "Zanzibar 7319573195, 8.6753098675 [4242424242] [assert:keeper=Xylophon] [input:Quetzal] "
    "[unsupported:Walrus] [assert:Year=Wombat"
)
REPEATED = "7319573195 8.6753098675 4242424242 Xylophon Quetzal Walrus Wombat".split()


def test_content_verdicts_publishes_no_word_or_number_of_an_answer(bench: Bench) -> None:
    table = answers(
        3, answer=[HIDDEN, "[1] 7319573195", None], fixture_id=["book", None, None], tag=["t"] * 3
    )
    full = bench.run({"a.parquet": table}, {"book.json": BOOK})
    bare = bench.run(truth={"book.json": BOOK}, content="verdicts")
    assert [word for word in REPEATED if word.lower().encode() not in texts_of(full)] == []
    for word in [*REPEATED, "Zanzibar"]:
        assert word.lower().encode() not in texts_of(bare)
    kept = ["answer_id", "tag", "grounded", "reason", "n_unsupported_numbers", "passed"]
    assert bare.table("verdicts").select(kept).equals(full.table("verdicts").select(kept))
    places = ["answer_id", "kind", "refusal", "start", "end"]
    assert bare.table("findings").select(places).equals(full.table("findings").select(places))
    assert bare.column("answer_digest") == bare.column("evidence_digest") == [None] * 2
    assert bare.schema("verdicts") == full.schema("verdicts")
    assert bare.manifest["content"] == "verdicts"


def test_content_verdicts_publishes_no_fact_that_only_the_answer_knows(bench: Bench) -> None:
    table = answers(1, answer=["[assert:zanzibar-73195=x]"], fixture_id=["book"])
    made = bench.run({"a.parquet": table}, {"book.json": BOOK}, content="verdicts")
    assert b"zanzibar" not in texts_of(made)
    assert made.table("claims").select("fact_id", "accepted", "supported").rows() == [
        (None, [], False)
    ]


BIG: list[tuple[str, Callable[[], str], list[str], dict[str, object]]] = [
    ("20 MB", lambda: "x" * 20_000_000 + " 5", ["5"], {"grounded": True, "n_numbers": 1}),
    ("5,000 digits", lambda: "9" * 5000, ["9" * 4999], {"unsupported_numbers": ["9" * 5000]}),
    (
        "a marker of 5,000 digits",
        lambda: f"[{'7' * 5000}]",
        [],
        {"invalid_citations": [2**63 - 1], "reason": "invalid_citation"},
    ),
    (
        "10,000 citations",
        lambda: "[1]" * 9999 + "[2]",
        ["5"],
        {"n_citations": 10_000, "cited_indices": [1], "invalid_citations": [2]},
    ),
    ("a NUL", lambda: "5\0" + "6", ["5\0", "6"], {"grounded": True, "n_numbers": 2}),
    ("nothing", str, [], {"grounded": True, "n_numbers": 0, "n_passages": 0}),
]


def test_texts_out_of_all_proportion_get_their_verdict(bench: Bench) -> None:
    table = answers(
        len(BIG), answer=[make() for _, make, _, _ in BIG], evidence=[case[2] for case in BIG]
    )
    verdicts = bench.run({"a.parquet": table}).table("verdicts").rows(named=True)
    for (label, _, _, expected), verdict in zip(BIG, verdicts, strict=True):
        assert {name: verdict[name] for name in expected} == expected, label


def test_the_manifest_says_what_ran(bench: Bench) -> None:
    made = bench.run({"a.parquet": answers()}, {"book.json": BOOK}, name="nightly")
    manifest = made.manifest
    assert list(manifest["versions"].items()) == [
        ("strict", "strict/1"),
        ("annotations", "annotations/1"),
        ("causes", "causes/1"),
        ("advice", "advice/1"),
        ("tables", "tables/1"),
    ]
    assert [(i["role"], i["name"]) for i in manifest["inputs"]] == [
        ("answers", "a.parquet"),
        ("fixtures", "book.json"),
    ]
    assert all(Path(i["path"]).stat().st_size == i["size"] for i in manifest["inputs"])
    assert manifest["name"] == "nightly"
    assert set(manifest["software"]) >= {"python", "grounding", "polars", "pyarrow"}
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", manifest["started"])
    assert manifest["started"] <= manifest["finished"]
    assert json.loads((bench.out / "_latest" / manifest["job_id"]).read_text()) == {
        "job_id": manifest["job_id"],
        "name": "nightly",
        "run_ids": [manifest["run_id"]],
        "superseded": {},
    }
