"""Writes the generated parts of README.md: tables of columns, options, exit codes, and outputs.

    python tests/readme/write.py

`parts` gives what belongs between the comments; a test compares it with what stands there.
"""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from grounding import errors
from grounding.causetable import CITATION_CAUSES, NUMBER_CAUSES
from grounding.labels import LABEL
from grounding.schema import Block, Column
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
from pipelines.job import Job, file_key, flag_of, options

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
GENERATED = re.compile(r"(<!-- generated: (.*?) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
OUTPUT = re.compile(r"(<!-- output: (.*?) -->\n```\n)(.*?)(```)", re.DOTALL)

ANSWER_ID = Column("answer_id", PLACE[0].dtype, "the key, string or integer as read")
TABLES: dict[str, tuple[str, Block]] = {
    "verdicts": ("graded answer, in source order", (ANSWER_ID, *PLACE, *LABEL, *VERDICT)),
    "findings": ("defect or advice", (ANSWER_ID, *FINDING)),
    "claims": ("fact that an answer claims", (ANSWER_ID, *CLAIM)),
    "truth_facts": ("accepted value of a fact that the run knew", TRUTH_FACT),
    "truth_negative_facts": ("negative fact", TRUTH_NEGATIVE_FACT),
    "truth_questions": ("question", TRUTH_QUESTION),
    "rejects": ("input row that cannot be graded", REJECT),
}


def parts() -> dict[str, str]:
    """Name of a generated part → its text."""
    return {
        "options": "".join(_options()),
        "exit codes": "".join(_exit_codes()),
        "causes": "".join(_causes()),
        "tables": "\n".join("".join(_table(name)) for name in TABLES),
    }


def _options() -> Iterator[str]:
    yield "| flag | key in the file | |\n|---|---|---|\n"
    for key, option in options().items():
        form = f" {option.metavar}" if option.metavar else ""
        flag = flag_of(key) + (form if key != "answers" else "")
        description = Job.model_fields[key].description or ""
        yield f"| `{_cell(flag)}` | `{file_key(key)}` | {_cell(description)} |\n"


def _causes() -> Iterator[str]:
    yield "| cause | of | holds where | example | may be waived |\n|---|---|---|---|---|\n"
    of_what = (("number", NUMBER_CAUSES), ("citation", CITATION_CAUSES))
    for kind, causes in of_what:
        for cause in causes:
            example = cause.positive
            beside = f" for `{_shown(example.nearest)}`" if example.nearest else ""
            shown = f"`{_shown(example.token)}`{beside} in `{_shown(example.answer)}`"
            waivable = "yes" if cause.waivable else "no"
            yield (
                f"| `{cause.name}` | {kind} | {_cell(cause.definition)} | {_cell(shown)} "
                f"| {waivable} |\n"
            )


def _shown(text: str) -> str:
    """On one line, and no end of a code span."""
    return text.replace("\n", "⏎").replace("`", "´")


def _exit_codes() -> Iterator[str]:
    yield "| exit code | |\n|---|---|\n| 0 | done, or found done |\n"
    yield "| 1 | a defect of ours; nothing is promised |\n"
    kinds = (
        errors.JobError,
        errors.InputError,
        errors.TaskError,
        errors.ResultsError,
        errors.GateFailed,
    )
    for kind in kinds:
        meaning = (kind.__doc__ or "").rstrip(".")
        yield f"| {kind.exit_code} | {meaning[0].lower()}{meaning[1:]} |\n"
    yield "| 130, 143 | stopped by SIGINT, SIGTERM |\n"


def _table(name: str) -> Iterator[str]:
    grain, block = TABLES[name]
    yield f"**{name}**: one row per {grain}.\n\n"
    yield "| column | type | meaning | null |\n|---|---|---|---|\n"
    for column in block:
        content = " (*content*)" if column.content else ""
        dtype = arrow_type(column)
        yield f"| `{column.name}` | {dtype} | {_cell(column.meaning)}{content} | {column.null} |\n"


def arrow_type(column: Column) -> str:
    """The type as Parquet's readers see it."""
    plain = pl.DataFrame(schema={column.name: column.dtype}).to_arrow().schema.types[0]
    return str(plain).replace("large_", "").replace("string_view", "string").replace("item: ", "")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def output_of(command: str) -> str:
    """What a `grounding` command prints, run on the demo's results in the current folder."""
    words = [sys.executable, "-m", "grounding", *shlex.split(command)[1:]]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return "".join(f"{line.rstrip()}\n" for line in done.stdout.splitlines())


def rewritten(text: str) -> str:
    """The README with its generated parts made anew. Run where the demo's `results` lie."""
    made = parts()
    text = GENERATED.sub(lambda m: m[1] + made[m[2]] + m[4], text)
    return OUTPUT.sub(lambda m: m[1] + output_of(m[2]) + m[4], text)


if __name__ == "__main__":
    import os
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ["PYTHONPATH"] = str(ROOT)
        subprocess.run([sys.executable, "-m", "grounding", "run"], check=True, capture_output=True)
        README.write_text(rewritten(README.read_text("utf-8")), "utf-8")
