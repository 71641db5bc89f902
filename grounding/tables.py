"""The published tables: the blocks of the rule modules, joined.

`answer_id` and the carried columns of the input stand before the columns of `VERDICT`; `run_id`
is the first column of every table, and `answer_id` the second of those about answers.
"""

import polars as pl

from grounding.advice.table import ADVISED, CHANCE, KINDS
from grounding.annotations import ANNOTATIONS
from grounding.causes import CAUSES
from grounding.digests import DIGESTS
from grounding.schema import COUNT, FLAG, TEXT, TEXTS, Block, Column
from grounding.verdicts import GROUNDING, REFUSED
from grounding.waivers import UNDER_POLICY, WAIVED

ADVICE = ("unknown_input", *KINDS)
"""Finding kinds that are no refusal: they never change a verdict."""

PLACE: Block = (
    Column("source_file", TEXT, "path of the input file below the folder that was given"),
    Column("source_row", COUNT, "row of that file, from 0"),
)

_LAST: Block = (
    *REFUSED,
    *DIGESTS,
    *ANNOTATIONS,
    Column("passed", FLAG, "every check that ran came out well", "no check ran"),
)

GRADED: Block = (*GROUNDING, *CHANCE, *_LAST)
"""The verdicts, before the policy of a job is held against them, and before advice."""

_IN_CITED, *_ADVICE_COUNTS = ADVISED

VERDICT: Block = (
    *(*GROUNDING, *WAIVED, _IN_CITED, *CHANCE, *_ADVICE_COUNTS),
    *(*UNDER_POLICY, *_LAST),
)

FOUND: Block = (
    Column("kind", TEXT, "what is wrong or worth knowing"),
    Column("refusal", FLAG, "true for a defect, false for advice"),
    Column("text", TEXT, "the stretch of the answer, as written", content=True),
    Column("start", COUNT, "its first code point in the answer, from 0"),
    Column("end", COUNT, "the code point after its last"),
)

FINDING: Block = (*FOUND, *CAUSES)

CLAIM: Block = (
    Column("fixture_id", TEXT, "the fixture of the answer"),
    Column(
        "fact_id",
        TEXT,
        "the folded id of the asserted fact",
        "the fact is unknown and content is verdicts",
    ),
    Column("value", TEXT, "the last asserted value, normalised", content=True),
    Column("accepted", TEXTS, "values that the truth table accepts, as written; empty if unknown"),
    Column("supported", FLAG, "the value is one of them"),
)

TRUTH_FACT: Block = (
    Column("fixture_id", TEXT, "the fixture"),
    Column("fact_id", TEXT, "the folded id"),
    Column("value", TEXT, "an accepted value, as written"),
)

TRUTH_NEGATIVE_FACT: Block = (
    Column("fixture_id", TEXT, "the fixture"),
    Column("negative_fact_id", TEXT, "the folded id"),
    Column("statement", TEXT, "what the fixture does not say", "the table gives none"),
)

TRUTH_QUESTION: Block = (
    Column("fixture_id", TEXT, "the fixture"),
    Column("question_id", TEXT, "the question"),
    Column("prompt", TEXT, "its text", "the table gives none"),
    Column("facts", TEXTS, "folded ids of the facts that a good answer claims"),
    Column("negative_facts", TEXTS, "folded ids of what it declares unsupported"),
    Column("inputs", TEXTS, "folded ids of the facts that it derives from"),
)

REJECT: Block = (
    *PLACE,
    Column("answer_id", TEXT, "as in the input", "the input has none or the row is unreadable"),
    Column("problem", TEXT, "why the row cannot be graded, the first reason that holds"),
    Column("detail", TEXT, "what was found", "there is no more to say"),
)


def without_content(block: Block) -> list[pl.Expr]:
    """Expressions that null the columns of a block which repeat text of an answer."""
    return [pl.lit(None, column.dtype).alias(column.name) for column in block if column.content]
