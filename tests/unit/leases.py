"""A clock that tests turn, and the leases of other processes."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from pipelines.places import Folder
from pipelines.places.lease import Note, Times


@dataclass
class Clock:
    """A clock that stands still but for pauses; `meanwhile` is called in each."""

    at: float = 1000.0
    meanwhile: Callable[[int], object] = lambda _: None
    pauses: list[float] = field(default_factory=list)

    def times(self, every: float = 5, patience: float = 30) -> Times:
        return Times(every, patience, lambda: self.at, self.pause)

    def pause(self, seconds: float) -> None:
        self.at += seconds
        self.pauses.append(seconds)
        self.meanwhile(len(self.pauses))


def put(place: Folder, number: int, **said: Any) -> None:
    """A lease of another process."""
    place.write(f"_lease/{number:010d}", replace(Note(host="elsewhere", machine="m"), **said).text)


def said(place: Folder, number: int) -> dict[str, Any]:
    found = json.loads(place.read(f"_lease/{number:010d}"))
    assert isinstance(found, dict)
    return found
