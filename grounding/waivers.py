"""What the verdict would be under a policy: some causes waived, some advice demanded absent.

`grounded` and `reason` stay strict (SPEC §3). A refused number is waived where its cause is named
by the policy, unless a separator is among its causes; a citation never is.
"""

import polars as pl

from grounding.policies import NEVER_WAIVED, Policy
from grounding.schema import FLAG, Block, Column

WAIVED: Block = (
    Column(
        "grounded_with_waivers",
        FLAG,
        "grounded, or each refused number is waived by the policy of the job",
        "grounding did not run",
    ),
)

UNDER_POLICY: Block = (
    Column(
        "passed_with_policy",
        FLAG,
        "passed, with grounded_with_waivers for grounded, and no advice of a demanded kind",
        "no check ran",
    ),
)


def is_waived(policy: Policy) -> pl.Expr:
    """Whether a refusal is waived. In: kind, cause, causes. Never null."""
    number = pl.col("kind") == "ungrounded_number"
    named = pl.col("cause").is_in(policy.waive).fill_null(False)
    size = pl.col("causes").list.set_intersection(pl.lit(list(NEVER_WAIVED))).list.len() > 0
    return number & named & ~size.fill_null(False)


def with_policy(verdicts: pl.LazyFrame, findings: pl.LazyFrame, policy: Policy) -> pl.LazyFrame:
    """The verdicts with the columns of `WAIVED` and `UNDER_POLICY`.

    In: verdicts: row and the columns of `tables.GRADED`. findings: row, kind, cause, causes.
    """
    refused = findings.filter(pl.col("kind").is_in(["ungrounded_number", "invalid_citation"]))
    return verdicts.pipe(with_waivers, refused, policy).pipe(under_policy, findings, policy)


def with_waivers(verdicts: pl.LazyFrame, refused: pl.LazyFrame, policy: Policy) -> pl.LazyFrame:
    """The verdicts with the column of `WAIVED`.

    In: verdicts: row, grounded. refused: row, kind, cause, causes: every refused number and invalid
    citation. Order: as the verdicts are.
    """
    if not policy.waive:
        return verdicts.with_columns(grounded_with_waivers="grounded")
    return verdicts.pipe(_marked, refused.filter(~is_waived(policy)), "still_refused").select(
        pl.exclude("still_refused"),
        grounded_with_waivers=pl.when(pl.col("grounded").is_not_null()).then(
            ~pl.col("still_refused")
        ),
    )


def under_policy(verdicts: pl.LazyFrame, findings: pl.LazyFrame, policy: Policy) -> pl.LazyFrame:
    """The verdicts with the column of `UNDER_POLICY`.

    In: verdicts: row, grounded_with_waivers, response_evidence_valid, unsupported_claim_count.
    findings: row, kind: every finding. Order: as the verdicts are.
    """
    passed = passed_where(pl.col("grounded_with_waivers"))
    if not policy.demand:
        return verdicts.with_columns(passed_with_policy=passed)
    demanded = findings.filter(pl.col("kind").is_in(policy.demand))
    return verdicts.pipe(_marked, demanded, "demanded").select(
        pl.exclude("demanded"),
        passed_with_policy=pl.when(passed.is_not_null()).then(passed & ~pl.col("demanded")),
    )


def passed_where(grounded: pl.Expr) -> pl.Expr:
    """Whether every check that ran came out well; null where none ran.

    In: grounded, whatever that is; response_evidence_valid, unsupported_claim_count.
    """
    annotated = pl.col("response_evidence_valid") & (pl.col("unsupported_claim_count") == 0)
    return pl.coalesce(grounded & annotated, grounded, annotated)


def _marked(verdicts: pl.LazyFrame, rows: pl.LazyFrame, name: str) -> pl.LazyFrame:
    """The verdicts with a flag: whether one of the rows is theirs."""
    flags = rows.select("row").unique().with_columns(pl.lit(True).alias(name))
    joined = verdicts.join(flags, on="row", how="left", maintain_order="left")
    return joined.with_columns(pl.col(name).fill_null(False))
