"""One answer, explained: each number and citation with where it stands in the evidence.

The verdict and the places come from the reference implementation, which is slow and plain: what
is shown here is the rule itself, not the engine's account of it.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from grounding.reference.spans import (
    Span,
    annotations_in,
    citation_spans,
    citation_value,
    number_spans,
)


@dataclass(frozen=True, slots=True)
class Place:
    """A piece of a passage: `passages[passage - 1][start:end]`, in code points."""

    passage: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Token:
    """A number or citation of the answer, `answer[start:end]`, and what supports it.

    A number is supported by every place where its token stands, a citation by the passage that it
    names, which is a place without extent.
    """

    kind: Literal["number", "citation"]
    text: str
    start: int
    end: int
    places: tuple[Place, ...]

    @property
    def supported(self) -> bool:
        """Whether anything supports it."""
        return bool(self.places)

    @property
    def passages(self) -> tuple[int, ...]:
        """The passages that support it, ascending."""
        return tuple(sorted({place.passage for place in self.places}))


def explained(answer: str, passages: Sequence[str], *, annotated: bool) -> tuple[Token, ...]:
    """The numbers and citations of an answer, in order of place.

    Where annotations are graded (`annotated`), those that are well-formed hold no numbers.

    >>> [(t.text, t.passages) for t in explained("4 of 5 [1]", ["5 4 4"], annotated=False)]
    [('4', (1,)), ('5', (1,)), ('[1]', (1,))]
    """
    standing = _standing(passages)
    annotations = annotations_in(answer) if annotated else ()
    numbers = [
        Token("number", *span, places=standing.get(span.text, ()))
        for span in number_spans(answer, annotations)
    ]
    citations = [
        Token("citation", *span, places=_named(span, len(passages)))
        for span in citation_spans(answer)
    ]
    return tuple(sorted([*numbers, *citations], key=lambda token: token.start))


def marked(answer: str, tokens: Sequence[Token]) -> list[tuple[str, Token | None]]:
    """The answer cut into its tokens and what lies between; joined, the pieces are the answer.

    >>> [text for text, token in marked("a 4.", explained("a 4.", [], annotated=False))]
    ['a ', '4', '.']
    """
    bounds = [0, *(edge for token in tokens for edge in (token.start, token.end)), len(answer)]
    at = {token.start: token for token in tokens}
    pieces = [(answer[start:end], at.get(start)) for start, end in pairwise(bounds)]
    return [(text, token) for text, token in pieces if text]


def _standing(passages: Sequence[str]) -> Mapping[str, tuple[Place, ...]]:
    """Each number token of the evidence with its places, in reading order."""
    places: dict[str, list[Place]] = defaultdict(list)
    for position, passage in enumerate(passages, start=1):
        for span in number_spans(passage):
            places[span.text].append(Place(position, span.start, span.end))
    return {text: tuple(found) for text, found in places.items()}


def _named(marker: Span, n_passages: int) -> tuple[Place, ...]:
    value = citation_value(marker)
    return (Place(value, 0, 0),) if 1 <= value <= n_passages else ()
