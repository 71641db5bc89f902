"""What the doctor found, as plain values: what `--json` prints is these classes, field by field."""

from dataclasses import asdict, dataclass, field
from typing import Any

from grounding.errors import GroundingError
from pipelines.gates import Gate


@dataclass(frozen=True, slots=True)
class FileFound:
    """An input file. Null where it could not be opened, or is no table of rows."""

    name: str
    role: str
    format: str
    bytes: int
    rows: int | None = None
    row_groups: int | None = None
    largest_row_group: int | None = None
    """Bytes, before compression; for CSV and JSON Lines, of what they are converted to."""

    columns: dict[str, str] | None = None
    """Column → type."""


@dataclass(frozen=True, slots=True)
class ColumnFound:
    """A column of the answers over all their files. `read_as` is null where it is not read."""

    name: str
    read_as: str | None
    types: dict[str, int]
    """Type → files that hold the column so. Two are drift that is read to one type."""

    missing_in: int
    """Files that lack the column."""

    nulls: int | None = None
    """Rows without a value, of the columns with a meaning."""


@dataclass(frozen=True, slots=True)
class Ids:
    """The keys of the answers: rows = distinct + repeated + null."""

    rows: int
    distinct: int
    repeated: int
    null: int


@dataclass(frozen=True, slots=True)
class Texts:
    """Sizes in bytes of UTF-8. The mean is cut to a whole number."""

    count: int
    mean: int
    longest: int


@dataclass(frozen=True, slots=True)
class Spread:
    """Of the passages of an answer."""

    least: int
    median: int
    most: int


@dataclass(frozen=True, slots=True)
class StyleFound:
    """A citation style: the answers that use it, and its groups."""

    style: str
    read: bool
    """Whether the rule reads it as citations."""

    example: str
    answers: int
    groups: int
    out_of_range: int | None
    """Groups with a number that names no passage; null where a style's numbers never do."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Why rows would be rejected, with the first of them, and what to do about it."""

    problem: str
    rows: int
    source_file: str
    source_row: int
    detail: str | None
    advice: str


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run would take, from a graded sample: no promise. Bytes and seconds."""

    sample_rows: int
    sample_bytes: int
    cpu_seconds: float
    seconds: float
    peak_memory: int
    output: int


@dataclass(frozen=True, slots=True)
class Work:
    """What a run has to do, known and not estimated. Bytes."""

    tasks: int
    largest_task: int
    files: int
    text: int
    """Before compression."""

    scratch: int
    """What is kept beside the results while a run works, apart from the results."""


@dataclass(slots=True)
class Diagnosis:
    """All that was found, filled in as far as the input allowed."""

    run_id: str | None = None
    """Of the run that a command would publish, or has published."""

    already_done: bool = False
    """Whether it is published, or nothing is new: its gates are all judged then."""

    files: list[FileFound] = field(default_factory=list)
    columns: list[ColumnFound] = field(default_factory=list)
    read: int | None = None
    gradable: int | None = None
    rejected: int | None = None
    ids: Ids | None = None
    answers: Texts | None = None
    passages: Texts | None = None
    passages_per_answer: Spread | None = None
    evidence: dict[str, int] | None = None
    """Of evidence in files of its own: rows, those that no answer uses, repeated passage ids."""

    labels: dict[str, int] | None = None
    """Of labels in files of their own: rows, and those that name no answer."""

    citing: int | None = None
    """Answers with a citation of any style, those out of range apart."""

    citations: list[StyleFound] = field(default_factory=list)
    rejects: list[Problem] = field(default_factory=list)
    gates: list[Gate] = field(default_factory=list)
    not_judged: list[str] = field(default_factory=list)
    """Gates that need verdicts, so that only a run can judge them."""

    work: Work | None = None
    estimate: Estimate | None = None
    advice: list[str] = field(default_factory=list)
    fault: GroundingError | None = None
    """What a run would end with, but for gates."""

    def to_dict(self) -> dict[str, Any]:
        """As JSON values, without the fault."""
        found = asdict(self)
        del found["fault"]
        return {**found, "gates": [gate.to_dict() for gate in self.gates]}
