"""`graded_after` in a run: what is published of an answer that reasons first."""

import pytest

from grounding.errors import JobError
from pipelines.job import Job
from pipelines.places import Folder
from pipelines.views import connect
from tests.contract.bench import BOOK, Bench, answers

TEXTS = ["6 [9]</think>It is 7 [1].", "It is 5 [1].", "6</think>", "[assert:year=1</think>5"]
TABLE = answers(4, answer=TEXTS, fixture_id=[None, None, None, "book"])


def test_only_the_final_answer_is_graded(bench: Bench) -> None:
    made = bench.run({"a.parquet": TABLE}, {"book.json": BOOK}, graded_after="</think>")
    assert made.column("n_numbers") == [1, 1, 0, 1]
    assert made.column("n_citations") == [1, 1, 0, 0]
    assert made.column("passed") == [False, True, True, True]
    found = made.table("findings").select("answer_id", "text", "start", "end").rows()
    assert found == [("a0", "7", 19, 20)]
    assert TEXTS[0][19:20] == "7"
    whole = bench.run(truth={"book.json": BOOK})
    assert made.column("answer_digest") == whole.column("answer_digest")
    assert made.path != whole.path
    assert made.manifest["job"]["graded_after"] == "</think>"


def test_an_answer_without_the_sign_is_rejected_where_one_is_required(bench: Bench) -> None:
    made = bench.run({"a.parquet": TABLE}, graded_after="</think>", require_final_answer=True)
    assert made.rejects == [(1, "a1", "no_final_answer", None)]
    with connect(Folder(bench.out)) as views:
        assert views.execute("SELECT problem FROM rejects").fetchall() == [("no_final_answer",)]


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ({"require_final_answer": True}, "graded_after"),
        ({"graded_after": ""}, "--graded-after"),
        ({"graded_after": "x" * 201}, "at most 200"),
    ],
)
def test_a_sign_that_can_mean_nothing_is_refused(flags: dict[str, object], said: str) -> None:
    with pytest.raises(JobError, match=said):
        Job.from_flags({"answers": "a.parquet", **flags})
