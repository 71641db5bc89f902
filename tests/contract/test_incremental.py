"""Incremental jobs: only what is new or changed is graded, and every row counts exactly once."""

import shutil
from pathlib import Path

import pyarrow as pa
import pytest

from grounding.errors import InputError, JobError
from pipelines.job import Job
from pipelines.places import Folder
from pipelines.run import run
from pipelines.views import connect
from tests.contract.bench import BOOK, Bench, published_runs, put
from tests.contract.nights import grown, job, night, shown


def test_only_new_files_are_graded_and_all_count(bench: Bench) -> None:
    first = grown(bench, {"1.parquet": night(1)})
    second = grown(bench, {"2.parquet": night(2, 3)})
    assert (first.read, second.read, second.already_done) == (2, 3, False)
    assert first.run_id != second.run_id
    assert [answer for _, answer in shown(bench)] == ["n1-0", "n1-1", "n2-0", "n2-1", "n2-2"]
    assert len(published_runs(bench.out)) == 2


def test_nothing_new_is_done_already_and_changes_nothing(bench: Bench) -> None:
    made = grown(bench, {"1.parquet": night(1), "2.parquet": night(2)})
    before = {p: p.read_bytes() for p in bench.out.rglob("*") if p.is_file()}
    again = run(job(bench))
    assert (again.run_id, again.already_done) == (made.run_id, True)
    assert {p: p.read_bytes() for p in bench.out.rglob("*") if p.is_file()} == before


def test_a_changed_file_supersedes_its_earlier_rows_in_every_latest_view(bench: Bench) -> None:
    grown(bench, {"1.parquet": night(1), "2.parquet": night(2)})
    changed = night(1, 3, answer=["5", "7", "8"])
    later = grown(bench, {"1.parquet": changed})
    assert later.read == 3
    assert shown(bench) == [
        *[("1.parquet", f"n1-{i}") for i in range(3)],
        *[("2.parquet", f"n2-{i}") for i in range(2)],
    ]
    with connect(Folder(bench.out)) as views:
        texts = views.execute("SELECT text FROM latest_findings ORDER BY ALL").fetchall()
        assert texts == [("7",), ("8",), ("9",)]
        assert views.execute("SELECT count(*) FROM verdicts").fetchone() == (7,)
        assert views.execute("FROM superseded").fetchall() == [(first_run(bench), "1.parquet")]
        (rates,) = views.execute("SELECT answers, passed FROM pass_rates").fetchall()[:1]
        assert rates == (5, 2)


def first_run(bench: Bench) -> str:
    with connect(Folder(bench.out)) as views:
        (oldest, *_) = views.execute("SELECT run_id FROM runs ORDER BY started").fetchall()
    return str(oldest[0])


def test_a_run_whose_files_are_all_superseded_is_live_no_more(bench: Bench) -> None:
    grown(bench, {"1.parquet": night(1)})
    later = grown(bench, {"1.parquet": night(1, 5)})
    with connect(Folder(bench.out)) as views:
        assert views.execute("SELECT run_id FROM latest").fetchall() == [(later.run_id,)]
        assert views.execute("FROM superseded").fetchall() == []


def test_a_file_that_goes_back_to_what_it_was_is_graded_once_more(bench: Bench) -> None:
    first = grown(bench, {"1.parquet": night(1), "2.parquet": night(2)})
    grown(bench, {"1.parquet": night(1, 3)})
    third = grown(bench, {"1.parquet": night(1)})
    assert not third.already_done
    assert third.run_id != first.run_id
    assert len(shown(bench)) == 4


def test_a_file_that_is_gone_counts_as_before(bench: Bench) -> None:
    grown(bench, {"1.parquet": night(1), "2.parquet": night(2)})
    (bench.answers / "1.parquet").unlink()
    grown(bench, {"3.parquet": night(3)})
    assert len(shown(bench)) == 6


def test_an_id_of_a_live_file_is_a_duplicate_in_a_later_one_whatever_its_name(
    bench: Bench,
) -> None:
    grown(bench, {"2.parquet": night(2)})
    ids = ["n2-1", *[f"new-{i}" for i in range(9)]]
    later = grown(bench, {"1.parquet": night(1, 10, answer_id=ids)}, max_rejected="50%")
    assert (later.graded, later.rejected) == (9, 1)
    with connect(Folder(bench.out)) as views:
        found = views.execute("SELECT source_file, answer_id, problem FROM latest_rejects")
        assert found.fetchall() == [("1.parquet", "n2-1", "duplicate_answer_id")]


def test_an_id_of_a_superseded_row_is_free_again(bench: Bench) -> None:
    """Also where another live file was refused that id as a duplicate meanwhile."""
    ids = [*[f"b{i}" for i in range(9)], "n1-1"]
    loose = {"max_rejected": "50%"}
    grown(bench, {"1.parquet": night(1)}, **loose)
    assert grown(bench, {"2.parquet": night(2, 10, answer_id=ids)}, **loose).rejected == 1
    later = grown(bench, {"1.parquet": night(1, 3)}, **loose)
    assert (later.graded, later.rejected) == (3, 0)


def test_an_id_counts_even_where_its_row_was_rejected(bench: Bench) -> None:
    loose = {"max_rejected": "60%"}
    grown(bench, {"1.parquet": night(1, answer=["5", None])}, **loose)
    ids = ["n1-1", "x"]
    assert grown(bench, {"2.parquet": night(2, answer_id=ids)}, **loose).rejected == 1


