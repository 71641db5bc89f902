"""What a job may say of explanations and of a policy, and what it may not."""

import json
from pathlib import Path

import pytest

from grounding.causetable import CITATION_CAUSES, NUMBER_CAUSES, WAIVABLE
from grounding.errors import JobError
from grounding.policies import ADVICE_KINDS
from pipelines.job import Job, identity, options

FILE = """
answers = "/a.csv"
waive = ["list_marker", "citation_syntax"]
demand = ["unread_numeral"]
explain = "all"
labels = "l.csv"
"""


def refused(**flags: object) -> str:
    with pytest.raises(JobError) as caught:
        Job.from_flags({"answers": "a", **flags})
    assert caught.value.exit_code == 2
    return str(caught.value)


def test_a_file_and_flags_say_the_same(tmp_path: Path) -> None:
    file = tmp_path / "job.toml"
    file.write_text(FILE, encoding="utf-8")
    job = Job.from_toml(file)
    assert job.labels == str(tmp_path / "l.csv")
    assert job == Job.from_flags(
        {
            "answers": "/a.csv",
            "waive": "citation_syntax, list_marker",
            "demand": "unread_numeral",
            "labels": str(tmp_path / "l.csv"),
        }
    )


def test_unless_said_all_is_explained_and_nothing_waived_or_demanded() -> None:
    job = Job()
    assert (job.explain, job.waive, job.demand) == ("all", (), ())
    assert job.labels is None


def test_a_policy_is_kept_in_the_order_of_its_table_so_that_its_writing_changes_no_id() -> None:
    ways = ["derived,list_marker", "list_marker, derived"]
    made = [Job.from_flags({"answers": "a", "waive": way}) for way in ways]
    assert [job.waive for job in made] == [("list_marker", "derived")] * 2
    assert Job.from_flags({"waive": ",".join(WAIVABLE)}).waive == WAIVABLE
    assert Job.from_flags({"demand": ",".join(ADVICE_KINDS)}).demand == ADVICE_KINDS
    assert Job.from_flags({"waive": "", "demand": ""}) == Job()


@pytest.mark.parametrize(
    "cause",
    [cause.name for cause in (*NUMBER_CAUSES, *CITATION_CAUSES) if not cause.waivable],
)
def test_what_hides_an_error_cannot_be_waived(cause: str) -> None:
    said = refused(waive=f"list_marker,{cause}")
    assert f"{cause} cannot be waived; these can: {', '.join(WAIVABLE)}" in said


def test_the_causes_that_cannot_be_waived_are_those_of_the_specification() -> None:
    named = {"separator_swapped", "separator_dropped", "scale", "absent", "beyond_evidence"}
    assert named <= {c.name for c in (*NUMBER_CAUSES, *CITATION_CAUSES) if not c.waivable}


def test_an_unknown_name_is_refused_with_the_nearest_and_all_that_are_allowed() -> None:
    assert "did you mean list_marker?" in refused(waive="list_markr")
    said = refused(demand="qualifier_mismatches")
    assert "did you mean qualifier_mismatch?" in said
    assert ", ".join(ADVICE_KINDS) in said
    assert "named twice: derived" in refused(waive="derived,derived")
    assert len(refused(waive="x" * 5000)) < 700


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ({"waive": "derived", "explain": "none"}, "waive needs causes: explain is none"),
        ({"demand": "unread_numeral", "explain": "none"}, "demand needs advice: explain is none"),
        ({"demand": "unread_numeral", "explain": "causes"}, "explain is causes, wanted all"),
        ({"explain": "some"}, "wanted all, causes or none"),
    ],
)
def test_a_policy_needs_what_it_is_about(flags: dict[str, object], said: str) -> None:
    assert said in refused(**flags)


def test_causes_alone_are_enough_to_waive_them() -> None:
    assert Job.from_flags({"waive": "derived", "explain": "causes"}).waive == ("derived",)


def test_each_of_these_keys_changes_the_run_and_labels_only_by_their_content() -> None:
    flags: list[dict[str, object]] = [
        {},
        {"waive": "derived"},
        {"demand": "unread_numeral"},
        {"explain": "causes"},
    ]
    made = {json.dumps(identity(Job.from_flags(given))) for given in flags}
    assert len(made) == len(flags)
    assert "labels" not in identity(Job())
    assert [key for key in options() if key in ("explain", "waive", "max_rejected")] == [
        "explain",
        "waive",
        "max_rejected",
    ]
