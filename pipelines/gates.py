"""Gates: limits that are held against a published run, each time it is asked for.

A gate is a row of a table: its name, how its figure is counted, its limit. Figures are counted on
the published tables, so that a run that was done before is judged as it was then. All is exact:
counts are integers and shares are fractions, and what equals a limit passes.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from difflib import get_close_matches

from grounding.errors import JobError
from grounding.labels import LABEL
from grounding.schema import names
from grounding.tables import PLACE, VERDICT
from pipelines.figures import (
    Figures,
    Measure,
    Part,
    figures,
    figures_by,
    measures_of,
    parts_in,
    rows_in,
)
from pipelines.forms import shortened
from pipelines.job import Job
from pipelines.places import Place
from pipelines.results import Manifest, parts_of

MOST_GROUPS = 10_000
"""More values of a column than that are no groups: somebody named a key."""

_OURS = ("run_id", "answer_id", *names(PLACE), *names(LABEL), *names(VERDICT))
_WITHOUT_TEXT = ("binary", "duration")

Group = tuple[str, str | None]
"""A column and a value of it as text, or None for null."""


@dataclass(frozen=True, slots=True)
class Gate:
    """A limit beside its figure, over the run or one group of it.

    `figure` of `total` where the limit is about a part of the rows. What is not `judged` has too
    few checked answers to tell.
    """

    name: str
    group: Group | None
    figure: int
    total: int | None
    limit: str
    passed: bool
    judged: bool = True

    def to_dict(self) -> dict[str, object]:
        """As JSON values: the group as an object, `{"model": "m1"}`."""
        return {**asdict(self), "group": None if self.group is None else dict([self.group])}


def gates_of(
    job: Job, place: Place, manifest: Manifest, *, nothing_new: bool = False
) -> tuple[Gate, ...]:
    """Every gate of a job, held against a run published in a place.

    Where an incremental job found nothing new, that is its last run, but what it expects of its
    input is held against nothing: a night that brought no file is not green.

    Raises: JobError where `gate_by` names no carried column of it.
    """
    columns = {c["name"]: c["type"] for c in manifest["tables"]["verdicts"]["columns"]}
    check_gate_by(job, {name: kind for name, kind in columns.items() if name not in _OURS})
    measures = tuple(measures_of(job))
    verdicts, rejects = (parts_of(place, manifest, name) for name in ("verdicts", "rejects"))
    gates = list(row_gates(job, rows_in(verdicts), rows_in(rejects), nothing_new))
    of_findings = any(measure.of_findings for measure in measures)
    findings = parts_of(place, manifest, "findings") if of_findings else []
    parts = parts_in(verdicts, findings)
    if measures:
        gates += _judged(job, measures, None, figures(measures, parts))
    if job.gate_by is not None:
        gates += _group_gates(job, job.gate_by, measures, parts, nothing_new)
    return tuple(gates)


def check_gate_by(job: Job, carried: Mapping[str, str]) -> None:
    """Raises: JobError where `gate_by` is none of the carried columns, given with their types."""
    column = job.gate_by
    if column is None:
        return
    if column not in carried:
        close = get_close_matches(column, carried, n=1)
        advice = f"did you mean {close[0]!r}? " if close else ""
        there = ", ".join(sorted(map(repr, carried))) or "none"
        raise JobError(f"gate_by: no carried column {column!r}; {advice}carried are: {there}")
    kind = carried[column].lower()  # as polars or as Arrow spells it
    if any(word in kind for word in _WITHOUT_TEXT):
        raise JobError(
            f"gate_by: column {column!r} is {kind}, wanted text, a number, a boolean or a date"
        )


def failures(job: Job, gates: Iterable[Gate]) -> list[str]:
    """A line for each gate that failed: its name, group, figure and limit."""
    return [_line(job, gate) for gate in gates if not gate.passed]


def _line(job: Job, gate: Gate) -> str:
    where = f"gate {gate.name}"
    if gate.group is not None:  # JSON, so that null is not 'null' and no value ends the line
        column, value = (json.dumps(part, ensure_ascii=False) for part in gate.group)
        where += f", {shortened(column)} {shortened(value)}"
    figure = f"{gate.figure:,}"
    if gate.total is not None:
        figure += f" of {gate.total:,}"
    if gate.total:
        percent = 1_000_000 * gate.figure // gate.total  # cut: what fails never looks as if it held
        figure += f" ({percent // 10_000}.{percent % 10_000:04d} %)"
    if not gate.judged:
        figure = f"not judged, {figure}: fewer checked answers than min_n, {job.min_n}"
    return f"{where}: {figure}, the limit is {gate.limit}"


def row_gates(job: Job, graded: int, rejected: int, nothing_new: bool) -> Iterator[Gate]:
    """The gates on what was read, which need no verdict."""
    read, limit, expected = graded + rejected, job.max_rejected, job.expect_rows
    yield Gate("max_rejected", None, rejected, read, str(limit), rejected <= limit.of(read))
    if expected is not None:
        read = 0 if nothing_new else read
        yield Gate("expect_rows", None, read, None, str(expected), read in expected)


def _judged(
    job: Job, measures: tuple[Measure, ...], group: Group | None, counts: Figures
) -> Iterator[Gate]:
    """The measures held against the figures of the run or a group. Too few answers tell nothing."""
    _, checked, *counted = counts
    judged = checked >= job.min_n
    for measure, figure in zip(measures, counted, strict=True):
        passed = measure.holds(figure, checked) if judged else job.allow_unjudged
        yield Gate(measure.name, group, figure, checked, str(measure.limit), passed, judged)


def _group_gates(
    job: Job, column: str, measures: tuple[Measure, ...], parts: list[Part], nothing_new: bool
) -> Iterator[Gate]:
    """The expected groups as the job names them, then each group in the order of its text."""
    groups, most = figures_by(column, measures, parts, MOST_GROUPS), str(MOST_GROUPS)
    if len(groups) > MOST_GROUPS:
        yield Gate("gate_by", None, len(groups), None, most, passed=False)
        return
    for value in job.expect_groups:
        answers = 0 if nothing_new else groups.get(value, (0,))[0]
        yield Gate("expect_groups", (column, value), answers, None, "1..", answers > 0)
    for group, counts in sorted(groups.items(), key=lambda item: (item[0] is None, item[0] or "")):
        yield from _judged(job, measures, (column, group), counts)
