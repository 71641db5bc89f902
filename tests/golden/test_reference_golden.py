"""The reference gives every golden case the verdict that it must get."""

import filecmp
from pathlib import Path
from typing import Any

import pytest

from grounding.reference import build_book_response_evidence, findings, grade, verify
from grounding.reference.causes import explained
from tests.golden.golden_cases import CASES, COUNTS, cases, each, golden_book

SHARED = Path(__file__).parents[3] / "shared" / "golden"

Case = dict[str, Any]


@pytest.mark.parametrize("name", COUNTS)
def test_no_case_is_lost(name: str) -> None:
    assert len(cases(name)) == COUNTS[name]


@pytest.mark.skipif(not SHARED.exists(), reason="the agreed cases do not lie beside this checkout")
@pytest.mark.parametrize("name", COUNTS)
def test_the_copies_are_the_agreed_cases(name: str) -> None:
    assert filecmp.cmp(CASES / f"{name}.jsonl", SHARED / f"{name}.jsonl", shallow=False)


@pytest.mark.parametrize("case", each("grounding"))
def test_grounding(case: Case) -> None:
    wanted = {key: value for key, value in case.items() if key not in ("answer", "evidence")}
    assert verify(case["answer"], case["evidence"]).to_dict() == wanted


@pytest.mark.parametrize("case", each("reports"))
def test_cases_from_reports_of_real_failures(case: Case) -> None:
    got = verify(case["answer"], case["evidence"]).to_dict()
    assert got["unsupported_numbers"] == case["unsupported_numbers"]
    assert got["invalid_citations"] == case["invalid_citations"]


@pytest.mark.parametrize("case", each("annotations"))
def test_annotations(case: Case) -> None:
    kinds = {finding.kind for finding in findings(case["response"], None, golden_book())}
    assert ("malformed_annotation" in kinds) == case["malformed"]
    assert ("duplicate_fact" in kinds) == case["duplicate"]

    evidence = build_book_response_evidence(case["response"], golden_book())
    assert evidence["current_assertions"] == evidence["response_claims"]
    assert evidence["book_response_evidence_valid"] == case["response_evidence_valid"]
    assert evidence["response_claims"] == case["response_claims"]
    assert evidence["unsupported_fact_ids"] == tuple(case["unsupported_fact_ids"])
    assert evidence["unsupported_claim_count"] == case["unsupported_claim_count"]
    assert evidence["derivation_inputs_used"] == tuple(case["derivation_inputs_used"])


@pytest.mark.parametrize("case", each("both"))
def test_both_checks_on_one_answer(case: Case) -> None:
    book = golden_book() if case["fixture"] else None
    got = grade(case["answer"], case["evidence"], book).to_dict()
    wanted = {key: case[key] for key in case if key not in ("answer", "evidence", "fixture")}
    assert {key: got[key] for key in wanted} == wanted


@pytest.mark.parametrize("case", each("causes"))
def test_causes(case: Case) -> None:
    got = [each._asdict() for each in explained(case["answer"], case["evidence"])]
    assert [each.pop("causes")[0] for each in got] == [each["cause"] for each in got]
    assert got == case["findings"]
