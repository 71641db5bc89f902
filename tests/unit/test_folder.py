"""What a folder does for the leases that lie in it, and how it is known whether it needs them."""

import errno
import threading
from pathlib import Path

import pytest

from pipelines.places import Folder
from pipelines.places import folder as folders
from pipelines.places.mounts import LOCAL, file_system_of, flock_serves


@pytest.fixture
def place(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "out")


@pytest.mark.parametrize("links", [True, False])
def test_a_file_is_created_once_and_never_replaced(
    place: Folder, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    def no_links(*_: object) -> None:
        raise OSError(errno.EOPNOTSUPP, "no links here")

    if not links:
        monkeypatch.setattr("os.link", no_links)
    start = threading.Barrier(8)
    told: dict[str, bool] = {}

    def create(text: str) -> None:
        start.wait()
        told[text] = place.create("a/b", text)

    threads = [threading.Thread(target=create, args=(f"é{n}\n",)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (winner,) = (text for text, won in told.items() if won)
    assert place.read("a/b").decode() == winner
    assert place.entries("a") == ["b"]


def test_a_full_disk_creates_nothing(place: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(folders, "flush", full)
    with pytest.raises(OSError, match="full"):
        place.create("a/b", "text")
    assert place.entries("a") == []


def test_a_try_that_was_thought_dead_has_no_scratch_in_common_with_the_next(place: Folder) -> None:
    first = place.scratch("r1")
    (first / "part").touch()
    second = place.scratch("r1")
    assert second != first
    assert not first.exists()
    assert list(second.iterdir()) == []


MOUNTS = r"""
22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
31 27 0:31 / /net rw master:2 - autofs systemd-1 rw
32 27 0:32 / /net rw - nfs4 host:/export rw
33 32 0:33 / /net/my\040disk rw - fuse.sshfs a@b: rw
34 27 0:34 / /new - xfs /dev/vdb rw
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "ext4"),
        ("/new/x", "xfs"),
        ("/newer", "ext4"),
        ("/net/x", "nfs4"),
        ("/net/my disk/x", "fuse.sshfs"),
        ("/net/my", "nfs4"),
    ],
)
def test_a_folder_is_on_the_nearest_mount_above_it(path: str, kind: str) -> None:
    assert file_system_of(Path(path), MOUNTS.strip()) == kind


def test_network_file_systems_are_not_taken_for_local_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    strange = "nfs nfs4 cifs smb3 9p virtiofs fuse fuse.s3fs ceph lustre gfs2 ocfs2 gpfs afs"
    assert LOCAL.isdisjoint(strange.split())
    monkeypatch.setattr("pipelines.places.mounts._MOUNTS", tmp_path / "none")
    assert not flock_serves(tmp_path)
