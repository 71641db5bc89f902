"""A results folder with two jobs, for all tests of the views."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from pipelines.places import Folder
from pipelines.views import connect
from tests.unit.two_jobs import two_jobs


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two jobs, in a folder whose name holds what paths, globs and SQL give a meaning to."""
    return two_jobs(tmp_path_factory.mktemp("views") / "re'su\"lts [1] a*?%20#é")


@pytest.fixture
def folder(untouched: Path, tmp_path: Path) -> Path:
    """A copy that a test may change."""
    return shutil.copytree(untouched, tmp_path / untouched.name)


@pytest.fixture(scope="module")
def views(untouched: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with connect(Folder(untouched)) as connection:
        yield connection
