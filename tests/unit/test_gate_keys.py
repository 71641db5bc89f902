"""The gates of a job: limits are exact, wrong ones are refused, and none changes an identity."""

from fractions import Fraction
from pathlib import Path

import pytest

from grounding.errors import JobError
from pipelines.expected import RowRange
from pipelines.gatekeys import GateKeys
from pipelines.job import Job, flag_of, identity, options
from pipelines.limits import Limit

FILE = """
answers = "/a.csv"

[gates]
max_rejected = "0.5%"
min_grounded = "90%"
gate_by = "model"
min_n = 30
allow_unjudged = true
max_reason = { ungrounded_number = "5%", invalid_citation = 3 }

[expect]
rows = 1000
groups = ["a,b", "", 7, true]
"""

FLAGS: dict[str, object] = {
    "answers": "/a.csv",
    "max_rejected": "0.50 %",
    "min_grounded": "90.0%",
    "gate_by": "model",
    "min_n": "30",
    "allow_unjudged": True,
    "max_reason": "invalid_citation=3,ungrounded_number=5%",
    "expect_rows": "1000",
    "expect_groups": ["a,b", "", "7", "true"],
}


def job_file(folder: Path, text: str) -> Path:
    file = folder / "job.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_the_tables_of_a_file_and_the_flags_say_the_same(tmp_path: Path) -> None:
    job = Job.from_toml(job_file(tmp_path, FILE))
    assert job == Job.from_flags(FLAGS)
    assert job.max_rejected == Limit(Fraction(1, 200), share=True)
    assert job.max_reason["invalid_citation"] == Limit(Fraction(3), share=False)
    assert job.expect_rows == RowRange(1000, None)
    assert job.expect_groups == ("a,b", "", "7", "true")


def test_unless_said_at_most_1_percent_of_the_rows_may_be_rejected_and_nothing_else_is_gated() -> (
    None
):
    job = Job()
    assert str(job.max_rejected) == "1%"
    assert (job.min_grounded, job.max_reason, job.gate_by) == (None, {}, None)
    assert (job.expect_rows, job.expect_groups, job.allow_unjudged) == (None, (), False)


def test_a_key_of_a_table_may_stand_outside_of_it_but_not_in_both_places(tmp_path: Path) -> None:
    file = job_file(tmp_path, "expect_rows = 5\nmax_rejected = 3\n")
    assert Job.from_toml(file).expect_rows == RowRange(5)
    file = job_file(tmp_path, "expect_rows = 5\n[expect]\nrows = 6\n")
    with pytest.raises(JobError, match=r"expect_rows and expect\.rows are the same"):
        Job.from_toml(file)


def test_a_flag_takes_the_place_of_a_key_in_a_table(tmp_path: Path) -> None:
    job = Job.from_toml(job_file(tmp_path, FILE), {"max_rejected": "2", "expect_rows": "=7"})
    assert (str(job.max_rejected), str(job.expect_rows)) == ("2", "=7")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[gates]\nmax_rejectd = 1", ["gates.max_rejectd", "mean gates.max_rejected?"]),
        ('[gates]\ncontent = "full"', ["gates.content: no such key"]),
        ("[expect]\nmax_rejected = 1", ["expect.max_rejected: no such key"]),
        ("gates = 5", ["gates: got 5, wanted a table of max_rejected"]),
        ("[gates]\nmax_rejected = 0.01", ["gates.max_rejected: got 0.01", "as 1%"]),
        ("[gates.max_reason]\nungrounded_number = 1.5", ["ungrounded_number: 1.5"]),
        ("[expect]\nrows = -1", ["expect.rows: got -1"]),
        ("[expect]\ngroups = [1.5]", ["expect.groups: got [1.5]", "not float"]),
    ],
)
def test_a_wrong_key_of_a_table_is_named_as_the_file_spells_it(
    tmp_path: Path, text: str, words: list[str]
) -> None:
    file = job_file(tmp_path, text)
    with pytest.raises(JobError) as caught:
        Job.from_toml(file)
    assert caught.value.exit_code == 2
    (fault,) = caught.value.faults
    assert fault.startswith(f"{file}: ")
    assert [word for word in words if word not in fault] == []


@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("max_rejected", ["150%", "-1", -1, "-1%", "abc", "1.5", 1.5, "", "%", "1e2", True, None]),
        ("max_rejected", ["100.1%", "٣%", "1,5%", "1%%", "9" * 19, 10**18, "0.0000000001%"]),
        ("min_grounded", ["150%", "90", 90, 0.9, "abc", "abc%", "1/2"]),
        ("max_reason", ["grounded=1", "ungrounded_number", "ungrounded_number=150%", 3, ["x"]]),
        ("max_reason", ["invalid_citation=1,invalid_citation=2", {"invalid_citation": 1.5}]),
        ("max_reason", ["absent=1%", {"invalid_citation": None}, {"invalid_citation": True}]),
        ("min_n", ["0", 0, -1, "1.5", 1.5, "many", True]),
        ("gate_by", ["", 7, "a\0b"]),
        ("expect_rows", ["x", "-1", "5..3", "..5", "=5..6", "1.5", 1.5, True, "5%", ""]),
        ("expect_groups", [["a", "a"], [None], [["a"]], 7]),
    ],
)
def test_a_wrong_limit_is_refused_and_what_is_allowed_is_said(
    key: str, values: list[object]
) -> None:
    for value in values:
        with pytest.raises(JobError) as caught:
            Job.from_flags({key: value})
        (fault,) = caught.value.faults
        assert fault.startswith(f"{flag_of(key)}: got ")
        assert f"wanted {options()[key].wanted}" in fault


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ({"expect_groups": ["a"]}, "expect_groups needs gate_by"),
        ({"gate_by": "model"}, "gate_by needs a limit"),
        ({"min_n": "5"}, "min_n needs a limit"),
        ({"gate_by": "m", "expect_groups": ["a"], "min_n": "5"}, "min_n needs a limit"),
    ],
)
def test_a_gate_that_would_judge_nothing_is_refused(flags: dict[str, object], words: str) -> None:
    with pytest.raises(JobError, match=words):
        Job.from_flags(flags)


def test_no_gate_takes_part_in_the_identity_of_a_job() -> None:
    assert identity(Job.from_flags(FLAGS)) == identity(Job.from_flags({"answers": "/a.csv"}))
    for key in GateKeys.model_fields:
        assert options()[key].decides == "place"
        assert options()[key].table in ("gates", "expect")


@pytest.mark.parametrize("written", ["0%", "1%", "0.5%", "33.333333333%", "100%", "0", "1000"])
def test_a_limit_is_spelled_as_it_was_written_and_is_exact(written: str) -> None:
    limit = Job.from_flags({"max_rejected": written}).max_rejected
    assert str(limit) == written
    number = Fraction(written.removesuffix("%"))
    assert limit.of(700) == (number * 7 if limit.share else number)


@pytest.mark.parametrize(
    ("written", "holds", "fails"),
    [
        ("5", [5, 6], [0, 4]),
        ("5..", [5, 10**9], [4]),
        ("=5", [5], [4, 6]),
        ("5..7", [5, 7], [4, 8]),
        ("0 .. 0", [0], [1]),
    ],
)
def test_expected_rows_are_held_to_both_ends(
    written: str, holds: list[int], fails: list[int]
) -> None:
    expected = Job.from_flags({"expect_rows": written}).expect_rows
    assert expected is not None
    assert [rows in expected for rows in (*holds, *fails)] == [
        *[True] * len(holds),
        *[False] * len(fails),
    ]
