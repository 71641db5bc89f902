"""How an explained answer looks on a terminal: marked in place, then a line for each token."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from grounding.reference.causes import Explained
from grounding.reference.reports import Finding
from pipelines.cli.explained import Place, Token, marked
from pipelines.cli.terminal import has_colours, visible
from pipelines.forms import shortened

AROUND = 30
"""Code points of a passage that are shown on each side of a token."""

MOST_PLACES = 3
LONGEST_TOKEN = 60

# Written by hand: an answer of megabytes holds a million tokens, and rich takes minutes for them.
GREEN, RED, RESET = "\x1b[32m", "\x1b[1;31m", "\x1b[0m"


@dataclass(frozen=True, slots=True)
class Marks:
    """What stands after a supported and a refused token, and around a token in its passage."""

    good: str = "✓"
    bad: str = "✗"
    left: str = "«"
    right: str = "»"
    cut: str = "…"

    def of(self, token: Token) -> str:
        """The mark of a token."""
        return self.good if token.supported else self.bad


def marks() -> Marks:
    """Marks that stdout can write."""
    try:
        "✓✗«»…".encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return Marks("(ok)", "(no)", "<", ">", "...")
    return Marks()


def marked_answer(answer: str, tokens: Sequence[Token]) -> str:
    """The answer with a mark after each token, green or red where there is colour."""
    use, colours = marks(), has_colours()

    def shown(piece: str, token: Token | None) -> str:
        text = visible(piece, block=True)
        if token is None:
            return text
        text += use.of(token)
        return f"{GREEN if token.supported else RED}{text}{RESET}" if colours else text

    return "".join(shown(piece, token) for piece, token in marked(answer, tokens))


def token_lines(
    tokens: Sequence[Token], passages: Sequence[str], reasons: Mapping[int, Explained]
) -> Iterator[str]:
    """A line for each token, and below it the places where it stands, or why it was refused."""
    use = marks()
    for token in tokens:
        head = f"{use.of(token)} {token.kind} {shortened(token.text, LONGEST_TOKEN)}"
        yield f"{head} at {token.start}: {_why(token, len(passages))}"
        if token.start in reasons:
            yield f"    {_reason(reasons[token.start])}"
        if token.kind == "number":
            for place in token.places[:MOST_PLACES]:
                yield f"    passage {place.passage} at {place.start}: {_context(place, passages)}"
            if len(token.places) > MOST_PLACES:
                yield f"    and {len(token.places) - MOST_PLACES} more"


def defect_lines(found: Sequence[Finding]) -> Iterator[str]:
    """A line for each defect of an annotation; numbers and citations have theirs already."""
    use = marks()
    for finding in found:
        if finding.kind not in ("ungrounded_number", "invalid_citation"):
            mark = use.bad if finding.refusal else "-"
            text = visible(shortened(finding.text, LONGEST_TOKEN))
            yield f"{mark} {finding.kind} at {finding.start}: {text}"


def _why(token: Token, n_passages: int) -> str:
    if token.kind == "number":
        where = f"passage {', '.join(map(str, token.passages))}"
        return f"stands in {where}" if token.supported else "stands in no passage"
    if token.supported:
        return f"names passage {token.passages[0]}"
    return f"names no passage: there {'is' if n_passages == 1 else 'are'} {n_passages or 'none'}"


def _reason(why: Explained) -> str:
    """The cause of a refusal, and what was compared; then what else holds."""
    compared = ""
    if why.nearest is not None:
        use, nearest = marks(), visible(shortened(why.nearest, LONGEST_TOKEN))
        compared = f": passage {why.passage} has {use.left}{nearest}{use.right}"
        if why.cause == "derived":
            compared = f": {nearest}, from passage {why.passage}"
    also = f" (also {', '.join(why.causes[1:])})" if why.causes[1:] else ""
    return f"{why.cause}{compared}{also}"


def _context(place: Place, passages: Sequence[str]) -> str:
    use, passage = marks(), passages[place.passage - 1]
    before, after = passage[: place.start], passage[place.end :]
    left = (use.cut if len(before) > AROUND else "") + before[-AROUND:]
    right = after[:AROUND] + (use.cut if len(after) > AROUND else "")
    token = shortened(passage[place.start : place.end], LONGEST_TOKEN)
    return visible(" ".join(f"{left}{use.left}{token}{use.right}{right}".split()))
