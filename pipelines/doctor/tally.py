"""What is counted over all rows, task by task: nothing but counts outlives a task."""

from collections import Counter
from dataclasses import dataclass, field
from itertools import accumulate

import polars as pl

from grounding.final import final_answer
from grounding.styles import STYLES, citation_groups
from pipelines.doctor.diagnosis import Ids, Spread, StyleFound, Texts
from pipelines.job import Job
from pipelines.read.layout import OURS

ENDINGS = ("</think>", "</thinking>", "</reasoning>", "[/THINK]", "<|channel|>final<|message|>")
"""What models write between their reasoning and their answer, for `--graded-after`."""

_READ = tuple(style.name for style in STYLES if style.kind == "marker")
_SYNTAX = tuple(style.name for style in STYLES if style.kind == "syntax")


@dataclass(slots=True)
class FirstOfProblem:
    """Rows with one problem: how many, and the first of them."""

    rows: int
    source_file: str
    source_row: int
    detail: str | None


@dataclass(slots=True)
class Tally:
    """Counts over the rows of the tasks that were added, in their order."""

    job: Job
    nested: bool
    """Whether passages lie beside their answers, so that each can be measured."""

    rows: int = 0
    repeated: int = 0
    nulls: Counter[str] = field(default_factory=Counter)
    sums: Counter[str] = field(default_factory=Counter)
    longest_answer: int = 0
    longest_passage: int = 0
    n_passages: Counter[int] = field(default_factory=Counter)
    problems: dict[str, FirstOfProblem] = field(default_factory=dict)
    citing: Counter[str] = field(default_factory=Counter)
    answers_of_style: Counter[str] = field(default_factory=Counter)
    groups: Counter[tuple[str, bool]] = field(default_factory=Counter)

    def add(self, rows: pl.DataFrame) -> None:
        """Count the rows of a task, judged."""
        self.rows += rows.height
        self._add_sizes(rows)
        self._add_problems(rows)
        self._add_citations(rows)

    def _add_sizes(self, rows: pl.DataFrame) -> None:
        answer = pl.col("answer")
        of_answer = pl.col("evidence").list.eval(pl.element().str.len_bytes())
        counted = rows.select(
            *(pl.col(name).null_count().alias(f"null {name}") for name in OURS),
            *(_count(answer.str.contains(sign, literal=True)).alias(sign) for sign in ENDINGS),
            repeated=_count(pl.col("repeated")),
            answers=answer.count(),
            answer_bytes=answer.str.len_bytes().cast(pl.Int64).sum(),
            passages=pl.col("n_passages").sum(),
            evidence_bytes=pl.col("evidence_bytes").sum(),
            whole=_count(~answer.str.contains(self.job.graded_after or "", literal=True)),
            longest_answer=answer.str.len_bytes().max().fill_null(0),
            longest_passage=(of_answer.list.max().max().fill_null(0) if self.nested else pl.lit(0)),
        ).row(0, named=True)
        self.nulls.update({name: counted.pop(f"null {name}") for name in OURS})
        self.repeated += counted.pop("repeated")
        self.longest_answer = max(self.longest_answer, counted.pop("longest_answer"))
        self.longest_passage = max(self.longest_passage, counted.pop("longest_passage"))
        self.sums.update(counted)
        lengths = rows.filter(pl.col("n_passages").is_not_null())["n_passages"].value_counts()
        self.n_passages.update(dict(lengths.iter_rows()))

    def _add_problems(self, rows: pl.DataFrame) -> None:
        place = ("source_file", "source_row", "detail")
        found = (
            rows.filter(pl.col("problem").is_not_null())
            .group_by("problem", maintain_order=True)
            .agg(pl.len(), *(pl.col(name).first() for name in place))
        )
        for problem, count, *first in found.iter_rows():
            known = self.problems.setdefault(problem, FirstOfProblem(0, *first))
            known.rows += count

    def _add_citations(self, rows: pl.DataFrame) -> None:
        answers = rows.lazy().filter(pl.col("answer").is_not_null())
        if self.job.graded_after is not None:
            answers = answers.with_columns(**final_answer(self.job.graded_after))
        found = citation_groups(answers).drop("text").collect()
        meant = found.filter(~pl.col("style").is_in(_SYNTAX) | pl.col("in_range"))
        reads = pl.col("style").is_in(_READ)
        by_answer = meant.group_by("row").agg(read=reads.any(), unread=(~reads).any())
        self.citing.update(
            {
                "answers": by_answer.height,
                "read": by_answer["read"].sum(),
                "unread": by_answer["unread"].sum(),
            }
        )
        for style, answers_of_it in (
            meant.group_by("style").agg(pl.col("row").n_unique()).iter_rows()
        ):
            self.answers_of_style[style] += answers_of_it
        for style, in_range, groups in found.group_by("style", "in_range").len().iter_rows():
            self.groups[style, in_range] += groups

    def ids(self) -> Ids:
        """The keys of the answers."""
        null = self.nulls["answer_id"]
        return Ids(self.rows, self.rows - null - self.repeated, self.repeated, null)

    def answers(self) -> Texts:
        """Sizes of the answers that are not null."""
        count = self.sums["answers"]
        return Texts(count, self.sums["answer_bytes"] // max(count, 1), self.longest_answer)

    def passages(self, longest: int) -> Texts:
        """Sizes of passages, each as often as an answer uses it."""
        count = self.sums["passages"]
        return Texts(count, self.sums["evidence_bytes"] // max(count, 1), longest)

    def passages_per_answer(self) -> Spread | None:
        """Over the answers that have a list of passages, empty or not. The lower median."""
        lengths, half = sorted(self.n_passages), (self.n_passages.total() + 1) // 2
        if not lengths:
            return None
        seen = accumulate(self.n_passages[length] for length in lengths)
        median = next(n for n, upto in zip(lengths, seen, strict=True) if upto >= half)
        return Spread(lengths[0], median, lengths[-1])

    def styles(self) -> list[StyleFound]:
        """The citation styles that were found, most used first."""
        found = [
            StyleFound(
                style.name,
                style.kind == "marker",
                style.example,
                self.answers_of_style[style.name],
                self.groups[style.name, True] + self.groups[style.name, False],
                None if style.kind == "other" else self.groups[style.name, False],
            )
            for style in STYLES
        ]
        used = (style for style in found if style.groups)
        return sorted(used, key=lambda style: -style.answers)


def _count(condition: pl.Expr) -> pl.Expr:
    return condition.fill_null(False).sum()
