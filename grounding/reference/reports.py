"""What grading one answer gives back: immutable, comparable, printable, and JSON.

A cited value may have thousands of digits, which a JSON reader would round or refuse, so it is
spelled as a string there.
"""

import json
from dataclasses import dataclass, fields
from typing import NamedTuple


class Claim(NamedTuple):
    """A fact that an answer asserts (folded id), with the last value that it gave (normalised)."""

    fact: str
    value: str


class _Report:
    """The JSON side of a report."""

    __slots__ = ()

    def to_dict(self) -> dict[str, object]:
        """The fields as JSON types."""
        names = [field.name for field in fields(self)]  # type: ignore[arg-type]  # a dataclass below
        return {name: _plain(name, getattr(self, name)) for name in names}

    def to_json(self) -> str:
        """The fields as one line of ASCII JSON."""
        return json.dumps(self.to_dict())


def _plain(name: str, value: object) -> object:
    if not isinstance(value, tuple):
        return value
    if name == "invalid_citations":
        return [str(number) for number in value]
    return [part._asdict() if isinstance(part, Claim) else part for part in value]


@dataclass(frozen=True, slots=True)
class GroundingReport(_Report):
    """Whether an answer can be traced back to its evidence (rule `strict/1`)."""

    grounded: bool
    """No unsupported number and no invalid citation."""

    reason: str
    """ungrounded_number, else invalid_citation, else grounded."""

    unsupported_numbers: tuple[str, ...]
    """The answer's number tokens that no passage holds, in order, repeats kept."""

    invalid_citations: tuple[int, ...]
    """The cited values that are no passage, in order, repeats kept."""

    cited_indices: tuple[int, ...]
    """The distinct valid cited values, ascending: passage n is the n-th text of the evidence."""


@dataclass(frozen=True, slots=True, order=True)
class Finding(_Report):
    """One defect of an answer, or one advice (`refusal` false): `answer[start:end] == text`."""

    start: int
    end: int
    kind: str
    refusal: bool
    text: str


@dataclass(frozen=True, slots=True)
class AnswerReport(_Report):
    """The columns of a verdict. Those of a check that did not run are None."""

    n_passages: int | None = None
    n_numbers: int | None = None
    n_citations: int | None = None
    grounded: bool | None = None
    reason: str | None = None
    unsupported_numbers: tuple[str, ...] | None = None
    invalid_citations: tuple[int, ...] | None = None
    cited_indices: tuple[int, ...] | None = None
    n_unsupported_numbers: int | None = None
    n_invalid_citations: int | None = None
    n_annotations: int | None = None
    response_evidence_valid: bool | None = None
    response_claims: tuple[Claim, ...] | None = None
    unsupported_fact_ids: tuple[str, ...] | None = None
    unsupported_claim_count: int | None = None
    derivation_inputs_used: tuple[str, ...] | None = None
    unknown_input_count: int | None = None
    missing_facts: tuple[str, ...] | None = None
    missing_negative_facts: tuple[str, ...] | None = None
    missing_inputs: tuple[str, ...] | None = None
    passed: bool = False
