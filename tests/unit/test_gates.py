"""Gates over published tables: each passes at its limit and fails one beyond it."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from grounding.errors import JobError
from pipelines import gates
from pipelines.gates import Gate, failures, gates_of
from pipelines.job import Job
from pipelines.places import Folder

VERDICTS = {
    "n_numbers": pl.Int64,
    "n_citations": pl.Int64,
    "grounded": pl.Boolean,
    "reason": pl.String,
}
Answer = tuple[int | None, int | None, bool | None, str | None]

GOOD: Answer = (1, 0, True, "grounded")
WRONG: Answer = (0, 1, False, "invalid_citation")
UNFOUND: Answer = (1, 1, False, "ungrounded_number")
VACUOUS: Answer = (0, 0, True, "grounded")
NOT_RUN: Answer = (None, None, None, None)


def published(
    folder: Path,
    answers: list[Answer],
    rejected: int = 0,
    column: str = "model",
    values: list[Any] | None = None,
    parts: int = 1,
) -> dict[str, Any]:
    """The tables that gates look at, cut into parts, and their manifest."""
    verdicts = pl.DataFrame(answers, VERDICTS, orient="row")
    if values is not None:
        verdicts.insert_column(0, pl.Series(column, values, strict=False))
    rejects = pl.DataFrame({"problem": ["null_answer"] * rejected}, {"problem": pl.String})
    tables: dict[str, Any] = {}
    for name, frame in (("verdicts", verdicts), ("rejects", rejects)):
        (folder / "run_id=r" / name).mkdir(parents=True, exist_ok=True)
        size = max(1, -(-frame.height // parts))
        listed = []
        for number in range(parts):
            part = f"part-{number:05d}.parquet"
            frame.slice(number * size, size).write_parquet(folder / "run_id=r" / name / part)
            listed.append({"name": part})
        kinds = frame.to_arrow().schema
        columns = [{"name": n, "type": str(kinds.field(n).type)} for n in kinds.names]
        tables[name] = {"parts": listed, "columns": columns}
    return {"run_id": "r", "tables": tables}


def judged(folder: Path, manifest: dict[str, Any], **keys: object) -> list[Gate]:
    return list(gates_of(Job.from_flags({"answers": "a", **keys}), Folder(folder), manifest))


def brief(found: list[Gate]) -> list[tuple[object, ...]]:
    """Without the default gate: name, group's value, figure, total, passed, judged."""
    return [
        (g.name, g.group[1] if g.group else "*", g.figure, g.total, g.passed, g.judged)
        for g in found
        if g.name != "max_rejected"
    ]


@pytest.mark.parametrize(
    ("limit", "rejected", "graded", "passed"),
    [
        ("1%", 1, 99, True),
        ("1%", 1, 98, False),
        ("1%", 0, 0, True),
        ("0", 0, 5, True),
        ("0", 1, 5, False),
        ("0%", 1, 5, False),
        ("3", 3, 0, True),
        ("3", 4, 1000, False),
        ("100%", 5, 0, True),
        ("33.333333333%", 1, 2, False),
        ("33.333333334%", 1, 2, True),
    ],
)
def test_rejected_rows_are_held_against_a_count_or_a_share_of_the_rows_read(
    tmp_path: Path, limit: str, rejected: int, graded: int, passed: bool
) -> None:
    manifest = published(tmp_path, [GOOD] * graded, rejected)
    (gate,) = judged(tmp_path, manifest, max_rejected=limit)
    assert gate == Gate("max_rejected", None, rejected, graded + rejected, limit, passed)


@pytest.mark.parametrize(("good", "passed"), [(9, True), (8, False)])
def test_the_grounded_share_is_one_of_the_checked_answers(
    tmp_path: Path, good: int, passed: bool
) -> None:
    answers = [GOOD] * good + [UNFOUND] * (10 - good) + [VACUOUS] * 50 + [NOT_RUN] * 50
    found = judged(tmp_path, published(tmp_path, answers), min_grounded="90%")
    assert brief(found) == [("min_grounded", "*", good, 10, passed, True)]


