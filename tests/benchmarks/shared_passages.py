"""What an answer over shared passages costs, beyond tokenising the passages once.

    python tests/benchmarks/shared_passages.py [--answers 100000] [--passages 20000] [--runs 3]

Answers of 300 to 600 characters with three to six numbers, one or two citations and four passages
each; passages of 900 characters. Each run is a fresh process. A run over the same passages with
few answers pays for starting, for the passages and for publishing, so the difference, over the
difference in answers, is what an answer costs: in microseconds of CPU, once with no answer
refused and once with one in five. The counts of the verdicts are checked before a time counts.
"""

import argparse
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from tests.benchmarks.against_reference import WORDS, number, passage

SHARES = (0.0, 0.2)
FEW = 100
ANSWERS = pa.schema(
    [
        ("answer_id", pa.string()),
        ("model", pa.string()),
        ("answer", pa.string()),
        ("evidence_ids", pa.list_(pa.string())),
    ]
)

Generated = list[tuple[str, list[str]]]
"""Passages, each with numbers that are in it."""


def main() -> None:
    """Generate, check, time, report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--answers", type=int, default=100_000)
    parser.add_argument("--passages", type=int, default=20_000)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rng = random.Random(20261202)
        passages = [whole(passage(rng)) for _ in range(options.passages)]
        write_passages(folder / "passages.parquet", passages)
        for share in SHARES:
            costs = []
            inputs = [folder / f"answers-{share}-{rows}.parquet" for rows in (FEW, options.answers)]
            wanted = [
                write_answers(path, passages, rows, share)
                for path, rows in zip(inputs, (FEW, options.answers), strict=True)
            ]
            for turn in range(options.runs):
                few, many = (
                    cpu_seconds(path, folder / f"{path.stem}-{turn}", reasons)
                    for path, reasons in zip(inputs, wanted, strict=True)
                )
                costs.append((many - few) / (options.answers - FEW) * 1e6)
                print(json.dumps({"refused": share, "few": few, "many": many}), flush=True)
            print(f"{share:.0%} refused: {statistics.median(costs):.1f} us of CPU an answer")


def whole(made: tuple[str, list[str]]) -> tuple[str, list[str]]:
    """A passage with those of its numbers that were not cut off at its end."""
    text, numbers = made
    return text, [token for token in numbers if token in text.split()[:-1]]


def write_passages(path: Path, passages: Generated) -> None:
    """The passages, each under an id."""
    ids = [f"p{place}" for place in range(len(passages))]
    pq.write_table(pa.table({"passage_id": ids, "text": [text for text, _ in passages]}), path)


def write_answers(path: Path, passages: Generated, rows: int, share: float) -> dict[str, int]:
    """Answers over these passages, from a fixed seed. Returns how many must have each reason."""
    made = list(answers(random.Random(20261203), passages, rows, share))
    columns = [list(column) for column in zip(*made, strict=True)]
    pq.write_table(pa.table(columns[:4], schema=ANSWERS), path, compression="zstd")
    return dict(Counter(columns[4]))


def answers(
    rng: random.Random, passages: Generated, rows: int, share: float
) -> Iterator[tuple[str, str, str, list[str], str]]:
    """One answer of `ANSWERS` after the other, with the reason that its verdict must have."""
    spoilt: dict[str, Callable[[], str]] = {
        "ungrounded_number": lambda: f"{number(rng)}.{rng.randrange(10**6, 10**7)}",
        "invalid_citation": lambda: f"[{rng.randrange(5, 10)}]",
    }
    for row in range(rows):
        chosen = rng.sample(range(len(passages)), 4)
        words = rng.choices(WORDS, k=rng.randrange(50, 95))
        stated = [token for place in chosen for token in passages[place][1]]
        said = rng.sample(stated, rng.randrange(3, 7))
        said += [f"[{rng.randrange(1, 5)}]" for _ in range(rng.randrange(1, 3))]
        refused = row % 10 < share * 10
        reason = rng.choice(list(spoilt)) if refused else "grounded"
        said += [spoilt[reason]()] if refused else []
        for token in said:
            words.insert(rng.randrange(len(words)), token)
        text = " ".join(words)
        yield f"a{row}", f"m{row % 5}", text, [f"p{place}" for place in chosen], reason


def cpu_seconds(answers: Path, out: Path, wanted: dict[str, int]) -> float:
    """What the whole command costs in a fresh process, start included. Its verdicts are checked."""
    passages = answers.parent / "passages.parquet"
    options = ["--passages", str(passages), "--out", str(out), "--explain", "none"]
    command = [sys.executable, "-m", "grounding", "run", str(answers), *options]
    before = _of_children()
    subprocess.run(command, check=True, capture_output=True)
    after = _of_children()
    parts = sorted(str(part) for part in out.glob("run_id=*/verdicts/*.parquet"))
    counts = pl.read_parquet(parts, columns=["reason"])["reason"].value_counts().rows()
    assert dict(counts) == wanted, f"{counts}, wanted {wanted}: no time counts"
    return round(after - before, 2)


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
