"""The pinned digits are the decimal digits of Unicode 16.0, all of them and nothing else."""

import re
import sys
import unicodedata

import pytest

from grounding.digits import ZEROS, digit_class, digit_values

INTERPRETER = tuple(map(int, unicodedata.unidata_version.split(".")))
EVERY = [chr(point) for point in range(sys.maxunicode + 1)]


def pinned() -> dict[str, str]:
    return {str(value): str(value) for value in range(10)} | digit_values()


def test_there_are_760_digits_in_76_runs_of_ten() -> None:
    assert len(ZEROS) == len(set(ZEROS)) == 76
    assert list(ZEROS) == sorted(ZEROS)
    assert len(pinned()) == 760


def test_they_are_the_digits_of_an_independent_copy_of_unicode_16() -> None:
    ucd = pytest.importorskip("unicodedata2", reason="unicodedata2 is not installed")
    assert ucd.unidata_version == "16.0.0"
    other = {c: str(ucd.decimal(c)) for c in EVERY if ucd.category(c) == "Nd"}
    assert pinned() == other


@pytest.mark.skipif(INTERPRETER > (16, 0, 0), reason="this Python knows digits added after 16.0")
def test_every_digit_that_this_python_knows_is_one_of_the_same_value() -> None:
    known = {c: str(unicodedata.decimal(c)) for c in EVERY if c.isdecimal()}
    assert {character: pinned().get(character) for character in known} == known


def test_the_class_matches_the_digits_and_no_other_code_point() -> None:
    assert re.findall(f"[{digit_class()}]", "".join(EVERY)) == sorted(pinned())
