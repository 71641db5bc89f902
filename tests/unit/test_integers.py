"""Integers of any length are read and written exactly, under any setting of the process."""

import json
import pickle
import random
import sys
import time
from collections.abc import Iterator

import pytest

from grounding.reference.integers import LongInteger, decimal_digits, integer

EDGES = [1, 2, 616, 617, 618, 639, 640, 641, 1279, 1280, 1281, 4300, 4301, 5000, 10_000]


@pytest.fixture
def strictest_limit() -> Iterator[None]:
    """The lowest limit on digits that a process can be run with."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(sys.int_info.str_digits_check_threshold)
    yield
    sys.set_int_max_str_digits(before)


def spelled(length: int) -> str:
    digits = random.choices("0123456789", k=length)
    return "7" + "".join(digits[1:])


def by_hand(digits: str) -> int:
    value = 0
    for digit in digits:
        value = value * 10 + ord(digit) - ord("0")
    return value


@pytest.mark.usefixtures("strictest_limit")
@pytest.mark.parametrize("length", EDGES)
def test_reading_and_writing_are_exact(length: int) -> None:
    for digits in (spelled(length), "9" * length, "1" + "0" * (length - 1)):
        value = integer(digits)
        assert value == by_hand(digits)
        assert hash(value) == hash(by_hand(digits))
        assert decimal_digits(by_hand(digits)) == digits
        assert (str(value), repr(value), f"{value}") == (digits, digits, digits)
        assert repr((value,)) == f"({digits},)"


@pytest.mark.parametrize("exponent", [2047, 2048, 2049, 4096, 16_384])
def test_powers_of_two_are_written_exactly(exponent: int) -> None:
    for value in (2**exponent - 1, 2**exponent, 2**exponent + 1):
        assert by_hand(decimal_digits(value)) == value


def test_leading_zeros_are_worth_nothing() -> None:
    assert integer("0" * 100_000) == 0
    assert integer("0" * 100_000 + "7") == 7
    assert type(integer("0" * 100_000 + "7")) is int
    assert integer("0" * 10_000 + "9" * 5000) == 10**5000 - 1


def test_the_setting_of_the_process_is_left_alone() -> None:
    before = sys.get_int_max_str_digits()
    repr(integer("9" * 10_000))
    assert sys.get_int_max_str_digits() == before


def test_a_long_integer_is_an_int_like_any_other() -> None:
    value = integer("9" * 5000)
    assert isinstance(value, LongInteger)
    assert value + 1 == 10**5000
    assert sorted([value, 3]) == [3, value]
    assert {value, 10**5000 - 1} == {value}
    copy = pickle.loads(pickle.dumps(value))  # noqa: S301 (our own bytes)
    assert str(copy) == "9" * 5000
    assert json.dumps(str(value)) == f'"{"9" * 5000}"'


def test_half_a_million_digits_take_no_quadratic_time() -> None:
    digits = spelled(500_000)
    start = time.process_time()
    assert str(integer(digits)) == digits
    assert time.process_time() - start < 5  # Python 3.11's own way takes ten times as long
