"""The reference says what is wrong with an answer, where, and in reports that nobody can change."""

import json
import pickle
import random
from collections.abc import Mapping
from dataclasses import FrozenInstanceError, fields
from typing import Any

import pytest

from grounding.errors import InputError
from grounding.fixtures import BookFixture, Question
from grounding.reference import build_book_response_evidence, findings, grade, verify
from grounding.reference.reports import AnswerReport, Claim, Finding, GroundingReport

BOOK = BookFixture.build(
    "harbor",
    {"Year": ["1911"], "keeper": ["Ada Lumen", "Lumen, Ada"], "depth": ["7,5"]},
    ["Fire", "flood"],
    [Question("q1", "When?", ("depth", "YEAR", "keeper"), ("flood", "fire"), ("year", "depth"))],
)

NAMES = (
    "n_passages n_numbers n_citations grounded reason unsupported_numbers invalid_citations "
    "cited_indices n_unsupported_numbers n_invalid_citations n_annotations "
    "response_evidence_valid response_claims unsupported_fact_ids unsupported_claim_count "
    "derivation_inputs_used unknown_input_count missing_facts missing_negative_facts "
    "missing_inputs passed"
)
COLUMNS = NAMES.split()

PIECES = [
    *("1", "7,5", "7.5", "23", " ", "\n", "x", "[1]", "[2]", "[9]", "[0]", "[", "]"),
    *("[assert:year=1911]", "[assert:YEAR=x]", "[assert:nobody=1]", "[assert:", "[a\xdfert:y]"),
    *("[unsupported:fire]", "[unsupported:ice]", "[input:7,5]", "[input:8]", "[input:]"),
]


def random_answer() -> str:
    return "".join(random.choices(PIECES, k=random.randint(0, 10)))


def marked(answer: str, **grading: Any) -> list[tuple[str, str]]:
    return [(f.kind, f.text) for f in findings(answer, grading.pop("evidence", None), **grading)]


# Grounding


@pytest.mark.parametrize("evidence", ["1911", b"1911", {"1911": 1}, {"1911"}, frozenset({"1"})])
def test_evidence_that_is_no_sequence_of_passages_is_refused(evidence: Any) -> None:
    for graded in (verify, grade, findings):
        with pytest.raises(TypeError, match="wanted a list of str, in citation order"):
            graded("1911", evidence)


@pytest.mark.parametrize("passage", [None, 1911, b"1911", ["1911"]])
def test_a_passage_that_is_no_str_is_refused_with_its_position(passage: Any) -> None:
    with pytest.raises(TypeError, match="passage 2 of the evidence is of type"):
        verify("1911", ["", passage])


def test_an_answer_that_is_no_str_is_refused() -> None:
    answer: Any = None
    for graded in (verify, grade, findings):
        with pytest.raises(TypeError, match="the answer is of type NoneType"):
            graded(answer, ["1"])


def test_passages_may_come_as_any_ordered_iterable() -> None:
    for evidence in (["a", "1"], ("a", "1"), iter(["a", "1"])):
        assert verify("1 [2]", evidence).cited_indices == (2,)


def test_a_refused_number_is_the_reason_before_a_refused_citation() -> None:
    report = verify("5 [3] [0] [1] [1]", ["6"])
    assert (report.grounded, report.reason) == (False, "ungrounded_number")
    assert (report.invalid_citations, report.cited_indices) == ((3, 0), (1,))
    assert verify("6 [3]", ["6"]).reason == "invalid_citation"


def test_more_evidence_never_makes_a_number_unsupported() -> None:
    for _ in range(500):
        answer, evidence = random_answer(), [random_answer() for _ in range(3)]
        fewer, more = verify(answer, evidence[:1]), verify(answer, evidence)
        assert set(more.unsupported_numbers) <= set(fewer.unsupported_numbers)
        assert set(more.invalid_citations) <= set(fewer.invalid_citations)


def test_ten_thousand_citations_and_a_long_answer_are_read() -> None:
    report = verify("[1] 2 " * 10_000 + "x" * 10**6, ["2"])
    assert report.grounded
    assert report.cited_indices == (1,)


