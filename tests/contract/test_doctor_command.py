"""`grounding doctor` as a person and a scheduler meet it, and what it estimates."""

import json
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipelines import doctor, plan
from pipelines.cli import main
from pipelines.doctor.estimates import bytes_of, sample_of
from pipelines.grade import Grader
from pipelines.plan import tasks_of
from pipelines.read.files import File
from pipelines.read.rows import sources_of
from tests.contract.bench import BOOK, Bench, answers
from tests.contract.examined import found_in, quick


def test_the_estimate_is_of_the_size_of_the_work(bench: Bench) -> None:
    found = found_in(bench, bench.job({"a.parquet": answers(1000)}))
    taken, work = found.estimate, found.work
    assert taken is not None
    assert work is not None
    assert (work.tasks, taken.sample_rows, work.scratch) == (1, 1000, 0)
    assert work.files == (bench.answers / "a.parquet").stat().st_size
    assert taken.sample_bytes == work.text == work.largest_task > 1000
    made = bench.run()
    written = sum(
        part.stat().st_size for name in ("verdicts", "rejects") for part in made.parts(name)
    )
    assert written * 0.8 < taken.output < written * 1.2
    assert 10**7 < taken.peak_memory < 10**10
    assert 0 < taken.cpu_seconds < 60
    assert 0 < taken.seconds < 60


def test_a_sample_is_cut_from_the_first_task(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    files = []
    for name in ("a.parquet", "b.parquet"):
        bench.answers.mkdir(exist_ok=True)
        pq.write_table(answers(100), bench.answers / name, row_group_size=10)
        files.append(File(bench.answers / name, name))
    (task,) = tasks_of(sources_of(files, bench.folder, "evidence"))
    whole = bytes_of(task)
    assert sample_of(task) == task
    for share, rows in ((0.75, 150), (0.25, 50), (1e-9, 1)):
        monkeypatch.setattr("pipelines.doctor.estimates.SAMPLE_BYTES", int(whole * share))
        sample = sample_of(task)
        assert abs(sum(stretch.rows for stretch in sample) - rows) <= 1


# The command


def told(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    value = json.loads(capsys.readouterr().out.rstrip("\n").rsplit("\n", 1)[-1])
    assert isinstance(value, dict)
    return value


@quick
@pytest.mark.parametrize(
    ("more", "code"),
    [([], 0), (["--expect-rows", "=3"], 6), (["--map", "answer=nope"], 3), (["--id", ","], 2)],
)
def test_the_command_ends_as_the_run_would(
    bench: Bench, capsys: pytest.CaptureFixture[str], more: list[str], code: int
) -> None:
    bench.job({"a.parquet": answers(2)})
    arguments = [str(bench.answers), "--out", str(bench.out), *more]
    assert main(["doctor", *arguments]) == code
    assert not bench.out.exists()
    assert main(["doctor", "--json", *arguments]) == code
    value = told(capsys)
    if code:
        assert value["error"]["exit_code"] == code
    if code in (0, 6):
        assert (value["exit_code"], value["read"], value["rejected"]) == (code, 2, 0)
        assert value["files"][0]["columns"]["evidence"] == "List(String)"
    assert main(["run", *arguments]) == code


def test_a_job_file_is_read_and_the_estimate_is_shown(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    bench.job({"a.parquet": answers(2)})
    file = bench.folder / "job.toml"
    file.write_text('answers = "in"\nout = "out"\n[gates]\nmin_grounded = "50%"\n')
    assert main(["doctor", "--job", str(file)]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "estimate, from 2 graded rows" in out
    assert "gates that only a run can judge: min_grounded" in out
    assert out.endswith("a run would end with 0\n")


@quick
def test_hostile_text_cannot_act_on_a_terminal(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    evil = "x\x1b[2J\u202e"
    table = answers(2, fixture_id=[evil, None], answer_id=["a", "a"]).append_column(
        evil[0] + "\u202e[red]", pa.array(["\x1b", "\x1b"])
    )
    bench.job({"a\u202e.parquet": table}, {"book.json": BOOK})
    arguments = [str(bench.answers), "--fixtures", str(bench.folder / "truth")]
    assert main(["doctor", *arguments, "--out", str(bench.out), "--allow-empty"]) == 6
    out, err = capsys.readouterr()
    assert "\x1b" not in out + err
    assert "\u202e" not in out + err
    assert "unknown_fixture" in out
    assert "\\u202e[red]" in out


@quick
def test_many_files_are_cut_short_and_counted(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    bench.job({f"{n:02}.parquet": answers(1, answer_id=[str(n)]) for n in range(25)})
    assert main(["doctor", str(bench.answers), "--out", str(bench.out)]) == 0
    out = capsys.readouterr().out
    assert "and 5 more" in out
    assert "25 rows, 25 distinct ids" in out


@quick
def test_a_full_temporary_folder_is_no_defect(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> Any:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(doctor, "opened_answers", full)
    fault = found_in(bench, bench.job({"a.parquet": answers()})).fault
    assert fault is not None
    assert fault.exit_code == 4
    assert "TMPDIR" in str(fault)


@quick
def test_rows_are_read_a_task_at_a_time(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    heights: list[int] = []
    judged: Callable[..., Any] = Grader.judged

    def spied(self: Grader, number: int, task: plan.Task) -> Any:
        rows, passages = judged(self, number, task)
        heights.append(rows.height)
        return rows, passages

    monkeypatch.setattr(Grader, "judged", spied)
    monkeypatch.setattr(plan, "TASK_BYTES", 1)
    files = {
        f"{n}.parquet": answers(n, answer_id=[f"{n}-{i}" for i in range(n)]) for n in (1, 2, 3)
    }
    found_in(bench, bench.job(files))
    assert heights == [1] * 6  # a row group is cut too
