"""`grounding doctor`: what a job's input holds, and what a run would reject and need."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from grounding.errors import GateFailed
from pipelines.cli.flags import given_flags, takes_job_flags
from pipelines.cli.terminal import complain, say, say_json, told
from pipelines.job import Job

if TYPE_CHECKING:
    from pipelines.doctor import Diagnosis

NAME = "doctor"


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
    json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object in the place of text.")
    ] = False,
    **flags: Any,
) -> int:
    """Say what the answers hold, and what a run would reject and need. Publishes nothing.

    Takes the flags of run, reads all rows, and ends as a run would, but for gates that need
    verdicts: those are not judged.
    """
    given = given_flags(flags)
    asked = Job.from_flags(given) if job is None else Job.from_toml(job, given)

    from pipelines.cli.diagnosed import show_diagnosis
    from pipelines.doctor import diagnosed  # the engine; `--help` and a wrong job need none of it

    found = diagnosed(asked)
    faults, code, kind = _end(asked, found)
    if json:
        error = {"error": told(faults, code, kind)} if code else {}
        say_json({**found.to_dict(), "exit_code": code, **error})
    else:
        show_diagnosis(found)
        say(f"\na run would end with {code}")
    for fault in faults:
        complain(fault)
    return code


def _end(job: Job, found: "Diagnosis") -> tuple[list[str], int, str]:
    """What a run would end with: faults, exit code, and its kind."""
    from pipelines.gates import failures

    if found.fault is not None:
        return list(found.fault.faults), found.fault.exit_code, type(found.fault).__name__
    failed = failures(job, found.gates)
    return failed, GateFailed.exit_code if failed else 0, GateFailed.__name__
