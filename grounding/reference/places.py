"""What the place of a number or of a marker in its answer tells, in plain Python.

Whether a number is that of a citation in another style, of a list, or part of a name; whether an
invalid citation is an index, a link, or one of an answer that counts from zero. The text is the
answer with its annotations blanked, so that offsets stay.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from grounding.reference.integers import integer
from grounding.reference.items import DIGIT, LETTER
from grounding.reference.readings import ascii_digits
from grounding.reference.spans import Span, citation_value, numbers_in
from grounding.unicode16 import WHITE_SPACE

_DIGITS = re.compile(f"[{DIGIT}]+")
_N = f"[{DIGIT}]++"
_BLANK = "[ \t\u00a0\u202f]"
_ITEM = f"{_BLANK}*+{_N}{_BLANK}*+"
_COMMA, _WIDE, _DASH = "[,;]", "[，、；،؛]", "[-\u2010-\u2015~]"
_LABEL = (
    "(?ai:id|ref|reference|doc|document|source|src|passage|context|chunk|cite|citation|evidence)"
    f"{_BLANK}*+[:#_-]?+{_BLANK}*+"
)
_LABELLED = rf"{_LABEL}{_ITEM}(?:{_COMMA}{_BLANK}*+(?:{_LABEL})?{_ITEM})*+"

# At each place the first that matches is taken. Those of SYNTAX name passages; the rest hide what
# lies in them: a link, a marker, a power.
_HIDING = (
    rf"(?<![{DIGIT}]){_N}(?:\^{_N})++\^?",
    rf"\[{_N}\]\([^()\[\]\r\n]*+\)",
    rf"\[{_N}\]",
)
SYNTAX = {
    "padded": rf"\[{_ITEM}\]",
    "list": rf"\[{_ITEM}(?:{_COMMA}{_ITEM})++\]",
    "wide_list": rf"\[{_ITEM}(?:(?:{_COMMA}|{_WIDE}){_ITEM})++\]",
    "range": rf"\[{_ITEM}(?:(?:{_COMMA}|{_WIDE}|{_DASH}){_ITEM})++\]",
    "footnote": rf"\[\^{_N}\^?\]",
    "caret": rf"\^{_ITEM}(?:(?:{_COMMA}|{_DASH}){_ITEM})*+\^",
    "lenticular": rf"【{_N}(?::{_N})?(?:†[^【】\r\n]*+)?】",
    "labelled": rf"\[{_LABELLED}\]",
    "double_bracket": rf"\[\[{_LABELLED}\]\]",
}
_CITATION = re.compile("|".join([*_HIDING, f"(?P<syntax>{'|'.join(SYNTAX.values())})"]))

_B = "[ \t\u00a0]"
_SHORT = f"[{DIGIT}]{{1,3}}+"
_CITED = rf"(?:\[{_N}\])*+"
_OPENS_A_LINE = re.compile(
    rf"(?:\A|(?<=[\r\n]))(?:{_B}*+[>*+-]{_B}++)*+{_B}*+(?:#++{_B}++)?+"
    rf"(?P<ordinal>{_SHORT}{_CITED}[.)]|\({_SHORT}\)|\*\*{_SHORT}(?:[.)]\*\*|\*\*\.))"
    rf"{_B}(?:(?![\r\n])[{WHITE_SPACE}])*+[^{WHITE_SPACE}]"
)
_SHORT_NUMBER = re.compile(_SHORT)
_WHITE = frozenset(WHITE_SPACE)
_LETTER_BEFORE = re.compile(f"[{LETTER}][-\u2010\u2011]?\\Z")

_CODE = re.compile(r"(?s:```.*?```)|``[^\r\n]*?``|`[^`\r\n]+`")
_LINK_TARGET = re.compile(r"\([^()\[\]\r\n]*+\)")
_CALLED = re.compile("=|\\.[a-z_]")


class Answer(NamedTuple):
    """The graded text with its number tokens, and what they may refer to."""

    text: str
    numbers: tuple[Span, ...]
    n_passages: int
    question: str | None


def cited_otherwise(answer: Answer) -> set[int]:
    """The places that lie in a citation of a style that the rule does not read.

    All its numbers are those of passages. A 0 is taken to count from zero.

    >>> sorted(cited_otherwise(Answer("[1, 2] [1998, 2002] [3]", (), 2, None)))
    [0, 1, 2, 3, 4, 5]
    """
    places: set[int] = set()
    for match in _CITATION.finditer(answer.text):
        runs = _DIGITS.findall(match["syntax"] or "")
        if runs and all(integer(ascii_digits(run)) <= answer.n_passages for run in runs):
            places.update(range(*match.span()))
    return places


def list_markers(answer: Answer) -> set[int]:
    """Where the numbers start that number the items of a list."""
    text, starts = answer.text, set()
    for match in _OPENS_A_LINE.finditer(text):
        number = _SHORT_NUMBER.search(text, match.start("ordinal"))
        assert number, "an ordinal holds digits"
        starts.add(number.start())
    forms: dict[str, list[Span]] = {"1)": [], "(1)": [], "1.": []}
    for span in answer.numbers:
        if (form := _form(text, span)) is not None:
            forms[form].append(span)
    for items in forms.values():
        starts.update(span.start for span in _counted(items))
    return starts


def _form(text: str, span: Span) -> str | None:
    """How a short number is marked off, if it is: `1)`, `(1)` or `1.`, then white space."""
    before, after = text[max(span.start - 1, 0) : span.start], text[span.end : span.end + 2]
    if not _SHORT_NUMBER.fullmatch(span.text) or after[1:] not in _WHITE:
        return None
    if after[0] == ")":
        return "(1)" if before == "(" else "1)"
    return "1." if after[0] == "." and before in ("", *_WHITE) else None


def _counted(items: list[Span]) -> Iterator[Span]:
    """The items of each stretch that counts from 1 up by one, and reaches 2."""
    stretch: list[Span] = []
    for item in items:
        value = int(ascii_digits(item.text))
        if value == 1 or (stretch and value != len(stretch) + 1):
            yield from stretch if len(stretch) > 1 else ()
            stretch = []
        if value == len(stretch) + 1:
            stretch.append(item)
    yield from stretch if len(stretch) > 1 else ()


def in_names(answer: Answer) -> set[int]:
    """Where the numbers start right behind a letter, or one hyphen behind a letter: `CoV-2`."""
    return {
        number.start
        for number in answer.numbers
        if _LETTER_BEFORE.search(answer.text[max(number.start - 2, 0) : number.start])
    }


def asked(answer: Answer) -> set[int]:
    """Where the numbers start that the question holds."""
    numbers = set(numbers_in(answer.question or ""))
    return {number.start for number in answer.numbers if number.text in numbers}


SPAN = {
    "citation_syntax": cited_otherwise,
    "list_marker": list_markers,
    "in_question": asked,
    "identifier": in_names,
}
"""For each cause of the family SPAN, where the numbers (or more) start for which it holds."""


def indices_and_links(text: str, markers: tuple[Span, ...]) -> set[int]:
    """Where the markers start that are no citations: in code, an index, or the text of a link.

    >>> from grounding.reference.spans import citation_spans
    >>> indices_and_links("`a[9]` [9](x) [9]", citation_spans("`a[9]` [9](x) [9]"))
    {2, 7}
    """
    code: set[int] = set()
    for match in _CODE.finditer(text):
        code.update(range(*match.span()))
    only_zeros = not any(citation_value(marker) for marker in markers)
    return {
        marker.start
        for marker in markers
        if marker.start in code
        or _LINK_TARGET.match(text, marker.end)
        or _is_index(text, marker, only_zeros=only_zeros)
    }


def _is_index(text: str, marker: Span, *, only_zeros: bool) -> bool:
    """Whether a marker is glued to a name. Citations are glued to words too, `[0]` among others."""
    before = text[max(marker.start - 1, 0) : marker.start]
    if before == "_":
        return True
    glued = before.isascii() and before.isalnum()
    return glued and (only_zeros or _CALLED.match(text, marker.end) is not None)


def counts_from_zero(markers: tuple[Span, ...], n_passages: int) -> bool:
    """Whether an answer cites `[0]`, and no marker but those that would be valid one higher."""
    values = [citation_value(marker) for marker in markers]
    return 0 in values and max(values) < n_passages
