"""The job: every option of a run, once.

The command line's flags, the keys of a job file and what takes part in a run's identity are all
read off the fields of `Job`. A field's type says what is kept; its `Option` says what is accepted
and what the value decides. Every fault of a job is reported at once, as one `JobError`.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import (
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails

from grounding.errors import JobError
from pipelines import forms
from pipelines.forms import Option
from pipelines.gatekeys import GateKeys
from pipelines.jobfile import read_job_file
from pipelines.rulekeys import RuleKeys

MEBIBYTE = 2**20


class Job(RuleKeys, GateKeys):
    """One run of the main job, validated. Frozen: a job that ran is the job that was asked for."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    answers: Annotated[
        str | None, Option("a file, a folder or a glob"), BeforeValidator(forms.optional_path)
    ] = Field(
        default=None,
        description="Answers with their evidence: a Parquet, CSV or JSON Lines file, a folder or a "
        "glob. Without it, the bundled demo is run.",
    )
    evidence: Annotated[
        str | None,
        Option("a file, a folder or a glob", metavar="PATH"),
        BeforeValidator(forms.optional_path),
    ] = Field(
        default=None,
        description="Evidence in files of its own, a row per passage of an answer: answer_id, "
        "position from 1, text.",
    )
    passages: Annotated[
        str | None,
        Option("a file, a folder or a glob", metavar="PATH"),
        BeforeValidator(forms.optional_path),
    ] = Field(
        default=None,
        description="Passages that answers share and name in their column evidence_ids: "
        "passage_id, text.",
    )
    fixtures: Annotated[
        tuple[str, ...],
        Option("one or several files, folders or globs", several="apart", metavar="PATH"),
        BeforeValidator(forms.paths),
    ] = Field(
        default=(),
        description="Truth tables that annotations are graded against: a folder of Parquet "
        "tables, or JSON files, one per fixture. May be given several times.",
    )
    labels: Annotated[
        str | None,
        Option("a file, a folder or a glob", metavar="PATH"),
        BeforeValidator(forms.optional_path),
    ] = Field(
        default=None,
        description="What people say of the answers, in files of its own: answer_id, label "
        "(supported, partial, unsupported or na).",
    )
    out: Annotated[str, Option("a folder", metavar="DIR"), BeforeValidator(forms.path)] = Field(
        default="results", description="The folder that runs are published in."
    )
    map: Annotated[
        dict[str, str],
        Option("OURS=THEIRS pairs", "rows", several="commas", metavar="OURS=THEIRS,…"),
        BeforeValidator(forms.column_map),
    ] = Field(
        default={},
        description="Which of your columns holds what we call answer, evidence and so on, "
        "as in answer=output,evidence=contexts.",
    )
    id: Annotated[
        tuple[str, ...],
        Option("column names, or row", "rows", several="commas", metavar="COL,…"),
        BeforeValidator(forms.key_columns),
    ] = Field(
        default=(),
        description="The columns that together name an answer, or the word row for file and "
        "row. Without it, the column answer_id.",
    )
    name: Annotated[
        str | None, Option("a short name", "job", metavar="NAME"), BeforeValidator(forms.run_name)
    ] = Field(
        default=None,
        description="A name under which later runs, over files of other names, are the same job.",
    )
    carry: Annotated[
        tuple[str, ...] | None,
        Option("column names", "rows", several="commas", metavar="COL,…"),
        BeforeValidator(forms.optional_column_names),
    ] = Field(
        default=None,
        description="The columns of the answers to keep beside the verdict. Without it, all of "
        "them; with an empty text, none.",
    )
    content: Annotated[
        Literal["full", "verdicts"], Option("full or verdicts", "rows", metavar="full|verdicts")
    ] = Field(
        default="full",
        description="verdicts publishes no text of an answer: only booleans, counts, reasons "
        "and offsets.",
    )
    max_text: Annotated[
        int,
        Option("a number of bytes from 1, as 1048576 or 256MiB", "rows", metavar="SIZE"),
        BeforeValidator(forms.byte_count),
    ] = Field(
        default=256 * MEBIBYTE,
        description="The most text, answer and evidence together, that a row may hold before it "
        "is rejected as too_long.",
    )
    graded_after: Annotated[
        str | None, Option("a text", "rows", metavar="TEXT"), BeforeValidator(forms.literal)
    ] = Field(
        default=None,
        description="Grade only what follows the last occurrence of this text in an answer, as in "
        "</think>. An answer without it is graded whole.",
    )
    require_final_answer: Annotated[bool, Option("true or false", "rows")] = Field(
        default=False,
        description="Reject an answer without the text of graded_after as no_final_answer.",
    )
    incremental: Annotated[bool, Option("true or false", "job")] = Field(
        default=False,
        description="Grade only files of answers that are new or changed since the last run of "
        "this job, which needs a name.",
    )
    workers: Annotated[
        int, Option("a number of at least 1", metavar="N"), BeforeValidator(forms.count)
    ] = Field(
        default=1,
        description="Processes that grade at the same time. The result does not depend on it.",
    )
    allow_empty: Annotated[bool, Option("true or false")] = Field(
        default=False, description="Publish where no row was read or none could be graded too."
    )

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Self:
        if self.id and "answer_id" in self.map:
            raise ValueError(
                "id and map.answer_id both name the key of an answer: give one of them"
            )
        if self.evidence is not None and self.passages is not None:
            raise ValueError("evidence and passages both hold the evidence: give one of them")
        if self.require_final_answer and self.graded_after is None:
            raise ValueError(
                "require_final_answer needs graded_after, the text that a final answer follows"
            )
        if self.incremental and self.name is None:
            raise ValueError("incremental needs a name, by which later runs know what was graded")
        if self.max_cause and self.explain == "none":
            raise ValueError("max_cause needs causes: explain is none, wanted all or causes")
        if self.max_advice and self.explain != "all":
            raise ValueError(f"max_advice needs advice: explain is {self.explain}, wanted all")
        keys = ("evidence", "passages", "fixtures", "labels", "map", "id", "carry")
        about_answers = [key for key in keys if getattr(self, key)]
        if self.answers is None and about_answers:
            raise ValueError(
                f"no answers are given, and {', '.join(about_answers)} cannot be laid over the "
                "bundled demo: name a file, a folder or a glob"
            )
        return self

    @classmethod
    def from_flags(cls, flags: Mapping[str, object]) -> Self:
        """The job that flags alone describe. Keys are field names.

        >>> Job.from_flags({"answers": "answers.csv", "max_text": "1KiB"}).max_text
        1024
        """
        return cls._validated(flags, {key: flag_of(key) for key in flags})

    @classmethod
    def from_toml(cls, file: str | Path, flags: Mapping[str, object] | None = None) -> Self:
        """The job of a TOML file, with flags laid over it: a flag takes the place of its key.

        Relative paths in the file start at the file's own folder, those of flags at the current
        one.
        """
        written, over = read_job_file(Path(file), PATHS, tables()), flags or {}
        origins = {key: f"{file}: {item.spelling}" for key, item in written.items()}
        origins |= {key: flag_of(key) for key in over}
        values = {key: item.value for key, item in written.items()}
        return cls._validated({**values, **over}, origins)

    @classmethod
    def _validated(cls, values: Mapping[str, object], origins: Mapping[str, str]) -> Self:
        try:
            return cls.model_validate(dict(values))
        except ValidationError as error:
            faults = error.errors(include_url=False)
        raise JobError(_sentence(fault, origins) for fault in faults)


