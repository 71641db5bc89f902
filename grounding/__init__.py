"""Whether every number and citation of an answer can be traced back to its evidence, exactly.

    >>> from grounding import verify
    >>> verify("Take 7,5 mg [1].", ["Take 7.5 mg."]).unsupported_numbers
    ('7,5',)

`verify` and its neighbours say what a verdict means, one answer at a time. `evaluate` gives the
same verdicts for whole columns, as polars lazy frames. Nothing here touches a disk, a clock or a
network; the command line and the job around it live in `pipelines`.
"""

from grounding.errors import (
    FixtureError,
    GateFailed,
    GroundingError,
    InputError,
    JobError,
    ResultsError,
    TaskError,
)
from grounding.evaluate import Evaluation, evaluate
from grounding.fixtures import BookFixture, load_book_fixture
from grounding.reference import (
    GroundingReport,
    build_book_response_evidence,
    citations_in,
    numbers_in,
    verify,
)
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
