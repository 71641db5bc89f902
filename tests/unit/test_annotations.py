"""Annotations of whole columns, and what becomes of them beside the truth tables."""

from typing import Any

import polars as pl
import pytest

from grounding.annotations import annotation_rows, malformed_rows
from grounding.fixtures import BookFixture, Question
from grounding.truth import Truth
from tests.property.side_by_side import (
    VERDICT_COLUMNS,
    Row,
    agreed,
    answers,
    evaluated,
    truth,
)

HARBOR = BookFixture.build(
    "harbor",
    {
        "year": ["1911"],
        "Keeper": ["Ada Lumen", "Lumen, Ada", "ADA  lumen"],
        "depth": ["7,5", "1911"],
    },
    ["fire", "Second_Keeper"],
    [
        Question("all", "?", ("Depth", "year", "keeper"), ("second_keeper", "FIRE"), ("year",)),
        Question("again", None, ("year", "YEAR", "keeper"), ("fire", "Fire"), ("depth", "depth")),
        Question("nothing"),
        Question("derived", None, inputs=("year", "depth", "keeper")),
    ],
)
LIGHT = BookFixture.build("light", {"year": ["1912"], "fire": ["none"]}, ["keeper"])
BARE = BookFixture.build("bare", {}, questions=[Question("all")])


def graded(answer: str, book: BookFixture = HARBOR, question: str | None = None) -> dict[str, Any]:
    """The verdict on one answer, among others and their books, without what is null."""
    before = Row("[assert:year=1912][input:none]", ("1912",), LIGHT)
    after = Row("[input:7,5]", (), BARE)
    verdicts = agreed([before, Row(answer, None, book, question), after]).verdicts
    verdict = zip(["row", *VERDICT_COLUMNS], verdicts[1], strict=True)
    return {name: value for name, value in verdict if value is not None}


def findings(answer: str) -> list[tuple[str, str]]:
    found = agreed([Row(answer, None, HARBOR)]).findings
    return [(kind, text) for _, kind, _, text, _, _ in found]


def claims(answer: str, book: BookFixture = HARBOR) -> list[tuple[Any, ...]]:
    rows = [Row(answer, None, book), Row("", None, LIGHT), Row("", None, HARBOR)]
    return [claim[1:] for claim in agreed(rows).claims]


def test_an_annotation_is_read_into_its_parts() -> None:
    text = "😀[Assert:Key.A= V=1:2 ][INPUT:\u3000Ａ ][unSupported:N-1][input: ][assert:é=1]"
    rows = pl.LazyFrame({"row": [3], "answer": [text], "annotated": [True], "fixture_id": ["f"]})
    got = rows.pipe(annotation_rows).collect()
    assert got.select(
        "row", "fixture_id", "kind", "id", "value", "text", "start", "end"
    ).rows() == [
        (3, "f", "assert", "key.a", "v=1:2", "[Assert:Key.A= V=1:2 ]", 1, 23),
        (3, "f", "input", None, "ａ", "[INPUT:\u3000Ａ ]", 23, 34),
        (3, "f", "unsupported", "n-1", None, "[unSupported:N-1]", 34, 51),
    ]


@pytest.mark.parametrize(
    ("answer", "stretches"),
    [
        ("[assert:a=1]", []),
        ("[assert:a=1", ["[assert:a=1"]),
        ("[assert:a=] 7]", ["[assert:a=]"]),
        ("[assert:a=\n7]", ["[assert:a="]),
        ("[input:\r\n7]", ["[input:"]),
        ("[input:x\u20281]", []),
        ("[assert:a=[1]7]", ["[assert:a="]),
        ("[assert:[assert:a=1]", ["[assert:"]),
        ("[unsupported:a b][unsupported:a]", ["[unsupported:a b]"]),
        ("[unsupported:]", ["[unsupported:]"]),
        ("[aſſert:a=1][aßert:b=2][aẞERT:c=3]", ["[aſſert:a=1]", "[aßert:b=2]", "[aẞERT:c=3]"]),
        ("[unſupported:a] [input :a] [ input:a]", ["[unſupported:a]"]),
        ("[İnput:a][ınput:a][aﬆert:a=1]", []),
        ("[input:\u3000\u2028]", ["[input:\u3000\u2028]"]),
        ("[input:\u200b]", []),
    ],
)
def test_a_malformed_annotation_ends_where_it_breaks_off(answer: str, stretches: list[str]) -> None:
    rows = pl.LazyFrame({"row": [0], "answer": [answer]})
    found = rows.pipe(malformed_rows).collect()
    assert found["text"].to_list() == stretches
    assert [answer[s:e] for s, e in found.select("start", "end").rows()] == stretches
    assert [text for kind, text in findings(answer) if kind == "malformed_annotation"] == stretches
    assert graded(answer)["response_evidence_valid"] == (not stretches)


def test_the_last_value_of_a_fact_is_kept_where_it_was_first_asserted() -> None:
    verdict = graded("[assert:b=1][assert:year=x][assert:B=2][assert:YEAR=1911]")
    wanted = [{"fact": "b", "value": "2"}, {"fact": "year", "value": "1911"}]
    assert verdict["response_claims"] == wanted
    assert not verdict["response_evidence_valid"]
    assert verdict["unsupported_claim_count"] == 1


def test_each_assertion_after_the_first_is_a_duplicate_with_the_same_value_or_not() -> None:
    assert findings("[assert:year=1911][assert:Year=1911] [assert:year=7]") == [
        ("duplicate_fact", "[assert:Year=1911]"),
        ("duplicate_fact", "[assert:year=7]"),
        ("invented_claim", "[assert:year=7]"),
    ]


