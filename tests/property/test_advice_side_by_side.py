"""Advice: the vectorised rules say what the reference says, and take no quadratic time."""

import time
from collections.abc import Callable

import pytest

from tests.property.adversarial import generator
from tests.property.adversarial import rows as adversarial_rows
from tests.property.advice_rows import Asked, rows
from tests.property.advice_side_by_side import differences, vectorised

MANY, SOME, SECONDS = 100_000, 1_000, 8


def test_rows_that_a_generator_draws() -> None:
    drawn = rows(generator(), 3_000)
    assert differences(drawn) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_many_rows_that_a_generator_draws(seed: int) -> None:
    assert differences(rows(generator(seed), 15_000)) == []


def test_rows_made_for_other_rules() -> None:
    drawn = adversarial_rows(generator(), 1_500)
    asked = [Asked(r.answer, r.evidence, r.fixture is not None) for r in drawn if r.evidence]
    assert differences(asked) == []


def each(n: int, form: str) -> str:
    return " ".join(form.format(number) for number in range(n))


UNITS = ["mg", "g", "kg", "ml", "l", "viên", "ngày", "giờ", "%", "$", "mg/kg", "mg/day", "W", "V"]
CASES: dict[str, Callable[[int], Asked]] = {
    "one number in a unit, again and again": lambda n: Asked("5 mg " * n, ("5 g " * n,), False),
    "numbers in another unit": lambda n: Asked(each(n, "{} mg"), (each(n, "{} g"),), False),
    "one number in all units": lambda n: Asked(
        "".join(f"5 {unit}, " for unit in UNITS * (n // 100)),
        ("".join(f"5 {unit}/kg, " for unit in UNITS * (n // 100)),),
        False,
    ),
    "numbers that share the unit of the last": lambda n: Asked(
        "0 mg", (", ".join(map(str, range(n))) + " g",), False
    ),
    "numbers with a sign": lambda n: Asked(each(n, "{}"), (each(n, "-{}"),), False),
    "as many passages": lambda n: Asked(each(n, "{} mg"), tuple(map(str, range(n))), False),
    "a marker behind each number": lambda n: Asked("7 [1]. " * n, ("7",) * 2, False),
    "one run of markers": lambda n: Asked(
        "7 " * n + "".join(f"[{m}]" for m in range(1, n)), ("7",) * n, False
    ),
    "lines with a marker of their own": lambda n: Asked(
        "\n".join(f"7 8 [{m}]" for m in range(1, n)), ("7",) * n, False
    ),
    "fractions": lambda n: Asked(each(n, "{}/7"), (each(n, "{}/8"),), False),
    "one fraction": lambda n: Asked("1/2 " * n, ("1/2/3 " * n,), False),
    "number words": lambda n: Asked("two, " * n, ("two hundred " * n,), False),
    "one run of number words": lambda n: Asked("two " * n, ("two",), False),
    "slashes": lambda n: Asked("/".join("1" * n), ("/" * n,), False),
    "signs": lambda n: Asked("-" * n + "1", ("1" + "-" * n,), False),
    "brackets": lambda n: Asked("(" * n + "1 viên" + ")" * n, ("1 viên (" * n,), False),
    "blanks": lambda n: Asked("1" + " " * n + "mg", (" " * n + "1" + "*" * n,), False),
    "digits": lambda n: Asked("1" * n + " mg", ("1" * n + " g",), False),
    "powers": lambda n: Asked("2^" * n + "2", ("2^" * n,), False),
    "groups of three": lambda n: Asked("1" + " 000" * n, ("1" + " 000" * (n + 1),), False),
}


@pytest.mark.parametrize("name", CASES)
def test_a_hundred_thousand_pieces_take_no_quadratic_time(name: str) -> None:
    row = CASES[name](MANY)
    vectorised(rows(generator(1), 20))  # what is made once is no part of it
    start = time.process_time()
    vectorised([row], traced=False)
    assert time.process_time() - start < SECONDS


@pytest.mark.parametrize("name", CASES)
def test_a_thousand_pieces_are_advised_as_by_the_reference(name: str) -> None:
    assert differences([CASES[name](SOME)]) == []
