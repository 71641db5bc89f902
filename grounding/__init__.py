"""Whether every number and citation of an answer can be traced back to its evidence, exactly.

    >>> from grounding import verify
    >>> verify("Take 7,5 mg [1].", ["Take 7.5 mg."]).unsupported_numbers
    ('7,5',)

`verify` and its neighbours say what a verdict means, one answer at a time. `evaluate` gives the
same verdicts for whole columns, as polars lazy frames. Nothing here touches a disk, a clock or a
network; the command line and the job around it live in `pipelines`. polars is imported where
columns are asked for: one answer needs none of it.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from grounding.errors import (
    FixtureError,
    GateFailed,
    GroundingError,
    InputError,
    JobError,
    ResultsError,
    TaskError,
)
from grounding.fixtures import BookFixture, load_book_fixture
from grounding.reference import (
    GroundingReport,
    build_book_response_evidence,
    citations_in,
    numbers_in,
    verify,
)

if TYPE_CHECKING:
    from grounding.evaluation import Evaluation, evaluate
    from grounding.truth import Truth

__version__ = "0.1.0"

__all__ = [
    "BookFixture",
    "Evaluation",
    "FixtureError",
    "GateFailed",
    "GroundingError",
    "GroundingReport",
    "InputError",
    "JobError",
    "ResultsError",
    "TaskError",
    "Truth",
    "build_book_response_evidence",
    "citations_in",
    "evaluate",
    "load_book_fixture",
    "numbers_in",
    "verify",
]

_ON_COLUMNS = {"Evaluation": "evaluation", "Truth": "truth", "evaluate": "evaluation"}


def __getattr__(name: str) -> object:
    if name not in _ON_COLUMNS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{_ON_COLUMNS[name]}"), name)
    return globals().setdefault(name, value)
