"""How refused numbers of real answers are explained, and how often by chance.

    python tests/benchmarks/causes_on_real_answers.py FOLDER SET… [--draw 10] [--seed 1]

Counts each cause of each set (FOLDER/SET.parquet: answer_id, answer, evidence, question) against
its own evidence and against that of another row, and draws numbers of each cause to be read.
"""

import argparse
import random
from collections import Counter, defaultdict
from pathlib import Path

import polars as pl

from grounding.causetable import NUMBER_CAUSES
from grounding.reference.causes import Explained, explained

AROUND = 60

Row = tuple[str, str, list[str], str | None]
Found = tuple[Row, Explained]


def rows_of(file: Path) -> list[Row]:
    """The graded rows of a set."""
    frame = pl.read_parquet(file, columns=["answer_id", "answer", "evidence", "question"])
    return [row for row in frame.drop_nulls(["answer", "evidence"]).rows() if None not in row[2]]


def refused(rows: list[Row]) -> list[Found]:
    """Every refused number, with its row."""
    return [
        (row, each)
        for row in rows
        for each in explained(row[1], row[2], question=row[3])
        if each.kind == "ungrounded_number"
    ]


def shuffled(rows: list[Row], seed: int) -> list[Row]:
    """Each answer with the evidence of another row whose evidence is another one, where it can."""
    donors = list(rows)
    random.Random(seed).shuffle(donors)
    given = []
    for at, (answer_id, answer, evidence, question) in enumerate(rows):
        turns = (donors[(at + step) % len(donors)] for step in range(len(donors)))
        other = next((row for row in turns if row[2] != evidence), donors[at])
        given.append((answer_id, answer, other[2], question))
    return given


def drawn(found: list[Found], most: int, seed: int) -> list[Found]:
    """Up to so many numbers of each cause, in the order of the table."""
    by_cause = defaultdict(list)
    for row, each in found:
        by_cause[each.cause].append((row, each))
    chosen = []
    for cause in NUMBER_CAUSES:
        members = by_cause[cause.name]
        chosen += random.Random(seed).sample(members, min(most, len(members)))
    return chosen


def table(own: list[Found], other: list[Found]) -> str:
    """The counts and shares of each cause; the last column counts where it holds at all."""
    ours, theirs = (Counter(each.cause for _, each in found) for found in (own, other))
    holding = Counter(cause for _, each in other for cause in each.causes)
    lines = ["cause | own evidence | of another row | share there | holds there"]
    for cause in NUMBER_CAUSES:
        n = theirs[cause.name]
        share = f"{100 * n / max(len(other), 1):.2f} %"
        lines.append(f"{cause.name} | {ours[cause.name]} | {n} | {share} | {holding[cause.name]}")
    return "\n".join([*lines, f"all | {len(own)} | {len(other)}"])


def shown(found: Found) -> str:
    """A drawn number in its answer, with what it was compared with."""
    (answer_id, answer, evidence, _), each = found
    before = answer[max(each.start - AROUND, 0) : each.start]
    cells = [each.cause, answer_id, f"{before}«{each.text}»{answer[each.end : each.end + AROUND]}"]
    if each.nearest is not None and each.passage is not None:
        passage = evidence[each.passage - 1]
        at = max(passage.find(each.nearest), 0)
        cells += [each.nearest, passage[max(at - AROUND, 0) : at + AROUND]]
    return " | ".join(" ".join(cell.split()) for cell in cells)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("sets", nargs="+")
    parser.add_argument("--draw", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for name in given.sets:
        rows = rows_of(given.folder / f"{name}.parquet")
        own, other = refused(rows), refused(shuffled(rows, given.seed))
        print(f"\n## {name}: {len(rows)} answers\n\n{table(own, other)}\n")
        for found in drawn(own, given.draw, given.seed):
            print(shown(found))


if __name__ == "__main__":
    main()
