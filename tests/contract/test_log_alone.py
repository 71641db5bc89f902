"""The log in JSON lines: nothing but events reaches stderr."""

import json
import os
import signal
import subprocess
import sys
import time
import warnings
from collections import Counter
from typing import Any

import pytest

from pipelines import run as module
from pipelines.cli import main
from pipelines.cli.jsonlog import json_stderr, log_facts, wants_json
from pipelines.job import Job
from tests.contract.bench import Bench, Files, answers, corrupted, put
from tests.contract.logged import ROOT, command, lines_of, logged, process, without


@pytest.mark.parametrize(
    ("more", "code", "kind"),
    [
        (["--nope"], 2, "UsageError"),
        (["--content", "all"], 2, "JobError"),
        (["--job", "/nowhere.toml"], 2, "JobError"),
        (["--map", "answer=nope\u202e"], 3, "InputError"),
    ],
)
def test_faults_are_one_event(
    bench: Bench, capfd: pytest.CaptureFixture[str], more: list[str], code: int, kind: str
) -> None:
    assert main([*command(bench, {"a.parquet": answers()}, "--json"), *more]) == code
    out, err = capfd.readouterr()
    error = lines_of(err)[-1]
    assert (error["event"], error["exit_code"], error["kind"]) == ("error", code, kind)
    assert error["traceback"] is None
    assert json.loads(out)["error"]["message"] == "\n".join(error["faults"])


def test_a_defect_is_one_event_with_its_traceback(
    bench: Bench, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: object) -> Any:
        raise RuntimeError("oops\n\x1b[2J")

    monkeypatch.setattr(module, "inputs_of", broken)
    assert main(command(bench, {"a.parquet": answers()})) == 1
    (error,) = logged(capfd)
    assert (error["kind"], error["exit_code"]) == ("RuntimeError", 1)
    assert error["traceback"].startswith("Traceback")
    assert "in broken" in error["traceback"]


def test_what_others_write_to_stderr_is_an_event_a_line(capfd: pytest.CaptureFixture[str]) -> None:
    warnings.simplefilter("always")
    with json_stderr():
        sys.stderr.write("one\n\ntwo \x1b[2J\u202e\n")
        sys.stderr.flush()
        subprocess.run(["sh", "-c", "printf 'three\\r\\n\\377' >&2"], check=True)
        time.sleep(0.05)
        os.write(2, b" four\n" + b"5" * 200_000)
        log_facts("mine", {"x": 1})
    os.write(2, b"after\n")
    *lines, after = capfd.readouterr().err.splitlines()
    events = [without(line) for line in map(json.loads, lines)]
    assert after == "after"
    assert {"event": "mine", "x": 1} in events
    texts = [event["text"] for event in events if event["event"] == "stderr"]
    assert texts[:4] == ["one", "two \x1b[2J\u202e", "three", "\\xff four"]
    assert "".join(texts[4:]) == "5" * 200_000


NOISY = """
import os, warnings
from pipelines import run
found = run.inputs_of
def noisy(job):
    os.write(2, b"thread panicked\\n")
    warnings.warn("mind")
    return found(job)
run.inputs_of = noisy
"""


def test_a_warning_and_a_panic_of_the_engine_are_events(bench: Bench) -> None:
    files: Files = {"a.parquet": corrupted(answers(99), "answer")}
    working = process(command(bench, files), NOISY)
    _, err = working.communicate(timeout=60)
    assert working.returncode == 3
    lines = lines_of(err)
    texts = [line["text"] for line in lines if line["event"] == "stderr"]
    assert "thread panicked" in texts
    assert any("mind" in text for text in texts)
    assert Counter(line["event"] for line in lines)["error"] == 1


def test_a_process_that_is_told_to_end_says_so(bench: Bench) -> None:
    pipe = bench.folder / "job.toml"
    os.mkfifo(pipe)
    working = process([*command(bench), "--job", str(pipe)])
    writer = pipe.open("wb")  # returns once the command waits at the other end
    time.sleep(0.1)
    working.send_signal(signal.SIGTERM)
    _, err = working.communicate(timeout=30)
    writer.close()
    (error,) = lines_of(err)
    assert working.returncode == 143
    assert without(error) == {
        "event": "error",
        "kind": "Terminated",
        "exit_code": 143,
        "faults": ["terminated"],
        "traceback": None,
    }


def test_a_run_with_workers_writes_nothing_but_events(bench: Bench) -> None:
    files = {f"{n}.parquet": answers(1, answer_id=[str(n)]) for n in range(4)}
    code = "from pipelines import plan; plan.TASK_BYTES = 1"
    working = process(command(bench, files, "--workers", "2"), code)
    _, err = working.communicate(timeout=60)
    assert working.returncode == 0
    counted = Counter(line["event"] for line in lines_of(err))
    assert counted == {"started": 1, "task": 4, "published": 1}


def test_stdout_is_as_ever_and_stderr_may_be_closed(bench: Bench) -> None:
    put(bench.answers, {"a.parquet": answers()})
    line = " ".join([sys.executable, "-m", "grounding", *command(bench), "--json"])
    for closed in ("2>&-", "2>/dev/full", "2>/dev/null"):
        shell = ["sh", "-c", f"{line} {closed}"]
        done = subprocess.run(shell, cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0
        assert json.loads(done.stdout)["graded"] == 2
        assert done.stderr == ""


def test_without_the_flag_stderr_holds_no_event(
    bench: Bench, capfd: pytest.CaptureFixture[str]
) -> None:
    arguments = command(bench, {"a.parquet": answers()})
    assert main([*arguments, "--log-format", "text"]) == 0
    assert main([*arguments[:-1], "text"]) == 0
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("arguments", "json_wanted"),
    [
        ("", False),
        ("run", False),
        ("run --log-format", False),
        ("run --log-format json", True),
        ("run --log-format=json a", True),
        ("run --log-format xml", False),
        ("run --log-format=json --log-format text", False),
        ("run --log-format text --log-format json", True),
        ("run json", False),
    ],
)
def test_the_last_flag_says_how_to_log(arguments: str, json_wanted: bool) -> None:
    assert wants_json(arguments.split()) == json_wanted


def test_a_job_takes_no_part_in_how_it_is_logged() -> None:
    assert "log_format" not in Job.model_fields
