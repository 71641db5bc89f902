"""The keys of a job that say how refusals are explained, and what its policy makes of them.

No key changes what is grounded. Each decides rows: what is explained, and what the verdict would
be if some causes were waived and some advice demanded.
"""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, BeforeValidator, Field, model_validator

from grounding.causetable import WAIVABLE
from grounding.policies import ADVICE_KINDS
from pipelines import forms
from pipelines.forms import Option


def waived_causes(value: object) -> tuple[str, ...]:
    """Causes that may be waived, in the order of their table; an empty text is none.

    >>> waived_causes("identifier, list_marker")
    ('list_marker', 'identifier')
    """
    return _named(value, WAIVABLE, "cannot be waived; these can")


def demanded_kinds(value: object) -> tuple[str, ...]:
    """Kinds of advice, in the order of their table; an empty text is none."""
    return _named(value, ADVICE_KINDS, "is no kind of advice; these are")


def _named(value: object, allowed: tuple[str, ...], refusal: str) -> tuple[str, ...]:
    given = forms.column_names(value)
    strange = [name for name in given if name not in allowed]
    if strange:
        meant = forms.suggestion(strange[0], allowed)
        raise ValueError(f"{forms.shortened(strange[0])} {refusal}: {', '.join(allowed)}{meant}")
    return tuple(name for name in allowed if name in given)


class RuleKeys(BaseModel):
    """The part of a job that says what is made of a refusal."""

    explain: Annotated[
        Literal["all", "causes", "none"],
        Option("all, causes or none", "rows", metavar="all|causes|none"),
    ] = Field(
        default="all",
        description="Explain refusals and give advice on what was supported, explain refusals "
        "only, or neither.",
    )
    waive: Annotated[
        tuple[str, ...],
        Option("causes that may be waived", "rows", several="commas", metavar="CAUSE,…"),
        BeforeValidator(waived_causes),
    ] = Field(
        default=(),
        description="Causes for which a refused number counts as supported in "
        "grounded_with_waivers; grounded stays as it is.",
    )
    demand: Annotated[
        tuple[str, ...],
        Option("kinds of advice", "rows", several="commas", metavar="KIND,…"),
        BeforeValidator(demanded_kinds),
    ] = Field(
        default=(),
        description="Kinds of advice that an answer must be free of for passed_with_policy; "
        "passed stays as it is.",
    )

    @model_validator(mode="after")
    def _policy_is_explained(self) -> Self:
        if self.waive and self.explain == "none":
            raise ValueError("waive needs causes: explain is none, wanted all or causes")
        if self.demand and self.explain != "all":
            raise ValueError(f"demand needs advice: explain is {self.explain}, wanted all")
        return self
