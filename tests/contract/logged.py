"""Commands with their log in JSON lines, and what is read back of it."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.contract.bench import Bench, Files, put

ROOT = Path(__file__).resolve().parents[2]
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)

Line = dict[str, Any]


def lines_of(stderr: str) -> list[Line]:
    """Every line of stderr, each of which must be an event."""
    assert stderr == "" or stderr.endswith("\n")
    lines = [json.loads(line) for line in stderr.splitlines()]
    assert stderr.isascii()
    for line in lines:
        assert list(line)[:2] == ["event", "time"]
        assert TIME.fullmatch(line["time"])
    times = [line["time"] for line in lines]
    assert times == sorted(times)
    return lines


def logged(capfd: pytest.CaptureFixture[str]) -> list[Line]:
    return lines_of(capfd.readouterr().err)


def without(line: Line, *keys: str) -> Line:
    return {key: value for key, value in line.items() if key not in ("time", *keys)}


def command(bench: Bench, files: Files | None = None, *more: str) -> list[str]:
    put(bench.answers, files or {})
    flags = [str(bench.answers), "--out", str(bench.out), "--log-format", "json"]
    return ["run", *flags, *more]


def process(arguments: list[str], code: str = "") -> subprocess.Popen[str]:
    """The command in a process of its own, after some code of the test's."""
    script = f"import sys\nfrom pipelines.cli import main\n{code}\nsys.exit(main(sys.argv[1:]))\n"
    return subprocess.Popen(
        [sys.executable, "-c", script, *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