def test_an_id_declared_unsupported_is_no_duplicate_of_an_assertion() -> None:
    answer = "[unsupported:year][unsupported:year][assert:year=1911]"
    assert findings(answer) == [("unknown_negative_fact", "[unsupported:year]")] * 2
    assert graded(answer)["response_evidence_valid"]
    assert graded(answer)["unsupported_fact_ids"] == ["year", "year"]
    assert graded(answer)["unsupported_claim_count"] == 2


def test_a_fact_is_graded_by_its_own_fixture() -> None:
    assert graded("[assert:year=1911]")["unsupported_claim_count"] == 0
    assert graded("[assert:year=1911]", LIGHT)["unsupported_claim_count"] == 1
    assert graded("[assert:year=1911]", BARE)["unsupported_claim_count"] == 1
    assert claims("[assert:year=1911]") == [("harbor", "year", "1911", ["1911"], True)]
    assert claims("[assert:year=1911]", LIGHT) == [("light", "year", "1911", ["1912"], False)]
    assert claims("[assert:year=1911]", BARE) == [("bare", "year", "1911", [], False)]


def test_a_negative_fact_of_one_fixture_is_a_fact_of_another() -> None:
    assert graded("[unsupported:FIRE]")["unsupported_claim_count"] == 0
    assert graded("[unsupported:FIRE]", LIGHT)["unsupported_claim_count"] == 1
    assert graded("[unsupported:Keeper]", LIGHT)["unsupported_claim_count"] == 0
    assert graded("[unsupported:Keeper]")["unsupported_claim_count"] == 1


def test_accepted_values_are_listed_as_written_and_in_order() -> None:
    accepted = ["Ada Lumen", "Lumen, Ada", "ADA  lumen"]
    assert claims("[assert:KEEPER=ada lumen]") == [
        ("harbor", "keeper", "ada lumen", accepted, True)
    ]


def test_an_input_is_known_if_any_fact_of_the_fixture_accepts_it() -> None:
    verdict = graded("[input:7,5][input:ADA LUMEN][input:1911][input:1912][input:1912]")
    assert verdict["unknown_input_count"] == 2
    assert verdict["derivation_inputs_used"] == ["7,5", "ada lumen", "1911", "1912", "1912"]
    assert verdict["passed"]
    assert graded("[input:1911]", LIGHT)["unknown_input_count"] == 1


def test_one_input_meets_every_fact_that_accepts_it() -> None:
    assert graded("[input:1911]", question="derived")["missing_inputs"] == ["keeper"]
    assert graded("[input:7,5]", question="derived")["missing_inputs"] == ["year", "keeper"]
    assert graded("[input:7.5]", question="derived")["missing_inputs"] == [
        "year",
        "depth",
        "keeper",
    ]


def test_a_question_misses_what_it_lists_in_its_own_order() -> None:
    verdict = graded("", question="all")
    assert verdict["missing_facts"] == ["depth", "year", "keeper"]
    assert verdict["missing_negative_facts"] == ["second_keeper", "fire"]
    assert verdict["missing_inputs"] == ["year"]
    assert verdict["passed"]


def test_what_a_question_lists_twice_is_missing_twice() -> None:
    verdict = graded("[unsupported:fire]", question="again")
    assert verdict["missing_facts"] == ["year", "year", "keeper"]
    assert verdict["missing_negative_facts"] == []
    assert verdict["missing_inputs"] == ["depth", "depth"]


def test_a_fact_claimed_wrongly_is_invented_and_missing() -> None:
    verdict = graded("[assert:year=1912][assert:keeper=Lumen, ADA]", question="all")
    assert verdict["unsupported_claim_count"] == 1
    assert verdict["missing_facts"] == ["depth", "year"]


def test_only_the_kept_claim_of_a_fact_meets_a_question() -> None:
    right_last = graded("[assert:year=1912][assert:year=1911]", question="all")
    assert right_last["missing_facts"] == ["depth", "keeper"]
    wrong_last = graded("[assert:year=1911][assert:year=1912]", question="all")
    assert wrong_last["missing_facts"] == ["depth", "year", "keeper"]


@pytest.mark.parametrize("name", ["missing_facts", "missing_negative_facts", "missing_inputs"])
def test_missing_is_empty_for_a_question_that_lists_nothing_and_null_without_one(name: str) -> None:
    assert graded("", question="nothing")[name] == []
    assert name not in graded("")
    assert graded("", BARE, "all")[name] == []


def test_a_fixture_without_questions_asks_none() -> None:
    assert "missing_facts" not in graded("[assert:year=1912]", LIGHT, "all")


def test_truth_tables_may_be_empty_one_by_one() -> None:
    row = Row("[assert:year=1911][unsupported:fire][input:1911]", None, HARBOR, "all")
    whole = truth([HARBOR])
    for missing, count, unknown in (
        ({"facts": whole.facts.clear()}, 1, 1),
        ({"negative_facts": whole.negative_facts.clear()}, 1, 0),
        ({"questions": whole.questions.clear()}, 0, 0),
    ):
        tables: Truth = whole._replace(**missing)
        verdict = evaluated(answers([row]), tables).verdicts.row(0, named=True)
        assert verdict["unsupported_claim_count"] == count
        assert verdict["unknown_input_count"] == unknown
        assert (verdict["missing_facts"] is None) == ("questions" in missing)
