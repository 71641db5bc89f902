"""The main job against `reference`, one answer at a time, over the same generated answers.

    python tests/benchmarks/against_reference.py [--rows 300000] [--runs 3]

Answers of a few hundred characters with four passages of 900 each, Parquet in and Parquet out,
reading and writing included. Both sides run in fresh processes, in turn; their verdicts are
compared before a time counts. Prints CPU seconds of each, the median ratio and peak memory.
"""

import argparse
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

WORDS = (
    "the dose of patient was increased after week and study results show that treatment group "
    "had significant effect on outcome with placebo control mg daily thuốc uống mỗi ngày một lần "
    "theo chỉ định của bác sĩ"
).split()
SCHEMA = pa.schema(
    [
        ("answer_id", pa.string()),
        ("model", pa.string()),
        ("answer", pa.string()),
        ("evidence", pa.list_(pa.string())),
    ]
)
BATCH = 10_000


def number(rng: random.Random) -> str:
    """A token of one or two groups of digits."""
    form = rng.choice(("{}", "{}", "{},{}", "{}.{}"))
    return form.format(rng.randrange(1, 500), rng.randrange(1, 99))


def passage(rng: random.Random) -> tuple[str, list[str]]:
    """A passage of about 900 characters and the numbers in it; no two passages are the same."""
    numbers = [number(rng) for _ in range(9)]
    words = rng.choices(WORDS, k=165)
    for place, token in zip(rng.sample(range(len(words)), len(numbers)), numbers, strict=True):
        words[place] = token
    return " ".join(words)[:900], numbers[:6]


def answer(rng: random.Random, numbers: list[str]) -> str:
    """One in five without a number; of the others one in six with one that is nowhere."""
    words = rng.choices(WORDS, k=40)
    if rng.random() < 0.8:
        words += [*rng.sample(numbers, 3), "[1] [2]."]
        if rng.random() < 1 / 6:
            words.append(f"{rng.randrange(10**6, 10**7)} [7]")
    return " ".join(words)


def generate(path: Path, rows: int) -> None:
    """The answers, from a fixed seed."""
    rng = random.Random(20261201)
    with pq.ParquetWriter(path, SCHEMA, compression="zstd") as writer:
        for first in range(0, rows, BATCH):
            batch = []
            for row in range(first, min(first + BATCH, rows)):
                passages = [passage(rng) for _ in range(4)]
                text = answer(rng, [token for _, tokens in passages[:2] for token in tokens])
                evidence = [text_ for text_, _ in passages]
                batch.append([f"a{row}", f"m{row % 5}", text, evidence])
            columns = [list(column) for column in zip(*batch, strict=True)]
            writer.write_table(pa.table(columns, schema=SCHEMA))


def ours(source: Path, target: Path) -> None:
    """The main job."""
    from pipelines.job import Job
    from pipelines.run import run

    run(Job(answers=str(source), out=str(target), explain="none"))


def reference(source: Path, target: Path) -> None:
    """The plain loop, with the columns of a verdict that it knows."""
    from grounding import verify

    schema = pa.schema(
        [
            ("answer_id", pa.string()),
            ("grounded", pa.bool_()),
            ("reason", pa.string()),
            ("unsupported_numbers", pa.list_(pa.string())),
            ("invalid_citations", pa.list_(pa.int64())),
            ("cited_indices", pa.list_(pa.int64())),
        ]
    )
    target.mkdir()
    with pq.ParquetWriter(target / "verdicts.parquet", schema, compression="zstd") as writer:
        for batch in pq.ParquetFile(source).iter_batches(BATCH):
            reports = [
                {"answer_id": row["answer_id"], **report_of(verify(row["answer"], row["evidence"]))}
                for row in batch.to_pylist()
            ]
            writer.write_table(pa.Table.from_pylist(reports, schema))


def report_of(report: object) -> dict[str, object]:
    """The report's fields as a row."""
    fields = ("grounded", "reason", "unsupported_numbers", "invalid_citations", "cited_indices")
    return {field: getattr(report, field) for field in fields}


SIDES = {"ours": ours, "reference": reference}


def measured(side: str, source: Path, target: Path) -> dict[str, float]:
    """CPU seconds, wall seconds and peak memory of one side in a process of its own."""
    command = [sys.executable, __file__, "--side", side, str(source), str(target)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return dict(json.loads(done.stdout.splitlines()[-1]))


def verdicts(target: Path) -> pl.DataFrame:
    """What a side found, in the order of the answers."""
    files = sorted(str(path) for path in target.rglob("*.parquet") if "verdicts" in str(path))
    columns = ("answer_id", "grounded", "reason", "unsupported_numbers", "invalid_citations")
    return pl.read_parquet(files, columns=[*columns, "cited_indices"])


def main() -> None:
    """Generate, check, time, report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=300_000)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "answers.parquet"
        generate(source, options.rows)
        for number_of_run in range(options.runs):
            figures = {}
            for side in SIDES:
                target = Path(folder) / f"{side}-{number_of_run}"
                figures[side] = measured(side, source, target)
            found = [verdicts(Path(folder) / f"{side}-{number_of_run}") for side in SIDES]
            assert found[0].equals(found[1]), "the verdicts differ: no time counts"
            ratios.append(figures["reference"]["cpu"] / figures["ours"]["cpu"])
            print(json.dumps({"rows": options.rows, **figures, "ratio": round(ratios[-1], 2)}))
    print(f"rows per CPU second, ours to reference: {statistics.median(ratios):.1f} times")


def one_side(side: str, source: str, target: str) -> None:
    """The work of a fresh process, and what it cost."""
    began = time.perf_counter()
    SIDES[side](Path(source), Path(target))
    wall = time.perf_counter() - began
    used = resource.getrusage(resource.RUSAGE_SELF)
    cpu = used.ru_utime + used.ru_stime
    # ru_maxrss would start from the parent's size; the kernel's own high-water mark does not.
    status = Path("/proc/self/status").read_text("ascii")
    peak = int(status.split("VmHWM:")[1].split()[0]) // 1024
    print(json.dumps({"cpu": round(cpu, 2), "wall": round(wall, 2), "mb": peak}))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--side"]:
        one_side(*sys.argv[2:5])
    else:
        main()
