"""Quantities that the rule does not read whole: `.5`, `10⁶`, `1½`, `1/2`, `1e6`, `7·5`, words.

The rule reads digits with points and commas between them, and nothing else of a number. What it
leaves aside here could be any value, while the tokens beside it are checked.
"""

import re
from collections.abc import Iterator
from itertools import chain

from grounding.categories import letters_and_marks, numeral_class, numerals
from grounding.digits import digit_class
from grounding.folding import normalise_value
from grounding.reference.items import spelled_numbers
from grounding.reference.spans import Span, number_spans
from grounding.reference.texts import DIGITS, Reading, is_word_character
from grounding.unicode16 import WHITE_SPACE

_D = f"[{digit_class()}]"
_N = f"{_D}++(?:[.,]{_D}++)*+"
_Q = f"[{numeral_class()}]"
_B = "[ \u00a0\u202f\u2009]"
_GAP = "[- \u00a0\u202f\u2009\u2010\u2011]"
_RAISED = f"(?:[⁺⁻₊₋]?{_Q})++"
_POWER = rf"(?:\^[{{(]?[-+−]?{_D}++[)}}]?)++\^?"
_SCRIPTS = frozenset("²³¹⁰ⁱ⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉")
_MARK = frozenset(".,")
_RAISED_SIGNS = frozenset("⁺⁻₊₋")
_OPENING = frozenset("([{\"'“‘«‹" + WHITE_SPACE)
_BEFORE_A_MARK = _OPENING | frozenset("<>=≤≥~≈±+-−$€£")

_NO_QUANTITIES = frozenset({"one", "first", "second", "third"})
"""What is mostly no number where it stands alone: `the one`, `first, wash it`."""

# What stands behind a number token and makes one quantity with it.
_RAISED_TAIL = re.compile(
    f"{_RAISED}|{_GAP}[¼-¾⅐-⅟↉]|{_POWER}|{_B}?[x×*·]{_B}?{_N}(?:{_RAISED}|{_POWER})"
)
_EXPONENT = re.compile(f"[eE][-+−]?{_D}++")
_SLASHES = re.compile(f"(?:[/⁄∕]{_N})++")
_MIXED = re.compile(f"{_GAP}{_D}{{1,2}}[/⁄]{_D}{{1,3}}+")
_MARKS = re.compile(f"(?:[·'’٫٬_˙⸱．]{_N})++")
_MORE = re.compile(f"(?:{_B}{_N})++")
_GROUPS = re.compile(f"{_D}{{1,3}}(?:{_B}{_D}{{3}})+(?:[.,]{_D}+)?")
_LONE = re.compile(_RAISED)


def unread_stretches(read: Reading) -> list[tuple[int, int, str]]:
    """Each stretch that is a quantity the rule does not read whole: start, end, and its key.

    Two stretches with one key are the same quantity: the text as it stands, of words the folded
    form. Stretches that overlap are one.
    """
    found: list[tuple[int, int]] = []
    for start, end in sorted(_of_characters(read.text)):
        if found and start < found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    keyed = [(start, end, read.text[start:end]) for start, end in found]
    return sorted([*keyed, *_of_words(read.text)])


def _of_characters(text: str) -> Iterator[tuple[int, int]]:
    numbers = number_spans(text)
    for start, end in chain(
        _naked(text, numbers),
        _lone(text),
        _with_tails(_RAISED_TAIL, text, numbers),
        (s for s in _with_tails(_EXPONENT, text, numbers) if not _goes_on(text, s[1])),
        (s for s in _with_tails(_SLASHES, text, numbers) if "/" not in _beside(text, *s)),
        (s for s in _with_tails(_MIXED, text, numbers) if _ends_a_fraction(text, s[1])),
        (s for s in _with_tails(_MARKS, text, numbers) if _at(text, s[1]) != "_"),
        (s for s in _with_tails(_MORE, text, numbers) if _GROUPS.fullmatch(text, *s)),
    ):
        before = _at(text, start - 1)
        if before not in letters_and_marks() and before != "_":
            yield start, end


def _with_tails(
    tail: re.Pattern[str], text: str, numbers: tuple[Span, ...]
) -> Iterator[tuple[int, int]]:
    """Each number with the tail behind it, but for those that an earlier tail holds."""
    reached = 0
    for number in numbers:
        if number.start >= reached and (match := tail.match(text, number.end)):
            reached = match.end()
            yield number.start, reached


def _naked(text: str, numbers: tuple[Span, ...]) -> Iterator[tuple[int, int]]:
    """The numbers that open with a decimal mark: `.5`."""
    for number in numbers:
        mark = number.start - 1
        if _at(text, mark) in _MARK and (mark == 0 or text[mark - 1] in _BEFORE_A_MARK):
            yield mark, number.end


def _lone(text: str) -> Iterator[tuple[int, int]]:
    """Numerals alone. A raised one behind a sign is a footnote, and one behind a letter a name."""
    reached = 0
    for place in (place for place, character in enumerate(text) if character in numerals()):
        if place < reached:
            continue
        start = place - (_at(text, place - 1) in _RAISED_SIGNS)
        match = _LONE.match(text, start)
        reached = match.end() if match else place + 1
        before = _at(text, start - 1)
        is_script = text[place] in _SCRIPTS
        if before not in DIGITS and (not is_script or start == 0 or before in _OPENING):
            yield start, reached


def _ends_a_fraction(text: str, end: int) -> bool:
    separated = _at(text, end) in _MARK and _at(text, end + 1) in DIGITS
    return not separated and _at(text, end) not in DIGITS | {"/"}


def _of_words(text: str) -> Iterator[tuple[int, int, str]]:
    for item in spelled_numbers((text,)):
        key = " ".join(normalise_value(re.sub("[-\u2010\u2011]", " ", item.text)).split())
        if key not in _NO_QUANTITIES:
            yield item.start, item.start + len(item.text), key


def _goes_on(text: str, end: int) -> bool:
    return is_word_character(_at(text, end))


def _beside(text: str, start: int, end: int) -> str:
    return _at(text, start - 1) + _at(text, end)


def _at(text: str, place: int) -> str:
    return text[place] if 0 <= place < len(text) else ""
