"""The two streams: results on stdout, everything else on stderr, and no text that acts.

Text of an answer, a path or an error may hold escape sequences that move a cursor, or controls
that turn the direction of a line around. `visible` spells them out, so that what a terminal
shows is what the text holds. A reader of stdout that has gone away is no failure of ours.
"""

import io
import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from grounding.errors import JobError

if TYPE_CHECKING:
    from rich.console import RenderableType

_C0_C1 = r"\x00-\x1f\x7f-\x9f"
_BIDI = r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_ACTING = re.compile(f"[{_C0_C1}{_BIDI}\u2028\u2029\ud800-\udfff]")
_ACTING_IN_BLOCK = re.compile(rf"(?![\n\t])[{_C0_C1}{_BIDI}\u2028\u2029\ud800-\udfff]")
_WIDE = 10_000


def visible(text: str, *, block: bool = False) -> str:
    r"""The text with each character that would act on a terminal spelled out.

    A `block` keeps its line feeds and tabs.

    >>> visible("a\x1b[2Jb\n")
    'a\\x1b[2Jb\\n'
    """
    acting = _ACTING_IN_BLOCK if block else _ACTING
    return acting.sub(lambda match: ascii(match[0])[1:-1], text)


def prepare_streams() -> None:
    """Make both streams able to take any text; a closed one swallows what it is given."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by the caller, as in `>&-`
            nowhere = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 (until exit)
            setattr(sys, name, nowhere)
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def has_colours() -> bool:
    """Whether stdout is a terminal that shows colours, and whose owner wants them."""
    return (
        sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    )


def say(text: str) -> None:
    """Write a line of the result."""
    try:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
    except BrokenPipeError:
        discard_stdout()
    except OSError as error:
        raise JobError(f"stdout cannot be written: {error.strerror}") from None


def say_exactly(text: str) -> None:
    """Write what another program reads as it is; what a terminal shows must not act on it."""
    say(visible(text, block=True) if sys.stdout.isatty() else text)


def say_json(value: Mapping[str, object]) -> None:
    """Write one JSON object on a line of its own, in ASCII, which any terminal and reader takes."""
    say(json.dumps(value))


def told(faults: Sequence[str], code: int, kind: str) -> dict[str, object]:
    """What `--json` says of a failure."""
    return {"message": "\n".join(faults), "exit_code": code, "kind": kind}


def show(renderable: "RenderableType") -> None:
    """Write a table or styled text: in colour to a terminal, unwrapped to anything else."""
    from rich.console import Console  # takes a tenth of a second, and `--json` needs none of it

    terminal = sys.stdout.isatty()
    written = io.StringIO()
    page = Console(
        file=written,
        force_terminal=terminal,
        width=None if terminal else _WIDE,
        markup=False,
        emoji=False,
        highlight=False,
    )
    page.print(renderable)
    say("\n".join(line.rstrip() for line in written.getvalue().rstrip("\n").split("\n")))


def complain(message: str) -> None:
    """Write a fault to stderr, its further lines indented: none of them can pass for a new one."""
    text = visible(message, block=True).replace("\n", "\n  ")
    with suppress(OSError):  # nobody is left to tell
        sys.stderr.write(f"grounding: {text}\n")


def discard_stdout() -> None:
    """Let nothing more be written to a pipe whose reader has gone, not even at exit."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):  # a stream without a descriptor has nothing left to flush
        sys.stdout = io.StringIO()
