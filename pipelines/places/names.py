"""What the things of a results folder are called.

    DIR/run_id=<id>/<table>/part-*.parquet, DIR/run_id=<id>/manifest.json
    DIR/_latest/<job_id>    the live runs of a job
    DIR/_pruned/<id>.json   the manifest of a run that is being removed
    DIR/_staging/<id>       a run in the making, that no view reads
    DIR/_lock               held for the one process that writes
    DIR/_lease/<number>     the same, where the kernel's lock does not reach

A run without a manifest does not exist.
"""

RUN = "run_id="
STAGING = "_staging"
SCRATCH = "_scratch"
LATEST = "_latest"
PRUNED = "_pruned"
LOCK = "_lock"
LEASE = "_lease"
MANIFEST = "manifest.json"
VIEWS = "views.sql"


def run_name(run: str) -> str:
    """The folder that a run is published in."""
    return f"{RUN}{run}"
