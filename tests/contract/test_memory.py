"""Peak memory does not follow the number of rows."""

from pathlib import Path

import pytest

from tests.benchmarks.memory import generate, run

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("workers", [1, 2])
def test_eight_times_the_rows_need_no_more_memory(tmp_path: Path, workers: int) -> None:
    peaks = []
    for rows in (60_000, 480_000):
        folder = tmp_path / str(rows)
        folder.mkdir()
        generate(folder / "in", rows)
        peaks.append(run(folder / "in", folder / "out", rows, workers).mb)
    few, many = peaks
    assert many < 1.15 * few, peaks


def test_a_row_group_of_a_gigabyte_is_taken_in_parts(tmp_path: Path) -> None:
    size = generate(tmp_path / "in", 250_000, row_group=250_000)
    assert size > 0.9 * 2**30
    assert run(tmp_path / "in", tmp_path / "out", 250_000).mb < 3 * 2**10
