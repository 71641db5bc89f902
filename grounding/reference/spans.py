"""Where numbers, citations and annotations stand in one text, in plain Python.

The rule `strict/1` and the grammar `annotations/1` as they would be read aloud, one text at a
time, for `reference`; `tokens` and `annotations` are the same for columns, and neither side
imports the other. Every pattern takes time linear in the text, whatever the text is.
"""

import re
from typing import NamedTuple

from grounding.digits import digit_class, digit_values
from grounding.folding import casefold, normalise_value
from grounding.reference.integers import integer

_DIGIT = digit_class()
_TO_ASCII = str.maketrans(digit_values())


def _any_case(word: str) -> str:
    """A pattern for an ASCII word in either case. Not `(?i)`: that lets ſ stand for s."""
    return "".join(f"[{letter}{letter.upper()}]" for letter in word)


# The quantifiers are possessive: what follows one could never match a character that it gives
# back, so a long stretch that leads nowhere is given up in one step.
_MARKER = re.compile(rf"\[[{_DIGIT}]++\]")
_NUMBER = rf"[{_DIGIT}]++(?:[.,][{_DIGIT}]++)*+"
_ID = r"[A-Za-z0-9_.-]++"
_VALUE = r"[^\[\]\r\n]*+"
_ANNOTATION = re.compile(
    rf"\[(?:{_any_case('assert')}:({_ID})=({_VALUE})"
    rf"|{_any_case('unsupported')}:({_ID})"
    rf"|{_any_case('input')}:({_VALUE}))\]"
)
_ANY_NUMBER = re.compile(_NUMBER)
# Python looks a character up in a class at once, unless the class reaches beyond U+FFFF: then it
# tries range by range. Most texts do not reach there, and are read five times as fast without.
_ASTRAL = "\U00010000-\U0010ffff"
_BEYOND = re.compile(f"[{_ASTRAL}]")
_PLAIN_NUMBER = re.compile(re.sub(f"[{_ASTRAL}]-[{_ASTRAL}]", "", _NUMBER))
_BRACKET = re.compile(r"\[")
_PREFIXES = {kind: f"[{kind}:" for kind in ("assert", "unsupported", "input")}
_STRETCH = re.compile(r"\[[^\[\]\r\n]*+\]?")


class Span(NamedTuple):
    """A piece of a text: `text[start:end]`, in code points."""

    text: str
    start: int
    end: int


class Annotation(NamedTuple):
    """A well-formed annotation.

    `kind` is assert, unsupported or input; `id` is folded, empty for an input; `value` is
    normalised, empty for an unsupported id.
    """

    kind: str
    id: str
    value: str
    span: Span


def numbers_in(text: str) -> tuple[str, ...]:
    """The number tokens of a text, in order, repeats kept. Citation markers hold none.

    >>> numbers_in("4 - 6 mg of 1.500.000,25 [3], not 5.")
    ('4', '6', '1.500.000,25', '5')
    """
    return tuple(number.text for number in number_spans(text))


def citations_in(text: str) -> tuple[int, ...]:
    """The values of the citation markers of a text, in order, repeats kept.

    >>> citations_in("[007] and [٣] and [1, 2]")
    (7, 3)
    """
    return tuple(citation_value(marker) for marker in citation_spans(text))


def number_spans(text: str, annotations: tuple[Annotation, ...] = ()) -> tuple[Span, ...]:
    """The number tokens of a text with their places.

    Citation markers, and the annotations given, are replaced by white space first: as long as
    they are, so that offsets stay, and no token can cross it.
    """
    holes = [*citation_spans(text), *(annotation.span for annotation in annotations)]
    pieces, at = [], 0
    for hole in sorted(holes, key=lambda hole: hole.start):
        pieces += [text[at : hole.start], " " * len(hole.text)]
        at = hole.end
    pattern = _ANY_NUMBER if _BEYOND.search(text) else _PLAIN_NUMBER
    return _spans(pattern, "".join([*pieces, text[at:]]))


def citation_spans(text: str) -> tuple[Span, ...]:
    """The citation markers of a text with their places: `[`, digits, `]`."""
    return _spans(_MARKER, text)


def citation_value(marker: Span) -> int:
    """The integer that the digits of a marker spell, in any script and of any length."""
    return integer(marker.text[1:-1].translate(_TO_ASCII))


def annotations_in(text: str) -> tuple[Annotation, ...]:
    """The well-formed annotations of a text, in order.

    >>> [(a.kind, a.id, a.value) for a in annotations_in("[Assert:Keeper= ADA ] [input:7,5]")]
    [('assert', 'keeper', 'ada'), ('input', '', '7,5')]
    """
    found = []
    for match in _ANNOTATION.finditer(text):
        fact, claimed, negative, used = match.groups()
        kind = "assert" if fact else "unsupported" if negative else "input"
        value = normalise_value(claimed or used or "")
        if value or negative:  # a value of nothing but white space is malformed
            span = Span(match[0], *match.span())
            found.append(Annotation(kind, casefold(fact or negative or ""), value, span))
    return tuple(found)


def is_malformed(text: str, annotations: tuple[Annotation, ...]) -> bool:
    """Whether the folded text holds more prefixes of a kind than well-formed annotations of it."""
    folded = casefold(text)
    kinds = [annotation.kind for annotation in annotations]
    return any(folded.count(prefix) > kinds.count(kind) for kind, prefix in _PREFIXES.items())


def malformed_spans(text: str, annotations: tuple[Annotation, ...]) -> list[Span]:
    """Each annotation prefix that opens no well-formed annotation, up to where it breaks off.

    That is the next `[`, the end of the line, or the first `]`, which is included. Prefixes are
    read in the folded text, where `[aßert:` is one too. Nothing but `[` folds to a `[`, so the
    brackets of the text and of the folded text belong together one by one.
    """
    folded = casefold(text)
    prefixes = tuple(_PREFIXES.values())
    opened = {annotation.span.start for annotation in annotations}
    brackets = zip(_BRACKET.finditer(text), _BRACKET.finditer(folded), strict=True)
    starts = (a.start() for a, b in brackets if folded.startswith(prefixes, b.start()))
    stretches = (_STRETCH.match(text, start) for start in starts if start not in opened)
    return [Span(stretch[0], *stretch.span()) for stretch in stretches if stretch]


def _spans(pattern: re.Pattern[str], text: str) -> tuple[Span, ...]:
    return tuple(Span(match[0], *match.span()) for match in pattern.finditer(text))
