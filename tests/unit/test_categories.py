"""The pinned letters, marks and numerals are those of Unicode 16.0."""

import re
import sys

import pytest

from grounding.categories import (
    letter_and_mark_class,
    letters_and_marks,
    numeral_class,
    numerals,
)

EVERY = [chr(point) for point in range(sys.maxunicode + 1)]


def test_they_are_those_of_an_independent_copy_of_unicode_16() -> None:
    ucd = pytest.importorskip("unicodedata2", reason="unicodedata2 is not installed")
    assert ucd.unidata_version == "16.0.0"
    assert letters_and_marks() == {c for c in EVERY if ucd.category(c)[0] in "LM"}
    assert numerals() == {c for c in EVERY if ucd.category(c) in ("Nl", "No")}


def test_the_classes_match_the_same_characters() -> None:
    text = "".join(EVERY)
    assert set(re.findall(f"[{letter_and_mark_class()}]", text)) == letters_and_marks()
    assert set(re.findall(f"[{numeral_class()}]", text)) == numerals()
