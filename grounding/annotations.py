"""Responses → annotation rows and annotation verdicts (grammar `annotations/1`).

A response declares facts (`[assert:fact=value]`), negative facts (`[unsupported:id]`) and the
inputs of a derivation (`[input:value]`). Everything here is a join of those rows against the
truth tables; the columns of a verdict are the rows gathered per answer.
"""

import polars as pl

from grounding.normal import normalised
from grounding.schema import COUNT, FLAG, TEXTS, Block, Column, names
from grounding.tokens import ANNOTATION, marks, placed, spans

_NOT_GRADED = "annotations were not graded"
_NO_QUESTION = "annotations were not graded, or the answer has no question_id"
_CLAIMS = pl.List(pl.Struct({"fact": pl.String, "value": pl.String}))

ANNOTATIONS: Block = (
    Column("n_annotations", COUNT, "well-formed annotations", _NOT_GRADED),
    Column("response_evidence_valid", FLAG, "none malformed, no fact twice", _NOT_GRADED),
    Column(
        "response_claims",
        _CLAIMS,
        "the asserted facts with their last value, in order of first assertion",
        _NOT_GRADED,
        content=True,
    ),
    Column(
        "unsupported_fact_ids",
        TEXTS,
        "folded ids declared unsupported, in order, repeats kept",
        _NOT_GRADED,
        content=True,
    ),
    Column(
        "unsupported_claim_count",
        COUNT,
        "claims without an accepted value, and unsupported ids that are no negative fact",
        _NOT_GRADED,
    ),
    Column(
        "derivation_inputs_used",
        TEXTS,
        "normalised inputs, in order, repeats kept",
        _NOT_GRADED,
        content=True,
    ),
    Column(
        "unknown_input_count",
        COUNT,
        "inputs that are no accepted value of any fact of the fixture",
        _NOT_GRADED,
    ),
    Column(
        "missing_facts",
        TEXTS,
        "facts the question wants that no accepted claim states",
        _NO_QUESTION,
        content=True,
    ),
    Column(
        "missing_negative_facts",
        TEXTS,
        "negative facts the question wants that were not declared unsupported",
        _NO_QUESTION,
        content=True,
    ),
    Column(
        "missing_inputs",
        TEXTS,
        "facts the question derives from of which no input gives an accepted value",
        _NO_QUESTION,
        content=True,
    ),
)

# What folds to `[assert:`, `[unsupported:` or `[input:` under full case folding: of all code
# points only ſ (to s), ß and ẞ (to ss) fold into these letters beside the ASCII ones.
_PREFIX = (
    r"\[(?:[aA](?:[sSſ][sSſ]|[ßẞ])[eE][rR][tT]"
    r"|[uU][nN][sSſ][uU][pP][pP][oO][rR][tT][eE][dD]"
    r"|[iI][nN][pP][uU][tT]):"
)


def annotation_rows(answers: pl.LazyFrame) -> pl.LazyFrame:
    """One row per well-formed annotation of a graded answer.

    In: row int64, answer string, annotated boolean (true), fixture_id string.
    Out: row, fixture_id, kind (assert | unsupported | input), id (folded; null for an input),
    value (normalised; null for unsupported), text, start, end.
    """
    body = pl.col("text").str.slice(1, pl.col("text").str.len_chars() - 2)
    rest = body.str.splitn(":", 2).struct[1]
    fact = rest.str.splitn("=", 2)
    kind = body.str.splitn(":", 2).struct[0].str.to_lowercase()
    value = pl.when(kind == "assert").then(fact.struct[1]).when(kind == "input").then(rest)
    folded_id = (
        pl.when(kind == "assert").then(fact.struct[0]).when(kind == "unsupported").then(rest)
    )
    return (
        answers.filter(pl.col("answer").str.contains(ANNOTATION))
        .select("row", "fixture_id", "answer", "annotated")
        .with_columns(marks=marks(pl.col("answer"), pl.col("annotated")))
        .pipe(spans)
        .filter(pl.col("kind") == "annotation")
        .select(
            "row",
            "fixture_id",
            "text",
            "start",
            "end",
            kind=kind,
            id=folded_id.str.to_lowercase(),
            value=normalised(value),
        )
    )


