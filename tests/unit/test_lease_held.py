"""Who holds a lease keeps it by renewing it; who has lost it is told, and publishes nothing."""

import errno
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from grounding.errors import TaskError
from pipelines.places import Folder
from pipelines.places import lease as leases
from pipelines.places.lease import Times, leased
from tests.unit.leases import Clock, put, said


@pytest.fixture
def place(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "out")


@pytest.fixture
def holder(place: Folder) -> Iterator[tuple[Callable[[], None], Clock]]:
    """The check of a holder whose clock we turn."""
    clock = Clock()
    with ExitStack() as stack:
        yield stack.enter_context(leased(place, clock.times())).check, clock


Holder = tuple[Callable[[], None], Clock]


def test_a_holder_that_was_followed_learns_it_and_for_good(place: Folder, holder: Holder) -> None:
    check, _ = holder
    put(place, 2)
    for _ in range(2):
        with pytest.raises(TaskError, match="another process took it over"):
            check()
        place.remove("_lease/0000000002")


def test_a_holder_that_could_not_renew_gives_up_before_others_give_it_up(
    place: Folder, holder: Holder
) -> None:
    check, clock = holder
    clock.at += 19
    check()
    clock.at += 21
    with pytest.raises(TaskError, match="not be renewed for 21 s"):
        check()


@pytest.mark.parametrize("text", [None, "", '{"nonce": "other"}'])
def test_a_holder_whose_lease_is_gone_or_not_its_own_learns_it(
    place: Folder, holder: Holder, text: str | None
) -> None:
    if text is None:
        place.remove("_lease/0000000001")
    else:
        place.write("_lease/0000000001", text)
    with pytest.raises(TaskError, match="its lease was removed"):
        holder[0]()
    assert text is not None or place.entries("_lease") == []


def test_a_place_that_does_not_answer_stops_the_run(
    holder: Holder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def silent(*_: object) -> None:
        raise OSError(errno.EIO, "no answer")

    with monkeypatch.context() as patch:
        patch.setattr(Folder, "write", silent)
        with pytest.raises(TaskError, match="no answer"):
            holder[0]()
    holder[0]()


def test_one_that_lost_its_lease_leaves_that_of_its_follower_alone(place: Folder) -> None:
    with leased(place, Clock().times()) as held:
        put(place, 2, nonce="t")
        with pytest.raises(TaskError):
            held.check()
    assert not said(place, 2)["released"]
    assert said(place, 2)["nonce"] == "t"


def test_one_that_lost_its_lease_publishes_nothing(place: Folder, holder: Holder) -> None:
    check, _ = holder
    place.write("_staging/r1/verdicts/part-00000.parquet", "rows")
    place.write("_staging/r1/_tasks/00000.json", "{}")
    put(place, 2)
    with pytest.raises(TaskError):
        place.publish("r1", "{}", leases.Held(check))
    assert place.entries("") == ["_lease", "_staging"]
    assert place.entries("_staging/r1/_tasks") == ["00000.json"]


def test_a_lease_is_renewed_without_being_asked_and_through_a_passing_fault(
    place: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, failed = Folder.write, threading.Event()

    def fails_once(self: Folder, name: str, text: str) -> None:
        if not failed.is_set():
            failed.set()
            raise OSError(errno.EIO, "once")
        write(self, name, text)

    with leased(place, Times(every=0.02, patience=60)) as held:
        monkeypatch.setattr(Folder, "write", fails_once)
        assert failed.wait(20)
        until = time.monotonic() + 20
        while said(place, 1)["renewed"] < 5 and time.monotonic() < until:
            time.sleep(0.01)
        assert said(place, 1)["renewed"] >= 5
        held.check()


def test_the_clock_goes_on_and_is_not_that_of_the_wall() -> None:
    before, wall = leases.seconds(), time.time()
    assert before <= leases.seconds()
    assert abs(before - wall) > 86_400