def test_huge_citation_values_are_exact_and_can_be_printed_and_sent() -> None:
    report = verify(f"[{'9' * 5000}]", ["a"])
    assert report.invalid_citations == (10**5000 - 1,)
    assert f"invalid_citations=({'9' * 5000},)" in repr(report)
    assert json.loads(report.to_json())["invalid_citations"] == ["9" * 5000]
    assert report == verify(f"[00{'9' * 5000}]", ["a"])
    assert hash(report) == hash(pickle.loads(pickle.dumps(report)))  # noqa: S301 (our own bytes)
    graded = grade(f"[{'9' * 5000}]", ["a"])
    assert "9" * 5000 in repr(graded)
    assert json.loads(graded.to_json())["invalid_citations"] == ["9" * 5000]


# Annotations


def test_without_a_fixture_annotations_are_prose() -> None:
    answer = "[assert:depth=7,5] [assert:x=8"
    assert grade(answer, ["9"]).unsupported_numbers == ("7,5", "8")
    assert grade(answer, ["9"], BOOK).unsupported_numbers == ("8",)
    assert grade(answer, ["9"]).n_annotations is None
    assert marked(answer, evidence=["7,5 8"]) == []


def test_what_did_not_run_is_none_and_does_not_refuse() -> None:
    grounding, annotations, missing = COLUMNS[:10], COLUMNS[10:17], COLUMNS[17:20]
    only_grounding = grade("1", ["1"]).to_dict()
    only_annotations = grade("1", None, BOOK).to_dict()
    assert {only_grounding[name] for name in annotations + missing} == {None}
    assert {only_annotations[name] for name in grounding + missing} == {None}
    assert None not in [only_grounding[name] for name in grounding]
    assert None not in [only_annotations[name] for name in annotations]
    assert only_grounding["passed"] is only_annotations["passed"] is True
    with pytest.raises(ValueError, match="nothing to grade against"):
        grade("1", None)


def test_the_report_has_the_columns_of_a_verdict_in_order() -> None:
    assert [field.name for field in fields(AnswerReport)] == COLUMNS
    assert list(grade("", []).to_dict()) == COLUMNS


@pytest.mark.parametrize(
    ("answer", "passed"),
    [
        ("1911 [1] [assert:year=1911]", True),
        ("1912 [assert:year=1911]", False),
        ("[2] [assert:year=1911]", False),
        ("1911 [assert:year=1912]", False),
        ("1911 [unsupported:ice]", False),
        ("1911 [assert:year=1911][assert:year=1911]", False),
        ("1911 [assert:", False),
        ("1911 [input:1912]", True),
        ("", True),
    ],
)
def test_an_answer_passes_if_every_check_that_ran_came_out_well(answer: str, passed: bool) -> None:
    assert grade(answer, ["1911"], BOOK).passed is passed


def test_claims_stand_in_order_of_first_assertion_with_their_last_value() -> None:
    report = grade("[assert:b=1] [assert:YEAR=1911] [assert:B=2]", None, BOOK)
    assert report.response_claims == (Claim("b", "2"), Claim("year", "1911"))
    assert report.to_dict()["response_claims"] == [
        {"fact": "b", "value": "2"},
        {"fact": "year", "value": "1911"},
    ]


def test_findings_name_every_duplicate_but_only_the_kept_claim() -> None:
    answer = "[assert:year=1] [assert:Year=2] [assert:keeper=Ada Lumen] [assert:YEAR=3]"
    assert marked(answer, fixture=BOOK) == [
        ("duplicate_fact", "[assert:Year=2]"),
        ("duplicate_fact", "[assert:YEAR=3]"),
        ("invented_claim", "[assert:YEAR=3]"),
    ]
    assert marked("[assert:year=1][assert:year=1911]", fixture=BOOK) == [
        ("duplicate_fact", "[assert:year=1911]")
    ]


def test_findings_of_every_kind_by_place() -> None:
    answer = "8 [7] [a\xdfert:y] [unsupported:ice] [input:9] [assert:no=1] [assert:NO=1]"
    assert findings(answer, ["x"], BOOK) == (
        Finding(0, 1, "ungrounded_number", True, "8"),
        Finding(2, 5, "invalid_citation", True, "[7]"),
        Finding(6, 15, "malformed_annotation", True, "[a\xdfert:y]"),
        Finding(16, 33, "unknown_negative_fact", True, "[unsupported:ice]"),
        Finding(34, 43, "unknown_input", False, "[input:9]"),
        Finding(58, 71, "duplicate_fact", True, "[assert:NO=1]"),
        Finding(58, 71, "invented_claim", True, "[assert:NO=1]"),
    )


