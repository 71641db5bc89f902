"""The command line. A command is a file; `main` runs one and turns its end into an exit code."""

import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from traceback import format_exc
from types import FrameType
from typing import Annotated

import typer
from typer.main import get_command

from grounding import __version__
from grounding.errors import GroundingError
from pipelines.cli import check, doctor, prune, query, run, runs, views
from pipelines.cli.jsonlog import json_stderr, log_facts, logs_json, wants_json
from pipelines.cli.terminal import (
    complain,
    discard_stdout,
    prepare_streams,
    say,
    say_json,
    told,
    visible,
)
from pipelines.places.stores import StoreFault

DEFECT, INTERRUPTED, TERMINATED = 1, 130, 143


class Terminated(KeyboardInterrupt):
    """SIGTERM arrived: unwind as an interrupt does, so that what is staged is left in order."""


def application() -> typer.Typer:
    """All commands. Plain help: descriptions hold brackets that are no markup."""
    app = typer.Typer(
        name="grounding",
        add_completion=False,
        rich_markup_mode=None,
    )
    app.callback()(_options)
    for command in (run, check, doctor, query, views, runs, prune):
        app.command(command.NAME)(command.command)
    return app


def _show_version(wanted: bool) -> None:
    if wanted:
        say(f"grounding {__version__}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Show the version and exit.", is_eager=True, callback=_show_version
        ),
    ] = False,
) -> None:
    """Decide whether every number and citation of an answer can be traced to its evidence."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code. Nothing but a defect shows a traceback."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    prepare_streams()
    with json_stderr() if wants_json(given) else nullcontext():
        return _ended(given)


def _ended(given: list[str]) -> int:
    try:
        with _termination():
            return _invoke(given)
    except GroundingError as error:
        return _failed(given, error.faults, error.exit_code, type(error).__name__)
    except StoreFault as error:  # of results that are only read: a run says more
        return _failed(given, [f"{error.filename}: {error.strerror}"], 2, "JobError")
    except typer.TyperException as error:
        return _failed(given, [_usage(error)], error.exit_code, "UsageError")
    except Terminated:
        return _failed(given, ["terminated"], TERMINATED, "Terminated")
    except KeyboardInterrupt:
        return _failed(given, ["interrupted"], INTERRUPTED, "Interrupted")
    except BrokenPipeError:  # the reader of a help page has gone
        discard_stdout()
        return 0
    except Exception as error:  # noqa: BLE001 (the boundary: a defect ends with its traceback)
        told_fault = f"a defect of grounding: {error!r}"
        return _failed(given, [told_fault], DEFECT, type(error).__name__, traceback=format_exc())


def _invoke(arguments: list[str]) -> int:
    command = get_command(application())
    try:
        with command.make_context("grounding", arguments) as context:
            code = command.invoke(context)
    except typer.Exit as end:
        return end.exit_code
    return code if isinstance(code, int) else 0


def _usage(error: typer.TyperException) -> str:
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "grounding"
    return f"{error.format_message()} (see {command} --help)"


def _failed(
    arguments: list[str],
    faults: Sequence[str],
    code: int,
    kind: str,
    *,
    traceback: str | None = None,
) -> int:
    if logs_json():
        facts = {"kind": kind, "exit_code": code, "faults": list(faults), "traceback": traceback}
        log_facts("error", facts)
    else:
        if traceback is not None:
            sys.stderr.write(visible(traceback, block=True))
        for fault in faults:
            complain(fault)
    if "--json" in arguments:
        with suppress(GroundingError):  # where stdout cannot be written, the code must do
            say_json({"error": told(faults, code, kind)})
    return code


@contextmanager
def _termination() -> Iterator[None]:
    """SIGTERM as an exception, while a command runs."""

    def terminate(_signal: int, _frame: FrameType | None) -> None:
        raise Terminated

    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may say what a signal does
        return
    before = signal.signal(signal.SIGTERM, terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
