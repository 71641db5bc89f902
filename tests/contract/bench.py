"""A place to run jobs in: files are put there, a job is run over them, its tables are read back.

Every run that is made here is also held against what any run promises, see `assert_whole`.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from grounding.errors import GroundingError
from pipelines.job import Job
from pipelines.run import Outcome, run
from tests.unit.results_folder import TABLES

Content = pl.DataFrame | str | bytes | dict[str, object] | Any
"""What a file may hold: rows as Parquet, text or bytes as they are, an object as JSON.

Any is a table of pyarrow, which ships no types."""

Files = Mapping[str, Content]

BOOK: dict[str, object] = {
    "fixture_id": "book",
    "facts": [
        {"fact_id": "Year", "values": ["1911"]},
        {"fact_id": "keeper", "values": ["Ada Lumen", "Lumen, Ada"]},
    ],
    "negative_facts": [{"negative_fact_id": "fire", "statement": "No fire is told of."}],
    "questions": [
        {"question_id": "q1", "facts": ["YEAR"], "negative_facts": ["fire"], "inputs": ["keeper"]}
    ],
}


def answers(n: int = 2, /, **columns: Any) -> pa.Table:
    """`n` answers, each with a number and a citation, all grounded; columns replace or follow."""
    ours: dict[str, Any] = {
        "answer_id": [f"a{i}" for i in range(n)],
        "answer": ["It is 5 [1]."] * n,
        "evidence": pa.array([["5"]] * n, pa.list_(pa.string())),
    }
    return pa.table({**ours, **columns})


def corrupted(table: pa.Table, column: str) -> bytes:
    """The rows as Parquet, with bytes in the middle of a column's values flipped."""
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="snappy", use_dictionary=False)
    data = bytearray(sink.getvalue().to_pybytes())
    group = pq.ParquetFile(pa.BufferReader(bytes(data))).metadata.row_group(0)
    position = table.schema.names.index(column)
    start = group.column(position).data_page_offset
    middle = start + group.column(position).total_compressed_size // 2
    data[middle : middle + 40] = bytes(byte ^ 0xFF for byte in data[middle : middle + 40])
    return bytes(data)


def put(folder: Path, files: Files) -> Path:
    """Write files below a folder. Returns the folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, pa.Table):
            pq.write_table(content, path)
        elif isinstance(content, pl.DataFrame):
            content.write_parquet(path)
        elif isinstance(content, bytes):
            path.write_bytes(content)
        else:
            text = content if isinstance(content, str) else json.dumps(content)
            path.write_bytes(text.encode())
    return folder


@dataclass(frozen=True)
class Run:
    """A published run, to look into."""

    outcome: Outcome

    @property
    def path(self) -> Path:
        return Path(self.outcome.path)

    @property
    def manifest(self) -> dict[str, Any]:
        manifest = json.loads((self.path / "manifest.json").read_bytes())
        assert isinstance(manifest, dict)
        return manifest

    def parts(self, name: str) -> list[Path]:
        return sorted((self.path / name).iterdir())

    def schema(self, name: str) -> pa.Schema:
        return pq.read_schema(self.parts(name)[0]).remove_metadata()

    def table(self, name: str) -> pl.DataFrame:
        return pl.concat(pl.read_parquet(part, glob=False) for part in self.parts(name))

    def column(self, name: str, table: str = "verdicts") -> list[Any]:
        return self.table(table)[name].to_list()

    @property
    def rejects(self) -> list[tuple[object, ...]]:
        """(source_row, answer_id, problem, detail) of every reject."""
        columns = ["source_row", "answer_id", "problem", "detail"]
        return self.table("rejects").select(columns).rows()

    def bytes_of_tables(self) -> dict[str, bytes]:
        parts = chain.from_iterable(map(self.parts, TABLES))
        return {part.relative_to(self.path).as_posix(): part.read_bytes() for part in parts}


@dataclass(frozen=True)
class Bench:
    """A folder with the answers in `in`, the truth tables in `truth`, and the results in `out`."""

    folder: Path

    @property
    def answers(self) -> Path:
        return self.folder / "in"

    @property
    def out(self) -> Path:
        return self.folder / "out"

    def job(self, files: Files | None = None, truth: Files | None = None, **options: Any) -> Job:
        """The job over these files, which replace none that were put before."""
        put(self.answers, files or {})
        put(self.folder / "truth", truth or {})
        fixtures = {"fixtures": (str(self.folder / "truth"),)} if truth else {}
        return Job(**{"answers": str(self.answers), "out": str(self.out), **fixtures, **options})

    def run(self, files: Files | None = None, truth: Files | None = None, **options: Any) -> Run:
        made = Run(run(self.job(files, truth, **options)))
        assert_whole(made)
        return made

    def faults(
        self, files: Files | None = None, truth: Files | None = None, **options: Any
    ) -> list[str]:
        """What the job is refused for, which must be said in our own words, and publish nothing."""
        job = self.job(files, truth, **options)
        before = published_runs(Path(job.out))
        with pytest.raises(GroundingError) as caught:
            run(job)
        assert published_runs(Path(job.out)) == before
        return [f"{caught.value.exit_code}: {fault}" for fault in caught.value.faults]


def published_runs(out: Path) -> list[str]:
    """The run folders in `out`, which need not be one."""
    return sorted(path.name for path in out.glob("run_id=*"))


def assert_whole(made: Run) -> None:
    """What every run promises: all tables, as the manifest says them, and every row accounted."""
    manifest, outcome = made.manifest, made.outcome
    assert made.path.name == f"run_id={outcome.run_id}" == f"run_id={manifest['run_id']}"
    assert {path.name for path in made.path.iterdir()} == {*TABLES, "manifest.json"}
    assert set(manifest["tables"]) == set(TABLES)
    for name in TABLES:
        listed = manifest["tables"][name]
        assert listed["parts"] == list(_parts(made.parts(name)))
        assert listed["rows"] == sum(part["rows"] for part in listed["parts"])
        assert {pq.read_schema(part) for part in made.parts(name)} == {made.schema(name)}
        columns = [column["name"] for column in listed["columns"]]
        assert columns == made.schema(name).names
        assert columns[0] == "run_id"
        assert set(made.column("run_id", name)) <= {outcome.run_id}
    counts = ("read", "graded", "rejected")
    assert [manifest["rows"][name] for name in counts] == [getattr(outcome, n) for n in counts]
    assert outcome.read == outcome.graded + outcome.rejected
    assert (made.table("verdicts").height, made.table("rejects").height) == (
        outcome.graded,
        outcome.rejected,
    )
    for name in ("verdicts", "rejects"):
        places = made.table(name).select("source_file", "source_row").rows()
        assert places == sorted(places)
    assert not (made.path.parent / "_staging").exists()


def _parts(paths: list[Path]) -> Iterator[dict[str, object]]:
    for path in paths:
        assert re.fullmatch(r"part-[0-9]{5}\.parquet", path.name)
        data = path.read_bytes()
        yield {
            "name": path.name,
            "rows": pq.read_metadata(path).num_rows,
            "size": len(data),
            "digest": f"sha256:{hashlib.sha256(data).hexdigest()}",
        }