def malformed_rows(answers: pl.LazyFrame) -> pl.LazyFrame:
    """One row per annotation prefix of a graded answer that opens no well-formed annotation.

    In: row int64, answer string. Out: row, text (up to the next `[` or line end, or through the
    first `]`), start, end.
    """
    answer = pl.col("answer")
    surplus = answer.str.count_matches(_PREFIX) > answer.str.count_matches(ANNOTATION)
    cover = rf"{ANNOTATION}|{_PREFIX}[^\[\]\r\n]*\]?|[^\[]+|\["
    return (
        answers.filter(surplus)
        .select("row", text=answer.str.extract_all(cover))
        .pipe(placed)
        .filter(
            pl.col("text").str.contains(f"^{_PREFIX}")
            & ~pl.col("text").str.contains(f"^(?:{ANNOTATION})$")
        )
    )


def annotation_findings(
    annotations: pl.LazyFrame,
    malformed: pl.LazyFrame,
    claims: pl.LazyFrame,
    unsupported: pl.LazyFrame,
    inputs: pl.LazyFrame,
) -> pl.LazyFrame:
    """One row per defect or advice on annotations: row, kind, text, start, end.

    In: `annotation_rows`, `malformed_rows` and the rows of `truth`.
    """
    start = pl.col("start")
    repeated = start > start.min().over("row", "id")
    kinds = {
        "malformed_annotation": malformed,
        "duplicate_fact": annotations.filter(pl.col("kind") == "assert").filter(repeated),
        "invented_claim": claims.filter(~pl.col("supported")),
        "unknown_negative_fact": unsupported.filter(~pl.col("known")),
        "unknown_input": inputs.filter(pl.col("fact_id").is_null()),
    }
    return pl.concat(
        frame.select("row", "text", "start", "end", kind=pl.lit(kind))
        for kind, frame in kinds.items()
    )


def annotation_verdicts(
    graded: pl.LazyFrame,
    annotations: pl.LazyFrame,
    claims: pl.LazyFrame,
    findings: pl.LazyFrame,
    missing: pl.LazyFrame,
) -> pl.LazyFrame:
    """One row per graded answer: row and the columns of `ANNOTATIONS`.

    In: graded(row); `annotation_rows`, `claim_rows`, `annotation_findings` and `missing_rows`.
    """
    kind = pl.col("kind")
    of_annotations = annotations.group_by("row").agg(
        n_annotations=pl.len().cast(pl.Int64),
        unsupported_fact_ids=_in_order(pl.when(kind == "unsupported").then("id")),
        derivation_inputs_used=_in_order(pl.when(kind == "input").then("value")),
    )
    of_claims = claims.group_by("row").agg(
        response_claims=pl.struct(fact="fact_id", value="value").sort_by("first")
    )
    of_findings = findings.group_by("row").agg(
        response_evidence_valid=~kind.is_in(["malformed_annotation", "duplicate_fact"]).any(),
        unsupported_claim_count=_count(kind, "invented_claim", "unknown_negative_fact"),
        unknown_input_count=_count(kind, "unknown_input"),
    )
    gathered = graded.select("row")
    for frame in (of_annotations, of_claims, of_findings, missing):
        gathered = gathered.join(frame, on="row", how="left", maintain_order="left")
    return gathered.with_columns(
        pl.col("n_annotations", "unsupported_claim_count", "unknown_input_count").fill_null(0),
        pl.col("unsupported_fact_ids", "derivation_inputs_used", "response_claims").fill_null([]),
        pl.col("response_evidence_valid").fill_null(True),
    ).select("row", *names(ANNOTATIONS))


def _in_order(value: pl.Expr) -> pl.Expr:
    return value.sort_by("start").drop_nulls()


def _count(kind: pl.Expr, *kinds: str) -> pl.Expr:
    return kind.is_in(kinds).sum().cast(pl.Int64)