def test_the_counts_of_a_report_are_its_findings() -> None:
    for _ in range(3000):
        answer, evidence = random_answer(), [random_answer()]
        report, found = grade(answer, evidence, BOOK), findings(answer, evidence, BOOK)
        kinds = [finding.kind for finding in found]
        assert report.n_unsupported_numbers == kinds.count("ungrounded_number")
        assert report.n_invalid_citations == kinds.count("invalid_citation")
        broken = kinds.count("malformed_annotation") + kinds.count("duplicate_fact")
        assert report.response_evidence_valid == (broken == 0)
        invented = kinds.count("invented_claim") + kinds.count("unknown_negative_fact")
        assert report.unsupported_claim_count == invented
        assert report.unknown_input_count == kinds.count("unknown_input")
        assert report.passed == (not any(finding.refusal for finding in found)), ascii(answer)
        assert list(found) == sorted(found, key=lambda f: (f.start, f.end, f.kind))
        assert all(answer[f.start : f.end] == f.text for f in found)


def test_what_a_question_wants_and_the_answer_lacks_is_in_the_order_of_the_question() -> None:
    nothing = grade("", None, BOOK, "q1")
    assert nothing.missing_facts == ("depth", "year", "keeper")
    assert nothing.missing_negative_facts == ("flood", "fire")
    assert nothing.missing_inputs == ("year", "depth")
    some = grade("[assert:year=1911] [unsupported:FIRE] [input:7,5]", None, BOOK, "q1")
    assert some.missing_facts == ("depth", "keeper")
    assert some.missing_negative_facts == ("flood",)
    assert some.missing_inputs == ("year",)
    assert nothing.passed is some.passed is True


def test_a_fact_is_missing_unless_its_kept_claim_is_accepted() -> None:
    for answer in ("[assert:year=1912]", "[assert:year=1911][assert:year=1912]", "1911"):
        assert "year" in (grade(answer, None, BOOK, "q1").missing_facts or ())
    last = grade("[assert:year=1912][assert:year=1911]", None, BOOK, "q1")
    assert last.missing_facts == ("depth", "keeper")


def test_any_accepted_value_meets_an_input() -> None:
    asks = BookFixture.build(
        "b", {"k": ["Ada Lumen", "Lumen, Ada"]}, (), [Question("q", inputs=("K",))]
    )
    assert grade("[input:LUMEN,  ada]", None, asks, "q").missing_inputs == ()
    assert grade("[input:Ada]", None, asks, "q").missing_inputs == ("k",)


def test_an_unknown_question_is_refused() -> None:
    with pytest.raises(InputError, match="has no question 'q9', but q1"):
        grade("", None, BOOK, "q9")
    assert grade("", [""], None, "q9").missing_facts is None


def test_without_a_fixture_the_bundled_book_is_the_truth() -> None:
    evidence = build_book_response_evidence("[assert:Founding.Year=1911] [unsupported:nothing]")
    assert evidence["response_claims"] == {"founding.year": "1911"}
    assert evidence["unsupported_claim_count"] == 1


# Reports


def test_nothing_in_a_result_can_be_changed() -> None:
    report = verify("1 [2]", ["1"])
    with pytest.raises(FrozenInstanceError):
        report.grounded = True  # type: ignore[misc]  # the point of the test
    values = [getattr(report, field.name) for field in fields(report)]
    assert all(isinstance(value, bool | str | tuple) for value in values)
    evidence: Any = build_book_response_evidence("[assert:a=1]", BOOK)
    with pytest.raises(TypeError):
        evidence["response_claims"] = {}
    with pytest.raises(TypeError):
        evidence["response_claims"]["a"] = "2"
    assert isinstance(evidence, Mapping)
    assert isinstance(evidence["unsupported_fact_ids"], tuple)


def test_reports_are_equal_by_value_and_survive_a_pickle() -> None:
    for report in (verify("1", []), grade("[assert:a=1]", [], BOOK), *findings("1", [])):
        assert pickle.loads(pickle.dumps(report)) == report  # noqa: S301 (our own bytes)


def test_a_lone_surrogate_in_an_answer_can_be_sent_as_json() -> None:
    report = grade("[assert:a=\ud800]", None, BOOK)
    assert json.loads(report.to_json())["response_claims"] == [{"fact": "a", "value": "\ud800"}]


def test_a_grounding_report_has_the_agreed_fields_and_no_other() -> None:
    assert [field.name for field in fields(GroundingReport)] == [
        "grounded",
        "reason",
        "unsupported_numbers",
        "invalid_citations",
        "cited_indices",
    ]
