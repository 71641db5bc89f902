"""Input and results in an object store: the same tables as from and in folders."""

import gzip
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from grounding.errors import InputError, JobError
from pipelines import plan
from pipelines.job import Job
from pipelines.places import place_of
from pipelines.pruning import prune
from pipelines.query import run_query
from pipelines.read.files import ROWS, files_at
from pipelines.run import run
from pipelines.views import write_database
from tests.contract.bench import BOOK, Bench, Files, Run, answers, assert_whole, put
from tests.contract.objects import Store
from tests.contract.test_layouts import long, nested, shared

ROOT = Path(__file__).resolve().parents[2]

LINES = "".join(
    json.dumps({"answer_id": f"l{n}", "answer": f"{n} [1]", "evidence": ["1, 2 and 3"]}) + "\n"
    for n in range(9)
)


def both(
    bench: Bench, store: Store, files: Files, beside: Files | None = None, **options: Any
) -> tuple[Run, Run]:
    """The run over files in a folder, and that over the same files in a bucket.

    `beside` is role → rows.
    """
    here: dict[str, Any] = {"fixtures": (str(put(bench.folder / "truth", {"b.json": BOOK})),)}
    there: dict[str, Any] = {}
    url = store.put_folder(f"{store.bucket()}/in here", put(bench.answers, files))
    there["fixtures"] = (store.put_folder(f"{url} truth", bench.folder / "truth"),)
    for role, rows in (beside or {}).items():
        here[role] = str(put(bench.folder / role, {"rows.parquet": rows}))
        there[role] = store.put_folder(f"{url} {role}", bench.folder / role)
    local = bench.run(**here, **options)
    remote = run(Job(answers=url, out=f"{url} out", **there, **options))
    return local, store.run(remote, bench.folder / "copy")


def same(local: Run, remote: Run) -> bool:
    """Whether two runs differ in nothing but their ids, which follow from those of the inputs."""
    for name in local.manifest["tables"]:
        mine, theirs = (made.table(name).drop("run_id") for made in (local, remote))
        assert mine.equals(theirs), name
        assert local.schema(name) == remote.schema(name)
    assert local.outcome.run_id != remote.outcome.run_id
    return bool(local.manifest["rows"] == remote.manifest["rows"])


@pytest.mark.parametrize("form", ["nested", "long", "shared"])
def test_a_bucket_gives_the_tables_that_a_folder_gives(
    bench: Bench, store: Store, form: str
) -> None:
    table, beside = nested(200, seed=3), {}
    if form == "long":
        table, beside["evidence"] = long(table)
    elif form == "shared":
        table, beside["passages"] = shared(table)
    files = {"a.parquet": table.slice(0, 120), "lang=v i/b.parquet": table.slice(120)}
    assert same(*both(bench, store, files, beside))


def test_text_files_truth_tables_and_folders_of_any_name_are_read_too(
    bench: Bench, store: Store
) -> None:
    facts = pl.DataFrame({"fixture_id": "other", "fact_id": ["f"], "value": ["1"]})
    put(bench.folder / "truth", {"facts.parquet": facts})
    local, remote = both(
        bench,
        store,
        {
            "m=100%25 #1/x [é]?*.csv": "answer_id;answer;evidence\nc1;1.500;1.500\nc2;;x\nc3;\n",
            "m=2/lines.jsonl.gz": gzip.compress(LINES.encode()),
            "p.parquet": answers(fixture_id=["other", "book"]),
            "_notes/z.parquet": b"none of ours",
        },
    )
    assert same(local, remote)
    assert "m=100%25 #1/x [é]?*.csv" in local.column("source_file")
    assert set(remote.column("m")) == {"100% #1", "2", None}


def test_workers_and_tries_cannot_be_seen(
    bench: Bench, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "TASK_BYTES", 1)
    url = store.bucket()
    for number in range(3):
        put(bench.answers, {f"{number}.parquet": answers(answer_id=[f"{number}a", f"{number}b"])})
    store.put_folder(f"{url}/in", bench.answers)
    one = store.run(run(Job(answers=f"{url}/in", out=f"{url}/1")), bench.folder / "1")
    two = run(Job(answers=f"{url}/in", out=f"{url}/2", workers=2))
    assert store.run(two, bench.folder / "2").bytes_of_tables() == one.bytes_of_tables()
    assert run(Job(answers=f"{url}/in", out=f"{url}/1")).already_done


def test_input_and_results_may_lie_in_different_places(bench: Bench, store: Store) -> None:
    url = store.put_folder(f"{store.bucket()}/in", put(bench.answers, {"a.parquet": answers(5)}))
    here = str(bench.answers)
    local = bench.run()
    sent = store.run(run(Job(answers=here, out=f"{url} out")), bench.folder / "sent")
    assert sent.bytes_of_tables() == local.bytes_of_tables()
    fetched = Run(run(Job(answers=url, out=str(bench.folder / "fetched"))))
    assert_whole(fetched)
    assert same(local, fetched)
    both = store.run(run(Job(answers=url, out=f"{url} both")), bench.folder / "both")
    assert both.bytes_of_tables() == fetched.bytes_of_tables()


def test_a_large_part_is_sent_in_pieces(bench: Bench, store: Store) -> None:
    place = place_of(f"{store.bucket()}/out")
    part = bench.folder / "part"
    part.write_bytes(bytes(range(256)) * 50_000)
    place.take("t/part", part)
    assert place.read("t/part") == bytes(range(256)) * 50_000
    assert "-3 " in str(place.stamp("t/part"))  # as S3 says it: an ETag of three pieces


