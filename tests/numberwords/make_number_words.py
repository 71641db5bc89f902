"""Rewrites grounding/number_words.json.gz from num2words, the maintained library of number words.

    pip install num2words==0.5.14
    python tests/numberwords/make_number_words.py

A language is taken where the library raises for no number, spells no two numbers alike, and writes
nothing but letters; `table` fails otherwise, and where two languages read a phrase differently.
The everyday words are lists of ours, made by looking at real texts: every word of another language
that the English sets hold is among them.
"""

import gzip
import json
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from num2words import num2words

FILE = Path(__file__).parents[2] / "grounding" / "number_words.json.gz"

LANGUAGES = ("en", "vi", "de", "es", "fr", "id", "it", "nl", "pt", "pt_BR", "sv")

CARDINALS = (*range(10_000), *(k * 10**e for e in (3, 6, 9) for k in range(1, 1000)))
ORDINALS = range(1, 1000)
YEARS = range(1500, 2100)
"""English years, as they are spoken: `nineteen seventy nine`."""
UNMARKED = {"vi"}
"""Languages in which the library spells an ordinal as it spells the cardinal."""

LONE = {"zero", "one", "first", "second", "third"}
"""Words that are no number alone: too many texts hold them for it to mean anything."""

WEAK = {
    "en": "and point oh a",
    "vi": "không năm lẻ linh",
    "de": "null eine acht elf",
    "es": "y un uno mil once segundo cuarto doce",
    "fr": "et un cent cents neuf sept premier",
    "id": "satu nol dua lima kedua",
    "it": "uno un due sei otto secondo quarto nono",
    "nl": "en een één acht elf",
    "pt": "e um mil segundo quarto doze nono cem",
    "sv": "en ett sex tio sju andra",
}
"""Words that mean something else as often as a number, in their own language or in English."""

SPOILERS = {
    "en": "halves thirds quarters fifths sixths sevenths eighths ninths tenths hundreds "
    "thousands dozen dozens",
    "vi": "rưỡi phẩy phần chục vạn tá",
}
"""Words that make another number of the one that they touch: `two thirds`, `two dozen`."""

DIGIT_WORDS = "zero oh one two three four five six seven eight nine".split()


def table() -> dict[str, str]:
    """The fields of `NumberWords`, each one text, which is the quickest to read: sorted."""
    values: dict[str, int] = {}
    words, followed, pairs = set[str](), set[str](), set[str]()
    weak = {word for listed in WEAK.values() for word in listed.split()}
    for language in LANGUAGES:
        for phrase, number in phrases(language).items():
            words.update(phrase.split(" "))
            followed.update(phrase.split(" ")[:-1])
            pairs.update(map(" ".join, pairwise(phrase.split(" "))))
            if number == 1 and language != "en":
                continue  # an article as often as a number
            assert values.setdefault(phrase, number) == number, (language, phrase, number)
    pairs.update(f"{word} point" for word in DIGIT_WORDS)
    pairs.update(f"point {word}" for word in DIGIT_WORDS)
    values = {phrase: number for phrase, number in values.items() if phrase not in weak | LONE}
    words.update(weak, *(listed.split() for listed in SPOILERS.values()))
    pairs = {pair for pair in pairs if not weak.isdisjoint(pair.split(" "))}
    return {
        "words": " ".join(sorted(words)),
        "weak": " ".join(sorted(weak)),
        "followed": " ".join(sorted(followed | {"point"})),
        "pairs": "\n".join(sorted(pairs)),
        "openers": " ".join(sorted(weak & {phrase.split(" ")[0] for phrase in values})),
        "closers": " ".join(sorted(weak & {phrase.split(" ")[-1] for phrase in values})),
        "phrases": "\n".join(sorted(values)),
        "values": " ".join(str(values[phrase]) for phrase in sorted(values)),
    }


def phrases(language: str) -> dict[str, int]:
    """Every phrase of a language with its integer."""
    found: dict[str, int] = {}
    for form, numbers in forms(language):
        for number in numbers:
            words = spelled(language, number, form)
            for spelling in sorted({words} | variants(language, words)):
                assert found.setdefault(spelling, number) == number, (language, spelling, number)
    return found


def forms(language: str) -> Iterator[tuple[str, Sequence[int]]]:
    """How numbers of a language are spelled, and which."""
    if language not in UNMARKED:
        yield "ordinal", ORDINALS
    if language == "en":
        yield "year", YEARS
    yield "cardinal", CARDINALS


def spelled(language: str, number: int, form: str) -> str:
    """A number as the library spells it, folded, with one space between words."""
    written = num2words(number, lang=language, to=form)
    words = re.sub("[-, ]+", " ", written.casefold()).strip()
    assert re.fullmatch(r"[^\W\d_]+(?: [^\W\d_]+)*", words), (language, number, written)
    return words


def variants(language: str, words: str) -> set[str]:
    """The other spellings of a phrase that people use as much as the library's."""
    if language == "en":
        found = {words, words.replace(" and ", " ")}
        return found | {re.sub("^one (?=(?:hundred|thousand)( |$))", "a ", s) for s in found}
    if language == "vi":
        found = {words, words.replace("lẻ", "linh")}
        found |= {re.sub("mươi bốn$", "mươi tư", spelling) for spelling in found}
        found |= {spelling.replace("nghìn", "ngàn") for spelling in found}
        return found | {spelling.replace("tỷ", "tỉ") for spelling in found}
    return set()


def written(fields: dict[str, str]) -> bytes:
    """The bytes of the file, the same wherever it is made."""
    text = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    return gzip.compress(text.encode(), 9, mtime=0)


if __name__ == "__main__":
    FILE.write_bytes(written(table()))
