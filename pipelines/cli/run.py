"""`grounding run`: the main job, and a summary of what it found."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from grounding.errors import GateFailed
from pipelines.cli.flags import given_flags, takes_job_flags
from pipelines.cli.progress import progress_bar
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

    from pipelines.gates import failures
    from pipelines.run import run  # the engine; `--help` and a wrong job need none of it

    with progress_bar("Grading") as report:
        outcome = run(asked, on_progress=report)
    failed = failures(asked, outcome.gates)
    code = GateFailed.exit_code if failed else 0
    if json:
        error = {"error": told(failed, code, GateFailed.__name__)} if failed else {}
        say_json({**as_json(outcome), **error})
    else:
        show_summary(outcome, asked.out)
    for fault in failed:
        complain(fault)
    return code


def as_json(outcome: "Outcome") -> dict[str, object]:
    """What `--json` prints."""
    keys = ("run_id", "path", *COUNTS, "already_done")
    values = {key: getattr(outcome, key) for key in keys}
    return {**values, "gates": [gate.to_dict() for gate in outcome.gates]}
