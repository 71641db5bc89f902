"""A lease: who holds a place that the kernel's lock does not reach, renewed while it is held.

Lease files are numbered, `_lease/0000000001` and on, and the highest number holds. A number is
taken by creating its file, which a place lets one process do and no other; the highest is never
removed, only marked as released, so a number never comes twice. Whether the holder lives is seen
from its renewals alone, over time on our own clock: not from a process id, which means nothing in
another namespace or host, and not from times that another host wrote.
"""

import contextlib
import hashlib
import json
import platform
import re
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grounding.errors import JobError, TaskError
from pipelines.places.names import LEASE

if TYPE_CHECKING:  # a place may in turn be held by a lease
    from pipelines.places import Place

_NUMBER = re.compile(r"[0-9]{10}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Held:
    """A place that is held.

    `check` raises TaskError where it is held no longer, so that the run stops; a run asks it
    directly before it makes itself seen.
    """

    check: Callable[[], None]


def seconds() -> float:
    """A clock that is never set back, and goes on while the machine sleeps where one does."""
    boottime = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boottime is None else time.clock_gettime(boottime)


@dataclass(frozen=True, slots=True)
class Times:
    """How often a lease is renewed, and after how long without a renewal its holder is dead.

    A holder gives up two renewals earlier than others give it up, by its own clock.
    """

    every: float = 5
    patience: float = 30
    now: Callable[[], float] = seconds
    pause: Callable[[float], object] = time.sleep

    @property
    def limit(self) -> float:
        """How long a holder may go without a renewal."""
        return self.patience - 2 * self.every


TIMES = Times()


@dataclass(frozen=True, slots=True)
class Note:
    """What a lease file says. `machine` is no name: it tells hosts of one name apart."""

    host: str = field(default_factory=platform.node)
    machine: str = field(default_factory=lambda: _digest_of("/etc/machine-id"))
    boot: str = field(default_factory=lambda: _digest_of("/proc/sys/kernel/random/boot_id"))
    since: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))
    nonce: str = field(default_factory=lambda: secrets.token_hex(16))
    renewed: int = 0
    released: bool = False

    @property
    def text(self) -> str:
        """The whole file."""
        return json.dumps(asdict(self)) + "\n"


def _digest_of(file: str) -> str:
    """Stands for what a file says; empty where there is none, or nothing in it."""
    with contextlib.suppress(OSError):
        if said := Path(file).read_bytes().strip():
            return hashlib.sha256(said).hexdigest()[:16]
    return ""


@contextlib.contextmanager
def leased(place: "Place", times: Times | None = None) -> Iterator[Held]:
    """Hold a place by a lease, which a thread renews until this is left.

    A dead holder is waited for, as long as `patience`; a living one is refused as soon as it is
    seen to renew. Where a holder was stopped for longer than `patience` and wakes up, `check`
    tells it. What remains: a holder that is stopped for that long between its last `check` and
    the one write after it publishes beside its successor. The same run has the same bytes in
    its parts, whoever writes them; of another run it touches nothing but `_latest` and the views.

    Raises: JobError where a living process holds it, or where it cannot be written.
    """
    times, note = times or TIMES, Note()
    try:
        lease = _taken(place, note, times)
    except OSError as error:
        raise JobError(
            f"out: {place} cannot be held: {error.strerror or error}; give a place that can be "
            "written with --out"
        ) from error
    try:
        lease.begin()
        yield Held(lease.check)
    finally:
        lease.release()


def _taken(place: "Place", note: Note, times: Times) -> "_Lease":
    while True:
        highest = _highest(place)
        if highest and not _is_over(place, highest, note, times):
            continue
        number, began = highest + 1, times.now()
        # The answer to a request that was carried out may get lost, and its repetition be refused.
        if place.create(_name(number), note.text) or _is_ours(place, number, note):
            if _highest(place) == number:
                return _Lease(place, number, note, times, began)
            place.remove(_name(number))  # others had gone on and cleared away what we followed


