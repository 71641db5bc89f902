"""Every exit code of the README's table, by the real command line, in a process of its own."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.contract.bench import Bench, answers, published_runs, put

ROOT = Path(__file__).resolve().parents[2]

# The command line as installed, where a task says that it began, and then ends as the case has it.
IN_A_TASK = """
import signal, sys, time
from pipelines import grade
from pipelines.cli import main
def graded(*_):
    sys.stderr.write("grading\\n")
    sys.stderr.flush()
    {}
grade.Grader.graded = graded
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
sys.exit(main(sys.argv[1:]))
"""


@dataclass(frozen=True)
class Case:
    """How a command, begun by `within`, comes to end so. `made` comes first; stderr says `said`."""

    flags: tuple[str, ...] = ()
    made: Callable[[Bench], object] = lambda _: None
    in_a_task: str = ""
    sent: signal.Signals | None = None
    within: tuple[str, ...] = ()
    said: str = ""


def without_a_manifest(bench: Bench) -> None:
    """A run that a manifest contradicts."""
    (path,) = bench.run().parts("verdicts")
    path.write_bytes(b"")


SMALL_FILES = ("sh", "-c", 'ulimit -f 2; exec "$0" "$@"')
"""No file may grow beyond one or two KiB, which is met as a full disk is."""

CASES = {
    0: Case(),
    1: Case(in_a_task="1 / 0", said="ZeroDivisionError"),
    2: Case(made=lambda bench: bench.out.touch(), said="--out"),
    3: Case(("--map", "answer=reply"), said="--map answer="),
    4: Case(within=SMALL_FILES, said="finished task"),
    5: Case(made=without_a_manifest, said="contradicts its manifest"),
    6: Case(("--min-grounded", "100%"), said="min_grounded"),
    130: Case(in_a_task="time.sleep(60)", sent=signal.SIGINT, said="interrupted"),
    143: Case(in_a_task="time.sleep(60)", sent=signal.SIGTERM, said="terminated"),
}


@pytest.mark.parametrize("code", CASES)
def test_a_command_ends_with_the_code_and_publishes_only_where_it_says_so(
    bench: Bench, code: int
) -> None:
    case = CASES[code]
    put(bench.answers, {"a.parquet": answers(2, answer=["It is 5 [1].", "It is 6."])})
    case.made(bench)
    program = ["-c", IN_A_TASK.format(case.in_a_task)] if case.in_a_task else ["-m", "grounding"]
    given = ["run", str(bench.answers), "--out", str(bench.out), "--json", *case.flags]
    before = published_runs(bench.out) if bench.out.is_dir() else []
    with subprocess.Popen(
        [*case.within, sys.executable, *program, *given],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        if case.sent is not None:
            assert process.stderr.readline() == "grading\n"
            process.send_signal(case.sent)
        out, err = process.communicate(timeout=60)
    assert process.returncode == code
    assert case.said in err
    assert ("Traceback" in err) == (code == 1)
    told = json.loads(out.splitlines()[-1])
    assert told.get("error", {"exit_code": 0})["exit_code"] == code
    new = set(published_runs(bench.out)) - set(before) if bench.out.is_dir() else set()
    assert bool(new) == (code in (0, 6))


def codes(text: str) -> Iterable[int]:
    """The exit codes that a table has a row for."""
    for row in re.findall(r"^\| ([0-9, ]+) \|", text, re.MULTILINE):
        yield from map(int, row.split(","))


def test_every_code_of_the_readme_has_a_case() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    (table,) = re.findall(r"<!-- generated: exit codes -->\n(.*?)<!-- end -->", readme, re.DOTALL)
    assert sorted(codes(table)) == sorted(CASES)
