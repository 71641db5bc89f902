"""Peak memory does not follow the number of rows."""

from pathlib import Path

import pytest

from tests.benchmarks.memory import ONE_GROUP, generate, run

pytestmark = pytest.mark.slow

NOISE = 1.5
"""Peaks of the same run lie between 420 and 545 MB; eight times the text would be gigabytes."""


def test_eight_times_the_rows_need_no_more_memory(tmp_path: Path) -> None:
    peaks = []
    for rows in (60_000, 480_000):
        folder = tmp_path / str(rows)
        folder.mkdir()
        generate(folder / "in", rows)
        peaks.append(run(folder / "in", folder / "out", rows).mb)
    few, many = peaks
    assert many < NOISE * few, peaks


def test_a_row_group_of_a_gigabyte_is_taken_in_parts(tmp_path: Path) -> None:
    size = generate(tmp_path / "in", ONE_GROUP, row_group=ONE_GROUP)
    assert size > 0.9 * 2**30
    assert run(tmp_path / "in", tmp_path / "out", ONE_GROUP).mb < 3 * 2**10