def _is_over(place: "Place", number: int, ours: Note, times: Times) -> bool:
    """Whether a lease is over; False where another number has come to look at.

    Raises: JobError once its holder is seen to live.
    """
    first = _text(place, number)
    said, since = _said(first), times.now()
    if said.get("released") is True or _rebooted(said, ours):
        return True
    late = False
    while not late:
        times.pause(times.every / 5)
        late = times.now() - since >= times.patience
        text = _text(place, number)
        if text is None:
            return False
        if text != first:
            said = _said(text)
            if said.get("released") is True:
                return True
            host, start = (str(said.get(key, "unknown"))[:80] for key in ("host", "since"))
            raise JobError(
                f"out: {place} is in use by another grounding process (host {host}, since "
                f"{start}): wait for it to end, or give another place with --out"
            )
    return _highest(place) == number


def _rebooted(said: dict[str, Any], ours: Note) -> bool:
    """Whether the holder was on this machine before it was started again."""
    known = ours.machine and ours.boot and said.get("boot")
    here = (said.get("host"), said.get("machine")) == (ours.host, ours.machine)
    return bool(known and here and said["boot"] != ours.boot)


def _name(number: int) -> str:
    return f"{LEASE}/{number:010d}"


def _numbers(place: "Place") -> list[int]:
    return [int(name) for name in place.entries(LEASE) if _NUMBER.fullmatch(name)]


def _highest(place: "Place") -> int:
    return max(_numbers(place), default=0)


def _text(place: "Place", number: int) -> bytes | None:
    try:
        return place.read(_name(number))
    except FileNotFoundError:
        return None


def _said(text: bytes | None) -> dict[str, Any]:
    """What a lease file says; nothing where it is being written, or is none of ours."""
    try:
        said = json.loads(text or b"")
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


def _is_ours(place: "Place", number: int, note: Note) -> bool:
    return _said(_text(place, number)).get("nonce") == note.nonce


class _Lease:
    """A lease that this process took, and the thread that renews it."""

    def __init__(self, place: "Place", number: int, note: Note, times: Times, began: float) -> None:
        self._place, self._number, self._note, self._times = place, number, note, times
        self._confirmed = began
        self._lost: str | None = None
        self._one = threading.Lock()
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._keep, name="lease", daemon=True)

    def begin(self) -> None:
        """Renew it from now on."""
        self._clear()
        self._thread.start()

    def check(self) -> None:
        """Renew it now. Raises: TaskError where it is lost, or where that cannot be known."""
        with self._one:
            try:
                self._renew()
            except OSError as error:
                raise TaskError(
                    f"out: {self._place} does not answer, so that it is not known whether this "
                    f"run still holds it: {error.strerror or error}; it stopped: run the same again"
                ) from error

    def release(self) -> None:
        """Leave it to others, who then need not wait."""
        self._end.set()
        if not self._one.acquire(timeout=self._times.every):
            return  # the place has stopped answering: whoever comes next will wait
        try:
            if self._lost is None:
                with contextlib.suppress(OSError):  # as above
                    self._write(released=True)
        finally:
            self._one.release()

    def _keep(self) -> None:
        while not self._end.wait(self._times.every):
            with self._one, contextlib.suppress(OSError):  # it is tried again until it is lost
                if self._end.is_set():
                    return
                try:
                    self._renew()
                except TaskError:
                    return

    def _renew(self) -> None:
        began = self._times.now()
        self._judge()
        if not _is_ours(self._place, self._number, self._note):
            self._lost = "its lease was removed"
        if self._lost is None:
            self._write()
            if _highest(self._place) != self._number:
                self._lost = "another process took it over"
        self._judge()
        self._confirmed = began

    def _judge(self) -> None:
        """Raises: TaskError where the lease is lost, now or before."""
        without = self._times.now() - self._confirmed
        if self._lost is None and without > self._times.limit:
            self._lost = f"it could not be renewed for {without:.0f} s"
        if self._lost is not None:
            raise TaskError(
                f"out: this run does not hold {self._place} any longer: {self._lost}; it stopped, "
                "and publishes nothing more: run the same again, which goes on from what is done"
            )

    def _write(self, *, released: bool = False) -> None:
        self._note = replace(self._note, renewed=self._note.renewed + 1, released=released)
        self._place.write(_name(self._number), self._note.text)

    def _clear(self) -> None:
        """Remove the leases of those that held it before."""
        with contextlib.suppress(OSError):  # they are in nobody's way
            older = sorted(number for number in _numbers(self._place) if number < self._number)
            self._place.remove(*map(_name, older))
