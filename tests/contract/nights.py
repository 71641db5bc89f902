"""A folder of answers that grows night by night, and the incremental job over it."""

from typing import Any

import pyarrow as pa

from pipelines.job import Job
from pipelines.places import Folder
from pipelines.run import Outcome, run
from pipelines.views import connect
from tests.contract.bench import Bench, answers, put


def night(number: int, n: int = 2, **columns: Any) -> pa.Table:
    """Answers a0, a1 … of a night, the first one refused."""
    given: dict[str, Any] = {
        "answer_id": [f"n{number}-{i}" for i in range(n)],
        "answer": ["9", *["5"] * (n - 1)],
        "evidence": [["5"]] * n,
    }
    return answers(n, **{**given, **columns})


def job(bench: Bench, **options: Any) -> Job:
    given = {"answers": str(bench.answers), "out": str(bench.out), "name": "nightly"}
    return Job.from_flags({**given, "incremental": True, **options})


def grown(bench: Bench, files: dict[str, Any], **options: Any) -> Outcome:
    """The job after more files have come, or others in the place of old ones."""
    put(bench.answers, files)
    return run(job(bench, **options))


def shown(bench: Bench, relation: str = "latest_verdicts") -> list[tuple[Any, ...]]:
    with connect(Folder(bench.out)) as views:
        return views.execute(
            f"SELECT source_file, answer_id FROM {relation} ORDER BY ALL"
        ).fetchall()
