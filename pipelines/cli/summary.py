"""What a run found, in a few lines: counts as published, and no rate without its denominator."""

from typing import TYPE_CHECKING

import polars as pl

from pipelines.cli.terminal import say, show, visible
from pipelines.read.scan import scan_all

if TYPE_CHECKING:
    from pipelines.run import Outcome

VERDICTS = ("grounded", "passed")


def show_summary(outcome: "Outcome", out: str) -> None:
    """Print the run, its counts, and each rate over all answers and over those that could fail."""
    from rich.table import Table

    say(f"run {outcome.run_id}{' was already done' if outcome.already_done else ''}")
    say(f"in {visible(outcome.path)}")
    say(f"{outcome.read:,} read, {outcome.graded:,} graded, {outcome.rejected:,} rejected")
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for heading in ("", "all answers", "with a number or citation"):
        table.add_column(heading)
    everyone = published_verdicts(outcome.verdicts)
    could_fail = everyone.filter(pl.col("n_numbers") + pl.col("n_citations") > 0)
    for name in VERDICTS:
        table.add_row(name, rate(everyone[name]), rate(could_fail[name]))
    say("")
    show(table)
    held = sum(gate.passed for gate in outcome.gates)
    say(f"\n{held:,} of {len(outcome.gates):,} gates passed")
    asked = "rejects_by_problem" if outcome.rejected else "pass_rates_by_model"
    say(f"ask more: grounding query {asked} --dir {visible(out)}")


def published_verdicts(parts: tuple[str, ...]) -> pl.DataFrame:
    """What the summary counts, read off the published table: what is shown is what was written."""
    return scan_all(parts).select("n_numbers", "n_citations", *VERDICTS).collect()


def rate(verdicts: pl.Series) -> str:
    """How many of those that were judged are true; the share is cut, so 100 % means all.

    >>> rate(pl.Series([True] * 1999 + [False])), rate(pl.Series([None], dtype=pl.Boolean))
    ('1,999 of 2,000   99.9 %', '0 of 0')
    """
    part, whole = int(verdicts.sum()), verdicts.count()
    share = f"   {1000 * part // whole / 10:.1f} %" if whole else ""
    return f"{part:,} of {whole:,}{share}"
