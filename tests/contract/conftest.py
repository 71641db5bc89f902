"""What the contract tests of the main job share."""

from pathlib import Path

import pytest

pytest.register_assert_rewrite("tests.contract.bench")

from tests.contract.bench import Bench  # noqa: E402  (only now, so that its asserts say more)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)
