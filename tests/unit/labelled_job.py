"""A results folder of one labelled job, small enough to count its causes and agreement by hand."""

from pathlib import Path
from typing import Any

from tests.unit.results_folder import TEXT, Row, finding, point, publish, verdict

# answer: (source file, label, what was refused as (cause, causes), grounded under the job's policy)
# The policy of the job waives in_question.
Refused = list[tuple[str, list[str]]]
LIST: tuple[str, list[str]] = ("list_marker", ["list_marker"])
ABSENT: tuple[str, list[str]] = ("absent", ["absent"])
SIZE: tuple[str, list[str]] = ("list_marker", ["list_marker", "separator_dropped"])
SYNTAX: tuple[str, list[str]] = ("citation_syntax", ["citation_syntax", "in_question"])
ASKED: tuple[str, list[str]] = ("in_question", ["in_question"])
BEYOND: tuple[str, list[str]] = ("beyond_evidence", ["beyond_evidence"])

ANSWERS: dict[str, tuple[str, str | None, Refused, bool]] = {
    "s1": ("a", "supported", [LIST, LIST], False),
    "s2": ("a", "supported", [], True),
    "s3": ("a", "supported", [], True),
    "s4": ("a", "supported", [ASKED], True),
    "u1": ("a", "unsupported", [LIST, ABSENT], False),
    "u2": ("a", "unsupported", [SIZE], False),
    "u3": ("b", "unsupported", [SYNTAX, LIST], False),
    "u4": ("b", "unsupported", [], True),
    "p1": ("b", "partial", [ABSENT], False),
    "n1": ("b", "na", [LIST], False),
    "x1": ("b", None, [BEYOND], False),
}
VACUOUS = ("s3", "u4")


def labelled_job(directory: Path, *, explained: bool = True) -> Path:
    """One run of the job `leaf`; with `explained` false, without a cause."""
    verdicts, findings = [], []
    for place, (name, (file, label, refused, waived)) in enumerate(ANSWERS.items()):
        numbers = [str(number) for number, token in enumerate(refused) if token != BEYOND]
        verdicts.append(
            verdict(
                name,
                source_file=file,
                source_row=place,
                label=label,
                lang="en" if label == "supported" else "vi",
                unsupported_numbers=numbers,
                invalid_citations=[9] if BEYOND in refused else [],
                grounded_with_waivers=waived,
                **({"n_numbers": 0} if name in VACUOUS else {}),
            )
        )
        findings += [_finding(name, *token, explained) for token in refused]
    publish(
        directory,
        "r1",
        name="leaf",
        carried={"lang": TEXT},
        verdicts=verdicts,
        findings=findings,
    )
    point(directory, "j1", "r1", name="leaf")
    return directory


def _finding(name: str, cause: str, causes: list[str], explained: bool) -> Row:
    kind = "invalid_citation" if cause == "beyond_evidence" else "ungrounded_number"
    row: dict[str, Any] = {**finding(name, kind, "9")}
    return {**row, "cause": cause, "causes": causes} if explained else row
