"""What names a run and a job: contents and the keys that decide rows, never places or machines."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from pipelines.job import Job
from pipelines.places import Folder
from pipelines.run import run
from pipelines.views import connect
from tests.contract.bench import BOOK, Bench, Run, answers, put

ROOT = Path(__file__).resolve().parents[2]
HALF = answers(2, model=["m", "n"], llm=["m", "n"])


def live(bench: Bench) -> dict[str, Any]:
    """What `_latest` says, by job."""
    pointers = (bench.out / "_latest").iterdir()
    return {path.name: json.loads(path.read_bytes()) for path in pointers}


def ids(made: Run) -> tuple[str, str]:
    return made.manifest["run_id"], made.manifest["job_id"]


@pytest.fixture
def first(bench: Bench) -> Run:
    """A run over two files and a truth table, that later ones are held against."""
    files = {"a.parquet": HALF, "b.csv": "answer_id,answer,evidence\nx,5,5\n"}
    return bench.run(files, {"book.json": BOOK})


SAME: list[dict[str, Any]] = [
    {},
    {"out": "elsewhere"},
    {"allow_empty": True},
    {"content": "full", "carry": None, "map": {}},
]


@pytest.mark.parametrize("options", SAME, ids=str)
def test_what_changes_no_row_changes_no_id(
    bench: Bench, first: Run, options: dict[str, Any]
) -> None:
    options = {**options, **{k: str(bench.folder / v) for k, v in options.items() if k == "out"}}
    again = bench.run(truth={"book.json": BOOK}, **options)
    assert ids(again) == ids(first)
    assert again.outcome.already_done is ("out" not in options)
    assert again.bytes_of_tables() == first.bytes_of_tables()


def test_the_place_of_the_input_changes_no_id(
    bench: Bench, first: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = Bench(bench.folder / "elsewhere é")
    shutil.copytree(bench.answers, copy.answers)
    moved = copy.run(truth={"book.json": BOOK})
    assert ids(moved) == ids(first)
    assert moved.bytes_of_tables() == first.bytes_of_tables()
    assert moved.manifest["inputs"][0]["path"] != first.manifest["inputs"][0]["path"]
    monkeypatch.chdir(bench.folder)
    relative = Job(answers="in/", fixtures=("truth/../truth",), out="relative")
    assert ids(Run(run(relative))) == ids(first)
    globbed = Job(answers="in/*", fixtures=("truth/*.json",), out="globbed")
    assert ids(Run(run(globbed))) == ids(first)


def test_the_order_in_which_a_map_is_written_changes_no_id(bench: Bench) -> None:
    bench.job({"a.parquet": HALF})
    flags = {"answers": str(bench.answers), "carry": "llm"}
    made = [
        Run(run(Job.from_flags({**flags, "out": str(bench.folder / str(i)), "map": written})))
        for i, written in enumerate(["model=llm,maker=model", "maker=model, model=llm"])
    ]
    assert ids(made[0]) == ids(made[1])
    assert made[0].column("model") == ["m", "n"]


CHANGED: list[dict[str, Any]] = [
    {"map": {"model": "llm"}, "carry": ("llm",)},
    {"carry": ("model",)},
    {"carry": ()},
    {"content": "verdicts"},
    {"max_text": 2**20},
    {"graded_after": "</think>"},
    {"graded_after": "It", "require_final_answer": True, "allow_empty": True},
    {"id": ("row",), "map": {"former_id": "answer_id"}},
    {"id": ("answer_id",)},
    {"fixtures": ()},
]


def test_every_key_that_can_change_a_row_changes_both_ids(bench: Bench, first: Run) -> None:
    seen = [ids(first)]
    for options in CHANGED:
        truth = None if "fixtures" in options else {"book.json": BOOK}
        seen.append(ids(bench.run(truth=truth, **options)))
    assert len({run_id for run_id, _ in seen}) == len(seen)
    assert len({job_id for _, job_id in seen}) == len(seen)


def test_contents_change_the_run_and_names_the_job_too(bench: Bench, first: Run) -> None:
    text = "answer_id,answer,evidence\nx,6,6\n"
    content = bench.run({"b.csv": text}, {"book.json": BOOK})
    assert ids(content)[0] != ids(first)[0]
    assert ids(content)[1] == ids(first)[1]
    book = {**BOOK, "title": "another edition"}
    truth = bench.run(truth={"book.json": book})
    assert ids(truth)[0] not in {ids(content)[0], ids(first)[0]}
    assert ids(truth)[1] == ids(first)[1]
    (bench.answers / "b.csv").rename(bench.answers / "c.csv")
    renamed = bench.run(truth={"book.json": book})
    assert ids(renamed)[0] not in {ids(made)[0] for made in (content, truth, first)}
    assert ids(renamed)[1] != ids(first)[1]


def test_a_named_job_is_the_same_over_files_of_other_names(bench: Bench) -> None:
    made = []
    for day in ("2026-12-01", "2026-12-02"):
        put(bench.folder / day, {f"{day}.parquet": answers(1, answer_id=[day])})
        made.append(bench.run(answers=str(bench.folder / day), name="nightly"))
    assert ids(made[0])[0] != ids(made[1])[0]
    assert ids(made[0])[1] == ids(made[1])[1]
    runs = [ids(made[1])[0]]
    pointer = {"job_id": ids(made[0])[1], "name": "nightly", "run_ids": runs, "superseded": {}}
    assert live(bench) == {ids(made[0])[1]: pointer}
    with connect(Folder(bench.out)) as views:
        shown = views.execute("SELECT answer_id, job FROM latest_verdicts").fetchall()
    assert shown == [("2026-12-02", "nightly")]
    other = bench.run(answers=str(bench.folder / "2026-12-02"), name="weekly")
    assert ids(other)[0] == ids(made[1])[0]
    assert len(live(bench)) == 2
    narrowed = bench.run(answers=str(bench.folder / "2026-12-02"), name="nightly", carry=())
    assert ids(narrowed)[1] not in {ids(made[0])[1], ids(other)[1]}


def test_a_second_job_in_a_folder_stands_beside_the_first(bench: Bench, first: Run) -> None:
    second = bench.run(truth={"book.json": BOOK}, carry=())
    assert {job: pointer["run_ids"] for job, pointer in live(bench).items()} == {
        ids(made)[1]: [ids(made)[0]] for made in (first, second)
    }
    with connect(Folder(bench.out)) as views:
        assert views.execute("SELECT count(*) FROM verdicts").fetchone() == (6,)
        grouped = "SELECT run_id, count(*) FROM verdicts GROUP BY ALL ORDER BY ALL"
        assert views.execute(grouped).fetchall() == sorted(
            [(ids(first)[0], 3), (ids(second)[0], 3)]
        )


def test_a_run_that_is_found_as_done_becomes_the_live_one_again(bench: Bench, first: Run) -> None:
    old = (bench.answers / "b.csv").read_bytes()
    later = bench.run({"b.csv": old.replace(b"x", b"y")}, {"book.json": BOOK})
    assert live(bench)[ids(first)[1]]["run_ids"] == [ids(later)[0]]
    again = bench.run({"b.csv": old}, {"book.json": BOOK})
    assert again.outcome.already_done
    assert live(bench)[ids(first)[1]]["run_ids"] == [ids(first)[0]]
    counts = ("read", "graded", "rejected", "grounded", "checked", "passed")
    assert [getattr(again.outcome, n) for n in counts] == [
        getattr(first.outcome, n) for n in counts
    ]


RUN = """
import sys
from pipelines.job import Job
from pipelines.run import run

