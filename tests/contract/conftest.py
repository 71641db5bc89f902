"""What the contract tests of the main job share."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.register_assert_rewrite("tests.contract.bench", "tests.contract.disks")

from tests.contract.bench import Bench  # noqa: E402  (only now, so that its asserts say more)
from tests.contract.disks import DISK, Disk, mounted  # noqa: E402  (as above)

if TYPE_CHECKING:
    from tests.contract.objects import Store


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    """A small disk of its own; skips where none can be mounted."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted("-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", str(folder))
    yield Disk(folder)
    subprocess.run(["umount", "--recursive", folder], check=True)


@pytest.fixture(scope="module")
def store() -> "Iterator[Store]":
    from tests.contract.objects import serving  # which takes a second to import

    with serving() as server:
        yield server
