"""Answers and evidence that are made to tell two readings of what binds to a number apart.

An answer is a string of numbers with what may bind to them, of quantities that are not read, and of
markers; a passage is a part of it, changed here and there.
"""

import random
from typing import NamedTuple

NUMBERS = ["5", "5", "5", "6", "10", "1.5", "1,000", "35", "2", "٣", "12", "400"]
GAPS = [" ", " ", " ", "", "\u00a0", "  ", "-", "\n", "*", "+"]
BEHIND = [
    *("mg", "g", "kg", "mL", "ml", "mg/kg", "mg/kg/day", "mg/kg/ngày", "ngày", "giờ", "viên", "%"),
    *("percent", "phần trăm", "per cent", "million", "billion", "k", "m", "bn", "triệu", "tỷ", "$"),
    *("USD", "đồng", "€", "đ", "đ ", "years", "year-old", "years old", "x", "times", "lần", "mo"),
    *("tháng", "năm", "°C", "° C", "km/h", "kmh", "bpm", "µg", "μg", "mcg", "MG", "Mg", "IU", "UI"),
    *("đơn vị", "st", "nd", "th", "rd", "TH", "fl oz", "Rs.", "s", "d", "h", "ml/h", "mm2", "m2"),
    *(
        "cmH2O",
        "½",
        "²",
        "K",
        "ſ",
        "pounds",
        "pp",
        "percentage points",
        "U.S.$",
        "dollars",
        "cells",
    ),
    *("us dollars", "nga\u0300y", "gio\u031b\u0300"),
]
DENOMINATORS = [
    *("/day", "/ngày", " per day", " per kg", " mỗi lần", " a day", " daily", " hàng ngày", "/kg"),
    *(" / h", " an hour", " each week", "/lần/ngày", " per kg per day", " (500 mg) mỗi lần"),
    *(") daily", " (x) per day", "/tháng", "/tháng 3", " một ngày", "/m2", "/μl", " (a) daily"),
]
AHEAD = [
    *("$", "US$", "€", "-", "−", "-$", "$-", "- ", "USD ", "$ ", "Rs. ", "A$", "(", "[", "thứ "),
    *("Thứ ", "THỨ  ", "THU\u031b\u0301 ", "~", "x", "4 -", "4-", "=", "x$", "R$", "HK$", "(-"),
    *(
        "August ",
        "Aug. ",
        "May ",
        "4 - ",
        "\n-",
        "|",
        "**",
        "*",
        "_-",
        "`-",
        "đ",
        "£",
        " -",
        "+",
        "±",
    ),
]
LINKS = [
    *(
        "-",
        " - ",
        "–",
        " to ",
        " and ",
        " or ",
        ", ",
        "; ",
        ", and ",
        "/",
        " x ",
        " đến ",
        " hoặc ",
    ),
    *("~", "×", " ", "TO", ", or ", " and  ", " to\n", "\n-\n"),
]
BESIDE = [
    *(
        "[1]",
        "[2]",
        "[3]",
        " [1]",
        "[1][2]",
        "[1], [2]",
        "[0]",
        "[9]",
        "[1] and [2]",
        ".",
        "\n",
        ", ",
    ),
    *(" ", "; ", " word ", " August", " of March", " May", "th", "ish", "(", ")", "%)", ") ", "%"),
    *(": ", "\r", " [2]; [1]", "[02]", "0", "a", "_"),
]
UNREAD = [
    *("½", "1½", "1 ½", "10⁶", "²", " ²", "m²", "1e6", "2E-3", "1E+6x", "2^6", "10^-3", "10^{3}"),
    *(
        "3 x 10^6",
        "3x10⁶",
        "3×10^6^",
        "1/2",
        "12/05/2024",
        "1⁄2",
        "/1/2",
        "1 1/2",
        "1-1/2",
        "2 3/4/5",
    ),
    *("7·5", "7'500", "7’500", "1_000", "٫5", "5٫5", "40 000", "1 000 000", "40 0000", "1 000.5"),
    *(
        "40\u00a0000",
        "40\u202f000",
        "two",
        "Two hundred",
        "two-hundred",
        "twenty-one",
        "hai",
        "TWO",
    ),
    *(
        "twenty - one",
        "mười hai",
        "first",
        "second",
        "third",
        "one",
        "one hundred and five",
        "five",
    ),
    *(" .5", ",5", "=.5", "-.5", "x.5", "Ⅷ", "①", "⁻³", "⁺⁺²", "10⁻³", "a½", "½a", "_5e6", "5e6_"),
    *(
        "five 5",
        "5 five",
        "hai năm",
        "half",
        "ba mươi",
        "nghìn",
        "two thirds",
        "and two",
        "hundred",
    ),
    *("nineteen seventy nine", "ﬁve", "0/0", "1/2.5", "1.2/3", "5²/3", "½/2", "1e6/7", "1/2e5"),
]
STATED = [
    *("(in millions)", "$ million", "in thousands", "$'000", "£m", "in\nmillions", "xin millions"),
    *("đơn vị: tỷ đồng", "in  trillion"),
]
ANNOTATIONS = ["[assert:a=5 mg]", "[input:7]", "[unsupported:x]", "[assert:a=]", "[Input:five]"]
WORDS = ["dose", "word", "is", "của", "the", " ", "x"]
ENDS = [" ", " ", " ", "", ", ", "\n", ". "]
STRAY = "-−$%/ .,\n*()mgk05[]"
SWAPPED = [
    *(
        ("mg", "g"),
        ("ngày", "giờ"),
        ("5", "-5"),
        ("$", ""),
        ("-", ""),
        ("per", "a"),
        ("/", " per "),
    ),
    *(("million", "billion"), ("%", "")),
]


