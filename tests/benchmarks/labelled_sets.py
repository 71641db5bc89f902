"""What verdicts are worth on answers that people labelled: the tables of the README.

    python tests/benchmarks/labelled_sets.py DATA

DATA is a folder of sets as data/README.md describes ExpertQA: Parquet with a column `label`, and
JSON Lines with planted errors (opengate_exp2, factgate_rows_fullcorpus). Every set is run through
the command line, as a job of its own, and asked through `grounding query agreement`. Then two
measurements of what exact matching cannot see: by class of planted error, and by the size of the
evidence.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import polars as pl

LABELLED = ("mtrag_human", "clapnq", "expertqa", "uhgeval_zh", "halueval_qa")
SIZES = (1, 2, 4, 8, 16, 10_000)


def main() -> None:
    """Run, ask, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    data: Path = parser.parse_args().data
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for each in LABELLED:
            run(data / f"{each}.parquet", each, folder / "labelled")
        print(*_agreement(query(folder / "labelled", "agreement")), sep="\n", end="\n\n")
        run(data / "opengate_exp2.jsonl", "opengate", folder / "planted", "--map", "answer_id=id")
        print(*_by_class(query(folder / "planted", BY_CLASS)), sep="\n", end="\n\n")
        rows = [
            json.loads(line)
            for line in (data / "factgate_rows_fullcorpus.jsonl").read_text("utf-8").splitlines()
        ]
        for size in SIZES:
            path = folder / f"factgate-{size:05d}.parquet"
            pl.DataFrame(list(_cut(rows, size))).write_parquet(path)
            run(path, path.stem, folder / "sizes")
        print(*_by_size(query(folder / "sizes", BY_SIZE)), sep="\n")


def run(answers: Path, name: str, out: Path, *options: str) -> None:
    """Grade a set as a job of that name."""
    given = ["--name", name, "--out", str(out), "--max-rejected", "100%", *options]
    _grounding("run", str(answers), *given)


def query(out: Path, asked: str) -> list[dict[str, Any]]:
    """The rows of a query."""
    rows: list[dict[str, Any]] = json.loads(
        _grounding("query", asked, "--dir", str(out), "--format", "json")
    )
    return rows


def _grounding(*words: str) -> str:
    command = [sys.executable, "-m", "grounding", *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _agreement(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Strict beside the recommended policy, over checked answers."""
    checked = {(row["job"], row["policy"]): row for row in rows if row["among"] == "checked"}
    yield "| set | supported, unsupported | false alarms | recall | false alarms | recall |"
    yield "|---|---|---|---|---|---|"
    for name in LABELLED:
        strict, prose = checked[name, "strict"], checked[name, "recommended"]
        shown = [
            f"{row[rate]:.2f} ({row[f'{rate}_low']:.2f} to {row[f'{rate}_high']:.2f})"
            for row in (strict, prose)
            for rate in ("false_alarms", "recall")
        ]
        people = f"{strict['supported']:,}, {strict['unsupported']:,}"
        yield f"| {name} | {people} | {' | '.join(shown)} |"


BY_CLASS = """
    SELECT
        split_part(answer_id, '::', 2) AS error_class,
        count(*) AS answers,
        count(*) FILTER (NOT grounded) AS refused,
        count(*) FILTER (n_qualifier_mismatches + n_unread_numerals > 0) AS advised
    FROM latest_verdicts GROUP BY ALL ORDER BY ALL
"""


def _by_class(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    yield "| planted error | answers | refused | with advice on numbers |"
    yield "|---|---|---|---|"
    for row in rows:
        yield f"| {row['error_class']} | {row['answers']} | {row['refused']} | {row['advised']} |"


BY_SIZE = """
    SELECT
        job,
        avg(n_passages) AS passages,
        avg(n_evidence_numbers) AS numbers,
        count(*) FILTER (condition = 'FAITHFUL') AS faithful,
        count(*) FILTER (condition = 'FAITHFUL' AND NOT grounded) AS alarms,
        count(*) FILTER (condition = 'CORRUPTED') AS corrupted,
        count(*) FILTER (condition = 'CORRUPTED' AND NOT grounded) AS caught
    FROM latest_verdicts WHERE n_numbers > 0 GROUP BY ALL ORDER BY ALL
"""


def _by_size(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    yield "| sentences of evidence | distinct numbers | faithful refused | corrupted refused |"
    yield "|---|---|---|---|"
    for row in rows:
        alarms, caught = row["alarms"] / row["faithful"], row["caught"] / row["corrupted"]
        yield (
            f"| {row['passages']:.1f} | {row['numbers']:.1f} "
            f"| {row['alarms']} of {row['faithful']} ({alarms:.2f}) "
            f"| {row['caught']} of {row['corrupted']} ({caught:.2f}) |"
        )


def _cut(rows: list[dict[str, Any]], size: int) -> Iterator[dict[str, Any]]:
    """The rows with the sentences of their document that share most words with the answer."""
    for row in rows:
        wanted = set(_words(row["answer"]))
        document = "\n".join(row["evidence"])
        sentences = [s for s in re.split(r"(?<=[.!?])\s+|\n+", document) if s.strip()]
        ranked = sorted(sentences, key=lambda s: -len(wanted & set(_words(s))))[:size]
        yield {
            "answer_id": row["id"],
            "answer": row["answer"],
            "evidence": [s for s in sentences if s in ranked],
            "condition": row["condition"],
        }


def _words(text: str) -> list[str]:
    """Words without numbers, so that a corrupted number does not choose its own evidence."""
    return re.findall(r"[a-z]+", text.lower())


if __name__ == "__main__":
    main()
