"""A small results folder, written straight from the published layout and not by our own writer."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

TEXT, COUNT, FLAG = pa.string(), pa.int64(), pa.bool_()
TEXTS, COUNTS = pa.list_(TEXT), pa.list_(COUNT)
CLAIMS = pa.list_(pa.struct([("fact", TEXT), ("value", TEXT)]))

Row = Mapping[str, Any]
Columns = Mapping[str, pa.DataType]

VERDICT: Columns = {
    "n_passages": COUNT,
    "n_numbers": COUNT,
    "n_citations": COUNT,
    "grounded": FLAG,
    "reason": TEXT,
    "unsupported_numbers": TEXTS,
    "invalid_citations": COUNTS,
    "cited_indices": COUNTS,
    "grounded_with_waivers": FLAG,
    "grounded_in_cited": FLAG,
    "n_evidence_numbers": COUNT,
    "n_qualifier_mismatches": COUNT,
    "n_not_cited": COUNT,
    "n_unread_numerals": COUNT,
    "n_not_in_nearest": COUNT,
    "passed_with_policy": FLAG,
    "n_unsupported_numbers": COUNT,
    "n_invalid_citations": COUNT,
    "answer_digest": TEXT,
    "evidence_digest": TEXT,
    "n_annotations": COUNT,
    "response_evidence_valid": FLAG,
    "response_claims": CLAIMS,
    "unsupported_fact_ids": TEXTS,
    "unsupported_claim_count": COUNT,
    "derivation_inputs_used": TEXTS,
    "unknown_input_count": COUNT,
    "missing_facts": TEXTS,
    "missing_negative_facts": TEXTS,
    "missing_inputs": TEXTS,
    "passed": FLAG,
}
PLACE: Columns = {"source_file": TEXT, "source_row": COUNT}
LABEL: Columns = {"label": TEXT}
QUESTION_LISTS: Columns = {"facts": TEXTS, "negative_facts": TEXTS, "inputs": TEXTS}


def columns_of(table: str, key: pa.DataType, carried: Columns) -> Columns:
    """The published columns of a table, after `run_id`."""
    return {
        "verdicts": {"answer_id": key, **PLACE, **LABEL, **carried, **VERDICT},
        "findings": {
            "answer_id": key,
            "kind": TEXT,
            "refusal": FLAG,
            "text": TEXT,
            "start": COUNT,
            "end": COUNT,
            "cause": TEXT,
            "causes": TEXTS,
            "nearest": TEXT,
            "passage": COUNT,
        },
        "claims": {
            "answer_id": key,
            "fixture_id": TEXT,
            "fact_id": TEXT,
            "value": TEXT,
            "accepted": TEXTS,
            "supported": FLAG,
        },
        "truth_facts": {"fixture_id": TEXT, "fact_id": TEXT, "value": TEXT},
        "truth_negative_facts": {"fixture_id": TEXT, "negative_fact_id": TEXT, "statement": TEXT},
        "truth_questions": {
            "fixture_id": TEXT,
            "question_id": TEXT,
            "prompt": TEXT,
            **QUESTION_LISTS,
        },
        "rejects": {**PLACE, "answer_id": TEXT, "problem": TEXT, "detail": TEXT},
    }[table]


TABLES = (
    "verdicts",
    "findings",
    "claims",
    "truth_facts",
    "truth_negative_facts",
    "truth_questions",
    "rejects",
)


def publish(
    directory: Path,
    run_id: str,
    *,
    job_id: str = "j1",
    name: str | None = None,
    key: pa.DataType = TEXT,
    carried: Columns | None = None,
    started: str = "2026-12-01T10:00:00.000000Z",
    parts: int = 1,
    read: int | None = None,
    **rows: Sequence[Row],
) -> Path:
    """Write one run: the given rows of each table, and the manifest last."""
    run = directory / f"run_id={run_id}"
    tables = {}
    for table in TABLES:
        columns = columns_of(table, key, carried or {})
        given = rows.get(table, ())
        split = [given[number::parts] for number in range(parts)]
        tables[table] = _write(run / table, {"run_id": TEXT, **columns}, run_id, split)
    graded, rejected = len(rows.get("verdicts", ())), len(rows.get("rejects", ()))
    manifest: dict[str, object] = {
        "run_id": run_id,
        "job_id": job_id,
        "name": name,
        "versions": {"strict": "strict/1", "annotations": "annotations/1", "tables": "tables/1"},
        "job": {"map": {}, "id": []},
        "content": "full",
        "inputs": [],
        "rows": {
            "read": graded + rejected if read is None else read,
            "graded": graded,
            "rejected": rejected,
        },
        "tables": tables,
        "software": {},
        "started": started,
        "finished": started.replace(":00.000000Z", ":05.000000Z"),
    }
    _appear(run / "manifest.json", manifest)
    return run


def point(directory: Path, job_id: str, *run_ids: str, name: str | None = None) -> None:
    """Make these runs the live ones of the job."""
    (directory / "_latest").mkdir(parents=True, exist_ok=True)
    pointer = {"job_id": job_id, "name": name, "run_ids": list(run_ids)}
    _appear(directory / "_latest" / job_id, pointer)


def verdict(answer_id: str | int, **given: object) -> Row:
    """A graded answer with one supported number; what is given replaces what follows from that."""
    numbers: Any = given.get("unsupported_numbers", [])
    citations: Any = given.get("invalid_citations", [])
    refused = "ungrounded_number" if numbers else "invalid_citation" if citations else "grounded"
    grounded = not numbers and not citations
    row = {
        "answer_id": answer_id,
        "source_file": "answers.parquet",
        "source_row": int("".join(filter(str.isdigit, str(answer_id))) or 0),
        "n_passages": 2,
        "n_numbers": max(1, len(numbers)),
        "n_citations": len(citations),
        "grounded": grounded,
        "reason": refused,
        "unsupported_numbers": numbers,
        "invalid_citations": citations,
        "cited_indices": [],
        "grounded_with_waivers": grounded,
        "n_unsupported_numbers": len(numbers),
        "n_invalid_citations": len(citations),
        "answer_digest": hashlib.sha256(str(answer_id).encode()).hexdigest()[:16],
    }
    annotated = "response_evidence_valid" in given
    clean = bool(given.get("response_evidence_valid")) and not given.get("unsupported_claim_count")
    if annotated:
        row |= {"unsupported_claim_count": 0, "unknown_input_count": 0, "n_annotations": 1}
    row |= {"passed": grounded and (clean or not annotated)}
    row |= {"passed_with_policy": row["passed"]}
    return row | given


def ungraded(answer_id: str | int, **given: object) -> Row:
    """An answer without evidence: only its annotations were graded."""
    columns = [*VERDICT][: [*VERDICT].index("n_annotations")]
    row = verdict(answer_id, **{"response_evidence_valid": True, **given})
    return {**row, **dict.fromkeys(columns), "passed_with_policy": row["passed"]}


def finding(answer_id: str | int, kind: str, text: str, start: int = 0) -> Row:
    """A finding at a place of its answer."""
    return {
        "answer_id": answer_id,
        "kind": kind,
        "refusal": kind != "unknown_input",
        "text": text,
        "start": start,
        "end": start + len(text),
    }


def claim(answer_id: str | int, fact_id: str, value: str, *, known: bool = True) -> Row:
    """A claim: right if the fact is known."""
    accepted = [value] if known else []
    row = {"answer_id": answer_id, "fixture_id": "gh", "fact_id": fact_id, "value": value}
    return {**row, "accepted": accepted, "supported": known}


def _appear(file: Path, content: object) -> None:
    """Write a file that nobody ever sees half written."""
    temporary = file.with_name(f".{file.name}")
    temporary.write_text(json.dumps(content), encoding="utf-8")
    temporary.replace(file)


def _write(
    folder: Path, columns: Columns, run_id: str, split: Sequence[Sequence[Row]]
) -> dict[str, object]:
    folder.mkdir(parents=True)
    schema = pa.schema(list(columns.items()))
    parts = []
    for number, rows in enumerate(split):
        table = pa.Table.from_pylist([{"run_id": run_id, **row} for row in rows], schema=schema)
        file = folder / f"part-{number:05}.parquet"
        pq.write_table(table, file)
        digest = "sha256:" + hashlib.sha256(file.read_bytes()).hexdigest()
        size = file.stat().st_size
        parts.append({"name": file.name, "rows": len(rows), "size": size, "digest": digest})
    return {
        "rows": sum(len(rows) for rows in split),
        "columns": [{"name": name, "type": str(kind)} for name, kind in columns.items()],
        "parts": parts,
    }
