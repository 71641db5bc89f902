"""What the things of a results folder are called.

    DIR/run_id=<id>/<table>/part-*.parquet, DIR/run_id=<id>/manifest.json
    DIR/_latest/<job_id>    the live runs of a job
    DIR/_staging/<id>       a run in the making, that no view reads
    DIR/_lock               held for the one process that writes

A run without a manifest does not exist.
"""

RUN = "run_id="
STAGING = "_staging"
SCRATCH = "_scratch"
LATEST = "_latest"
LOCK = "_lock"
MANIFEST = "manifest.json"
VIEWS = "views.sql"


def run_name(run: str) -> str:
    """The folder that a run is published in."""
    return f"{RUN}{run}"
