"""Incremental jobs: over a growing folder, only the files that are new or changed are graded.

A file of answers counts in exactly one live run of the job. One whose content changed supersedes
its earlier rows: those stay in their run, and no `latest` view shows them. A file that is gone
counts as before. Where what all answers are graded by has changed, everything is graded anew.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import polars as pl

from pipelines.places import Place
from pipelines.read.files import Fingerprint
from pipelines.read.layout import Layout
from pipelines.read.rows import Source, answer_rows
from pipelines.read.scan import collected, scan_all
from pipelines.results import Live, Manifest, parts_of, published, set_latest

Content = tuple[int, str]
"""Size and digest."""


@dataclass(frozen=True, slots=True)
class Increment:
    """What a command adds to the live runs of its job.

    `runs` stay live, without the files in `superseded` (run → names); `base` is the state that the
    rows of this command follow from, so that it takes part in the identity of its run.
    """

    fresh: tuple[str, ...]
    changed: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    anew: str | None = None
    """Why everything is graded anew."""

    runs: Mapping[str, Manifest] = field(default_factory=dict)
    superseded: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def last(self) -> Manifest | None:
        """The run that was published last."""
        return list(self.runs.values())[-1] if self.runs else None

    @property
    def base(self) -> dict[str, object]:
        """What is live before this command, and after it no more."""
        gone = {run: sorted(files) for run, files in sorted(self.superseded.items())}
        return {"run_ids": list(self.runs), "superseded": gone}

    def publish(self, place: Place, header: Manifest) -> None:
        """Say which runs are live from now on. A run whose files are all superseded is not."""
        runs = [run for run, manifest in self.runs.items() if self._counting(run, manifest)]
        runs += [header["run_id"]] if header["run_id"] not in runs else []
        superseded = {run: self.superseded[run] for run in runs if run in self.superseded}
        set_latest(place, Live(header["job_id"], header["name"], tuple(runs), superseded))

    def _counting(self, run: str, manifest: Manifest) -> bool:
        return not _answers(manifest).keys() <= set(self.superseded.get(run, ()))

    def held_ids(self, place: Place) -> pl.LazyFrame | None:
        """The ids (string) of rows that count already; an id counts even where its row is rejected.

        A row that was rejected as a duplicate holds nothing: what it repeated may be superseded.
        """
        of_runs = []
        for run, manifest in self.runs.items():
            counts = ~pl.col("source_file").is_in(list(self.superseded.get(run, ())))
            for table in ("verdicts", "rejects"):
                rows = scan_all(parts_of(place, manifest, table)).filter(counts)
                if table == "rejects":
                    rows = rows.filter(pl.col("problem") != "duplicate_answer_id")
                of_runs.append(rows.select(pl.col("answer_id").cast(pl.String)).drop_nulls())
        return pl.concat(of_runs) if of_runs else None


class _Standing(NamedTuple):
    """Where a file of answers counts, and as what."""

    run: str
    content: Content


def increment_of(place: Place, live: Live | None, inputs: Iterable[Fingerprint]) -> Increment:
    """Hold the input of a command against what its job has published.

    Raises: ResultsError where a live run contradicts its manifest. One that was removed by hand
    counts for nothing: its files are graded again.
    """
    now = {(i.role, i.name): (i.size, i.digest) for i in inputs}
    answers = {name: content for (role, name), content in now.items() if role == "answers"}
    found = {run: published(place, run) for run in (live.run_ids if live else ())}
    runs = {run: manifest for run, manifest in found.items() if manifest is not None}
    if runs and (why := _anew(list(runs.values())[-1], now)):
        return Increment(tuple(answers), changed=tuple(answers), anew=why)
    superseded = {run: set(live.superseded.get(run, ())) if live else set() for run in runs}
    standing = {
        name: _Standing(run, content)
        for run, manifest in runs.items()
        for name, content in _answers(manifest).items()
        if name not in superseded[run]
    }
    changed = [
        name
        for name, content in answers.items()
        if name in standing and standing[name].content != content
    ]
    for name in changed:
        superseded[standing[name].run].add(name)
    return Increment(
        fresh=tuple(name for name in answers if name not in standing or name in changed),
        changed=tuple(changed),
        unchanged=tuple(name for name in answers if name in standing and name not in changed),
        gone=tuple(sorted(standing.keys() - answers.keys())),
        runs=runs,
        superseded={run: tuple(sorted(files)) for run, files in superseded.items() if files},
    )


def _answers(manifest: Manifest) -> dict[str, Content]:
    """The files of answers that a run graded, with their contents."""
    inputs = manifest["inputs"]
    return {i["name"]: (i["size"], i["digest"]) for i in inputs if i["role"] == "answers"}


def _anew(last: Manifest, now: Mapping[tuple[str, str], Content]) -> str | None:
    """Why no earlier verdict counts any more: a file beside the answers is not what it was.

    Evidence may grow by files, as answers do; truth tables hold for all answers alike, and labels
    may be of answers that were graded before.
    """
    before = {(i["role"], i["name"]): (i["size"], i["digest"]) for i in last["inputs"]}
    beside = {key: content for key, content in now.items() if key[0] != "answers"}
    for role, name in before.keys() - beside.keys():
        if role != "answers":
            return f"{role}: {name} is gone"
    for (role, name), content in beside.items():
        if (role, name) not in before and role in ("fixtures", "labels"):
            return f"{role}: {name} is new"
        if before.get((role, name), content) != content:
            return f"{role}: {name} has changed"
    return None


def held_rows(sources: list[Source], layout: Layout, held: pl.LazyFrame) -> pl.DataFrame:
    """One row per answer whose id counts already, in a live run: its `row`.

    In: `held`, answer_id string. What is held is streamed past the ids of these files.
    """
    rows = pl.concat(answer_rows(source, layout) for source in sources)
    ids = rows.select("row", answer_id=pl.col("answer_id").cast(pl.String)).drop_nulls()
    where = "answers: the ids"
    known = collected(held.join(ids, on="answer_id", how="semi").unique(), where).lazy()
    return collected(ids.join(known, on="answer_id", how="semi").select("row").sort("row"), where)
