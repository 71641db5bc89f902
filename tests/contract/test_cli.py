"""The command line as a scheduler and a person meet it: streams, exit codes, hostile text."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

import polars as pl
import pytest

from grounding.errors import GateFailed, InputError, JobError, ResultsError, TaskError
from pipelines.cli import main
from pipelines.gates import Gate
from pipelines.job import Job, flag_of
from pipelines.log import Observer, Started

ROOT = Path(__file__).resolve().parents[2]
COLUMNS = ["run_id", "path", "read", "graded", "rejected", "grounded", "checked", "passed"]


@dataclass
class FakeRun:
    """Stands in for the engine: remembers the job, reports progress, and gives back an outcome."""

    jobs: list[Job] = field(default_factory=list)
    error: BaseException | None = None

    run_id: str = "r1"
    path: str = "results/run_id=r1"
    verdicts: tuple[str, ...] = ()
    read: int = 2003
    graded: int = 2001
    rejected: int = 2
    grounded: int = 1999
    checked: int = 1000
    passed: int = 1
    already_done: bool = False
    gates: tuple[Gate, ...] = (Gate("max_rejected", None, 2, 2003, "1%", passed=True),)

    def run(self, job: Job, *, observer: Observer | None = None) -> "FakeRun":
        self.jobs.append(job)
        if observer:
            observer(Started("r1", "j1", job.out, files=1, bytes=1, workers=1))
        if self.error:
            raise self.error
        return self


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> FakeRun:
    """2,001 verdicts: one not grounded, one where grounding did not run, 1,000 with a number."""
    part = tmp_path / "part-00000.parquet"
    fake = FakeRun(path=str(tmp_path / "run_id=r1"), verdicts=(str(part),))
    module = ModuleType("pipelines.run")
    pl.DataFrame(
        {
            "n_numbers": [1] * 1000 + [0] * 1000 + [None],
            "n_citations": [0] * 2000 + [None],
            "grounded": [False] + [True] * 1999 + [None],
            "passed": [False] * 2000 + [True],
        }
    ).write_parquet(part)
    vars(module)["run"] = fake.run
    monkeypatch.setitem(sys.modules, "pipelines.run", module)
    return fake


Captured = pytest.CaptureFixture[str]


def last_json(capsys: Captured) -> dict[str, object]:
    line = capsys.readouterr().out.rstrip("\n").rsplit("\n", 1)[-1]
    value = json.loads(line)
    assert isinstance(value, dict)
    return value


# run


def test_every_key_of_the_job_is_a_flag_of_run_and_there_are_four_more(capsys: Captured) -> None:
    assert main(["run", "--help"]) == 0
    page = capsys.readouterr().out
    for key, model_field in Job.model_fields.items():
        assert flag_of(key) in page
        words = (model_field.description or "").split()
        assert " ".join(words[:3]) in " ".join(page.split())
    flags = {word for word in page.split() if word.startswith("--")}
    known = {flag_of(key) for key in Job.model_fields if key != "answers"}
    negations = {
        flag_of(k).replace("--", "--no-", 1)
        for k, f in Job.model_fields.items()
        if f.annotation is bool
    }
    assert flags - known == {*negations, "--job", "--dry-run", "--log-format", "--json", "--help"}


def test_flags_reach_the_job(engine: FakeRun) -> None:
    arguments = ["run", "a.csv", "--fixtures", "b", "--fixtures", "c,d", "--out", "o"]
    arguments += ["--map", "answer=x", "--map", "evidence=y", "--id", "p,q", "--carry", ""]
    arguments += ["--content", "verdicts", "--max-text", "1KiB", "--allow-empty", "--name", "n"]
    assert main(arguments) == 0
    assert engine.jobs == [
        Job(
            answers="a.csv",
            fixtures=("b", "c,d"),
            out="o",
            map={"answer": "x", "evidence": "y"},
            id=("p", "q"),
            carry=(),
            content="verdicts",
            max_text=1024,
            allow_empty=True,
            name="n",
        )
    ]


def test_without_flags_the_demo_is_run(engine: FakeRun) -> None:
    assert main(["run"]) == 0
    assert engine.jobs == [Job()]


def test_flags_are_laid_over_the_job_file(engine: FakeRun, tmp_path: Path) -> None:
    file = tmp_path / "job.toml"
    file.write_text('answers = "/a.csv"\nallow_empty = true\ncontent = "verdicts"\n')
    assert main(["run", "--job", str(file), "--no-allow-empty"]) == 0
    assert engine.jobs == [Job(answers="/a.csv", content="verdicts")]


def test_the_summary_shows_counts_and_cut_rates_on_stdout_alone(
    engine: FakeRun, capsys: Captured
) -> None:
    assert main(["run", "a.csv"]) == 0
    out, err = capsys.readouterr()
    lines = {line.split()[0]: " ".join(line.split()[1:]) for line in out.split("\n") if line}
    assert "2,003 read, 2,001 graded, 2 rejected\n" in out
    assert lines["grounded"] == "1,999 of 2,000 99.9 % 999 of 1,000 99.9 %"
    assert lines["passed"] == "1 of 2,001 0.0 % 0 of 1,000 0.0 %"
    assert "\x1b" not in out
    assert err == ""


def test_a_long_path_is_not_wrapped(engine: FakeRun, capsys: Captured) -> None:
    engine.path += "é" * 120
    assert main(["run", "a.csv"]) == 0
    assert engine.path in capsys.readouterr().out


def test_work_that_was_done_before_says_so(engine: FakeRun, capsys: Captured) -> None:
    engine.already_done = True
    assert main(["run", "a.csv"]) == 0
    assert "already done" in capsys.readouterr().out


def test_json_is_one_object_on_the_last_line(engine: FakeRun, capsys: Captured) -> None:
    assert main(["run", "a.csv", "--json"]) == 0
    value = last_json(capsys)
    assert list(value) == [*COLUMNS, "already_done", "gates"]
    assert value["path"] == engine.path
    assert (value["read"], value["already_done"]) == (2003, False)


# Exit codes


@pytest.mark.parametrize(
    ("error", "code", "kind"),
    [
        (JobError("no"), 2, "JobError"),
        (InputError(["one", "two"]), 3, "InputError"),
        (TaskError("no"), 4, "TaskError"),
        (ResultsError("no"), 5, "ResultsError"),
        (GateFailed("no"), 6, "GateFailed"),
        (KeyboardInterrupt(), 130, "Interrupted"),
        (RuntimeError("oops"), 1, "RuntimeError"),
    ],
)
def test_an_error_ends_with_its_code_and_a_json_object(
    engine: FakeRun, capsys: Captured, error: BaseException, code: int, kind: str
) -> None:
    engine.error = error
    assert main(["run", "a.csv", "--json"]) == code
    out, err = capsys.readouterr()
    (told,) = json.loads(out).values()
    assert list(json.loads(out)) == ["error"]
    assert (told["exit_code"], told["kind"]) == (code, kind)
    assert ("Traceback" in err) == (code == 1)
    for line in str(error).split("\n"):
        assert line in told["message"]
        assert f"{line}\n" in err or code == 1


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["walk"],
        ["run", "--nope"],
        ["run", "a", "b"],
        ["run", "--content", "all"],
        ["run", "--job", "/nowhere/job.toml"],
        ["check", "--answer"],
        ["check", "--evidence", "e"],
        ["check", "--answer", "a", "--row", "1"],
        ["check", "--answer", "-", "--evidence", "-"],
        ["views", "--database", "x"],
    ],
)
def test_a_wrong_command_line_is_2_with_the_fault_on_stderr(
    capsys: Captured, arguments: list[str]
) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("grounding: ")


def test_a_usage_error_is_json_too(capsys: Captured) -> None:
    assert main(["run", "--nope", "--json"]) == 2
    assert "--nope" in str(last_json(capsys)["error"])


def test_a_hostile_message_cannot_act_on_a_terminal(engine: FakeRun, capsys: Captured) -> None:
    engine.error = InputError("[red]x\x1b[2J\x9b2J\u202egrounding: fine\r\nfake")
    assert main(["run", "a.csv"]) == 3
    err = capsys.readouterr().err
    assert err == ("grounding: [red]x\\x1b[2J\\x9b2J\\u202egrounding: fine\\r\n  fake\n")


def test_sigterm_ends_with_143(tmp_path: Path) -> None:
    pipe = tmp_path / "answer"
    os.mkfifo(pipe)
    process = subprocess.Popen(
        [sys.executable, "-m", "grounding", "check", "--json", "--answer", f"@{pipe}"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    writer = pipe.open("wb")  # returns once the command waits at the other end
    time.sleep(0.1)
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=30)
    writer.close()
    assert (process.returncode, err) == (143, "grounding: terminated\n")
    assert json.loads(out)["error"]["exit_code"] == 143


# Streams


def test_a_reader_that_has_gone_changes_no_exit_code() -> None:
    for arguments, code in ([["check", "--answer", "7", "--evidence", "x"], 6], [["--help"], 0]):
        assert isinstance(arguments, list)
        process = subprocess.Popen(
            [sys.executable, "-m", "grounding", *arguments],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.stdout
        process.stdout.close()
        assert process.stderr
        with process.stderr as stderr:
            assert stderr.read() == b""
        assert process.wait(timeout=30) == code


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is full")
def test_a_full_disk_under_stdout_is_a_wrong_output_place() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "grounding", "check", "--answer", "7", "--evidence", "7"],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
        )
    assert done.returncode == 2
    assert b"stdout cannot be written" in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="closes descriptors as a POSIX shell does")
def test_closed_streams_are_no_defect() -> None:
    command = f"{sys.executable} -m grounding check --answer 7 --evidence 7 >&- 2>&-"
    assert subprocess.run(command, shell=True, cwd=ROOT).returncode == 0  # noqa: S602 (ours)
