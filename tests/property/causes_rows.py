"""Answers whose refused numbers stand near their evidence in every way that a cause may tell."""

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import NamedTuple
from unicodedata import normalize

from grounding.digits import ZEROS
from grounding.numberwords import number_words
from tests.property.adversarial import CONTROLS, DIGITS, MARKERS, NO_DIGITS, SEPARATORS, WHITE

SPACES = [" ", "\u00a0", "\u202f", "\u2009", "  ", "\n", "\t", "-", "\u2010", "\u2003", "'", "_"]
LETTERS = [*"aBzéßЖωµªº", "а", "e\u0301", "５", "中", "K", "ﬁ", "\u0300"]
WORDS = [
    *("one", "One", "two", "twenty", "TWENTY-ONE", "hundred", "thousand", "million", "and", "a"),
    *("three", "four", "ﬁve", "ſix", "seven", "nineteen", "seventy", "nine", "first", "second"),
    *("third", "twentieth", "dozen", "thirds", "point", "oh", "ninety-nine", "several", "o'nine"),
    *("hai", "ba", "mươi", "mu\u031bo\u031bi", "MƯƠI", "lăm", "la\u0306m", "năm", "nam", "trăm"),
    *("nghìn", "không", "linh", "một", "tỷ", "cent", "cents", "neuf", "mil", "doce", "un", "uno"),
    *("quatre-vingt-dix", "quatre", "vingts", "dreißig", "dreissig", "einundzwanzig", "zwei"),
    *("åtta", "ÅTTA", "een", "één", "duizend", "dua", "puluh", "lima", "cem", "e", "y", "et"),
    *("tenth", "ninth's", "tenx", "xten", "énine", "nine9", "eighteenth", "once", "null", "sei"),
]
MARKS = [
    *(
        "[1, 2]",
        "[1,2]",
        "[1，2]",
        "[1-4]",
        "[^7]",
        "^1^",
        "【1:2†source】",
        "[ 2 ]",
        "[ID:3]",
        "[0]",
    ),
    *(
        "[[REF:2]]",
        "[1](",
        "(Smith, 2020)",
        "10^6^",
        "[0, 1]",
        "^0^",
        "[1998, 2002]",
        "[1;2",
        "【3】",
    ),
    *("arr[0]", "a_[7]", "x[9].name", "x[9].Name", "x[9]=3", "[9](http://x/2)", "5[0]", "[7]", "]"),
    *("`", "``", "```", "`[8]`", "```\n[8]\n```", "[8]`", "[input:4]", "[assert:a=5]", "[8] ("),
]
LISTS = [
    *(
        "\n1. x",
        "\n2) x",
        "\n(3) x",
        "\r**4.** x",
        "\n**5)** x",
        "\n**6**. x",
        "\n## 7. x",
        "\n> 8. ",
    ),
    *(
        "\n- 9. ",
        "\n10.x",
        "\n11.  \n",
        "\n1234. x",
        "1) ",
        "2) ",
        "3) ",
        "(1) ",
        "(2) ",
        "1. ",
        "2. ",
    ),
    *(
        "\n1[2]. x",
        "\n2[1]) x",
        "\n\u00a03. [1]",
        "\n٣. x",
        "\n1. 2",
        "\n 1.",
        "4. ",
        "0) ",
        "1)",
        "2)",
    ),
]


class Asked(NamedTuple):
    """An answer to explain."""

    answer: str
    evidence: tuple[str, ...]
    question: str | None = None
    annotated: bool = False


def asked(rng: random.Random, count: int) -> Iterator[Asked]:
    """Answers with their evidence, from a generator."""
    phrases = list(number_words().values.items())
    for _ in range(count):
        numbers = [number(rng) for _ in range(rng.randrange(1, 7))]
        spelled = rng.choices(phrases, k=2) if rng.random() < 0.3 else []
        held = [*numbers, *(_recased(rng, phrase) for phrase, _ in spelled)]
        evidence = tuple(_text(rng, held, rng.randrange(1, 9)) for _ in range(rng.randrange(4)))
        said = [like(rng, rng.choice(numbers)) for _ in range(3)]
        said += [derived(rng, *rng.choices(numbers, k=2)), *(str(value) for _, value in spelled)]
        answer = _text(rng, said, rng.randrange(1, 9))
        question = _text(rng, numbers, 3) if rng.random() < 0.2 else None
        yield Asked(answer, evidence, question, rng.random() < 0.3)


