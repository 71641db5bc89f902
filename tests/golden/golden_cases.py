"""The golden cases: answers with the verdict that they must get, one JSON object a line."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark import ParameterSet

from grounding.fixtures import BookFixture

CASES = Path(__file__).parent / "cases"
COUNTS = {"grounding": 86, "annotations": 67, "both": 5, "reports": 37, "causes": 9}
"""Cases per file; the first line of `annotations` is not one, but the fixture of that file."""


@cache
def _lines(name: str) -> list[dict[str, Any]]:
    text = (CASES / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


def cases(name: str) -> list[dict[str, Any]]:
    """The cases of a file, in order."""
    return _lines(name)[1 if name == "annotations" else 0 :]


def each(name: str) -> list[ParameterSet]:
    """The cases of a file for `parametrize`, named by their line."""
    first = 2 if name == "annotations" else 1
    return [pytest.param(case, id=f"{name}-{n}") for n, case in enumerate(cases(name), first)]


@cache
def golden_book() -> BookFixture:
    """The truth tables that `annotations` and `both` are graded against."""
    tables = _lines("annotations")[0]
    return BookFixture.build("golden", tables["facts"], tables["negative_facts"])
