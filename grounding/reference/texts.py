"""A text as the advice reads it: citations and annotations are one space each, wherever they stood.

Places are those of the text that is read, until `Reading.span` gives back those of the original.
"""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from grounding.categories import letters_and_marks, numerals
from grounding.digits import digit_values
from grounding.folding import casefold, nfc
from grounding.reference.spans import Annotation, Span, citation_spans
from grounding.units import Spelling, UnitTable

DIGITS = frozenset("0123456789").union(digit_values())
HYPHENS = frozenset("-\u2010\u2011")
_BLANKS = frozenset(" \t\u00a0\u202f\u2009")
_BLANKS_OF_EVIDENCE = _BLANKS | frozenset("\r\n*")
_WINDOW = 64
"""Code points that a spelling may take in a text: more than any has, however it is composed."""


class Reading(NamedTuple):
    """A text to be read, and where each of its characters stands in the original."""

    text: str
    original: str
    places: range | list[int]
    is_evidence: bool

    @property
    def blanks(self) -> frozenset[str]:
        """What counts as a blank. Lines of evidence are wrapped, and its numbers are in bold."""
        return _BLANKS_OF_EVIDENCE if self.is_evidence else _BLANKS

    def span(self, start: int, end: int) -> Span:
        """A stretch of what is read, as it stands in the original."""
        first, last = self.places[start], self.places[end - 1] + 1
        return Span(self.original[first:last], first, last)

    def at(self, place: int) -> str:
        """The character of a place; nothing outside of the text."""
        return self.text[place] if 0 <= place < len(self.text) else ""

    def after_blanks(self, place: int) -> int:
        """Where up to three blanks from a place on have ended."""
        end = place
        while end < min(place + 3, len(self.text)) and self.text[end] in self.blanks:
            end += 1
        return end

    def before_blanks(self, place: int) -> int:
        """Where up to three blanks before a place begin."""
        start = place
        while start > max(place - 3, 0) and self.text[start - 1] in self.blanks:
            start -= 1
        return start

    def after_gap(self, place: int) -> int:
        """Where a gap has ended: up to three blanks, or one hyphen; a plus before it is passed by.

        In evidence blanks may stand around the hyphen: `49 - year`.
        """
        place += self.at(place) == "+"
        end = self.after_blanks(place) if self.is_evidence else place
        if self.at(end) not in HYPHENS:
            return self.after_blanks(place)
        return self.after_blanks(end + 1) if self.is_evidence else end + 1


def reading(
    text: str, annotations: tuple[Annotation, ...] = (), *, evidence: bool = False
) -> Reading:
    """A text without its citation markers and the annotations given.

    >>> reading("5[1] mg").text
    '5  mg'
    """
    holes = [*citation_spans(text), *(annotation.span for annotation in annotations)]
    if not holes:
        return Reading(text, text, range(len(text)), evidence)
    pieces, places, at = [], list[int](), 0
    for hole in sorted(holes, key=lambda hole: hole.start):
        pieces += [text[at : hole.start], " "]
        places += [*range(at, hole.start), hole.start]
        at = hole.end
    places += range(at, len(text))
    return Reading("".join([*pieces, text[at:]]), text, places, evidence)


def is_word_character(character: str) -> bool:
    """Whether a character goes on with a word: a letter, a mark, or a numeral of any kind."""
    return character in letters_and_marks() or character in DIGITS or character in numerals()


def spelling_at(
    read: Reading, start: int, units: UnitTable, kinds: frozenset[str], *, gap: bool = True
) -> tuple[Spelling, int] | None:
    """The longest listed spelling of some kinds that opens at a place, and where it ends.

    It ends where no word goes on. `gap` says whether something stands between it and its number.
    """
    found = None
    for end in _word_ends(read, start):
        written = "".join(" " if c in read.blanks else c for c in read.text[start:end])
        if nfc(casefold(nfc(written))) not in _beginnings(units):
            break
        fitting = (
            (one, end)
            for one in units.listed(written)
            if one.kind in kinds and _may_end(read, end, one) and _may_follow(one, gap=gap)
        )
        found = next(fitting, found)
    return found


def _word_ends(read: Reading, start: int) -> Iterator[int]:
    """The places behind a place where no word goes on, and which no blank closes."""
    text = read.text
    for end in range(start + 1, min(start + _WINDOW, len(text)) + 1):
        goes_on = is_word_character(text[end - 1]) and is_word_character(text[end : end + 1])
        if not goes_on and text[end - 1] not in read.blanks:
            yield end


def _may_end(read: Reading, end: int, one: Spelling) -> bool:
    """Whether no number follows that a spelling would belong to: `35 $40`, `12 tháng 3`."""
    leads = one.closing or (one.kind == "currency" and one.is_symbol)
    return not (leads and read.at(read.after_blanks(end)) in DIGITS)


def _may_follow(one: Spelling, *, gap: bool) -> bool:
    return not (one.apart and not gap) and not (one.glued and gap)


@cache
def _beginnings(units: UnitTable) -> frozenset[str]:
    """What a spelling begins with: where a text goes on otherwise, nothing longer is one."""
    texts = {nfc(casefold(one.text)) for one in units.spellings()}
    return frozenset(text[:size] for text in texts for size in range(1, len(text) + 1))
