"""The meaning of a verdict, one answer at a time, in plain Python.

What the tests hold the vectorised code against, and what explains a single answer. It is written
to be read aloud; no module that works on columns is imported here, and none of them imports this.

An answer may only restate its evidence. A number is supported when a passage holds the same
token, code point for code point: never parsed, never normalised. A claim in an annotation is
supported when its truth table accepts the value.
"""

from collections.abc import Iterable, Mapping, Set
from dataclasses import replace
from functools import cache
from types import MappingProxyType

from grounding.fixtures import BookFixture, load_book_fixture
from grounding.reference.reports import AnswerReport, Claim, Finding, GroundingReport
from grounding.reference.spans import (
    Annotation,
    Span,
    annotations_in,
    citation_spans,
    citation_value,
    citations_in,
    is_malformed,
    malformed_spans,
    number_spans,
    numbers_in,
)

__all__ = [
    "AnswerReport",
    "Claim",
    "Finding",
    "GroundingReport",
    "annotations_in",
    "build_book_response_evidence",
    "citations_in",
    "findings",
    "grade",
    "numbers_in",
    "verify",
]


def verify(answer: str, evidence_texts: Iterable[str]) -> GroundingReport:
    """Whether every number and every citation of an answer can be traced back to its evidence.

    `[n]` in the answer points at the n-th of `evidence_texts`.

    >>> verify("75 mg [1]", ["Take 7,5 mg."]).unsupported_numbers
    ('75',)
    """
    text = _answer(answer)
    return _grounding(number_spans(text), citation_spans(text), _passages(evidence_texts))


def build_book_response_evidence(
    response: str, fixture: BookFixture | None = None
) -> Mapping[str, object]:
    """What a response declares in its annotations, graded against a fixture (the bundled book).

    >>> build_book_response_evidence("[assert:nobody=1]")["unsupported_claim_count"]
    1
    """
    report = grade(response, None, _bundled_book() if fixture is None else fixture)
    claims = MappingProxyType(dict(report.response_claims or ()))
    return MappingProxyType(
        {
            "book_response_evidence_valid": report.response_evidence_valid,
            "response_claims": claims,
            "current_assertions": claims,
            "unsupported_fact_ids": report.unsupported_fact_ids,
            "unsupported_claim_count": report.unsupported_claim_count,
            "derivation_inputs_used": report.derivation_inputs_used,
        }
    )


def grade(
    answer: str,
    evidence: Iterable[str] | None,
    fixture: BookFixture | None = None,
    question_id: str | None = None,
    graded_after: str | None = None,
) -> AnswerReport:
    """Every check that an answer allows: grounding with evidence, annotations with a fixture.

    Without a fixture, annotations are prose like any other, and the numbers in them count. With
    `graded_after`, only the text after its last occurrence is graded, and all of it where it does
    not occur.

    >>> grade("It was [assert:founding.year=1911] 1911.", ["founded in 1911"]).n_numbers
    2
    """
    text = _final(_answer(answer), graded_after)
    if evidence is None and fixture is None:
        raise ValueError("nothing to grade against: wanted evidence, a fixture, or both")
    annotations = annotations_in(text) if fixture is not None else ()
    report = AnswerReport()
    if evidence is not None:
        report = _with_grounding(report, text, annotations, _passages(evidence))
    if fixture is not None:
        report = _with_annotations(report, text, annotations, fixture)
        if question_id is not None:
            report = _with_missing(report, annotations, fixture, question_id)
    refused = report.grounded is False or report.response_evidence_valid is False
    return replace(report, passed=not refused and not report.unsupported_claim_count)


def findings(
    answer: str,
    evidence: Iterable[str] | None,
    fixture: BookFixture | None = None,
    graded_after: str | None = None,
) -> tuple[Finding, ...]:
    """Every defect of an answer, and its unknown inputs, by place and then kind.

    `graded_after` is as in `grade`; the places are those of the whole answer.

    >>> [(f.kind, f.text) for f in findings("7.5 mg [2]", ["7,5 mg"])]
    [('ungrounded_number', '7.5'), ('invalid_citation', '[2]')]
    """
    text = _final(_answer(answer), graded_after)
    skipped = len(answer) - len(text)
    annotations = annotations_in(text) if fixture is not None else ()
    found: dict[str, list[Span]] = {}
    if evidence is not None:
        passages = _passages(evidence)
        found["ungrounded_number"] = _unsupported(number_spans(text, annotations), passages)
        found["invalid_citation"] = _invalid(citation_spans(text), passages)
    if fixture is not None:
        found["malformed_annotation"] = malformed_spans(text, annotations)
        found["duplicate_fact"] = _places(_duplicates(annotations))
        found["invented_claim"] = _places(_invented(annotations, fixture))
        found["unknown_negative_fact"] = _places(_unknown_negative_facts(annotations, fixture))
        found["unknown_input"] = _places(_unknown_inputs(annotations, fixture))
    return tuple(
        sorted(
            Finding(
                span.start + skipped, span.end + skipped, kind, kind != "unknown_input", span.text
            )
            for kind, spans in found.items()
            for span in spans
        )
    )


@cache
def _bundled_book() -> BookFixture:
    return load_book_fixture()


def _grounding(
    numbers: tuple[Span, ...], markers: tuple[Span, ...], passages: tuple[str, ...]
) -> GroundingReport:
    unsupported = tuple(number.text for number in _unsupported(numbers, passages))
    invalid = tuple(citation_value(marker) for marker in _invalid(markers, passages))
    valid = {citation_value(marker) for marker in markers}.difference(invalid)
    reason = "ungrounded_number" if unsupported else "invalid_citation" if invalid else "grounded"
    return GroundingReport(
        grounded=reason == "grounded",
        reason=reason,
        unsupported_numbers=unsupported,
        invalid_citations=invalid,
        cited_indices=tuple(sorted(valid)),
    )


