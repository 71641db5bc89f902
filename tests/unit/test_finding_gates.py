"""Gates on causes and advice count the checked answers that have such a finding, once each."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from grounding.errors import JobError
from pipelines.gates import Gate, gates_of
from pipelines.job import Job
from pipelines.places import Folder

# answer: (n_numbers, its findings as (kind, cause), model), one task a list
TASKS: list[dict[str, tuple[int | None, list[tuple[str, str | None]], str]]] = [
    {
        "a0": (2, [("ungrounded_number", "absent"), ("ungrounded_number", "absent")], "m"),
        "a1": (1, [("ungrounded_number", "list_marker"), ("ungrounded_number", "absent")], "n"),
        "a2": (0, [("unread_numeral", None)], "m"),
        "a3": (1, [("unread_numeral", None), ("unread_numeral", None)], "m"),
    },
    {"b0": (1, [], "m"), "b1": (None, [("unknown_input", None)], "n")},
    {"c0": (1, [("invalid_citation", "zero_based")], "n"), "c1": (4, [], "n")},
]
CHECKED = 6
VERDICTS = {
    "answer_id": pl.String,
    "n_numbers": pl.Int64,
    "n_citations": pl.Int64,
    "grounded": pl.Boolean,
    "reason": pl.String,
    "model": pl.String,
}
FINDINGS = {"answer_id": pl.String, "kind": pl.String, "cause": pl.String}


def published(folder: Path) -> dict[str, Any]:
    """The tables that gates look at; a task without findings has no part of them."""
    tables: dict[str, Any] = {}
    rejects = pl.DataFrame({"problem": []}, {"problem": pl.String})
    _put(folder, tables, "rejects", 0, rejects)
    for number, task in enumerate(TASKS):
        verdicts = [
            (name, numbers, None if numbers is None else 0, not found, "", model)
            for name, (numbers, found, model) in task.items()
        ]
        findings = [(name, *each) for name, (_, found, _) in task.items() for each in found]
        _put(folder, tables, "verdicts", number, pl.DataFrame(verdicts, VERDICTS, orient="row"))
        if findings:
            _put(folder, tables, "findings", number, pl.DataFrame(findings, FINDINGS, orient="row"))
    return {"run_id": "r", "tables": tables}


def _put(folder: Path, tables: dict[str, Any], name: str, number: int, rows: pl.DataFrame) -> None:
    (folder / "run_id=r" / name).mkdir(parents=True, exist_ok=True)
    part = f"part-{number:05d}.parquet"
    rows.write_parquet(folder / "run_id=r" / name / part)
    columns = [{"name": column, "type": "string"} for column in rows.columns]
    tables.setdefault(name, {"parts": [], "columns": columns})["parts"].append({"name": part})


def judged(folder: Path, **keys: object) -> list[Gate]:
    job = Job.from_flags({"answers": "a", **keys})
    return [
        gate
        for gate in gates_of(job, Folder(folder), published(folder))
        if gate.name != "max_rejected"
    ]


def brief(found: list[Gate]) -> list[tuple[object, ...]]:
    return [(g.name, g.group[1] if g.group else "*", g.figure, g.total, g.passed) for g in found]


@pytest.mark.parametrize(
    ("limit", "figure", "passed"),
    [
        ("absent=2", 2, True),
        ("absent=1", 2, False),
        ("absent=33.4%", 2, True),
        ("absent=33.3%", 2, False),
        ("list_marker=0", 1, False),
        ("zero_based=1", 1, True),
        ("scale=0", 0, True),
    ],
)
def test_a_cause_counts_each_answer_that_holds_it_once(
    tmp_path: Path, limit: str, figure: int, passed: bool
) -> None:
    name = f"max_cause.{limit.partition('=')[0]}"
    assert brief(judged(tmp_path, max_cause=limit)) == [(name, "*", figure, CHECKED, passed)]


def test_advice_counts_checked_answers_only(tmp_path: Path) -> None:
    found = judged(tmp_path, max_advice="unread_numeral=0,unknown_input=0")
    assert brief(found) == [
        ("max_advice.unknown_input", "*", 0, CHECKED, True),
        ("max_advice.unread_numeral", "*", 1, CHECKED, False),
    ]


def test_each_group_is_judged_for_its_own_findings(tmp_path: Path) -> None:
    found = judged(
        tmp_path,
        gate_by="model",
        min_grounded="10%",
        max_cause={"absent": 1, "zero_based": 0},
        max_advice="unread_numeral=50%",
    )
    assert brief(found) == [
        ("min_grounded", "*", 2, 6, True),
        ("max_cause.absent", "*", 2, 6, False),
        ("max_cause.zero_based", "*", 1, 6, False),
        ("max_advice.unread_numeral", "*", 1, 6, True),
        ("min_grounded", "m", 1, 3, True),
        ("max_cause.absent", "m", 1, 3, True),
        ("max_cause.zero_based", "m", 0, 3, True),
        ("max_advice.unread_numeral", "m", 1, 3, True),
        ("min_grounded", "n", 1, 3, True),
        ("max_cause.absent", "n", 1, 3, True),
        ("max_cause.zero_based", "n", 1, 3, False),
        ("max_advice.unread_numeral", "n", 0, 3, True),
    ]


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ({"max_cause": "absnt=1"}, "no cause 'absnt'; causes are: citation_syntax, "),
        ({"max_advice": "scale=1"}, "no kind 'scale'; kinds are: qualifier_mismatch, "),
        ({"max_cause": "scale=1,scale=2"}, "scale is given twice"),
        ({"max_cause": "scale=x"}, "scale: 'x'"),
        ({"max_cause": "scale=1", "explain": "none"}, "max_cause needs causes: explain is none"),
        ({"max_advice": "unread_numeral=1", "explain": "causes"}, "max_advice needs advice"),
    ],
)
def test_a_limit_on_what_is_no_cause_or_is_not_explained_is_refused(
    flags: dict[str, object], said: str
) -> None:
    with pytest.raises(JobError) as caught:
        Job.from_flags({"answers": "a", **flags})
    assert said in str(caught.value)


def test_such_a_limit_is_enough_for_groups_and_for_a_least_number(tmp_path: Path) -> None:
    found = judged(tmp_path, max_cause="scale=0", gate_by="model", min_n="4")
    assert [(gate.judged, gate.passed) for gate in found] == [
        (True, True),
        (False, False),
        (False, False),
    ]