class Asked(NamedTuple):
    """An answer, its evidence, and whether annotations in it are graded on their own."""

    answer: str
    evidence: tuple[str, ...]
    annotated: bool


def rows(rng: random.Random, count: int) -> list[Asked]:
    """Rows from a seeded generator."""
    return [_row(rng) for _ in range(count)]


def _row(rng: random.Random) -> Asked:
    answer = _text(rng, rng.choice([1, 1, 2, 3, 5, 8]))
    passages = tuple(_passage(rng, answer) for _ in range(rng.randint(0, 3)))
    return Asked(answer, passages, rng.random() < 0.3)


def _passage(rng: random.Random, answer: str) -> str:
    start = rng.randrange(len(answer) + 1)
    part = answer[start : rng.randrange(start, len(answer) + 1)]
    draw = rng.random()
    if draw < 0.3:
        return _changed(rng, answer)
    if draw < 0.5:
        return part
    if draw < 0.7:
        return _text(rng, 3)
    return _text(rng, 1) + _changed(rng, part) + _text(rng, 2) if draw < 0.9 else answer


def _text(rng: random.Random, pieces: int) -> str:
    return "".join(_piece(rng) + rng.choice(ENDS) for _ in range(pieces))


def _piece(rng: random.Random) -> str:
    draw = rng.random()
    if draw < 0.45:
        return _measured(rng)
    kinds = ((0.6, UNREAD), (0.8, BESIDE), (0.83, STATED), (0.86, ANNOTATIONS), (1, WORDS))
    return rng.choice(next(kind for most, kind in kinds if draw <= most))


def _measured(rng: random.Random) -> str:
    def maybe(chance: float, *choices: list[str]) -> str:
        return "".join(map(rng.choice, choices)) if rng.random() < chance else ""

    number = maybe(0.35, AHEAD) + maybe(0.1, AHEAD) + rng.choice(NUMBERS)
    unit = maybe(0.55, GAPS, BEHIND) + maybe(0.15, GAPS, BEHIND)
    unit += maybe(0.3, DENOMINATORS) + maybe(0.1, DENOMINATORS)
    if rng.random() < 0.25:
        unit += rng.choice(LINKS) + rng.choice(NUMBERS) + maybe(0.6, GAPS, BEHIND)
    return number + unit


def _changed(rng: random.Random, text: str) -> str:
    for _ in range(rng.randint(0, 3)):
        place = rng.randrange(len(text) + 1)
        draw = rng.random()
        if draw < 0.3:
            text = text[:place] + text[place + 1 :]
        elif draw < 0.6:
            text = text[:place] + rng.choice(STRAY) + text[place:]
        else:
            text = text.replace(*rng.choice(SWAPPED), 1)
    return text
