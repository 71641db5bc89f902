"""A lease is taken by one process at a time: from nobody, from one that left, or a dead one."""

import os
import threading
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from grounding.errors import JobError
from pipelines.places import Folder
from pipelines.places import lease as leases
from pipelines.places.lease import Note, Times, leased
from tests.unit.leases import Clock, put, said

FAST = Times(every=0.02, patience=3)  # long for a loaded machine, whose threads stand still


@pytest.fixture
def place(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "out")


def test_a_lease_says_who_holds_it_since_when(place: Folder) -> None:
    with leased(place, Clock().times()) as held:
        held.check()
        assert list(said(place, 1)) == [*asdict(Note())]
        assert said(place, 1)["host"] == os.uname().nodename
        assert said(place, 1)["boot"] or not Path("/proc/sys/kernel/random/boot_id").exists()
        assert said(place, 1)["since"].endswith("+00:00")
        assert place.entries("_lease") == ["0000000001"]


def test_a_released_lease_is_followed_at_once_and_its_number_never_comes_again(
    place: Folder,
) -> None:
    clock = Clock()
    for number in (1, 2, 3):
        with leased(place, clock.times()):
            assert place.entries("_lease") == [f"{number:010d}"]
            assert not said(place, number)["released"]
        assert said(place, number)["released"]
    assert clock.pauses == []


def test_a_run_that_fails_releases_its_lease_too(place: Folder) -> None:
    with pytest.raises(KeyboardInterrupt), leased(place, Clock().times()):
        raise KeyboardInterrupt
    assert said(place, 1)["released"]


def test_a_living_holder_is_refused_as_soon_as_it_renews(place: Folder) -> None:
    note: dict[str, Any] = {"nonce": "t", "since": "2001-02-03T04:05:06+00:00"}
    put(place, 7, **note)
    clock = Clock(meanwhile=lambda n: put(place, 7, **note, renewed=1) if n == 3 else None)
    with pytest.raises(JobError, match="host elsewhere, since 2001-02-03") as caught:
        leased(place, clock.times()).__enter__()
    assert "in use by another grounding process" in str(caught.value)
    assert sum(clock.pauses) == 3
    assert place.entries("_lease") == ["0000000007"]


def test_a_holder_that_does_not_renew_is_dead_after_the_patience_on_our_clock(
    place: Folder,
) -> None:
    put(place, 7, since="2999-01-01T00:00:00+00:00")  # another host's clock says nothing
    clock = Clock()
    with leased(place, clock.times()):
        assert 30 <= sum(clock.pauses) <= 31
        assert place.entries("_lease") == ["0000000008"]


def test_a_holder_that_releases_while_it_is_watched_is_followed(place: Folder) -> None:
    put(place, 7)
    clock = Clock(meanwhile=lambda _: put(place, 7, released=True))
    with leased(place, clock.times()):
        assert len(clock.pauses) == 1
        assert place.entries("_lease") == ["0000000008"]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"released": 1}'])
def test_a_lease_that_nobody_can_read_is_waited_for(place: Folder, text: str) -> None:
    place.write("_lease/0000000001", text)
    clock = Clock()
    with leased(place, clock.times()):
        assert sum(clock.pauses) >= 30


@pytest.mark.parametrize(
    ("before", "waited"),
    [
        ({}, False),
        ({"host": "other"}, True),
        ({"machine": "other"}, True),
        ({"boot": "now"}, True),
        ({"boot": ""}, True),
    ],
    ids=str,
)
def test_only_a_holder_on_this_machine_before_it_was_started_again_is_dead_at_once(
    place: Folder, monkeypatch: pytest.MonkeyPatch, before: dict[str, str], waited: bool
) -> None:
    put(place, 1, **{"host": "here", "machine": "m", "boot": "before"} | before)
    monkeypatch.setattr(leases, "Note", lambda: Note(host="here", machine="m", boot="now"))
    clock = Clock()
    with leased(place, clock.times()):
        assert bool(clock.pauses) == waited


def test_hosts_that_cannot_be_told_apart_are_not_taken_for_one(
    place: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(place, 1, host="localhost", machine="", boot="before")
    monkeypatch.setattr(leases, "Note", lambda: Note(host="localhost", machine="", boot="now"))
    clock = Clock()
    with leased(place, clock.times()):
        assert sum(clock.pauses) >= 30


@pytest.mark.parametrize("before", ["none", "released", "dead"])
def test_of_many_that_take_it_at_once_one_wins(place: Folder, before: str) -> None:
    if before != "none":
        put(place, 1, released=before == "released")
    many = 6
    start, over = threading.Barrier(many), threading.Semaphore(0)
    won: list[int] = []
    lost: list[str] = []

    def take(number: int) -> None:
        start.wait()
        try:
            with leased(place, FAST) as held:
                won.append(number)
                for _ in range(many - 1):
                    assert over.acquire(timeout=20)
                held.check()
        except JobError as error:
            lost.append(str(error))
            over.release()

    threads = [threading.Thread(target=take, args=(number,)) for number in range(many)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert (len(won), len(lost)) == (1, many - 1)


def test_one_that_comes_late_gives_way_to_a_higher_number(
    place: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It saw lease 1; 2 came, ended, and was cleared away by 3 before it took 2."""
    put(place, 1, released=True)
    create = Folder.create

    def late(self: Folder, name: str, text: str) -> bool:
        monkeypatch.undo()
        put(self, 3, nonce="t")
        self.remove("_lease/0000000001")
        return create(self, name, text)

    monkeypatch.setattr(Folder, "create", late)
    clock = Clock(meanwhile=lambda n: put(place, 3, nonce="t", renewed=n))
    with pytest.raises(JobError, match="in use"):
        leased(place, clock.times()).__enter__()
    assert place.entries("_lease") == ["0000000003"]


def test_a_lost_answer_to_what_was_carried_out_does_not_cost_the_lease(
    place: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    create = Folder.create
    monkeypatch.setattr(Folder, "create", lambda *given: create(*given) and False)
    clock = Clock()
    with leased(place, clock.times()) as held:
        held.check()
    assert clock.pauses == []


def test_a_place_that_cannot_be_written_is_a_fault_of_the_job(tmp_path: Path) -> None:
    (tmp_path / "out").touch()
    with pytest.raises(JobError, match="cannot be held"):
        leased(Folder(tmp_path / "out")).__enter__()
