"""The flags of `run`, generated from the job model, so that there is no second list of options."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import typer

from pipelines.job import Job, flag_of, options


def takes_job_flags(function: Callable[..., int]) -> Callable[..., int]:
    """The function, with a parameter for every key of the job in the place of its `**flags`."""
    own = inspect.signature(function).parameters.values()
    kept = [parameter for parameter in own if parameter.kind is not parameter.VAR_KEYWORD]
    signature = inspect.Signature([*_parameters(), *kept])
    function.__signature__ = signature  # type: ignore[attr-defined]  # read by `inspect`
    return function


def given_flags(flags: Mapping[str, Any]) -> dict[str, object]:
    """The flags that were given, as the job reads them."""
    return {
        key: ",".join(value) if options()[key].several == "commas" else value
        for key, value in flags.items()
        if value is not None
    }


def _parameters() -> Iterator[inspect.Parameter]:
    for key in options():
        field = Job.model_fields[key]
        yield inspect.Parameter(
            key,
            inspect.Parameter.KEYWORD_ONLY,
            default=_declaration(key, field.description or "", field.default),
            annotation=_annotation(key),
        )


def _annotation(key: str) -> object:
    if options()[key].several != "no":
        return list[str] | None
    return bool | None if Job.model_fields[key].annotation is bool else str | None


def _declaration(key: str, description: str, default: object) -> Any:
    """None stands for a flag that was not given, so that a job file's key stays in force."""
    flag, metavar = flag_of(key), options()[key].metavar
    if not flag.startswith("--"):
        return typer.Argument(None, help=description, metavar=flag, show_default=False)
    if Job.model_fields[key].annotation is bool:
        spellings = f"{flag}/--no-{flag.removeprefix('--')}"
        return typer.Option(None, spellings, help=description, show_default=False)
    shown = f" [default: {_spelled(key, default)}]" if default else ""
    return typer.Option(None, flag, help=description + shown, metavar=metavar, show_default=False)


def _spelled(key: str, default: object) -> str:
    if isinstance(default, int) and options()[key].metavar == "SIZE":
        return f"{default // 2**20}MiB"
    return str(default)
