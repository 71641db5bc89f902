"""One JSON object, with its numbers as they are written, and its values as text again."""

import json
import re
from typing import Any, NoReturn

from pipelines.forms import shortened

DEEPEST = 200
"""Levels of lists and objects. Python's own limit differs from version to version."""

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class Number(str):
    """A number as it is written: not parsed, so that its digits are kept and 5,000 are no error."""

    __slots__ = ()

    @property
    def is_integer(self) -> bool:
        """Whether it has neither fraction nor exponent."""
        return self.removeprefix("-").isdecimal()


SAID: dict[type, str] = {
    str: "text",
    Number: "a number",
    bool: "true or false",
    list: "a list of other things",
    dict: "an object",
}
"""What a value is, in words."""


def json_object(text: str) -> dict[str, Any]:
    """The members of a JSON object, in order; numbers, at any depth, are of the type `Number`.

    Raises: ValueError where the text is anything else, repeats a key at any depth, or holds a
    lone surrogate, which is no text.

    >>> json_object('{"a": [1.500]}')
    {'a': ['1.500']}
    """
    try:
        members = _OBJECTS.decode(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"is no JSON: {error.msg} at character {error.pos + 1}") from None
    except RecursionError:
        raise ValueError("is nested too deeply") from None
    if not isinstance(members, dict):
        raise ValueError("is no JSON object")
    if _is_deep(members):
        raise ValueError("is nested too deeply")
    if _SURROGATE.search(text):
        try:
            json.dumps(members, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise ValueError("holds a lone surrogate, which is no text") from None
    return members


def json_text(value: Any) -> str:
    """A value of `json_object` as compact JSON, numbers as they were written.

    >>> json_text(json_object('{"a": [1.500, "é"]}'))
    '{"a":[1.500,"é"]}'
    """
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, list):
        return f"[{','.join(map(json_text, value))}]"
    if isinstance(value, dict):
        members = (f"{_text(key)}:{json_text(item)}" for key, item in value.items())
        return f"{{{','.join(members)}}}"
    return _text(value)


def _is_deep(value: Any) -> bool:
    """Whether lists and objects lie in each other more than `DEEPEST` times."""
    level = [value]
    for _ in range(DEEPEST):
        items = (v.values() if isinstance(v, dict) else v for v in level)
        level = [item for held in items for item in held if isinstance(item, list | dict)]
        if not level:
            return False
    return True


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"repeats the key {shortened(ascii(twice))}")
    return members


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"is no JSON: {name} is no value")


_OBJECTS = json.JSONDecoder(
    object_pairs_hook=_once, parse_float=Number, parse_int=Number, parse_constant=_no_constant
)