def _unsupported(numbers: tuple[Span, ...], passages: tuple[str, ...]) -> list[Span]:
    """The numbers that no passage holds as a token."""
    evidence = {number for passage in passages for number in numbers_in(passage)}
    return [number for number in numbers if number.text not in evidence]


def _invalid(markers: tuple[Span, ...], passages: tuple[str, ...]) -> list[Span]:
    """The markers that point at no passage."""
    return [marker for marker in markers if not 1 <= citation_value(marker) <= len(passages)]


def _duplicates(annotations: tuple[Annotation, ...]) -> list[Annotation]:
    """Each assertion of a fact that was asserted before, with the same value or not."""
    first = {a.id: a.span.start for a in reversed(annotations) if a.kind == "assert"}
    return [a for a in annotations if a.kind == "assert" and a.span.start > first[a.id]]


def _kept(annotations: tuple[Annotation, ...]) -> list[Annotation]:
    """The last assertion of each fact, in the order in which facts are first asserted."""
    return list({a.id: a for a in annotations if a.kind == "assert"}.values())


def _accepted(claim: Annotation, fixture: BookFixture) -> bool:
    """Whether the fixture accepts the value of a claim; of an unknown fact it accepts none."""
    return claim.value in fixture.accepted.get(claim.id, ())


def _invented(annotations: tuple[Annotation, ...], fixture: BookFixture) -> list[Annotation]:
    """The kept claims whose value the fixture does not accept for that fact."""
    return [claim for claim in _kept(annotations) if not _accepted(claim, fixture)]


def _unknown_negative_facts(
    annotations: tuple[Annotation, ...], fixture: BookFixture
) -> list[Annotation]:
    """The unsupported ids, repeats counted, that are no negative fact of the fixture."""
    known = fixture.negative_facts
    return [a for a in annotations if a.kind == "unsupported" and a.id not in known]


def _unknown_inputs(annotations: tuple[Annotation, ...], fixture: BookFixture) -> list[Annotation]:
    """The inputs that are an accepted value of no fact."""
    known = {value for values in fixture.accepted.values() for value in values}
    return [a for a in annotations if a.kind == "input" and a.value not in known]


def _places(annotations: list[Annotation]) -> list[Span]:
    return [annotation.span for annotation in annotations]


def _with_grounding(
    report: AnswerReport,
    text: str,
    annotations: tuple[Annotation, ...],
    passages: tuple[str, ...],
) -> AnswerReport:
    numbers, markers = number_spans(text, annotations), citation_spans(text)
    grounding = _grounding(numbers, markers, passages)
    return replace(
        report,
        n_passages=len(passages),
        n_numbers=len(numbers),
        n_citations=len(markers),
        grounded=grounding.grounded,
        reason=grounding.reason,
        unsupported_numbers=grounding.unsupported_numbers,
        invalid_citations=grounding.invalid_citations,
        cited_indices=grounding.cited_indices,
        n_unsupported_numbers=len(grounding.unsupported_numbers),
        n_invalid_citations=len(grounding.invalid_citations),
    )


def _with_annotations(
    report: AnswerReport, text: str, annotations: tuple[Annotation, ...], fixture: BookFixture
) -> AnswerReport:
    invented = _invented(annotations, fixture)
    unknown = _unknown_negative_facts(annotations, fixture)
    return replace(
        report,
        n_annotations=len(annotations),
        response_evidence_valid=not (is_malformed(text, annotations) or _duplicates(annotations)),
        response_claims=tuple(Claim(claim.id, claim.value) for claim in _kept(annotations)),
        unsupported_fact_ids=tuple(a.id for a in annotations if a.kind == "unsupported"),
        unsupported_claim_count=len(invented) + len(unknown),
        derivation_inputs_used=tuple(a.value for a in annotations if a.kind == "input"),
        unknown_input_count=len(_unknown_inputs(annotations, fixture)),
    )


def _with_missing(
    report: AnswerReport,
    annotations: tuple[Annotation, ...],
    fixture: BookFixture,
    question_id: str,
) -> AnswerReport:
    question = fixture.question(question_id)
    accepted = {a.id for a in _kept(annotations) if _accepted(a, fixture)}
    declared = {a.id for a in annotations if a.kind == "unsupported"}
    used = {a.value for a in annotations if a.kind == "input"}
    return replace(
        report,
        missing_facts=tuple(f for f in question.facts if f not in accepted),
        missing_negative_facts=tuple(n for n in question.negative_facts if n not in declared),
        missing_inputs=tuple(f for f in question.inputs if used.isdisjoint(fixture.accepted[f])),
    )


def _answer(answer: str) -> str:
    if not isinstance(answer, str):
        raise TypeError(f"the answer is of type {type(answer).__name__}; wanted a str")
    return answer


def _final(answer: str, graded_after: str | None) -> str:
    """The part of an answer that is graded."""
    return answer if graded_after is None else answer.rpartition(graded_after)[2]


def _passages(evidence_texts: Iterable[str]) -> tuple[str, ...]:
    """The passages in citation order. One string is refused: its letters would be the passages."""
    if isinstance(evidence_texts, str | bytes | Mapping | Set):
        kind = type(evidence_texts).__name__
        raise TypeError(f"the evidence is of type {kind}; wanted a list of str, in citation order")
    passages = tuple(evidence_texts)
    for position, passage in enumerate(passages, start=1):
        if not isinstance(passage, str):
            kind = type(passage).__name__
            raise TypeError(f"passage {position} of the evidence is of type {kind}; wanted a str")
    return passages
