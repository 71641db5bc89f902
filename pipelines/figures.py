"""What gates are held against: figures that are counted on the published tables of a run.

A measure is a row of a table: its name, which of the checked answers it counts, its limit. Only
the columns that it looks at are read, and no more groups are kept than are worth judging.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from operator import add

import polars as pl
import polars.selectors as cs

from pipelines.job import Job
from pipelines.limits import Limit
from pipelines.read.scan import scan_all

Figures = tuple[int, ...]
"""Answers, checked answers, then what each measure counts."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A limit on the checked answers: which of them count, and how many must or may."""

    name: str
    counts: pl.Expr
    limit: Limit
    at_least: bool = False

    def holds(self, figure: int, total: int) -> bool:
        """Whether the limit is kept, inclusive."""
        bound = self.limit.of(total)
        return figure >= bound if self.at_least else figure <= bound


def measures_of(job: Job) -> Iterator[Measure]:
    """The table of limits on verdicts."""
    if job.min_grounded is not None:
        yield Measure("min_grounded", pl.col("grounded"), job.min_grounded, at_least=True)
    for reason, limit in sorted(job.max_reason.items()):
        yield Measure(f"max_reason.{reason}", pl.col("reason") == reason, limit)


def rows_in(parts: list[str]) -> int:
    """The rows of a table, by its footers."""
    rows: int = scan_all(parts).select(pl.len()).collect().item()
    return rows


def figures(measures: tuple[Measure, ...], parts: list[str]) -> Figures:
    """The figures of a whole run."""
    counted = _answers(parts, None).select(_sums(measures)).collect(engine="streaming")
    return tuple(counted.row(0))


def figures_by(
    column: str, measures: tuple[Measure, ...], parts: list[str], most: int
) -> dict[str | None, Figures]:
    """Group → figures. Part by part, given up past `most` groups: memory has an end."""
    groups: dict[str | None, Figures] = {}
    for part in parts:
        found = _answers([part], column).group_by("group").agg(_sums(measures))
        for group, *counts in found.collect(engine="streaming").iter_rows():
            before = groups.get(group, (0,) * len(counts))
            groups[group] = tuple(map(add, before, counts))
        if len(groups) > most:
            break
    return groups


def _answers(parts: list[str], column: str | None) -> pl.LazyFrame:
    """Graded answers: `group` (text), `checked`, and what the measures look at.

    A column is taken by its exact name: to `pl.col`, `*` and `^a$` are patterns.
    """
    group = pl.lit(None) if column is None else cs.by_name(column).as_expr()
    return scan_all(parts).select(
        "grounded",
        "reason",
        group=group.cast(pl.String),
        checked=pl.col("n_numbers") + pl.col("n_citations") > 0,
    )


def _sums(measures: tuple[Measure, ...]) -> list[pl.Expr]:
    """The answers, those that are checked, and those of them that each measure counts."""
    checked = pl.col("checked")
    counted = (checked, *(checked & measure.counts for measure in measures))
    sums = (flag.cast(pl.Int64).sum() for flag in counted)
    return [figure.alias(str(place)) for place, figure in enumerate((pl.len(), *sums))]
