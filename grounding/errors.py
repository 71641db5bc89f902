"""Everything that can go wrong on purpose, with the exit code a scheduler sees.

    GroundingError
    ├── JobError        2   the job, its rules or its output place are wrong
    ├── InputError      3   the input is wrong; nothing was published
    │   └── FixtureError    a truth table is wrong
    ├── TaskError       4   a task failed; finished tasks are kept for the next try
    ├── ResultsError    5   the output folder contradicts its manifests
    └── GateFailed      6   a gate failed; the run is published all the same

A message says what is wrong, where, what was got and wanted, and what to do. One error
carries all the faults of its input at once, one a line, so that nobody mends them one by one.
"""

from collections.abc import Iterable


class GroundingError(Exception):
    """A fault that the user can mend. `faults` holds every one found, in the order of the input."""

    exit_code = 1

    def __init__(self, faults: str | Iterable[str]) -> None:
        self.faults: tuple[str, ...] = (faults,) if isinstance(faults, str) else tuple(faults)
        super().__init__("\n".join(self.faults))


class JobError(GroundingError):
    """The job, its rules or its output place are wrong."""

    exit_code = 2


class InputError(GroundingError):
    """The input is wrong; nothing was published."""

    exit_code = 3


class FixtureError(InputError):
    """A truth table is wrong: an id is illegal or repeated, or a reference resolves to nothing."""


class TaskError(GroundingError):
    """A task failed while it was read, graded or written."""

    exit_code = 4


class ResultsError(GroundingError):
    """The output folder contradicts its manifests."""

    exit_code = 5


class GateFailed(GroundingError):
    """A gate failed; the run is published all the same."""

    exit_code = 6