@pytest.mark.slow
def test_more_objects_are_found_than_one_answer_lists(store: Store) -> None:
    url = store.bucket()
    for number in range(1_001):
        store.put(f"{url}/{number:04d}.csv", b"")
    assert len(files_at(url, ROWS, "answers")) == 1_001
    assert len(place_of(url).entries("")) == 1_001


def test_incremental_jobs_and_pruning_work_alike(bench: Bench, store: Store) -> None:
    def told(source: str, out: str) -> list[object]:
        job = Job(answers=source, out=out, name="nightly", incremental=True)
        first = run(job)
        more = put(bench.answers, {"b.parquet": answers(1, answer_id=["b"])})
        if source.startswith("s3:"):
            store.put_folder(source, more)
        second = run(job)
        live = run_query(place_of(out), "SELECT source_file FROM latest_verdicts ORDER BY ALL")
        assert run(job).already_done
        place = place_of(out)
        gone = prune(place, timedelta(0), datetime.now(UTC) + timedelta(1), live_too=True)
        assert (len(gone.runs), gone.left) == (2, ())
        return [first.read, second.read, live.to_pylist(), place.entries("")]

    put(bench.answers, {"a.parquet": answers()})
    url = store.put_folder(f"{store.bucket()}/in", bench.answers)
    there = told(url, f"{url} out")
    (bench.answers / "b.parquet").unlink()
    here = told(str(bench.answers), str(bench.out))
    assert there[:3] == here[:3]
    assert [there[:2], there[3]] == [[2, 1], ["_lease"]]


def test_an_object_a_prefix_and_a_pattern_are_found_as_files_are(
    bench: Bench, store: Store
) -> None:
    url = store.bucket()
    one = put(bench.folder, {"one.parquet": answers()}) / "one.parquet"
    names = ["a/x[1].parquet", "a/deep/y.parquet", "a/.hidden/z.parquet", "ab/w.parquet", "a/n.txt"]
    for name in names:
        store.put(f"{url}/{name}", one.read_bytes())
    store.put(f"{url}/a/", b"")  # as consoles make folders
    store.put(f"{url}/a/deep/", b"")

    def found(given: str) -> list[str]:
        return [file.name for file in files_at(f"{url}/{given}", ROWS, "answers")]

    assert found("a/x[1].parquet") == ["x[1].parquet"]
    assert found("a") == found("a/") == ["deep/y.parquet", "x[1].parquet"]
    assert found("a/*.parquet") == ["x[1].parquet"]
    assert found("a/**/*.parquet") == ["deep/y.parquet", "x[1].parquet"]
    assert found("*/[w-y]*") == ["a/x[1].parquet", "ab/w.parquet"]
    assert found("") == ["a/deep/y.parquet", "a/x[1].parquet", "ab/w.parquet"]


def test_results_below_their_input_are_no_input(bench: Bench, store: Store) -> None:
    url = store.put_folder(store.bucket(), put(bench.answers, {"a.parquet": answers()}))
    first = run(Job(answers=url, out=url))
    again = run(Job(answers=url, out=f"{url}/"))
    assert (again.run_id, again.already_done) == (first.run_id, True)
    with pytest.raises(InputError, match="run_id="):
        run(Job(answers=url, out=str(bench.out)))


def test_an_object_is_told_apart_by_its_version_or_its_etag(bench: Bench, store: Store) -> None:
    put(bench.answers, {"a.parquet": answers()})
    runs = []
    for url in (store.bucket(), store.bucket(versions=True)):
        for _ in range(2):
            store.put_folder(f"{url}/in", bench.answers)
            made = run(Job(answers=f"{url}/in", out=f"{url}/out"))
            manifest = json.loads(store.get(f"{made.path}/manifest.json"))
            (entry,) = manifest["inputs"]
            assert entry["path"] == f"{url}/in/a.parquet"
            assert entry["size"] == (bench.answers / "a.parquet").stat().st_size
            runs.append((entry["digest"].partition(":")[0], made.already_done))
    assert runs == [("etag", False), ("etag", True), ("version", False), ("version", False)]


def test_versions_that_are_no_longer_kept_tell_nothing_apart(bench: Bench, store: Store) -> None:
    url = store.bucket(versions=True)
    store.client.put_bucket_versioning(
        Bucket=url.removeprefix("s3://"), VersioningConfiguration={"Status": "Suspended"}
    )
    ids = []
    for n in (2, 3):
        store.put_folder(f"{url}/in", put(bench.answers, {"a.parquet": answers(n)}))
        ids.append(run(Job(answers=f"{url}/in", out=f"{url}/out")).run_id)
    assert ids[0] != ids[1]


def test_views_name_urls_and_queries_need_no_extension(bench: Bench, store: Store) -> None:
    url = store.put_folder(store.bucket(), put(bench.answers, {"a.parquet": answers()}))
    out = f"{url}/o [1] #2"
    made = run(Job(answers=f"{url}/a.parquet", out=out))
    table = run_query(place_of(out), "SELECT answer_id, grounded FROM latest_verdicts ORDER BY 1")
    assert table.to_pylist() == [{"answer_id": f"a{n}", "grounded": True} for n in range(2)]
    with pytest.raises(JobError, match="disabled by configuration"):
        run_query(place_of(out), f"FROM read_parquet('{bench.answers / 'a.parquet'}')")
    part = f"'{url}/o [[]1] #2/run_id={made.run_id}/verdicts/part-00000.parquet'"
    assert part in store.get(f"{out}/views.sql").decode()
    database = bench.folder / "views.duckdb"
    write_database(place_of(out), database)
    with duckdb.connect(str(database), read_only=True) as connection:
        asked = connection.execute("SELECT view_name, sql FROM duckdb_views()")
        views = dict(asked.fetchall())
    assert part in views["verdicts"]