PATHS = ("answers", "evidence", "passages", "fixtures", "labels", "out")
"""The keys whose values are paths."""


def options() -> dict[str, Option]:
    """Each key of a job with what it accepts and decides: the answers first, the gates last."""
    after = [*RuleKeys.model_fields, *GateKeys.model_fields]
    fields = sorted(
        Job.model_fields.items(),
        key=lambda named: after.index(named[0]) if named[0] in after else -1,
    )
    return {
        key: next(item for item in field.metadata if isinstance(item, Option))
        for key, field in fields
    }


def tables() -> dict[str, dict[str, str]]:
    """The tables of a job file that hold keys of the job: for each, its keys and what they name.

    >>> tables()["expect"]
    {'rows': 'expect_rows', 'groups': 'expect_groups'}
    """
    found: dict[str, dict[str, str]] = {}
    for key, option in options().items():
        if option.table is not None:
            found.setdefault(option.table, {})[key.removeprefix(f"{option.table}_")] = key
    return found


def file_key(key: str) -> str:
    """How a job file spells a key.

    >>> file_key("expect_rows"), file_key("max_rejected"), file_key("out")
    ('expect.rows', 'gates.max_rejected', 'out')
    """
    table = options()[key].table
    return f"{table}.{key.removeprefix(f'{table}_')}" if table else key


def flag_of(key: str) -> str:
    """How the command line spells a key.

    >>> flag_of("max_text"), flag_of("answers")
    ('--max-text', 'ANSWERS')
    """
    return "ANSWERS" if key == "answers" else "--" + key.replace("_", "-")


def identity(job: Job) -> dict[str, object]:
    """The keys that decide the published rows, as plain JSON values in one fixed order.

    >>> identity(Job(out="elsewhere")) == identity(Job())
    True
    """
    deciding = (key for key, option in options().items() if option.decides == "rows")
    return {key: _plain(getattr(job, key)) for key in sorted(deciding)}


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return list(value)
    return dict(sorted(value.items())) if isinstance(value, dict) else value


def _sentence(fault: ErrorDetails, origins: Mapping[str, str]) -> str:
    """Where, what was got, what is allowed."""
    reason = str(fault.get("ctx", {}).get("error", ""))
    if not fault["loc"]:
        return reason
    key = str(fault["loc"][0])
    where = origins[key]
    if fault["type"] == "extra_forbidden":
        keys = sorted(map(file_key, Job.model_fields))
        return f"{where}: no such key{forms.suggestion(key, keys)} Keys are: {', '.join(keys)}"
    got = forms.shortened(repr(fault["input"]))
    wanted = options()[key].wanted
    return f"{where}: got {got}, wanted {wanted}{f' ({reason})' if reason else ''}"
