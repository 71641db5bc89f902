"""On adversarial rows the vectorised causes are those of the reference, in either engine."""

import random
from collections import Counter

import pytest

from grounding.causes import ORDER
from tests.property.adversarial import generator
from tests.property.causes_rows import Asked, asked
from tests.property.causes_side_by_side import causes_of, differences
from tests.property.side_by_side import ENGINES


def test_a_thousand_rows_of_a_seeded_generator() -> None:
    drawn = list(asked(generator(), 1_000))
    for engine in ENGINES:
        assert differences(drawn, engine)[:5] == []


def test_answers_of_which_only_the_end_is_graded() -> None:
    rng = generator()
    drawn = [_after_reasoning(rng, row) for row in asked(rng, 300)]
    assert differences(drawn, graded_after="</think>")[:5] == []


def _after_reasoning(rng: random.Random, row: Asked) -> Asked:
    at = rng.randrange(len(row.answer) + 1)
    return row._replace(answer=f"{row.answer[:at]}</think>{row.answer[at:]}")


def test_rows_apart_and_together_are_explained_alike() -> None:
    drawn = list(asked(generator(), 60))
    columns = ["start", "cause", "causes", "nearest", "passage"]
    together = causes_of(drawn)
    for number, row in enumerate(drawn):
        of_row = together.filter(row=number).select(columns)
        assert causes_of([row]).select(columns).rows() == of_row.rows()


def test_the_generator_draws_every_cause() -> None:
    said = Counter(causes_of(list(asked(generator(7), 3_000))).explode("causes")["causes"])
    assert {name: said[name] for name in ORDER if said[name] < 20} == {}


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(25))
def test_a_hundred_thousand_rows_of_a_seeded_generator(batch: int) -> None:
    drawn = list(asked(generator(), 4_000))
    assert differences(drawn)[:5] == []
