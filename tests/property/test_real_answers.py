"""Real answers of thirteen public sets get the verdicts that the reference gives them."""

from pathlib import Path

import polars as pl
import pytest

from tests.property.side_by_side import (
    ENGINES,
    Row,
    answers,
    differences,
    evaluated,
    referred,
    vectorised,
)

SETS = Path(__file__).parents[3] / "shared" / "data"

pytestmark = pytest.mark.skipif(
    not SETS.exists(), reason="the public sets do not lie beside this checkout"
)

# rows, grounded, with a number: as the reference counts them
COUNTS = {
    "arcd_ar": (1_395, 1_395, 384),
    "clapnq": (885, 835, 330),
    "expertqa": (479, 365, 190),
    "halueval_qa": (2_000, 1_897, 359),
    "iapp_th": (1_509, 1_509, 474),
    "lfrqa_citations_only": (14_020, 7_190, 6_827),
    "mtrag_human": (477, 372, 258),
    "mts_dialog": (2_101, 1_330, 781),
    "quotesum": (530, 258, 390),
    "scholarqa_zero_based": (208, 0, 169),
    "tatqa": (4_999, 2_874, 4_207),
    "uhgeval_zh": (2_004, 1_641, 1_003),
    "xquad_crosslingual": (26_180, 25_416, 5_402),
}


def rows(name: str) -> list[Row]:
    frame = pl.read_parquet(SETS / f"{name}.parquet", columns=["answer", "evidence"])
    return [Row(answer, tuple(evidence)) for answer, evidence in frame.rows()]


def test_no_set_is_left_out() -> None:
    assert {path.stem for path in SETS.glob("*.parquet")} == COUNTS.keys()


@pytest.mark.parametrize("name", COUNTS)
def test_each_set_has_the_counts_of_the_reference(name: str) -> None:
    verdicts = evaluated(answers(rows(name)), None).verdicts
    with_number = (verdicts["n_numbers"] > 0).sum()
    assert (verdicts.height, verdicts["grounded"].sum(), with_number) == COUNTS[name]


@pytest.mark.parametrize("name", COUNTS)
def test_every_twentieth_answer_is_graded_as_by_the_reference(name: str) -> None:
    assert differences(rows(name)[::20]) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", COUNTS)
def test_every_answer_is_graded_as_by_the_reference(name: str) -> None:
    drawn = rows(name)
    wanted = referred(drawn)
    assert [engine for engine in ENGINES if vectorised(drawn, engine) != wanted] == []
