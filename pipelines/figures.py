"""What gates are held against: figures that are counted on the published tables of a run.

A measure is a row of a table: its name, which of the checked answers it counts, its limit. Only
the columns that it looks at are read, and no more groups are kept than are worth judging. The parts
of two tables that one task wrote have one name, so that a task is in memory at a time.
"""

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from operator import add
from typing import NamedTuple

import polars as pl
import polars.selectors as cs

from pipelines.job import Job
from pipelines.limits import Limit
from pipelines.read.scan import scan_all

Figures = tuple[int, ...]
"""Answers, checked answers, then what each measure counts."""


class Part(NamedTuple):
    """What one task wrote: its verdicts, and its findings where there are any."""

    verdicts: str
    findings: str | None


@dataclass(frozen=True, slots=True)
class Measure:
    """A limit on the checked answers: which of them count, and how many must or may.

    `counts` is about an answer, or where `of_findings`, about a finding: then an answer counts that
    has one.
    """

    name: str
    counts: pl.Expr
    limit: Limit
    at_least: bool = False
    of_findings: bool = False

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
    of_findings = {"cause": job.max_cause, "advice": job.max_advice}
    for what, limits in of_findings.items():
        column = pl.col("cause" if what == "cause" else "kind")
        for name, limit in sorted(limits.items()):
            counts = (column == name).fill_null(False)
            yield Measure(f"max_{what}.{name}", counts, limit, of_findings=True)


def parts_in(verdicts: list[str], findings: list[str]) -> list[Part]:
    """The parts of both tables, those of one task together."""
    named = {posixpath.basename(path): path for path in findings}
    return [Part(path, named.get(posixpath.basename(path))) for path in verdicts]


def rows_in(parts: list[str]) -> int:
    """The rows of a table, by its footers."""
    rows: int = scan_all(parts).select(pl.len()).collect().item()
    return rows


def figures(measures: tuple[Measure, ...], parts: list[Part]) -> Figures:
    """The figures of a whole run."""
    nothing = (0,) * (2 + len(measures))
    return figures_by(None, measures, parts, most=1).get(None, nothing)


def figures_by(
    column: str | None, measures: tuple[Measure, ...], parts: list[Part], most: int
) -> dict[str | None, Figures]:
    """Group → figures. Part by part, given up past `most` groups: memory has an end."""
    groups: dict[str | None, Figures] = {}
    for part in parts:
        found = _answers(part, column, measures).group_by("group").agg(_sums(measures))
        for group, *counts in found.collect(engine="streaming").iter_rows():
            before = groups.get(group, (0,) * len(counts))
            groups[group] = tuple(map(add, before, counts))
        if len(groups) > most:
            break
    return groups


def _answers(part: Part, column: str | None, measures: tuple[Measure, ...]) -> pl.LazyFrame:
    """Graded answers: `group` (text), `checked`, and a flag for each measure that counts them.

    A column is taken by its exact name: to `pl.col`, `*` and `^a$` are patterns.
    """
    group = pl.lit(None) if column is None else cs.by_name(column).as_expr()
    named = {str(place): measure for place, measure in enumerate(measures)}
    of_findings = {name: m.counts for name, m in named.items() if m.of_findings}
    answers = scan_all([part.verdicts]).select(
        *(m.counts.alias(name) for name, m in named.items() if not m.of_findings),
        *(["answer_id"] if of_findings else []),
        group=group.cast(pl.String),
        checked=pl.col("n_numbers") + pl.col("n_citations") > 0,
    )
    if not of_findings or part.findings is None:
        return answers.with_columns(pl.lit(False).alias(name) for name in of_findings)
    wanted = scan_all([part.findings]).filter(pl.any_horizontal(of_findings.values()))
    flags = wanted.group_by("answer_id").agg(
        counts.any().alias(name) for name, counts in of_findings.items()
    )
    return answers.join(flags, on="answer_id", how="left").with_columns(
        pl.col(list(of_findings)).fill_null(False)
    )


def _sums(measures: tuple[Measure, ...]) -> list[pl.Expr]:
    """The answers, those that are checked, and those of them that each measure counts."""
    checked = pl.col("checked")
    counted = (checked, *(checked & pl.col(str(place)) for place in range(len(measures))))
    sums = (flag.cast(pl.Int64).sum() for flag in counted)
    return [figure.alias(f"sum {place}") for place, figure in enumerate((pl.len(), *sums))]
