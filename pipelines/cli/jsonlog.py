"""The log of a command in JSON lines: while it lasts, nothing else is written to stderr.

Events go to stderr as they happen. Whatever else is written there, by this process or by one that
it started, a warning of Python or a panic of the engine, arrives line by line as an event too.
"""

import fcntl
import os
import selectors
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from enum import StrEnum
from itertools import pairwise

from pipelines.log import Event, json_line

FLAG = "--log-format"


class LogFormat(StrEnum):
    """How a command writes to stderr."""

    text = "text"
    json = "json"


_LONGEST = 65_536
"""Bytes of a line of others' making; a longer one is cut into several."""

_ROOM = 2**20
"""Bytes that others may write before they are read."""

_log: list[int] = []
"""The descriptor of stderr, while the log is in JSON lines."""

_one_at_a_time = threading.Lock()


def wants_json(arguments: Sequence[str]) -> bool:
    """Whether the log is to be JSON: asked before the flags are judged, since faults are logged.

    >>> wants_json(["run", "--log-format", "json"]), wants_json(["run", "--log-format=text"])
    (True, False)
    """
    words = [f"{word}={value}" if word == FLAG else word for word, value in pairwise(arguments)]
    given = [word for word in (*words, *arguments[-1:]) if word.startswith(f"{FLAG}=")]
    return given[-1:] == [f"{FLAG}={LogFormat.json}"]


def logs_json() -> bool:
    """Whether stderr is a log in JSON lines now."""
    return bool(_log)


def log(event: Event) -> None:
    """Write an event of a run."""
    log_facts(event.event, asdict(event))


def log_facts(event: str, facts: Mapping[str, object]) -> None:
    """Write an event, where stderr is such a log."""
    line = f"{json_line(event, facts)}\n".encode()
    with _one_at_a_time, suppress(OSError):  # nobody is left to tell
        while _log and line:
            line = line[os.write(_log[0], line) :]


@contextmanager
def json_stderr() -> Iterator[None]:
    """While it lasts, stderr is a log in JSON lines. One that is closed stays so."""
    try:
        stderr = os.dup(2)
    except OSError:
        yield
        return
    others, into = os.pipe()
    with suppress(OSError, AttributeError):  # so that one with Python's lock need not wait for us
        fcntl.fcntl(into, fcntl.F_SETPIPE_SZ, _ROOM)
    stop, stopping = os.pipe()
    os.dup2(into, 2)
    _log.append(stderr)
    relay = threading.Thread(target=_relay, args=(others, stop), daemon=True)
    relay.start()
    before = sys.stderr
    try:
        with open(2, "w", closefd=False, errors="backslashreplace") as sys.stderr:
            yield
    finally:
        sys.stderr = before
        os.dup2(stderr, 2)
        os.close(into)
        os.close(stopping)  # not the end of the pipe: a process that outlives us may hold it
        relay.join()
        _log.clear()
        for descriptor in (stderr, others, stop):
            os.close(descriptor)


def _relay(others: int, stop: int) -> None:
    """Log each line that is written to stderr, until there is no more and `stop` is closed."""
    rest = b""
    with selectors.DefaultSelector() as waiting:
        waiting.register(others, selectors.EVENT_READ)
        waiting.register(stop, selectors.EVENT_READ)
        while others in {key.fd for key, _ in waiting.select()}:
            if not (data := os.read(others, _LONGEST)):
                break
            *lines, rest = (rest + data).split(b"\n")
            if len(rest) >= _LONGEST:
                lines, rest = [*lines, rest], b""
            for line in lines:
                _log_line(line)
    _log_line(rest)


def _log_line(line: bytes) -> None:
    text = line.decode("utf-8", "backslashreplace").rstrip("\r")
    if text:
        log_facts("stderr", {"text": text})
