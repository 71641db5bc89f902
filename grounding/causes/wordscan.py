"""The patterns that find where number words may stand.

Every run of number words lies in a match, but not every match holds one: a long word is known by
its first letters here, and what was found is then looked up word for word. A letter matches in
either case, composed or not, and in ligatures, since words are compared folded.
"""

from collections.abc import Collection
from functools import cache

from grounding.digits import digit_class
from grounding.letters import letter_class
from grounding.numberwords import number_words
from grounding.tokens import NUMBER
from grounding.unicode16 import case_folding, decompositions

BLANKS = "[ \t\r\n\u00a0]"
HYPHEN = " ?[-\u2010\u2011] ?"
JOINT = f"(?:{BLANKS}+|{HYPHEN})"
_IN_WORD = f"[{letter_class()}\u0300-\u036f]"
WORD = f"{_IN_WORD}+(?:['\u2019]{_IN_WORD}+)*"

_KNOWN_BY = 6
"""First letters of a word that are looked at: enough to pass over `several`, `central`."""

_ENDS = f"(?:(?-u:\\b)|_|{NUMBER})"
_REST = f"{_IN_WORD}*(?:['\u2019]{_IN_WORD}+)*"
_MARKED = "[\u0300-\u036f]+"

_APOSTROPHES = f"(?:^|[^{_IN_WORD[1:-1]}])['\u2019]"
_BEFORE = f"^|[^{_IN_WORD[1:-1]}'\u2019]|{_APOSTROPHES}"
_BEFORE_NO_NUMBER = f"^|[^{_IN_WORD[1:-1]}'\u2019{digit_class()}]|{_APOSTROPHES}"
"""What is no part of the word that follows."""


@cache
def word_runs() -> str:
    """Runs of what may be number words, each with the character before it."""
    return f"(?:{_BEFORE}){_run()}"


@cache
def word_runs_and_numbers() -> str:
    """The same, with the numbers that only white space parts from them."""
    run, number = _run(), f"{BLANKS}*{NUMBER}"
    following = f"(?:{number}(?:(?:['\u2019]+|{BLANKS}*){run})?)*"
    return f"(?:{NUMBER}{BLANKS}*|{_BEFORE_NO_NUMBER}){run}{following}"


@cache
def _run() -> str:
    known = number_words()
    strong = _any({word[:_KNOWN_BY] for word in known.words - known.weak})
    pairs = (pair for pair in known.pairs if known.weak.issuperset(pair))
    weak_pairs = "|".join(f"{_spelled(a)}{JOINT}{_spelled(b)}" for a, b in sorted(pairs))
    return (
        f"(?:{_either(known.weak)}{JOINT})*(?:{strong}|{weak_pairs}){_REST}"
        f"(?:{JOINT}(?:{strong}|{_any(known.weak)}){_REST})*"
    )


def _any(words: Collection[str]) -> str:
    """Any of the words, or a longer one that begins with all the letters that are looked at."""
    long = {word for word in words if len(word) >= _KNOWN_BY or not word.isascii()}
    return f"(?:{_either(long)}|{_either(set(words) - long)}{_ENDS})"


def _either(words: Collection[str]) -> str:
    spelled = map(_spelled, sorted(words, key=lambda word: (-len(word), word)))
    return f"(?:{'|'.join(spelled)})"


def _spelled(word: str) -> str:
    """A pattern of all texts that begin with the word once they are folded."""
    if not word:
        return ""
    ligatures = [
        f"{character}{_spelled(word[len(fold) :])}"
        for character, fold in _ligatures().items()
        if word.startswith(fold) or (len(word) > 1 and fold.startswith(word))
    ]
    plain = _letters()[word[0]] + _spelled(word[1:])
    return f"(?:{'|'.join([plain, *ligatures])})" if ligatures else plain


@cache
def _ligatures() -> dict[str, str]:
    """Characters that fold to several ASCII letters, such as ß and ﬁ."""
    return {c: fold for c, fold in case_folding().items() if len(fold) > 1 and fold.isascii()}


@cache
def _letters() -> dict[str, str]:
    """A pattern of each letter of the number words, in either case, composed or not."""
    cases: dict[str, str] = {}
    for character, fold in case_folding().items():
        cases[fold] = cases.get(fold, "") + character
    patterns = {}
    for letter in {letter for word in number_words().words for letter in word}:
        whole = f"[{letter}{cases.get(letter, '')}]"
        base = letter
        bases = []
        while base in decompositions() and len(decompositions()[base]) > 1:
            base = decompositions()[base][0]
            bases.append(base)
        patterns[letter] = whole
        if bases:
            known = "".join(b + cases.get(b, "") for b in bases)
            patterns[letter] = f"(?:{whole}|[{known}{_others(bases[-1])}]{_MARKED})"
    return patterns


def _others(base: str) -> str:
    """All letters that are a base letter and one mark."""
    return "".join(c for c, parts in decompositions().items() if parts[0] in (base, base.upper()))
