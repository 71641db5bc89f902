"""Why a number or a citation was refused (rule `causes/1`, SPEC §3)."""

from grounding.causes.explained import (
    REFUSALS,
    Passages,
    explained_findings,
    nested_passages,
)
from grounding.causes.hold import Hold
from grounding.causes.table import CAUSES, ORDER

__all__ = [
    "CAUSES",
    "ORDER",
    "REFUSALS",
    "Hold",
    "Passages",
    "explained_findings",
    "nested_passages",
]
