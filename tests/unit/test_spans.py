"""Numbers, citations and annotations are found where they stand, in any text, in linear time."""

import random
import re
import sys
import time

import pytest

from grounding.digits import ZEROS, digit_values
from grounding.folding import casefold
from grounding.reference.spans import (
    annotations_in,
    citation_spans,
    citations_in,
    is_malformed,
    malformed_spans,
    number_spans,
    numbers_in,
)
from grounding.unicode16 import WHITE_SPACE

EVERY = [chr(point) for point in range(sys.maxunicode + 1)]
DIGITS = {str(value): str(value) for value in range(10)} | digit_values()

PIECES = [
    *("[", "]", ":", "=", " ", "\n", "\r", ".", ",", "1", "23", "\u0663", "\U0001d7d3", "x"),
    *(
        "[1]",
        "[007]",
        "[assert:",
        "[ASSERT:a=1]",
        "[assert:a= ]",
        "[a\xdfert:",
        "[a\u017fsert:b=2]",
    ),
    *("[unsupported:", "[Unsupported:b-c]", "[un\u017fupported:b]", "[input:", "[inPUT: 7,5 ]"),
    *("\u0130", "\ufb05", "e\u0301", "\u1e9e", "assert:", "input:"),
]
"""What the grammars are made of, and what folds to more characters than it has."""

HOSTILE = {
    "blanks of an input": "[input:" + " " * 10**5,
    "open assertions": "[assert:a=" * 10**5,
    "folded prefixes": "[a\xdfert:" * 10**5,
    "a long id": "[assert:" + "a" * 10**6,
    "a long marker without an end": "[" + "1" * 10**6,
    "a long number": "1." * 10**6,
    "brackets": "[" * 10**5,
    "closing brackets": "]" * 10**5,
    "markers": "[1]" * 10**5,
    "blank inputs": "[input: ]" * 10**5,
}


def random_text() -> str:
    return "".join(random.choices(PIECES, k=random.randint(1, 12)))


def test_of_all_code_points_only_the_pinned_digits_are_numbers() -> None:
    assert numbers_in("x".join(EVERY)) == tuple(sorted(DIGITS))
    below = [character for character in EVERY if character <= "\uffff"]  # the other pattern
    assert numbers_in("x".join(below)) == tuple(c for c in sorted(DIGITS) if c <= "\uffff")


def test_every_digit_is_a_marker_of_its_value() -> None:
    for digit, value in DIGITS.items():
        assert citations_in(f"[{digit}]") == (int(value),)
        assert citations_in(f"[0{digit}1]") == (int(f"{value}1"),)


def test_scripts_mix_in_one_number_and_in_one_marker() -> None:
    digits = "".join(chr(zero + 5) for zero in ZEROS)
    assert numbers_in(digits) == (digits,)
    assert citations_in(f"[{digits}]") == (int("5" * 76),)


@pytest.mark.parametrize("length", [5000, 100_000])
def test_a_marker_of_thousands_of_digits_is_a_marker_like_any_other(length: int) -> None:
    (value,) = citations_in(f"[{'9' * length}]")
    assert value + 1 == 10**length
    assert str(value) == "9" * length
    assert citations_in(f"[{'0' * length}7]") == (7,)
    assert numbers_in("9" * length) == ("9" * length,)


def test_a_marker_is_white_space_to_the_numbers_around_it() -> None:
    for _ in range(2000):
        text = random_text()
        marker = "|".join(re.escape(span.text) for span in citation_spans(text))
        literally = re.sub(marker, " ", text) if marker else text
        assert numbers_in(text) == numbers_in(literally), ascii(text)


def test_annotations_are_white_space_where_they_are_given() -> None:
    text = "1[input:2]3 [assert:x=8 4[5]6"
    spans = number_spans(text, annotations_in(text))
    assert [span.text for span in spans] == ["1", "3", "8", "4", "6"]
    assert numbers_in(text) == ("1", "2", "3", "8", "4", "6")


def test_every_span_is_the_text_at_its_place() -> None:
    for _ in range(2000):
        text = random_text()
        annotations = annotations_in(text)
        spans = [
            *number_spans(text, annotations),
            *citation_spans(text),
            *malformed_spans(text, annotations),
            *(annotation.span for annotation in annotations),
        ]
        assert [span for span in spans if text[span.start : span.end] != span.text] == []


def test_a_surplus_prefix_is_placed_exactly_where_one_is_counted() -> None:
    seen = set()
    for _ in range(4000):
        text = random_text()
        annotations = annotations_in(text)
        malformed = malformed_spans(text, annotations)
        folded = casefold(text)
        counted = sum(folded.count(prefix) for prefix in ("[assert:", "[unsupported:", "[input:"))
        assert len(malformed) == counted - len(annotations), ascii(text)
        assert bool(malformed) == is_malformed(text, annotations), ascii(text)
        seen.add(len(malformed))
    assert {0, 1, 2} <= seen


@pytest.mark.parametrize(
    ("text", "stretches"),
    [
        ("\u0130\u0130 [a\xdfert:x [b", [("[a\xdfert:x ", 3, 12)]),
        ("[assert:x\r\n]", [("[assert:x", 0, 9)]),
        ("[assert:x\ny]", [("[assert:x", 0, 9)]),
        ("[assert:x\u2028y]z", [("[assert:x\u2028y]", 0, 12)]),
        ("[assert: k=v] ]", [("[assert: k=v]", 0, 13)]),
        ("[assert:a=[assert:a=1]", [("[assert:a=", 0, 10)]),
        ("[INPUT:", [("[INPUT:", 0, 7)]),
        ("\ufb03[un\u017fupported:q]", [("[un\u017fupported:q]", 1, 16)]),
    ],
)
def test_a_malformed_annotation_ends_at_a_bracket_or_the_line(
    text: str, stretches: list[tuple[str, int, int]]
) -> None:
    assert malformed_spans(text, annotations_in(text)) == stretches


def test_of_all_code_points_only_ascii_letters_spell_a_well_formed_prefix() -> None:
    spelled = re.compile("[aA][sS][sS][eE][rR][tT]|[iI][nN][pP][uU][tT]")
    for character in EVERY:
        if casefold(character)[0] in "assertinpu":
            for word in ("assert:k=v", "input:v"):
                for at in range(word.index(":")):
                    prose = word[:at] + character + word[at + 1 :]
                    found = annotations_in(f"[{prose}]")
                    assert bool(found) == bool(spelled.match(prose)), ascii(prose)


def test_a_value_may_hold_all_but_four_characters_and_more_than_white_space() -> None:
    some = EVERY[:0x3100]  # all white space lies there
    annotations = annotations_in("".join(f"[input:{character}x]" for character in some))
    assert {*some} - {a.span.text[7:-2] for a in annotations} == set("[]\r\n")
    annotations = annotations_in("".join(f"[input:{character}]" for character in some))
    assert {*some} - {a.span.text[7:-1] for a in annotations} == {*"[]\r\n", *WHITE_SPACE}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_takes_linear_time(text: str) -> None:
    start = time.process_time()
    annotations = annotations_in(text)
    number_spans(text, annotations)
    citations_in(text)
    malformed_spans(text, annotations)
    assert time.process_time() - start < 6  # about one second; a quadratic scan takes hours
