"""`grounding run --dry-run`: what would be read, graded and superseded, and nothing is written."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pipelines.cli.terminal import say, say_json, visible
from pipelines.job import Job

if TYPE_CHECKING:
    from pipelines.run import Intent

MOST_FILES = 20


def show_intent(job: Job, *, json: bool) -> int:
    """Print what a run of the job would do."""
    from pipelines.run import intended

    value = as_json(intended(job))
    if json:
        say_json(value)
    else:
        for line in _lines(value):
            say(visible(line))
    return 0


def as_json(intent: "Intent") -> dict[str, Any]:
    """The object that `--dry-run --json` prints: what a run would do, with each file by name."""
    increment = intent.increment
    graded = [i for i in intent.header["inputs"] if i["role"] == "answers"]
    done = intent.done is not None
    return {
        "run_id": (intent.done or intent.header)["run_id"],
        "job_id": intent.header["job_id"],
        "already_done": done,
        "would_grade": [] if done else [i["name"] for i in graded],
        "bytes": 0 if done else sum(i["size"] for i in intent.header["inputs"]),
        "changed": list(increment.changed) if increment else [],
        "unchanged": list(increment.unchanged) if increment else [],
        "gone": list(increment.gone) if increment else [],
        "anew": increment.anew if increment else None,
        "superseded": {k: list(v) for k, v in increment.superseded.items()} if increment else {},
    }


def _lines(value: dict[str, Any]) -> Iterator[str]:
    if value["already_done"]:
        yield f"nothing to grade: run {value['run_id']} is published"
    else:
        yield f"would publish run {value['run_id']}, reading {value['bytes']:,} bytes"
    if value["anew"]:
        yield f"everything is graded anew: {value['anew']}"
    for key, said in (
        ("would_grade", "would be graded"),
        ("changed", "changed, so that their earlier rows count no more"),
        ("unchanged", "unchanged, and count as they are"),
        ("gone", "gone, and count as they are"),
    ):
        names = value[key]
        if names:
            yield f"{len(names):,} files {said}:"
            yield from (f"  {name}" for name in names[:MOST_FILES])
        if len(names) > MOST_FILES:
            yield f"  and {len(names) - MOST_FILES:,} more"
