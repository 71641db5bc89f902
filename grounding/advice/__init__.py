"""What exact matching lets through, said beside the verdicts (rule `advice/1`, SPEC §3)."""

from grounding.advice.advised import Advice, advice
from grounding.advice.steps import Steps
from grounding.advice.table import ADVISED, CHANCE, KINDS
from grounding.advice.traces import TRACE, traces

__all__ = ["ADVISED", "CHANCE", "KINDS", "TRACE", "Advice", "Steps", "advice", "traces"]