def test_labels_that_come_later_grade_everything_anew(bench: Bench) -> None:
    grown(bench, {"1.parquet": night(1)})
    labels = bench.folder / "labels"
    put(labels, {"1.csv": "answer_id,label\nn1-0,unsupported\n"})
    later = run(job(bench, labels=str(labels)))
    put(labels, {"2.csv": "answer_id,label\nn1-1,supported\n"})
    again = run(job(bench, labels=str(labels)))
    assert (later.read, again.read) == (2, 2)
    with connect(Folder(bench.out)) as views:
        rows = views.execute(
            f"SELECT answer_id, label FROM verdicts WHERE run_id = '{again.run_id}' ORDER BY ALL"
        ).fetchall()
    assert rows == [("n1-0", "unsupported"), ("n1-1", "supported")]


@pytest.mark.parametrize("change", ["edit", "add", "drop"])
def test_changed_truth_tables_grade_everything_anew(bench: Bench, change: str) -> None:
    truth = bench.folder / "truth"
    other = {**BOOK, "fixture_id": "other"}
    put(truth, {"book.json": BOOK, **({"other.json": other} if change == "drop" else {})})
    given = {"fixtures": [str(truth)]}
    grown(bench, {"1.parquet": night(1, fixture_id=["book", "book"])}, **given)
    if change == "edit":
        put(truth, {"book.json": {**BOOK, "negative_facts": [], "questions": []}})
    elif change == "add":
        put(truth, {"other.json": other})
    else:
        (truth / "other.json").unlink()
    later = grown(bench, {"2.parquet": night(2, fixture_id=["book", "book"])}, **given)
    assert later.read == 4
    with connect(Folder(bench.out)) as views:
        assert views.execute("SELECT run_id FROM latest").fetchall() == [(later.run_id,)]


def test_evidence_may_grow_by_files_and_a_change_in_it_grades_everything_anew(
    bench: Bench,
) -> None:
    passages = bench.folder / "passages"

    def named(number: int) -> pa.Table:
        table = night(number).drop_columns(["evidence"])
        return table.append_column("evidence_ids", pa.array([[f"p{number}"]] * 2))

    def passage(number: int, text: str = "5") -> pa.Table:
        return pa.table({"passage_id": [f"p{number}"], "text": [text]})

    put(passages, {"1.parquet": passage(1)})
    given = {"passages": str(passages)}
    grown(bench, {"1.parquet": named(1)}, **given)
    put(passages, {"2.parquet": passage(2)})
    assert grown(bench, {"2.parquet": named(2)}, **given).read == 2
    assert run(job(bench, **given)).already_done
    put(passages, {"1.parquet": passage(1, "9")})
    later = run(job(bench, **given))
    assert (later.read, later.grounded) == (4, 2)
    with connect(Folder(bench.out)) as views:
        assert views.execute("SELECT count(*) FROM latest_verdicts").fetchone() == (4,)


def test_a_live_run_that_was_removed_by_hand_is_graded_again(bench: Bench) -> None:
    grown(bench, {"1.parquet": night(1)})
    second = grown(bench, {"2.parquet": night(2)})
    shutil.rmtree(second.path)
    again = run(job(bench))
    assert (again.read, again.already_done) == (2, False)
    assert len(shown(bench)) == 4


def test_a_retry_after_publishing_and_before_the_pointer_finds_the_same_run(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Crash(BaseException):
        pass

    def crash(*_: object, **__: object) -> None:
        raise Crash

    grown(bench, {"1.parquet": night(1)})
    with monkeypatch.context() as patch:
        patch.setattr("pipelines.increments.set_latest", crash)
        with pytest.raises(Crash):
            grown(bench, {"2.parquet": night(2)})
    assert len(shown(bench)) == 2
    assert run(job(bench)).already_done
    assert len(shown(bench)) == 4
    assert len(published_runs(bench.out)) == 2


def test_the_same_history_gives_the_same_bytes(bench: Bench) -> None:
    def history(out: Path) -> dict[str, bytes]:
        shutil.rmtree(bench.answers, ignore_errors=True)
        for files in ({"1.parquet": night(1)}, {"2.parquet": night(2), "1.parquet": night(1, 4)}):
            grown(bench, files, out=str(out))
        parts = sorted(out.glob("run_id=*/*/*.parquet"))
        pointers = sorted(out.glob("_latest/*"))
        return {p.relative_to(out).as_posix(): p.read_bytes() for p in (*parts, *pointers)}

    assert history(bench.out) == history(bench.folder / "other")


def test_an_incremental_job_and_one_of_the_same_name_that_is_not_are_two_jobs(
    bench: Bench,
) -> None:
    grown(bench, {"1.parquet": night(1)})
    whole = run(job(bench, incremental=False))
    assert not whole.already_done
    with connect(Folder(bench.out)) as views:
        assert views.execute("SELECT count(DISTINCT job_id) FROM latest").fetchone() == (2,)


def test_it_needs_a_name(bench: Bench) -> None:
    with pytest.raises(JobError, match="incremental needs a name"):
        Job.from_flags({"answers": "a", "incremental": True})


def test_a_night_without_a_file_is_not_green_where_rows_are_expected(bench: Bench) -> None:
    expecting = {"expect_rows": "1"}
    assert all(gate.passed for gate in grown(bench, {"1.parquet": night(1)}, **expecting).gates)
    empty = run(job(bench, **expecting))
    assert [(g.name, g.figure, g.passed) for g in empty.gates if g.name == "expect_rows"] == [
        ("expect_rows", 0, False)
    ]
    assert all(gate.passed for gate in run(job(bench)).gates)


def test_a_file_that_is_only_renamed_is_refused_as_duplicates(bench: Bench) -> None:
    grown(bench, {"1.parquet": night(1)})
    (bench.answers / "1.parquet").rename(bench.answers / "2.parquet")
    with pytest.raises(InputError, match="duplicate_answer_id: 2"):
        run(job(bench))
    assert len(shown(bench)) == 2
