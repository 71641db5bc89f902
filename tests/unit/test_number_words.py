"""The table of number words is what its library spells, and what is left out of it is left out."""

import random
import re

import pytest

from grounding.folding import normalise_value
from grounding.letters import letter_class
from grounding.numberwords import number_words
from tests.numberwords.make_number_words import (
    LANGUAGES,
    LONE,
    SPOILERS,
    WEAK,
    forms,
    spelled,
)

EVERYDAY = {word for listed in WEAK.values() for word in listed.split()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_drawn_number_is_in_the_table_as_the_library_spells_it(language: str) -> None:
    table, drawn = number_words(), random.Random(language)
    for form, numbers in forms(language):
        for number in drawn.sample(numbers, 200):
            words = spelled(language, number, form)
            left_out = words in EVERYDAY | LONE or (number == 1 and language != "en")
            assert table.values.get(words) == (None if left_out else number), words
            assert table.words.issuperset(words.split(" "))


def test_every_word_is_folded_and_made_of_our_letters() -> None:
    table = number_words()
    text = " ".join(sorted(table.words))
    assert normalise_value(text) == text
    assert re.fullmatch(f"[{letter_class()} ]+", text)


def test_the_table_covers_what_it_says() -> None:
    values = set(number_words().values.values())
    assert values.issuperset(range(2, 10_000))
    assert values.issuperset(k * 10**e for e in (3, 6, 9) for k in range(1, 1000))


@pytest.mark.parametrize(
    ("phrase", "value"),
    [
        ("one hundred and five", 105),
        ("one hundred five", 105),
        ("a hundred and five", 105),
        ("twenty first", 21),
        ("nineteen seventy nine", 1979),
        ("nineteen oh five", 1905),
        ("hai mươi mốt", 21),
        ("hai mươi tư", 24),
        ("một nghìn linh năm", 1005),
        ("ba ngàn", 3000),
        ("năm tỉ", 5 * 10**9),
        ("einundzwanzig", 21),
        ("quatre vingt onze", 91),
        ("dezesseis", 16),
    ],
)
def test_usual_spellings_are_read(phrase: str, value: int) -> None:
    assert number_words().values[phrase] == value


@pytest.mark.parametrize("phrase", ["năm", "không", "one", "second", "due", "sex", "hundred"])
def test_everyday_words_alone_are_no_numbers(phrase: str) -> None:
    table = number_words()
    assert phrase not in table.values
    assert phrase in table.words


def test_pairs_hold_an_everyday_word_and_spoilers_have_no_value() -> None:
    table = number_words()
    assert table.weak == EVERYDAY
    assert all(not table.weak.isdisjoint(pair) for pair in table.pairs)
    assert {("hundred", "and"), ("and", "five"), ("two", "point")} <= table.pairs
    assert ("two", "and") not in table.pairs
    spoilers = {word for listed in SPOILERS.values() for word in listed.split()}
    assert spoilers <= table.words - table.values.keys() - table.weak


def test_a_number_ends_after_an_ordinal() -> None:
    followed = number_words().followed
    assert {"twenty", "hundred", "and", "nineteen", "point"} <= followed
    assert followed.isdisjoint({"first", "eighteenth", "thirds", "dozen"})


def test_the_ends_of_phrases_are_known_for_everyday_words() -> None:
    table = number_words()
    assert table.openers | table.closers <= table.weak
    assert "năm" in table.openers & table.closers
    assert "and" not in table.openers | table.closers
