"""How a diagnosis looks on a terminal: what there is, what a run would reject, what it takes."""

from collections.abc import Iterator, Sequence

from pipelines.cli.rows import Rows, as_table
from pipelines.cli.terminal import say, show, visible
from pipelines.doctor import Diagnosis
from pipelines.forms import shortened

MOST_FILES = 20

Cells = Sequence[Sequence[object]]


def show_diagnosis(found: Diagnosis) -> None:
    """Print what was found, as far as it was."""
    if found.already_done:
        say(f"nothing to grade: run {found.run_id} is published")
    _table("", ("file", "role", "format", "rows", "row groups", "size"), _files(found))
    _table("", ("column", "read as", "type", "missing in", "null"), _columns(found))
    for line in _sizes(found):
        say(line)
    headings = ("style", "as in", "read", "answers", "citations", "out of range")
    if found.citing is not None:
        _table(f"{found.citing:,} answers cite", headings, _citations(found))
    if found.rejected is not None:
        said = f"a run would reject {found.rejected:,} of {found.read or 0:,} rows"
        _table(said, ("problem", "rows", "first", "detail", "what to do"), _rejects(found))
    for line in _needs(found):
        say(line)
    if found.advice:
        say("")
    for advice in found.advice:
        say(f"- {visible(advice)}")


def _table(title: str, headings: tuple[str, ...], rows: Cells) -> None:
    if title:
        say(f"\n{title}")
    if rows:
        if not title:
            say("")
        show(as_table(Rows(headings, rows)))


def _files(found: Diagnosis) -> Cells:
    files = [
        (f.name, f.role, f.format, _count(f.rows), _count(f.row_groups), size(f.bytes))
        for f in found.files[:MOST_FILES]
    ]
    more = len(found.files) - MOST_FILES
    return files if more <= 0 else [*files, (f"and {more:,} more", "", "", "", "", "")]


def _columns(found: Diagnosis) -> Cells:
    return [
        (
            column.name,
            column.read_as or "not read",
            ", ".join(
                f"{name} ({number(files, 'file')})" if len(column.types) > 1 else name
                for name, files in column.types.items()
            ),
            number(column.missing_in, "file") if column.missing_in else "",
            _count(column.nulls),
        )
        for column in found.columns
    ]


def _sizes(found: Diagnosis) -> Iterator[str]:
    if found.ids is None or found.answers is None or found.passages is None:
        return
    ids, answers, passages = found.ids, found.answers, found.passages
    yield (
        f"\n{ids.rows:,} rows, {ids.distinct:,} distinct ids; "
        f"{ids.repeated:,} repeat one, {ids.null:,} have none"
    )
    yield (
        f"{answers.count:,} answers, {size(answers.mean)} on average, "
        f"{size(answers.longest)} at most"
    )
    if found.passages_per_answer is not None:
        spread = found.passages_per_answer
        yield (
            f"{spread.least:,} to {spread.most:,} passages an answer, {spread.median:,} in the "
            f"middle; {size(passages.mean)} on average, {size(passages.longest)} at most"
        )
    if found.evidence is not None:
        counts = found.evidence
        repeated = f", {counts['repeated']:,} repeat an id" if "repeated" in counts else ""
        yield f"{counts['rows']:,} rows of evidence, {counts['unused']:,} unused{repeated}"
    if found.labels is not None:
        yield f"{found.labels['rows']:,} labels, {found.labels['unused']:,} of no answer"


def _citations(found: Diagnosis) -> Cells:
    return [
        (
            style.style,
            style.example,
            "yes" if style.read else "no",
            _count(style.answers),
            _count(style.groups),
            _count(style.out_of_range),
        )
        for style in found.citations
    ]


def _rejects(found: Diagnosis) -> Cells:
    return [
        (
            reject.problem,
            _count(reject.rows),
            f"{reject.source_file} row {reject.source_row}",
            shortened(reject.detail or "", 60),
            reject.advice,
        )
        for reject in found.rejects
    ]


def _needs(found: Diagnosis) -> Iterator[str]:
    if found.work is None:
        return
    work, taken = found.work, found.estimate
    yield (
        f"\na run would read {size(work.files)} in {number(work.tasks, 'task')}, the largest of "
        f"{size(work.largest_task)} before compression, and need {size(work.scratch)} of scratch"
    )
    if taken is not None:
        yield (
            f"estimate, from {taken.sample_rows:,} graded rows ({size(taken.sample_bytes)}): "
            f"{taken.cpu_seconds:,.1f} s of CPU, {taken.seconds:,.1f} s to wait, "
            f"{size(taken.peak_memory)} of memory, {size(taken.output)} of results"
        )
    if found.not_judged:
        yield f"gates that only a run can judge: {', '.join(found.not_judged)}"


def _count(value: int | None) -> str:
    return "" if value is None else f"{value:,}"


def number(count: int, what: str) -> str:
    """So many of something.

    >>> number(1, "task"), number(2000, "task")
    ('1 task', '2,000 tasks')
    """
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def size(count: int) -> str:
    """Bytes in the unit in which they are read most easily.

    >>> size(0), size(999), size(1500), size(10**9)
    ('0 B', '999 B', '1.5 kB', '1.0 GB')
    """
    value, unit = float(count), "B"
    for larger in ("kB", "MB", "GB", "TB"):
        if value < 1000:
            break
        value, unit = value / 1000, larger
    return f"{count} B" if unit == "B" else f"{value:.1f} {unit}"
