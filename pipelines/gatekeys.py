"""The keys of a job that say when a run is not good enough.

They stand in the tables `[gates]` and `[expect]` of a job file. None of them changes what is
published, so none takes part in a run's identity.
"""

from fractions import Fraction
from typing import Annotated, Self

from pydantic import BaseModel, BeforeValidator, Field, model_validator

from pipelines import expected, forms, limits
from pipelines.expected import RowRange
from pipelines.forms import Option
from pipelines.limits import Limit

_LIMIT = "a count from 0, as 10, or a share from 0% to 100%, as 1%"


class GateKeys(BaseModel):
    """The part of a job that its gates are made from."""

    max_rejected: Annotated[
        Limit, Option(_LIMIT, metavar="LIMIT", table="gates"), BeforeValidator(limits.limit)
    ] = Field(
        default=Limit(Fraction(1, 100), share=True),
        description="Fail where more rows are rejected: a count, or a share of the rows read.",
    )
    min_grounded: Annotated[
        Limit | None,
        Option("a share from 0% to 100%, as 90%", metavar="SHARE", table="gates"),
        BeforeValidator(limits.optional_share),
    ] = Field(
        default=None,
        description="Fail where a smaller share of the checked answers is grounded.",
    )
    max_reason: Annotated[
        dict[str, Limit],
        Option(
            f"REASON=LIMIT pairs, a limit being {_LIMIT}",
            several="commas",
            metavar="REASON=LIMIT,…",
            table="gates",
        ),
        BeforeValidator(limits.reason_limits),
    ] = Field(
        default={},
        description="Fail where more answers are refused for a reason: a count, or a share of the "
        "checked answers, as in ungrounded_number=5%,invalid_citation=3.",
    )
    max_cause: Annotated[
        dict[str, Limit],
        Option(
            f"CAUSE=LIMIT pairs, a limit being {_LIMIT}",
            several="commas",
            metavar="CAUSE=LIMIT,…",
            table="gates",
        ),
        BeforeValidator(limits.cause_limits),
    ] = Field(
        default={},
        description="Fail where more answers hold a number or citation refused for a cause: a "
        "count, or a share of the checked answers, as in separator_dropped=0,absent=2%.",
    )
    max_advice: Annotated[
        dict[str, Limit],
        Option(
            f"KIND=LIMIT pairs, a limit being {_LIMIT}",
            several="commas",
            metavar="KIND=LIMIT,…",
            table="gates",
        ),
        BeforeValidator(limits.advice_limits),
    ] = Field(
        default={},
        description="Fail where more answers have advice of a kind: a count, or a share of the "
        "checked answers, as in qualifier_mismatch=1%.",
    )
    gate_by: Annotated[
        str | None,
        Option("the name of a carried column", metavar="COL", table="gates"),
        BeforeValidator(limits.optional_column),
    ] = Field(
        default=None,
        description="Hold min_grounded and the limits max_… on answers against those of each value "
        "of this carried column too.",
    )
    min_n: Annotated[
        int,
        Option("a whole number from 1", metavar="N", table="gates"),
        BeforeValidator(forms.count),
    ] = Field(
        default=1,
        description="With fewer checked answers limits on answers are not judged, which fails too.",
    )
    allow_unjudged: Annotated[bool, Option("true or false", table="gates")] = Field(
        default=False, description="Let pass what min_n leaves unjudged."
    )
    expect_rows: Annotated[
        RowRange | None,
        Option(
            "at least so many rows, as 1000, exactly, as =1000, or from to, as 1000..2000",
            metavar="ROWS",
            table="expect",
        ),
        BeforeValidator(expected.optional_row_range),
    ] = Field(
        default=None,
        description="Fail where another number of rows was read: 1000 is at least 1000, =1000 "
        "exactly, 1000..2000 a range.",
    )
    expect_groups: Annotated[
        tuple[str, ...],
        Option("values of the gate_by column", several="apart", metavar="VALUE", table="expect"),
        BeforeValidator(expected.group_values),
    ] = Field(
        default=(),
        description="Fail where no answer with this value of gate_by was graded. May be given "
        "several times.",
    )

    @model_validator(mode="after")
    def _gates_judge_something(self) -> Self:
        """A gate that would never be held against anything is a mistake, and not a green one."""
        limited = self.min_grounded is not None or any(
            (self.max_reason, self.max_cause, self.max_advice)
        )
        faults = []
        if self.expect_groups and self.gate_by is None:
            faults.append("expect_groups needs gate_by, the column whose values are expected")
        if self.gate_by is not None and not limited and not self.expect_groups:
            faults.append("gate_by needs a limit: give min_grounded, max_… or expect_groups")
        if self.min_n > 1 and not limited:
            faults.append("min_n needs a limit: give min_grounded or max_…")
        if faults:
            raise ValueError("; ".join(faults))
        return self
