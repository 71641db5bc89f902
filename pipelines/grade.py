"""One task: its rows read, judged, graded, and shaped as the published tables."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import polars as pl

from grounding.evaluation import evaluate
from grounding.evidence import nested_sizes
from grounding.labels import LABEL
from grounding.policies import NO_POLICY, Policy
from grounding.rejects import judged_rows
from grounding.schema import Block, names, polars_schema
from grounding.tables import (
    CLAIM,
    FINDING,
    PLACE,
    REJECT,
    TRUTH_FACT,
    TRUTH_NEGATIVE_FACT,
    TRUTH_QUESTION,
    VERDICT,
)
from grounding.waivers import with_policy
from pipelines.advice import unadvised, with_advice
from pipelines.causes import unexplained, with_causes
from pipelines.plan import Task
from pipelines.read.evidence import EvidenceTable
from pipelines.read.labels import LabelTable
from pipelines.read.layout import Layout
from pipelines.read.rows import answer_rows, carried_names
from pipelines.read.scan import collected
from pipelines.read.truth import TruthFrames

Tables = Mapping[str, pl.DataFrame]

_TRUTH: Mapping[str, Block] = {
    "truth_facts": TRUTH_FACT,
    "truth_negative_facts": TRUTH_NEGATIVE_FACT,
    "truth_questions": TRUTH_QUESTION,
}


@dataclass(frozen=True, slots=True)
class Counts:
    """What became of the rows. `checked` counts graded answers with a number or a citation."""

    read: int = 0
    graded: int = 0
    rejected: int = 0
    grounded: int = 0
    checked: int = 0
    passed: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(*(getattr(self, n) + getattr(other, n) for n in self.__slots__))


@dataclass(frozen=True, slots=True)
class Grader:
    """All that the tasks of a run share."""

    run_id: str
    layout: Layout
    truth: TruthFrames | None
    evidence: EvidenceTable | None
    repeated: pl.DataFrame
    max_text: int
    content: str
    graded_after: str | None = None
    require_final_answer: bool = False
    labels: LabelTable | None = None
    explain: Literal["all", "causes", "none"] = "all"
    policy: Policy = NO_POLICY

    def schemas(self) -> dict[str, pl.Schema]:
        """The columns of every published table."""
        key = {"run_id": pl.String(), "answer_id": self.layout.key_type}
        place, label = polars_schema(PLACE), polars_schema(LABEL)
        carried = {column.name: column.dtype for column in self.layout.carried}
        return {
            "verdicts": pl.Schema({**key, **place, **label, **carried, **polars_schema(VERDICT)}),
            "findings": pl.Schema({**key, **polars_schema(FINDING)}),
            "claims": pl.Schema({**key, **polars_schema(CLAIM)}),
            "rejects": pl.Schema(
                {"run_id": pl.String(), **polars_schema(REJECT), "answer_id": key["answer_id"]}
            ),
            **{
                name: pl.Schema({"run_id": pl.String(), **polars_schema(block)})
                for name, block in _TRUTH.items()
            },
        }

    def graded(self, number: int, task: Task) -> tuple[Tables, Counts]:
        """The tables of one task, in source order, and its counts.

        Raises: InputError where the rows cannot be read after all.
        """
        rows, passage_numbers = self.judged(number, task)
        gradable = rows.filter(pl.col("problem").is_null())
        truth = self.truth.lazy() if self.truth else None
        result = evaluate(gradable.lazy(), truth, passage_numbers, self.graded_after)
        advised = self.explain == "all"
        none = result.held.head(0)
        verdicts, findings, claims, held = pl.collect_all(
            [*result[:3], result.held if advised else none]
        )
        texts = self.evidence.texts_of_task(number) if self.evidence else None
        if self.explain == "none":
            findings = unexplained(findings)
        else:
            findings = with_causes(findings, gradable, truth, texts, self.graded_after)
        if advised:
            verdicts, findings = with_advice(
                verdicts, findings, gradable, held, truth, texts, self.graded_after
            )
        else:
            verdicts = unadvised(verdicts)
        verdicts = verdicts.lazy().pipe(with_policy, findings.lazy(), self.policy).collect()
        assert verdicts["row"].equals(gradable["row"]), "verdicts are in source order"
        counts = Counts(
            read=rows.height,
            graded=verdicts.height,
            rejected=rows.height - gradable.height,
            grounded=verdicts.filter("grounded").height,
            checked=verdicts.filter(pl.col("n_numbers") + pl.col("n_citations") > 0).height,
            passed=verdicts.filter("passed").height,
        )
        key = gradable.select("row", "answer_id")
        tables = {
            "verdicts": self._placed(gradable).hstack(verdicts.drop("row").get_columns()),
            "findings": findings.join(key, on="row", maintain_order="left"),
            "claims": claims.join(key, on="row", maintain_order="left"),
            "rejects": rows.filter(pl.col("problem").is_not_null()),
        }
        return self._published(tables), counts

    def judged(self, number: int, task: Task) -> tuple[pl.DataFrame, pl.LazyFrame | None]:
        """The rows of a task with their problems, and the numbers of passages in other files."""
        where = f"answers: {', '.join(map(str, task))}"
        rows = pl.concat(
            answer_rows(stretch.source, self.layout).slice(stretch.offset, stretch.rows)
            for stretch in task
        )
        seen = self.repeated.lazy().with_columns(repeated=pl.lit(True))
        rows = rows.join(seen, on="row", how="left", maintain_order="left").with_columns(
            pl.col("repeated").fill_null(False)
        )
        if self.labels is not None:
            rows = self.labels.of_task(number, rows)
        passage_numbers = None
        if self.evidence is None:
            rows = rows.pipe(nested_sizes)
        else:  # these rows are joined more than once: what they use is read once
            held = collected(rows, where).lazy()
            rows, passage_numbers = self.evidence.of_task(number, held)
        final_after = self.graded_after if self.require_final_answer else None
        truth = self.truth.lazy() if self.truth else None
        judged = rows.pipe(judged_rows, truth, self.max_text, final_after)
        return collected(judged, where), passage_numbers

    def _placed(self, gradable: pl.DataFrame) -> pl.DataFrame:
        columns = ["row", "answer_id", *names(PLACE), *names(LABEL)]
        if not self.layout.carried:
            return gradable.select(columns)
        return gradable.select(*columns, "carried").unnest("carried")

    def _published(self, tables: Tables) -> Tables:
        """With run_id, in the declared order of columns, and without content where not wanted."""
        blocks = {"verdicts": VERDICT, "findings": FINDING, "claims": CLAIM, "rejects": REJECT}
        hidden = {
            name: [c.name for c in block if c.content and self.content == "verdicts"]
            for name, block in blocks.items()
        }
        if self.content == "verdicts":  # the id of an unknown fact is the answer's own text
            known = pl.when(pl.col("accepted").list.len() > 0).then("fact_id")
            tables = {**tables, "claims": tables["claims"].with_columns(fact_id=known)}
        aliases = iter(carried_names(self.layout))
        ours = {*names(VERDICT), *names(PLACE), *names(LABEL), "run_id", "answer_id"}
        schemas = self.schemas()
        now = {name: list(schemas[name]) for name in blocks}
        now["verdicts"] = [c if c in ours else next(aliases) for c in schemas["verdicts"]]
        published = {
            name: tables[name]
            .with_columns(run_id=pl.lit(self.run_id))
            .with_columns(pl.lit(None).alias(column) for column in hidden[name])
            .select(
                pl.col(column).cast(dtype)
                for column, dtype in zip(now[name], schemas[name].values(), strict=True)
            )
            for name in blocks
        }
        for name, rows in published.items():
            rows.columns = list(schemas[name])
        return published


def truth_tables(run_id: str, frames: TruthFrames | None) -> Tables:
    """The published truth tables, by name. None where there is no truth."""
    named = zip(_TRUTH, frames or (), strict=False)
    return {name: frame.select(pl.lit(run_id).alias("run_id"), pl.all()) for name, frame in named}