run(Job(out=sys.argv[1]))
"""


def test_the_demo_is_the_same_bytes_with_one_thread_and_with_two(tmp_path: Path) -> None:
    made: list[dict[str, bytes]] = []
    for threads in ("1", "2"):
        out = tmp_path / threads
        environment = {**os.environ, "POLARS_MAX_THREADS": threads, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-W", "error", "-c", RUN, str(out)]
        subprocess.run(command, cwd=tmp_path, env=environment, check=True)
        (folder,) = out.glob("run_id=*")
        parts = [path for path in folder.rglob("*") if path.suffix == ".parquet"]
        made.append({path.relative_to(out).as_posix(): path.read_bytes() for path in parts})
    assert made[0] == made[1]
    assert len(made[0]) >= 7


# files, found and named

NAMES = (
    *("a b.parquet", "a#b%20c.parquet", "ünï 😀.parquet", "a*.parquet", "?.parquet", "~.parquet"),
    *("a:b.parquet", "a'b\".parquet", "{a}.parquet", "back\\slash.parquet", "x=1,y=2.parquet"),
    *("model=gpt/a.parquet", "lang=x/a.PARQUET", "http:/x/a.pq", "a,b.csv", "x.parquet/a.tsv"),
)


def test_files_are_named_by_their_path_below_the_folder_whatever_it_is(bench: Bench) -> None:
    texts = {
        ".csv": "answer_id,answer,evidence\n{},5,5\n",
        ".tsv": "answer_id\tanswer\tevidence\n{}\t5\t5\n",
    }
    files: dict[str, Any] = {}
    for number, name in enumerate(NAMES):
        text = texts.get(Path(name).suffix)
        files[name] = text.format(number) if text else answers(1, answer_id=[str(number)])
    ignored = {
        ".a.parquet": "",
        "_b.parquet": "",
        "_temporary/c.csv": "",
        "d.json": "",
        "e.csv~": "",
    }
    made = bench.run({**files, **ignored})
    assert made.column("source_file") == sorted(NAMES)
    assert [NAMES[int(answer)] for answer in made.column("answer_id")] == sorted(NAMES)
    assert [entry["name"] for entry in made.manifest["inputs"]] == sorted(NAMES)
    for name in ("a*.parquet", "?.parquet", "a b.parquet"):
        assert bench.run(answers=str(bench.answers / name)).column("source_file") == [name]


@pytest.mark.parametrize("name", ["a[1].parquet", "data [1]/a.parquet", "data [1]/a.csv"])
def test_a_path_with_brackets_is_no_glob(bench: Bench, name: str) -> None:
    path = bench.answers / name
    text = "answer_id,answer,evidence\na,5,5\n"
    bench.job({name: text if name.endswith("csv") else answers(1)})
    bracketed = Bench(path.parent) if name.endswith("csv") else bench
    assert bracketed.run(answers=str(path)).column("source_file") == [path.name]


def test_a_file_whose_name_is_a_glob_is_that_file_alone(bench: Bench) -> None:
    other = answers(1).rename_columns(["id", "output", "contexts"])
    bench.job({"a*.parquet": answers(1), "a!.parquet": other})
    path = bench.answers / "a*.parquet"
    assert bench.run(answers=str(path)).column("source_file") == ["a*.parquet"]


def test_a_glob_gives_names_below_its_first_wildcard(bench: Bench) -> None:
    files = {f"{n}/x/{n}.parquet": answers(1, answer_id=[n]) for n in "ab"}
    bench.job(files)
    made = bench.run(answers=str(bench.answers / "*" / "x" / "*.parquet"))
    assert made.column("source_file") == ["a/x/a.parquet", "b/x/b.parquet"]
    deep = bench.run(answers=str(bench.answers / "**" / "*.parquet"))
    assert deep.column("source_file") == ["a/x/a.parquet", "b/x/b.parquet"]


def test_a_glob_that_finds_a_file_twice_reads_it_once(bench: Bench) -> None:
    bench.job({"x/y/a.parquet": answers(1)})
    assert bench.run(answers=str(bench.answers / "**" / "**" / "*.parquet")).outcome.read == 1


@pytest.mark.parametrize("name", [b"\xff.parquet", b"new\nline.parquet", b"\xc2\x85.parquet"])
def test_a_file_name_that_cannot_be_written_is_a_fault(bench: Bench, name: bytes) -> None:
    bench.job({"a.parquet": answers(1)})
    (bench.answers / "a.parquet").rename(bench.answers / os.fsdecode(name))
    (fault,) = bench.faults()
    assert "rename it" in fault
    assert fault.isprintable()


def test_results_below_the_answers_are_no_answers(bench: Bench) -> None:
    """As in `grounding run .`, since the results go to ./results."""
    out = str(bench.answers / "results")
    made = bench.run({"a.parquet": answers(1)}, out=out)
    again = bench.run(out=out)
    assert again.outcome.already_done
    assert ids(again) == ids(made)


@pytest.mark.parametrize("out", [".", "in"])
def test_results_may_go_to_the_folder_of_the_answers(bench: Bench, out: str) -> None:
    options: dict[str, Any] = {
        "answers": str(bench.answers / "a.parquet"),
        "out": str(bench.folder / out),
    }
    made = bench.run({"a.parquet": answers(1)}, **options)
    assert bench.run(**options).outcome.already_done
    assert made.column("source_file") == ["a.parquet"]


def test_truth_tables_among_the_answers_are_no_answers(bench: Bench) -> None:
    facts = pa.table({"fixture_id": ["book"], "fact_id": ["year"], "value": ["1911"]})
    table = answers(1, fixture_id=["book"])
    truth = str(bench.answers / "truth")
    made = bench.run({"a.parquet": table, "truth/facts.parquet": facts}, fixtures=(truth,))
    assert made.column("response_evidence_valid") == [True]
