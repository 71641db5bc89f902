"""Evidence in tables of its own: what answers use of it, and which of their numbers it lacks."""

from random import Random

import polars as pl
import pytest

from grounding.evidence import held_in_passages, unsupported_in_passages, used_evidence
from tests.property.side_by_side import ENGINES, Engine

BOTH = pytest.mark.parametrize("engine", ENGINES)


def lacking(
    numbers: list[list[str] | None],
    passages: list[list[int] | None],
    held: list[list[str]],
    engine: Engine = "streaming",
) -> list[list[str] | None]:
    """The unsupported numbers of answers with these numbers and passages."""
    tokens = pl.LazyFrame(
        {"row": range(len(numbers)), "numbers": numbers, "passages": passages},
        {"row": pl.Int64, "numbers": pl.List(pl.String), "passages": pl.List(pl.UInt32)},
    )
    rows = [(number, text) for number, texts in enumerate(held) for text in texts]
    of_passages = pl.LazyFrame(rows, {"passage": pl.UInt32, "text": pl.String}, orient="row")
    tokens = tokens.with_columns(n_numbers=pl.col("numbers").list.len())
    where = tokens.pipe(held_in_passages, of_passages)
    found = tokens.pipe(unsupported_in_passages, where, of_passages).collect(engine=engine)
    assert found["row"].to_list() == list(range(len(numbers)))
    return [None if texts is None else sorted(texts) for texts in found["unsupported"].to_list()]


def test_a_number_is_looked_for_in_the_passages_of_its_own_answer_only() -> None:
    held = [["1", "2"], ["3"], []]
    numbers: list[list[str] | None] = [["1", "3"], ["1", "3"], ["3", "9"], ["1"], [], None]
    passages: list[list[int] | None] = [[0], [0, 1], [2, 1, 1], [], [0], None]
    assert lacking(numbers, passages, held) == [["3"], None, ["9"], ["1"], None, None]


@BOTH
def test_many_answers_over_shared_passages_lack_what_a_plain_search_says(engine: Engine) -> None:
    rng = Random(11)
    held = [list({str(rng.randrange(60)) for _ in range(rng.randrange(9))}) for _ in range(300)]
    numbers = [[str(rng.randrange(70)) for _ in range(rng.randrange(5))] for _ in range(5_000)]
    passages = [[rng.randrange(300) for _ in range(rng.randrange(8))] for _ in range(5_000)]
    wanted = [
        sorted(n for n in said if not any(n in held[passage] for passage in used)) or None
        for said, used in zip(numbers, passages, strict=True)
    ]
    assert 0 < wanted.count(None) < 5_000
    assert lacking([*numbers], [*passages], held, engine) == wanted


@BOTH
def test_the_evidence_of_an_answer_is_gathered_in_the_order_of_its_positions(
    engine: Engine,
) -> None:
    uses = pl.LazyFrame(
        [
            (3, 1, 5, True, 50, 8),
            (3, 2, 4, True, None, None),
            (3, 3, None, False, None, None),
            (3, 4, None, False, None, None),
            (4, 1, 6, True, 60, 1),
            (4, 1, 7, True, 70, 2),
            (5, 2, 6, True, 60, 1),
            (6, None, 6, True, 60, 1),
            (7, 0, 6, True, 60, 1),
            (7, 1, 6, True, 60, 1),
        ],
        {
            "row": pl.Int64,
            "position": pl.Int64,
            "passage": pl.UInt32,
            "found": pl.Boolean,
            "digest": pl.UInt64,
            "bytes": pl.Int64,
        },
        orient="row",
    )
    found = uses.pipe(used_evidence).sort("row").drop("evidence_digest").collect(engine=engine)
    columns = ["row", "n_passages", "evidence_bytes", "passages"]
    assert found.select(columns).rows() == [
        (3, 4, 8, [5, 4, None, None]),
        (4, 2, 3, [6, 7]),
        (5, 1, 1, [6]),
        (6, 1, 1, [6]),
        (7, 2, 2, [6, 6]),
    ]
    assert found.select("null_passage", "missing_passage", "position_gap").rows() == [
        (2, 3, False),
        *[(None, None, True)] * 4,
    ]
