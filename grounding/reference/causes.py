"""Why a number or a citation was refused, one answer at a time, in plain Python.

The verdict never bends; a refusal is explained (SPEC §3). The causes are one table of three
families: the place of a number in its answer, a key that it shares with a number of the evidence,
and a pair of such numbers that it can be worked out from.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from grounding.causetable import NUMBER_CAUSES
from grounding.reference.items import Item
from grounding.reference.keys import Evidence
from grounding.reference.places import SPAN, Answer, counts_from_zero, indices_and_links
from grounding.reference.spans import (
    Span,
    annotations_in,
    citation_spans,
    citation_value,
    number_spans,
    numbers_in,
)


class Explained(NamedTuple):
    """A refused number or an invalid citation, `answer[start:end] == text`, and why.

    `causes` holds all that hold, `cause` is the first. `nearest` is the stretch of evidence that
    it was compared with, as written, and `passage` where that stands, counted from 1.
    """

    kind: str
    text: str
    start: int
    end: int
    cause: str
    causes: tuple[str, ...]
    nearest: str | None
    passage: int | None


def explained(
    answer: str,
    evidence: Sequence[str],
    *,
    question: str | None = None,
    annotated: bool = False,
    graded_after: str | None = None,
) -> tuple[Explained, ...]:
    """Every refused number and invalid citation of an answer, in its order, explained.

    In: `question`, as the answer has one; `annotated`, whether annotations are graded, so that
    well-formed ones are no text; `graded_after` as in `grade`.

    >>> [(e.text, e.cause, e.nearest) for e in explained("75 mg [2]", ["7,5 mg"])]
    [('75', 'separator_dropped', '7,5'), ('[2]', 'beyond_evidence', None)]
    """
    text = answer if graded_after is None else answer.rpartition(graded_after)[2]
    skipped, passages = len(answer) - len(text), tuple(evidence)
    if annotated:
        text = _without_annotations(text)
    found = [*_numbers(text, passages, question), *_citations(text, passages)]
    shifted = [each._replace(start=each.start + skipped, end=each.end + skipped) for each in found]
    return tuple(sorted(shifted, key=lambda each: each.start))


def _without_annotations(text: str) -> str:
    """The text with blanks for each well-formed annotation, so that places stay."""
    pieces, at = [], 0
    for annotation in annotations_in(text):
        pieces += [text[at : annotation.span.start], " " * len(annotation.span.text)]
        at = annotation.span.end
    return "".join([*pieces, text[at:]])


def _numbers(text: str, passages: tuple[str, ...], question: str | None) -> list[Explained]:
    supported = {number for passage in passages for number in numbers_in(passage)}
    numbers = number_spans(text)
    refused = [number for number in numbers if number.text not in supported]
    if not refused:
        return []
    whole = Answer(text, numbers, len(passages), question)
    places = {name: find(whole) for name, find in SPAN.items()}
    seen = Evidence(passages)
    found = []
    for number in refused:
        nearest: dict[str, Item | None] = {}
        for cause in NUMBER_CAUSES:
            if cause.family == "SPAN" and number.start in places[cause.name]:
                nearest[cause.name] = None
            elif item := seen.nearest(cause.name, number.text):
                nearest[cause.name] = item
        found.append(_explained("ungrounded_number", number, nearest or {"absent": None}))
    return found


def _citations(text: str, passages: tuple[str, ...]) -> list[Explained]:
    markers = citation_spans(text)
    invalid = [m for m in markers if not 1 <= citation_value(m) <= len(passages)]
    elsewhere = indices_and_links(text, markers)
    shifted = bool(markers) and counts_from_zero(markers, len(passages))
    found = []
    for marker in invalid:
        holds = {"code_or_link": marker.start in elsewhere, "zero_based": shifted}
        causes = {name: None for name, held in holds.items() if held}
        found.append(_explained("invalid_citation", marker, causes or {"beyond_evidence": None}))
    return found


def _explained(kind: str, span: Span, nearest: Mapping[str, Item | None]) -> Explained:
    causes = tuple(nearest)
    item = nearest[causes[0]]
    compared = (None, None) if item is None else (item.text, item.passage)
    return Explained(kind, *span, causes[0], causes, *compared)
