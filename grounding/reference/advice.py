"""What a reader should know of numbers that the rule let pass. No verdict depends on it.

The rule compares number tokens and nothing around them. The advice looks around: whether a
supported number stands in the evidence with the same unit, whether the passages that hold it are
those that are cited, and what the rule could not read.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from grounding.reference.offers import is_compatible, offered, stated_scales
from grounding.reference.qualifiers import Occurrence, Qualifiers, occurrences
from grounding.reference.spans import (
    Span,
    annotations_in,
    citation_spans,
    citation_value,
    number_spans,
    numbers_in,
)
from grounding.reference.texts import Reading, reading
from grounding.reference.unread import unread_stretches
from grounding.units import UnitTable, shipped_units

_LINE_END = re.compile("[\r\n]")
_WITHIN_A_RUN = re.compile("[\\s,;]*")


class Advised(NamedTuple):
    """One advice: `answer[start:end] == text`."""

    start: int
    end: int
    kind: str
    text: str
    nearest: str | None = None
    """The evidence that it was compared with, as written."""
    passage: int | None = None
    """Where that stands, or the number itself, counted from 1."""


class Trace(NamedTuple):
    """One number token of an answer, and the passages that hold it."""

    start: int
    end: int
    text: str
    supported: bool
    passages: tuple[int, ...]
    cited: bool | None
    """Whether one of the passages is cited; None where the answer cites nothing."""


@dataclass(frozen=True, slots=True)
class Advice:
    """All advice on one answer."""

    findings: tuple[Advised, ...]
    """By place, then kind."""
    traces: tuple[Trace, ...]
    """By place."""
    grounded_in_cited: bool | None
    """The verdict against the cited passages alone; None where nothing is cited."""
    n_evidence_numbers: int | None
    """Distinct numbers of the evidence; None where the answer has none to be found there."""

    def count(self, kind: str) -> int:
        """How many findings are of a kind."""
        return sum(finding.kind == kind for finding in self.findings)


def advised(
    answer: str,
    evidence: Iterable[str],
    *,
    annotated: bool = False,
    units: UnitTable | None = None,
) -> Advice:
    """What a reader should know of the numbers of an answer, passed or not.

    `annotated` says that well-formed annotations are graded on their own: they are no text then.

    >>> [f[2:] for f in advised("Take 5 mg [1].", ["Take 5 g."]).findings]
    [('qualifier_mismatch', '5 mg', '5 g', 1)]
    """
    units = shipped_units() if units is None else units
    passages = tuple(evidence)
    annotations = annotations_in(answer) if annotated else ()
    markers = citation_spans(answer)
    cited = {citation_value(marker) for marker in markers}.intersection(range(1, len(passages) + 1))
    traces = _traces(number_spans(answer, annotations), passages, cited if markers else None)
    read = reading(answer, annotations)
    texts = [reading(passage, evidence=True) for passage in passages]
    findings = [
        *_mismatches(read, texts, units),
        *_unread(read, texts),
        *(
            Advised(t.start, t.end, "supported_but_not_cited", t.text, passage=t.passages[0])
            for t in traces
            if t.supported and t.cited is False
        ),
        *_not_in_nearest(answer, traces, markers),
    ]
    all_valid = all(citation_value(marker) in cited for marker in markers)
    known = {number for passage in passages for number in numbers_in(passage)}
    return Advice(
        findings=tuple(sorted(findings, key=lambda finding: finding[:3])),
        traces=traces,
        grounded_in_cited=all_valid and all(t.cited for t in traces) if markers else None,
        n_evidence_numbers=len(known) if traces else None,
    )


def _traces(
    numbers: tuple[Span, ...], passages: tuple[str, ...], cited: set[int] | None
) -> tuple[Trace, ...]:
    """Where each number of an answer stands. `cited` is None where the answer cites nothing."""
    wanted = {number.text for number in numbers}
    holders: dict[str, list[int]] = {}
    for position, passage in enumerate(passages, start=1):
        for token in wanted.intersection(numbers_in(passage)):
            holders.setdefault(token, []).append(position)
    return tuple(
        Trace(
            *(number.start, number.end, number.text),
            supported=number.text in holders,
            passages=tuple(holders.get(number.text, ())),
            cited=None if cited is None else not cited.isdisjoint(holders.get(number.text, ())),
        )
        for number in numbers
    )


def _mismatches(read: Reading, texts: list[Reading], units: UnitTable) -> list[Advised]:
    """The supported numbers to which the answer binds what the evidence binds to them nowhere."""
    said = occurrences(read, units)
    wanted = {one.token for one in said}
    held: dict[str, dict[tuple[object, ...], tuple[Occurrence, int]]] = {}
    for position, text in enumerate(texts, start=1):
        for one in offered(text, units):
            if one.token in wanted:
                alike = (one.says, one.either_sign, one.droppable)
                held.setdefault(one.token, {}).setdefault(alike, (one, position))
    stated = stated_scales(texts, units)
    agreed: dict[tuple[str, Qualifiers], bool] = {}
    found = []
    for one in said:
        if one.token not in held:
            continue
        kinds = held[one.token].values()
        if (one.token, one.says) not in agreed:
            agrees = any(is_compatible(one.says, other, stated) for other, _ in kinds)
            agreed[one.token, one.says] = agrees
        if not agreed[one.token, one.says]:
            nearest, passage = next(iter(kinds))
            written = texts[passage - 1].span(nearest.first, nearest.last).text
            span = read.span(one.first, one.last)
            found.append(
                Advised(span.start, span.end, "qualifier_mismatch", span.text, written, passage)
            )
    return found


def _unread(read: Reading, texts: list[Reading]) -> list[Advised]:
    """The quantities that the rule does not read whole, but for those that the evidence holds."""
    stretches = unread_stretches(read)
    known = {key for text in texts for _, _, key in unread_stretches(text)} if stretches else set()
    spans = (read.span(start, end) for start, end, key in stretches if key not in known)
    return [Advised(span.start, span.end, "unread_numeral", span.text) for span in spans]


def _not_in_nearest(
    answer: str, traces: tuple[Trace, ...], markers: tuple[Span, ...]
) -> list[Advised]:
    """The supported numbers that stand in no passage of their own citation.

    That is the first run of markers after a number on its line, else the last before it there.
    """
    runs = _runs(answer, markers)
    ends = [end.start() for end in _LINE_END.finditer(answer)]
    found, run, line = [], 0, 0
    for trace in traces:
        while run < len(runs) and runs[run][0].start < trace.start:
            run += 1
        while line < len(ends) and ends[line] < trace.start:
            line += 1
        opens = ends[line - 1] if line else -1
        closes = ends[line] if line < len(ends) else len(answer)
        if run < len(runs) and runs[run][0].start < closes:
            own = runs[run]
        elif run and runs[run - 1][0].start > opens:
            own = runs[run - 1]
        else:
            continue
        named = {citation_value(marker) for marker in own}
        if trace.supported and named.isdisjoint(trace.passages):
            place = trace.start, trace.end
            kind = "not_in_nearest_citation"
            found.append(Advised(*place, kind, trace.text, passage=trace.passages[0]))
    return found


def _runs(answer: str, markers: tuple[Span, ...]) -> list[list[Span]]:
    """The markers of an answer, those of one run together. No run crosses the end of a line."""
    runs: list[list[Span]] = []
    for marker in markers:
        between = answer[runs[-1][-1].end : marker.start] if runs else "."
        if _LINE_END.search(between) or not _WITHIN_A_RUN.fullmatch(between):
            runs.append([])
        runs[-1].append(marker)
    return runs