def test_each_reason_has_a_limit_of_its_own_which_may_just_be_reached(tmp_path: Path) -> None:
    manifest = published(tmp_path, [GOOD] * 14 + [WRONG] * 4 + [UNFOUND] * 2 + [VACUOUS] * 9)
    for limits, passed in (
        ("invalid_citation=4,ungrounded_number=10%", [True, True]),
        ("invalid_citation=3,ungrounded_number=9.999999999%", [False, False]),
        ({"invalid_citation": "20%", "ungrounded_number": 1}, [True, False]),
    ):
        found = judged(tmp_path, manifest, max_reason=limits)
        assert brief(found) == [
            ("max_reason.invalid_citation", "*", 4, 20, passed[0], True),
            ("max_reason.ungrounded_number", "*", 2, 20, passed[1], True),
        ]


@pytest.mark.parametrize("answers", [[], [VACUOUS] * 5, [NOT_RUN] * 5])
@pytest.mark.parametrize("keys", [{"min_grounded": "0%"}, {"max_reason": "invalid_citation=9"}])
def test_where_no_answer_was_checked_nothing_is_judged_which_fails_unless_allowed(
    tmp_path: Path, answers: list[Answer], keys: dict[str, object]
) -> None:
    manifest = published(tmp_path, answers)
    for allowed in (False, True):
        (_, gate) = judged(tmp_path, manifest, **keys, allow_unjudged=allowed)
        assert (gate.figure, gate.total, gate.judged, gate.passed) == (0, 0, False, allowed)


def test_each_group_is_judged_beside_the_whole_over_all_parts(tmp_path: Path) -> None:
    values = ["b", "a", None, "null", "b", "a", None, "a"]
    answers = [GOOD, WRONG, GOOD, GOOD, UNFOUND, GOOD, WRONG, VACUOUS]
    for parts in (1, 3):
        manifest = published(tmp_path, answers, values=values, parts=parts)
        keys = {"gate_by": "model", "min_grounded": "50%", "max_reason": "invalid_citation=0"}
        assert brief(judged(tmp_path, manifest, **keys)) == [
            ("min_grounded", "*", 4, 7, True, True),
            ("max_reason.invalid_citation", "*", 2, 7, False, True),
            ("min_grounded", "a", 1, 2, True, True),
            ("max_reason.invalid_citation", "a", 1, 2, False, True),
            ("min_grounded", "b", 1, 2, True, True),
            ("max_reason.invalid_citation", "b", 0, 2, True, True),
            ("min_grounded", "null", 1, 1, True, True),
            ("max_reason.invalid_citation", "null", 0, 1, True, True),
            ("min_grounded", None, 1, 2, True, True),
            ("max_reason.invalid_citation", None, 1, 2, False, True),
        ]


@pytest.mark.parametrize(("allowed", "passed"), [(False, [False, True]), (True, [True, True])])
def test_a_group_with_fewer_checked_answers_than_min_n_is_not_judged(
    tmp_path: Path, allowed: bool, passed: list[bool]
) -> None:
    answers = [GOOD] * 2 + [VACUOUS] * 7 + [GOOD] * 3
    manifest = published(tmp_path, answers, values=["few"] * 9 + ["just"] * 3)
    keys = {"gate_by": "model", "min_grounded": "90%", "min_n": 3, "allow_unjudged": allowed}
    assert brief(judged(tmp_path, manifest, **keys))[1:] == [
        ("min_grounded", "few", 2, 2, passed[0], False),
        ("min_grounded", "just", 3, 3, passed[1], True),
    ]


def test_an_expected_group_needs_one_graded_answer(tmp_path: Path) -> None:
    manifest = published(tmp_path, [VACUOUS, NOT_RUN, GOOD], values=["a", "b", None])
    keys = {"gate_by": "model", "expect_groups": ["a", "b", "c", "null"]}
    found = brief(judged(tmp_path, manifest, **keys))
    assert [(group, figure, passed) for _, group, figure, _, passed, _ in found] == [
        ("a", 1, True),
        ("b", 1, True),
        ("c", 0, False),
        ("null", 0, False),
    ]


