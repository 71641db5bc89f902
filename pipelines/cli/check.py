"""`grounding check`: one answer, its verdict, and why."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from grounding.errors import GateFailed, InputError, JobError
from grounding.fixtures import BookFixture, load_book_fixture
from grounding.reference import causes, findings, grade
from grounding.reference.causes import Explained
from grounding.reference.reports import AnswerReport, Finding
from pipelines.cli.explained import Token, explained
from pipelines.cli.shown import defect_lines, marked_answer, token_lines
from pipelines.cli.terminal import say, say_json
from pipelines.cli.texts import given_texts, stored_texts

NAME = "check"


@dataclass(frozen=True, slots=True)
class Checked:
    """An answer with all that is known of it."""

    answer: str
    passages: tuple[str, ...]
    report: AnswerReport
    findings: tuple[Finding, ...]
    tokens: tuple[Token, ...]
    reasons: Mapping[int, Explained]
    """Why each refused token was refused, by where it starts."""


def command(
    *,
    answer: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="The answer: a text, - for stdin, or @FILE."),
    ] = None,
    evidence: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TEXT",
            help="A passage of the evidence, in citation order; once for each. A text, - or @FILE.",
        ),
    ] = None,
    fixture: Annotated[
        Path | None,
        typer.Option(metavar="FILE.json", help="Grade annotations against this truth table too."),
    ] = None,
    stored: Annotated[
        Path | None,
        typer.Option("--from", metavar="FILE.parquet", help="Take both from a stored answer."),
    ] = None,
    row: Annotated[
        str | None, typer.Option(metavar="ID", help="The answer_id of the stored answer.")
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object in the place of text.")
    ] = False,
) -> int:
    """Explain one answer: the verdict, and where each number and citation stands.

    A text that opens with @ is written @@. Ends with 6 where the answer is refused.
    """
    text, passages = _texts(answer, evidence or [], stored, row)
    book = None if fixture is None else load_book_fixture(fixture)
    if passages is None and book is None:
        raise InputError("nothing to check against: give --evidence, --fixture or both")
    checked = _checked(text, passages, book)
    if json:
        say_json(as_json(checked))
    else:
        show_checked(checked)
    return 0 if checked.report.passed else GateFailed.exit_code


def _texts(
    answer: str | None, evidence: list[str], stored: Path | None, row: str | None
) -> tuple[str, tuple[str, ...] | None]:
    if stored is not None and row is not None and answer is None and not evidence:
        return stored_texts(stored, row)
    if stored is not None or row is not None:
        raise JobError("--from and --row go together, without --answer and --evidence")
    if answer is None:
        raise JobError("no answer: give --answer, or --from with --row")
    text, passages = given_texts(answer, evidence)
    return text, passages or None


def _checked(answer: str, passages: tuple[str, ...] | None, book: BookFixture | None) -> Checked:
    tokens: tuple[Token, ...] = ()
    reasons: dict[int, Explained] = {}
    if passages is not None:
        tokens = explained(answer, passages, annotated=book is not None)
        refused = causes.explained(answer, passages, annotated=book is not None)
        reasons = {each.start: each for each in refused}
    return Checked(
        answer,
        passages or (),
        grade(answer, passages, book),
        findings(answer, passages, book),
        tokens,
        reasons,
    )


def as_json(checked: Checked) -> dict[str, object]:
    """What `--json` prints: the columns of the checks that ran, the findings, and every token."""
    columns = checked.report.to_dict().items()
    return {
        **{name: value for name, value in columns if value is not None},
        "findings": [finding.to_dict() for finding in checked.findings],
        "tokens": [
            {
                "text": token.text,
                "start": token.start,
                "end": token.end,
                "kind": token.kind,
                "supported": token.supported,
                "passages": list(token.passages),
                **_reason(checked.reasons.get(token.start)),
            }
            for token in checked.tokens
        ],
    }


def _reason(why: Explained | None) -> dict[str, object]:
    """The cause of a refusal, with all that hold; nothing for a token that was not refused."""
    if why is None:
        return {}
    reason = {"cause": why.cause, "causes": list(why.causes)}
    return {**reason, "nearest": why.nearest, "passage": why.passage}


def show_checked(checked: Checked) -> None:
    """Print the verdict, the marked answer, and a line for each token and each other defect."""
    say(verdict_line(checked.report))
    say("")
    say(marked_answer(checked.answer, checked.tokens))
    shown = token_lines(checked.tokens, checked.passages, checked.reasons)
    lines = [*shown, *defect_lines(checked.findings)]
    if lines:
        say("\n".join(["", *lines]))


def verdict_line(report: AnswerReport) -> str:
    """The verdict in a line, that of each check that ran.

    >>> verdict_line(grade("No number.", ["A passage."]))
    'passed: grounded (nothing to check)'
    """
    parts = []
    if report.reason is not None:
        vacuous = not report.n_numbers and not report.n_citations
        parts.append(report.reason + (" (nothing to check)" if vacuous else ""))
    if report.response_evidence_valid is not None:
        valid = "valid" if report.response_evidence_valid else "invalid"
        claims = f"unsupported claims: {report.unsupported_claim_count}"
        parts.append(f"annotations {valid}, {claims}")
    return f"{'passed' if report.passed else 'refused'}: {'; '.join(parts)}"
