"""Patterns of how units, currencies and scale words may be written, and what each spelling means.

Spellings are compared in normal form, and folded where they are words. A pattern matches every text
whose normal form a spelling is, so that the text itself is never rewritten and keeps its places.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from functools import cache
from itertools import permutations

from grounding.categories import letter_and_mark_class, numeral_class
from grounding.digits import digit_class
from grounding.folding import casefold, nfc
from grounding.unicode16 import case_folding, decompositions
from grounding.units import Spelling

WORD_CHARACTERS = f"{letter_and_mark_class()}{digit_class()}{numeral_class()}"
"""Letters, marks, digits and numerals: a class without brackets."""

NO_WORD = f"[^{WORD_CHARACTERS}]"

_NO_DIGIT = f"[^{digit_class()}]"
_NEITHER = f"[^BLANK{digit_class()}]"
_AFTER_BLANKS = f"[BLANK](?:{_NEITHER}|[BLANK](?:{_NEITHER}|[BLANK]{_NO_DIGIT}))"
_END = {
    (True, False): NO_WORD,
    (False, False): "(?s:.)",
    (True, True): f"(?:[^BLANK{WORD_CHARACTERS}]|{_AFTER_BLANKS})",
    (False, True): f"(?:{_NEITHER}|{_AFTER_BLANKS})",
}
"""What follows a spelling: by whether it ends in a word character, and whether it closes."""


def symbols(texts: Collection[str], blank: str) -> str:
    """Matches every text whose NFC is one of the given, the longest that stands there."""
    return tree(texts, lambda c: blank if c == " " else _exactly(c))


def words(texts: Collection[str], blank: str) -> str:
    """Matches every text that is one of the given once it is folded, the longest."""
    ways = (way for text in texts for way in _with_ligatures(text))
    return tree(ways, lambda c: blank if c == " " else _in_any_case(c))


@cache
def _exactly(character: str) -> str:
    return any_of(_composed(character))


@cache
def _in_any_case(character: str) -> str:
    return character if character in _ligatures() else any_of(_folded(character))


@cache
def _with_ligatures(text: str) -> tuple[str, ...]:
    """A folded text, and the same with each of the characters that fold to several of its own."""
    if not text:
        return ("",)
    ways = [text[0] + rest for rest in _with_ligatures(text[1:])]
    for character, fold in _ligatures_of(text[0]).items():
        if text.startswith(fold):
            ways += [character + rest for rest in _with_ligatures(text[len(fold) :])]
    return tuple(ways)


@cache
def _ligatures_of(first: str) -> dict[str, str]:
    return {c: fold for c, fold in _ligatures().items() if fold[0] == first}


def longest_first(spellings: Iterable[Spelling], blank: str) -> str:
    """Any of the spellings, the longest that stands there, and what shows that it ends there.

    That is one character, or the blanks behind a closing spelling and one character. A spelling
    that ends in a word character ends at a word's end. What is searched has a character at its
    end that is part of no spelling.
    """
    ones = list(spellings)
    texts = {one.text for one in ones if ends_a_word(one.text)}
    beginnings = {text[:size] for text in texts for size in range(1, len(text))}
    groups: dict[tuple[int, bool], list[Spelling]] = {}
    for one in ones:
        ends = ends_a_word(one.text)
        short = not ends and one.text in beginnings
        groups.setdefault((1 if ends else 2 if short else 0, closes(one)), []).append(one)
    return either(
        written(group, blank) + _END[place == 1, closing].replace("BLANK", blank[1:-1])
        for (place, closing), group in sorted(groups.items())
    )


def any_beginning(spellings: Iterable[Spelling], blank: str) -> str:
    """Any of the spellings, or all that stands of one before its first digit."""
    ended: dict[str, list[Spelling]] = {}
    for one in spellings:
        digits = [place for place, c in enumerate(one.text) if c.isdecimal()]
        if digits:
            end, one = f"(?:[{digit_class()}]|$)", replace(one, text=one.text[: digits[0]])
        else:
            end = f"(?:{NO_WORD}|$)" if ends_a_word(one.text) else ""
        ended.setdefault(end, []).append(one)
    return either(written(ones, blank) + end for end, ones in ended.items())


def written(spellings: Collection[Spelling], blank: str) -> str:
    """Any of the spellings, the longest, given the class of what may stand for a blank in it."""
    folded = {one.text for one in spellings if not one.is_symbol}
    exact = {one.text for one in spellings if one.is_symbol}
    beginnings = {word[:size] for word in folded for size in range(1, len(word))}
    begun = {text for text in exact if nfc(casefold(text)) in beginnings}
    parts = [
        symbols(exact - begun, blank) if exact - begun else "",
        words(folded, blank) if folded else "",
        symbols(begun, blank) if begun else "",
    ]
    return either(part for part in parts if part)


def tree(texts: Iterable[str], letter: Callable[[str], str]) -> str:
    """Any of the texts, the longest that stands there. What begins alike is looked at once.

    `letter` gives the pattern of one character.
    """
    branches: dict[str, list[str]] = {}
    for text in sorted(set(texts)):
        branches.setdefault(text[:1], []).append(text[1:])
    ends = branches.pop("", None) is not None
    parts = [letter(first) + tree(rest, letter) for first, rest in branches.items()]
    if not parts:
        return ""
    one = parts[0] if len(parts) == 1 else f"(?:{'|'.join(parts)})"
    return f"(?:{one})?" if ends else one


def closes(one: Spelling) -> bool:
    """Whether no number may follow, or it belongs to that."""
    return one.closing or (one.kind == "currency" and one.is_symbol)


def opens_a_word(text: str) -> bool:
    """Whether a text begins with a word character."""
    return _is_word_character(text[0])


def ends_a_word(text: str) -> bool:
    """Whether a text ends with a word character."""
    return _is_word_character(text[-1])


@cache
def _word_points() -> frozenset[str]:
    stretches = WORD_CHARACTERS
    points, place = set[str](), 0
    while place < len(stretches):
        if stretches[place + 1 : place + 2] == "-":
            first, last = ord(stretches[place]), ord(stretches[place + 2])
            points.update(map(chr, range(first, last + 1)))
            place += 3
        else:
            points.add(stretches[place])
            place += 1
    return frozenset(points)


def _is_word_character(character: str) -> bool:
    return character in _word_points()


def either(patterns: Iterable[str]) -> str:
    """A pattern of any of the patterns, the first that matches."""
    return f"(?:{'|'.join(patterns)})"


def any_of(texts: Collection[str]) -> str:
    """A pattern of any of a few short texts."""
    single = "".join(sorted(text for text in texts if len(text) == 1))
    several = sorted((text for text in texts if len(text) > 1), key=lambda t: (-len(t), t))
    single_class = f"[{_escaped(single)}]"
    return either([*map(_escaped, several), single_class]) if several else single_class


def _escaped(text: str) -> str:
    return "".join(f"\\{c}" if c in r"\.+*?()|[]{}^$#&-~ " else c for c in text)


@cache
def _composed(character: str) -> frozenset[str]:
    """All texts of one base letter whose NFC is a character."""
    return frozenset({character} | {t for t in _arranged(character) if nfc(t) == character})


@cache
def _folded(character: str) -> frozenset[str]:
    """All texts of one base letter that fold to a character."""
    cased = {character, *_cases().get(character, ())}
    found = {text for one in cased for text in _composed(one)}
    return frozenset(text for text in found if nfc(casefold(nfc(text))) == character)


def _arranged(character: str) -> set[str]:
    """A base letter, some of its marks composed with it, and the others in any order."""
    parts = _taken_apart(character)
    base, marks = parts[0], parts[1:]
    found = set(_singletons().get(character, ()))
    for size in range(len(marks) + 1):
        for own in permutations(marks, size):
            left = list(marks)
            for mark in own:
                left.remove(mark)
            head = nfc(base + "".join(own))
            if len(head) == 1:
                heads = {head, *_singletons().get(head, ())}
                found.update(h + "".join(r) for h in heads for r in permutations(left))
    return found


def _taken_apart(character: str) -> str:
    parts = decompositions().get(character)
    if parts is None:
        return character
    return _taken_apart(parts[0]) + "".join(parts[1:])


@cache
def _singletons() -> dict[str, tuple[str, ...]]:
    """Characters whose NFC is another single one, such as the Kelvin sign, by that one."""
    found: dict[str, tuple[str, ...]] = {}
    for character in decompositions():
        composed = nfc(character)
        if composed != character and len(composed) == 1:
            found[composed] = (*found.get(composed, ()), character)
    return found


@cache
def _cases() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for character, fold in case_folding().items():
        found[fold] = (*found.get(fold, ()), character)
    return found


@cache
def _ligatures() -> dict[str, str]:
    """Characters that fold to several, such as ß and ﬁ."""
    return {c: fold for c, fold in case_folding().items() if len(fold) > 1}