@pytest.mark.parametrize("column", ["^.*$", "*", "checked", "group", "1", 'a"b\n', "Größe"])
@pytest.mark.parametrize("value", ["", "x\n, the limit is 1%", "\x1b[2J", "☃" * 200, '"', "\0"])
def test_names_and_values_of_a_group_are_never_read_as_anything_else(
    tmp_path: Path, column: str, value: str
) -> None:
    manifest = published(tmp_path, [GOOD, WRONG], column=column, values=["other", value])
    job = Job.from_flags({"gate_by": column, "min_grounded": "100%", "expect_groups": [value]})
    found = gates_of(job, Folder(tmp_path), manifest)
    assert [(g.group, g.passed) for g in found[2:3]] == [((column, value), True)]
    (failed,) = [g for g in found if g.group and not g.passed]
    assert failed.to_dict()["group"] == {column: value}
    lines = failures(job, found)
    assert len(lines) == 2
    assert all("\n" not in line and len(line) < 300 for line in lines)


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ([10, 9], ["10", "9"]),
        ([True, False], ["false", "true"]),
        ([1.5, float("nan")], ["1.5", "NaN"]),
    ],
)
def test_a_group_is_named_by_its_text_whatever_its_type(
    tmp_path: Path, values: list[object], texts: list[str]
) -> None:
    manifest = published(tmp_path, [GOOD, GOOD], values=values)
    keys = {"gate_by": "model", "min_grounded": "1%", "expect_groups": texts}
    found = brief(judged(tmp_path, manifest, **keys))
    assert [gate[1] for gate in found] == ["*", *texts, *texts]
    assert all(gate[4] for gate in found)


@pytest.mark.parametrize(
    ("column", "values", "words"),
    [
        ("modle", ["a"], "'model'; did you mean 'modle'"),
        ("x", [b"a"], "carried are: 'x'"),
        ("model", [b"a"], "binary, wanted text"),
    ],
)
def test_a_gate_by_that_is_no_carried_column_is_refused(
    tmp_path: Path, column: str, values: list[object], words: str
) -> None:
    manifest = published(tmp_path, [GOOD], column=column, values=values)
    with pytest.raises(JobError, match=words) as caught:
        judged(tmp_path, manifest, gate_by="model", min_grounded="1%")
    assert caught.value.exit_code == 2


def test_our_own_columns_are_no_groups(tmp_path: Path) -> None:
    with pytest.raises(JobError, match="no carried column 'reason'"):
        judged(tmp_path, published(tmp_path, [GOOD]), gate_by="reason", min_grounded="1%")


def test_a_column_with_too_many_values_fails_instead_of_being_judged_value_by_value(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gates, "MOST_GROUPS", 3)
    manifest = published(tmp_path, [GOOD] * 4, values=["a", "b", "c", "d"])
    keys = {"gate_by": "model", "min_grounded": "1%", "allow_unjudged": True}
    found = judged(tmp_path, manifest, **keys)
    assert brief(found)[1:] == [("gate_by", "*", 4, None, False, True)]
    monkeypatch.setattr(gates, "MOST_GROUPS", 4)
    assert len(judged(tmp_path, manifest, **keys)) == 6


def test_a_line_names_the_gate_the_group_the_figure_and_the_limit(tmp_path: Path) -> None:
    answers = [GOOD] * 2 + [WRONG] + [GOOD]
    manifest = published(tmp_path, answers, rejected=1, values=["a", "a", "a", None])
    job = Job.from_flags(
        {"gate_by": "model", "min_grounded": "70%", "min_n": 2, "expect_rows": "=9"}
    )
    assert failures(job, gates_of(job, Folder(tmp_path), manifest)) == [
        "gate max_rejected: 1 of 5 (20.0000 %), the limit is 1%",
        "gate expect_rows: 5, the limit is =9",
        'gate min_grounded, "model" "a": 2 of 3 (66.6666 %), the limit is 70%',
        'gate min_grounded, "model" null: not judged, 1 of 1 (100.0000 %): fewer checked answers '
        "than min_n, 2, the limit is 70%",
    ]
