"""What a run found, in a few lines: counts as published, and no rate without its denominator."""

from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from pipelines.cli.terminal import say, show, visible

if TYPE_CHECKING:
    from pipelines.run import Outcome

VERDICTS = ("grounded", "passed")


def show_summary(outcome: "Outcome", out: Path) -> None:
    """Print the run, its counts, and each rate over all answers and over those that could fail."""
    from rich.table import Table

    say(f"run {outcome.run_id}{' was already done' if outcome.already_done else ''}")
    say(f"in {visible(str(outcome.path))}")
    say(f"{outcome.read:,} read, {outcome.graded:,} graded, {outcome.rejected:,} rejected")
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for heading in ("", "all answers", "with a number or citation"):
        table.add_column(heading)
    everyone = published_verdicts(outcome.path)
    could_fail = everyone.filter(pl.col("n_numbers") + pl.col("n_citations") > 0)
    for name in VERDICTS:
        table.add_row(name, rate(everyone[name]), rate(could_fail[name]))
    say("")
    show(table)
    held = sum(gate.passed for gate in outcome.gates)
    say(f"\n{held:,} of {len(outcome.gates):,} gates passed")
    asked = "rejects_by_problem" if outcome.rejected else "pass_rates_by_model"
    say(f"ask more: grounding query {asked} --dir {visible(str(out))}")


def published_verdicts(run: Path) -> pl.DataFrame:
    """What the summary counts, read off the published table: what is shown is what was written."""
    parts = sorted((run / "verdicts").glob("*.parquet"))
    wanted = pl.scan_parquet(parts, glob=False).select("n_numbers", "n_citations", *VERDICTS)
    return wanted.collect()


def rate(verdicts: pl.Series) -> str:
    """How many of those that were judged are true; the share is cut, so 100 % means all.

    >>> rate(pl.Series([True] * 1999 + [False])), rate(pl.Series([None], dtype=pl.Boolean))
    ('1,999 of 2,000   99.9 %', '0 of 0')
    """
    part, whole = int(verdicts.sum()), verdicts.count()
    share = f"   {1000 * part // whole / 10:.1f} %" if whole else ""
    return f"{part:,} of {whole:,}{share}"
