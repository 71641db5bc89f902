"""The normal form of one annotation value, in plain Python over the pinned Unicode tables.

Two spellings of a value that only differ in case, in how accents are composed, or in white space
are the same claim. Nothing else is: NFKC would turn `10²` into `102`.
"""

import re
from functools import cache

from grounding.unicode16 import (
    WHITE_SPACE,
    case_folding,
    combining_classes,
    compositions,
    decompositions,
)

_BLANK = re.compile(f"[{WHITE_SPACE}]+")

# Hangul syllables follow a formula (The Unicode Standard, section 3.12).
_LEADS, _VOWELS, _TAILS = range(0x1100, 0x1113), range(0x1161, 0x1176), range(0x11A8, 0x11C3)
_SYLLABLES = range(0xAC00, 0xD7A4)
_PER_VOWEL = len(_TAILS) + 1  # a syllable may go without a tail
_PER_LEAD = len(_VOWELS) * _PER_VOWEL


def normalise_value(text: str) -> str:
    r"""NFC, full case folding, NFC again, runs of white space to one space, trimmed.

    >>> normalise_value("  STRASSE\t Hell ") == normalise_value("straße hell")
    True
    >>> normalise_value("10²") == normalise_value("102")
    False
    """
    return _BLANK.sub(" ", nfc(casefold(nfc(text)))).strip(" ")


def casefold(text: str) -> str:
    """Full case folding, as str.casefold does it, but of Unicode 16.0 on every interpreter."""
    return text.lower() if text.isascii() else text.translate(_folding_by_point())


def nfc(text: str) -> str:
    """Normal form C. A code point that Unicode 16.0 does not assign is left where it stands."""
    if text.isascii() or _unsettled().isdisjoint(text):
        return text
    return _composed(_ordered(text.translate(_full_decompositions())))


def _ordered(text: str) -> str:
    """The combining marks between two other characters, sorted by class, equal ones as they came.

    Sorted as a whole: swapping neighbours would be quadratic in a long run of marks.
    """
    classes = combining_classes()
    ordered: list[str] = []
    marks: list[str] = []
    for character in text:
        if character in classes:
            marks.append(character)
            continue
        if marks:
            ordered += sorted(marks, key=classes.__getitem__)
            marks.clear()
        ordered.append(character)
    return "".join(ordered + sorted(marks, key=classes.__getitem__))


def _composed(text: str) -> str:
    """Each starter, taken together with what follows it and is not blocked from it.

    A mark is blocked by one of the same or a higher class between it and the starter.
    """
    classes = combining_classes()
    out: list[str] = []
    starter = -1  # where in `out` the last starter stands; before the first there is none
    highest = 0  # the class of the last character in `out`: the highest since the starter
    for character in text:
        own = classes.get(character, 0)
        reached = starter >= 0 and (starter == len(out) - 1 or highest < own)
        if reached and (whole := _pair(out[starter], character)):
            out[starter] = whole
            continue
        if own == 0:
            starter = len(out)
        highest = own
        out.append(character)
    return "".join(out)


def _pair(first: str, second: str) -> str | None:
    """The one character that two compose to, or None."""
    a, b = ord(first), ord(second)
    if a in _LEADS and b in _VOWELS:
        rank = _LEADS.index(a) * _PER_LEAD + _VOWELS.index(b) * _PER_VOWEL
        return chr(_SYLLABLES[rank])
    if b in _TAILS and a in _SYLLABLES and _SYLLABLES.index(a) % _PER_VOWEL == 0:
        return chr(a + 1 + _TAILS.index(b))
    return compositions().get(first + second)


@cache
def _folding_by_point() -> dict[int, str]:
    return {ord(character): fold for character, fold in case_folding().items()}


@cache
def _unsettled() -> frozenset[str]:
    """What NFC may have to change: a text without any of these is in normal form."""
    made_by_composing = set(compositions().values())
    return frozenset(combining_classes()).union(
        (character for character in decompositions() if character not in made_by_composing),
        (pair[1] for pair in compositions()),
        map(chr, _VOWELS),
        map(chr, _TAILS),
    )


@cache
def _full_decompositions() -> dict[int, str]:
    """Decompositions to the end. Not of Hangul: a syllable would only be composed again."""
    steps = decompositions()

    def full(text: str) -> str:
        return "".join(full(steps[part]) if part in steps else part for part in text)

    return {ord(character): full(step) for character, step in steps.items()}
