"""Peak memory of the main job as its input grows, and over one row group of 1 GB.

    python tests/benchmarks/memory.py [--rows 200000 2000000] [--workers 1] [--one-group]

Answers with four passages, 4 KB of text a row, in files of 100,000 rows and row groups of 10,000,
or all in one row group. They are generated batch by batch from a fixed seed, so that the generator
holds no more than a row group; two million rows take 4 GB below TMPDIR. Each run is the whole
command in a fresh process. Prints rows, wall and CPU seconds, and the peak of resident memory,
summed over the processes.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from tests.benchmarks.against_reference import SCHEMA, answer, passage

ROW_GROUP = 10_000
FILE = 100_000
ONE_GROUP = 250_000
POOL = 2_000


class Cost(NamedTuple):
    """What a command took."""

    wall: float
    cpu: float
    mb: int


def main() -> None:
    """Generate, run, report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, nargs="+", default=[200_000, 2_000_000])
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--one-group", action="store_true")
    options = parser.parse_args()
    for rows in [ONE_GROUP] if options.one_group else options.rows:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            size = generate(folder / "in", rows, rows if options.one_group else ROW_GROUP)
            cost = run(folder / "in", folder / "out", rows, options.workers)
            figures = {"rows": rows, "text_mb": size // 2**20, "workers": options.workers}
            print(json.dumps({**figures, **cost._asdict()}), flush=True)


def generate(folder: Path, rows: int, row_group: int = ROW_GROUP) -> int:
    """Write the answers below a folder. Returns the bytes of their text."""
    folder.mkdir()
    size = 0
    for first in range(0, rows, max(FILE, row_group)):
        last = min(first + max(FILE, row_group), rows)
        path = folder / f"answers-{first // FILE:05d}.parquet"
        # Without a dictionary, as texts that are all different are written.
        options: dict[str, Any] = {"compression": "zstd", "use_dictionary": False}
        with pq.ParquetWriter(path, SCHEMA, **options) as writer:
            for start in range(first, last, row_group):
                table = batch(start, min(row_group, last - start))
                size += table["answer"].nbytes + table["evidence"].nbytes
                writer.write_table(table, row_group_size=row_group)
    return size


def batch(start: int, rows: int) -> pa.Table:
    """Rows drawn from the pool by the number of the first, each under an id of its own."""
    drawn = pool().sample(rows, with_replacement=True, shuffle=True, seed=start)
    number = pl.int_range(start, start + rows)
    named = drawn.with_columns(
        answer_id=pl.format("a{}", number), model=pl.format("m{}", number % 5)
    )
    return named.select(SCHEMA.names).to_arrow().cast(SCHEMA)


def pool() -> pl.DataFrame:
    """Answers and their passages, enough of them that no two neighbours are the same."""
    if not _pool:
        rng = random.Random(20261204)
        for _ in range(POOL):
            passages = [passage(rng) for _ in range(4)]
            text = answer(rng, [token for _, tokens in passages[:2] for token in tokens])
            _pool.append((text, [text_ for text_, _ in passages]))
    return pl.DataFrame(_pool, ["answer", "evidence"], orient="row")


_pool: list[tuple[str, list[str]]] = []


def run(answers: Path, out: Path, rows: int, workers: int = 1) -> Cost:
    """The whole command in a fresh process. All rows must have been graded."""
    command = [sys.executable, "-m", "grounding", "run", str(answers), "--out", str(out), "--json"]
    command += ["--workers", str(workers)]
    began = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        peaks: dict[int, int] = {}
        while True:
            pid, status, used = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            peaks.update(high_water_marks(process.pid))
            time.sleep(0.02)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.stdout is not None
        said, told = process.communicate()
    assert process.returncode == 0, told.decode()
    assert json.loads(said.splitlines()[-1])["graded"] == rows
    wall = time.perf_counter() - began
    cpu = used.ru_utime + used.ru_stime
    return Cost(round(wall, 1), round(cpu, 1), sum(peaks.values()) // 1024)


def high_water_marks(pid: int) -> Iterator[tuple[int, int]]:
    """The most kilobytes that a process, and each below it, has been resident with so far."""
    try:
        status = Path(f"/proc/{pid}/status").read_text("ascii", errors="replace")
        yield pid, int(status.split("VmHWM:")[1].split()[0])
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text("ascii").split():
                yield from high_water_marks(int(child))
    except (OSError, IndexError):  # it has ended meanwhile
        return


if __name__ == "__main__":
    main()