def number(rng: random.Random) -> str:
    """A number as evidence may write it."""
    form: Callable[[], str] = rng.choice(
        [
            lambda: str(rng.randrange(10)),
            lambda: str(rng.randrange(1000)),
            lambda: str(rng.randrange(10**6)),
            lambda: str(rng.randrange(1, 1000) * 10 ** rng.randrange(7)),
            lambda: f"{rng.randrange(100)}{rng.choice('.,')}{rng.randrange(100)}",
            lambda: f"{rng.randrange(100)}.{rng.randrange(10**5):05}",
            lambda: f"{rng.randrange(1000)}{rng.choice('.,')}{rng.randrange(1000):03}",
            lambda: f"{rng.randrange(1, 1000):,}.{rng.randrange(100):02}",
            lambda: f"{rng.randrange(10**9):,}{rng.choice(['', '.5', '.500', ',5'])}",
            lambda: f"{rng.randrange(10**9):,}".replace(",", "."),
            lambda: f"{rng.randrange(10**7):,}".replace(",", rng.choice(SPACES[:4])),
            lambda: f"{rng.randrange(10**7):,}".replace(",", rng.choice([", ", ". ", ",\u00a0"])),
            lambda: "".join(rng.choice("0123456789.,") for _ in range(rng.randrange(1, 24))),
            lambda: str(rng.randrange(10**11, 10**20)),
        ]
    )
    return form()


def like(rng: random.Random, written: str) -> str:
    """A number that stands near another."""
    plain = written.replace(" ", "")
    figures = "".join(c for c in plain if c.isdecimal()) or "0"
    form: Callable[[], str] = rng.choice(
        [
            lambda: plain,
            lambda: _in_script(rng, plain),
            lambda: plain.translate({ord("."): ",", ord(","): "."}),
            lambda: figures,
            lambda: (
                "0" * rng.randrange(3) + plain + rng.choice(["", "0", ".0", ".00", ",000", "0"])
            ),
            lambda: figures.strip("0") + "0" * rng.randrange(4),
            lambda: f"{figures[:1]}.{figures[1:] or '0'}",
            lambda: plain[: rng.randrange(1, len(plain) + 1)],
            lambda: str(int(figures) + rng.choice([-1, 1])),
            lambda: f"{int(figures) % 10**9:,}",
            lambda: plain[-rng.randrange(1, len(plain) + 1) :],
            lambda: str(rng.randrange(30)),
            lambda: f"{int(figures) % 10**6 / rng.randrange(1, 50):.{rng.randrange(5)}f}",
            lambda: f"{int(figures) % 1000 * rng.randrange(1, 1000)}",
        ]
    )
    return form()


def derived(rng: random.Random, first: str, second: str) -> str:
    """A number that two others give, or almost."""
    a, b = (_exactly(written) for written in (first, second))
    results = [a + b, abs(a - b), a * b]
    if b:
        results += [a / b, 100 * a / b, 100 * abs(a - b) / b]
    decimals = rng.randrange(6)
    rounded = int(rng.choice(results) * 10**decimals + Fraction(rng.choice([1, 1, 1, 0]), 2))
    figures = str(rounded).rjust(decimals + 1, "0")
    whole = len(figures) - decimals
    return figures[:whole] + (rng.choice(".,") + figures[whole:] if decimals else "")


def _exactly(written: str) -> Fraction:
    """A number under the reading that its last separator is a decimal one."""
    plain = written.replace(" ", "").replace(",", ".")
    *whole, last = plain.split(".")
    figures = "".join(c for c in "".join(whole) + last if c.isdecimal()) or "0"
    return Fraction(int(figures), 10 ** len(last) if whole else 1)


def _recased(rng: random.Random, phrase: str) -> str:
    """Number words, as a text may write them."""
    phrase = rng.choice([phrase, phrase, phrase.upper(), phrase.title()])
    return normalize(
        rng.choice(["NFC", "NFD"]), phrase.replace(" ", rng.choice([" ", " ", "-", "\n"]))
    )


def _in_script(rng: random.Random, written: str) -> str:
    zero = rng.choice(ZEROS)
    return "".join(chr(zero + int(c)) if c in "0123456789" else c for c in written)


def _text(rng: random.Random, numbers: list[str], parts: int) -> str:
    """Numbers among fragments that may stand beside them."""
    made = []
    kinds = [WORDS, LETTERS, MARKS, LISTS, SEPARATORS, WHITE, MARKERS, DIGITS, NO_DIGITS, CONTROLS]
    for _ in range(parts):
        made.append(rng.choice(numbers))
        while rng.random() < 0.6:
            made.append(rng.choice(rng.choices(kinds, weights=[9, 2, 3, 3, 2, 1, 2, 1, 1, 1])[0]))
            made.append(rng.choice([" ", " ", "", rng.choice(SPACES)]))
        made.append(rng.choice([" ", " ", " ", "", rng.choice(SPACES), ". "]))
    return "".join(made)
