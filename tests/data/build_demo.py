"""Builds the demo answers in data/demo from sources that a person can read and review.

    python tests/data/build_demo.py
    python tests/data/build_demo.py --expertqa EXPERTQA.parquet

Glass Harbor: one file of answers per invented model, passages named by their place in the book
(from 1). Doses: leaflet passages of invented medicines, and faithful answers with the one change
that spoils each. ExpertQA is a selection from a conversion of that set to one row an answer,
which is not part of the project; without it, the committed file stays as it is.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

SOURCES = Path(__file__).resolve().parent
DATA = SOURCES.parents[1] / "data"
MODELS = ("harbor-small", "lantern-2", "tidewater-xl")
PER_MODEL = 40
LISTS = ("evidence",)

Row = dict[str, Any]


def glass_harbor_rows() -> Iterator[Row]:
    """210 answers of three invented models, seven samples of each to each question of the book."""
    book = json.loads((DATA / "fixtures" / "glass_harbor.json").read_text(encoding="utf-8"))
    prompts = {question["question_id"]: question["prompt"] for question in book["questions"]}
    for model in MODELS:
        sample: Counter[str] = Counter()
        for source in json_lines(SOURCES / "glass_harbor" / f"{model}.jsonl"):
            question = source["question_id"]
            sample[question] += 1
            places = source["passages"]
            yield {
                "answer_id": f"{model}-{question}-{sample[question]}",
                "model": model,
                "question_id": question,
                "fixture_id": book["fixture_id"],
                "question": prompts[question],
                "answer": source["answer"],
                "evidence": places and [book["passages"][place - 1] for place in places],
                "lang": "en",
            }


def doses_rows() -> Iterator[Row]:
    """60 Vietnamese answers about invented medicines, each with at most one planted error."""
    leaflets = json.loads((SOURCES / "doses_vi" / "leaflets.json").read_text(encoding="utf-8"))
    sources = json_lines(SOURCES / "doses_vi" / "answers.jsonl")
    for number, source in enumerate(sources, start=1):
        answer, change = source["faithful"], source["change"]
        if change:
            before, after = change
            if answer.count(before) != 1:
                raise ValueError(f"doses_vi, answer {number}: {before!r} must stand there once")
            answer = answer.replace(before, after)
        yield {
            "answer_id": f"doses-{number:02}",
            "model": source["model"],
            "question": source["question"],
            "answer": answer,
            "evidence": [leaflets[name] for name in source["evidence"]],
            "label": "unsupported" if change else "supported",
            "lang": "vi",
            "error_class": source["error_class"],
            "planted": " → ".join(change) if change else None,
        }


def expertqa_rows(path: Path) -> Iterator[Row]:
    """In source order, the first rows of each model among those where some passage has text."""
    taken: Counter[str] = Counter()
    for source in pq.read_table(path).to_pylist():
        if taken[source["model"]] == PER_MODEL or not any(map(str.strip, source["evidence"])):
            continue
        taken[source["model"]] += 1
        names = ("answer_id", "model", "question", "answer", "evidence", "label", "lang")
        yield {name: source[name] for name in names} | {"field": json.loads(source["field"])}


def json_lines(path: Path) -> Iterator[Any]:
    """The value of each line."""
    return map(json.loads, path.read_text(encoding="utf-8").splitlines())


def write(rows: Iterator[Row], path: Path) -> None:
    """One row group, every writer option that shapes the bytes said here."""
    table = list(rows)
    types = {name: pa.list_(pa.string()) if name in LISTS else pa.string() for name in table[0]}
    pq.write_table(
        pa.Table.from_pylist(table, schema=pa.schema(types)),
        path,
        row_group_size=len(table),
        version="2.6",
        data_page_version="1.0",
        use_dictionary=True,
        compression="zstd",
        compression_level=19,
        write_statistics=True,
        store_schema=False,
    )


def main() -> None:
    """Write the files whose sources are at hand."""
    parser = argparse.ArgumentParser(description="Build the demo answers.")
    parser.add_argument("--out", type=Path, default=DATA / "demo", help="folder to write to")
    parser.add_argument("--expertqa", type=Path, help="ExpertQA, one row an answer, as Parquet")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    write(glass_harbor_rows(), options.out / "glass_harbor.parquet")
    write(doses_rows(), options.out / "doses_vi.parquet")
    if options.expertqa:
        write(expertqa_rows(options.expertqa), options.out / "expertqa.parquet")


if __name__ == "__main__":
    main()
