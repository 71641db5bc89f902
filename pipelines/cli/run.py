"""`grounding run`: the main job, and a summary of what it found."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from grounding.errors import GateFailed
from pipelines.cli.flags import given_flags, takes_job_flags
from pipelines.cli.intent import show_intent
from pipelines.cli.jsonlog import FLAG, LogFormat, log_facts, logs_json
from pipelines.cli.progress import observer
from pipelines.cli.summary import show_summary
from pipelines.cli.terminal import complain, say_json, told
from pipelines.job import Job

if TYPE_CHECKING:
    from pipelines.run import Outcome

NAME = "run"

COUNTS = ("read", "graded", "rejected", "grounded", "checked", "passed")
"""What the object that `--json` prints counts."""


@takes_job_flags
def command(
    *,
    job: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.toml",
            help="A job file: TOML, whose keys are these flags. Flags are laid over it.",
        ),
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Say what would be read and graded, and write nothing."),
    ] = False,
    log_format: Annotated[  # noqa: ARG001 (main has read it: faults of flags are logged too)
        LogFormat,
        typer.Option(FLAG, help="How stderr is written: json is one object a line, each an event."),
    ] = LogFormat.text,
    json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object in the place of the table.")
    ] = False,
    **flags: Any,
) -> int:
    """Grade answers against their evidence and publish the verdicts as Parquet.

    Without arguments, the bundled demo. Ends with 6 where a gate failed: the run is published all
    the same.
    """
    given = given_flags(flags)
    asked = Job.from_flags(given) if job is None else Job.from_toml(job, given)

    if dry_run:
        return show_intent(asked, json=json)

    from pipelines.gates import failures
    from pipelines.run import run  # the engine; `--help` and a wrong job need none of it

    with observer("Grading") as watching:
        outcome = run(asked, observer=watching)
    failed = failures(asked, outcome.gates)
    code = GateFailed.exit_code if failed else 0
    if json:
        error = {"error": told(failed, code, GateFailed.__name__)} if failed else {}
        say_json({**as_json(outcome), **error})
    else:
        show_summary(outcome, asked.out)
    if logs_json():
        for gate in outcome.gates:
            if not gate.passed:
                log_facts("gate", gate.to_dict())
    else:
        for fault in failed:
            complain(fault)
    return code


def as_json(outcome: "Outcome") -> dict[str, object]:
    """What `--json` prints."""
    keys = ("run_id", "path", *COUNTS, "already_done")
    values = {key: getattr(outcome, key) for key in keys}
    return {**values, "gates": [gate.to_dict() for gate in outcome.gates]}
