"""Number words: what the words of a passage spell, as a table.

The table is made from a maintained library by tests/numberwords/make_number_words.py. It covers 0
to 9,999, k thousand, million and billion (10^9) for k below 1,000, ordinals below 1,000, and years
in English, and is one table for all its languages: a phrase that two of them share has one value.
"""

import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class NumberWords:
    """What is known of number words. All words are folded, and a phrase has one space between."""

    values: Mapping[str, int]
    """Each phrase that spells an integer, cardinal or ordinal."""

    words: frozenset[str]
    """Every word of the table."""

    weak: frozenset[str]
    """Everyday words, such as `and`: part of a number only beside a word as in `pairs`."""

    followed: frozenset[str]
    """Words that another follows in some phrase: after any other word, a number ends."""

    pairs: frozenset[tuple[str, str]]
    """Two words, one of them weak, that stand side by side in a phrase."""

    openers: frozenset[str]
    """Weak words that open a phrase of `values`."""

    closers: frozenset[str]
    """Weak words that close a phrase of `values`."""


@cache
def number_words() -> NumberWords:
    """The table, read once."""
    packed = files("grounding").joinpath("number_words.json.gz").read_bytes()
    fields = json.loads(gzip.decompress(packed))
    numbers = map(int, fields["values"].split(" "))
    pairs = (pair.split(" ") for pair in fields["pairs"].split("\n"))
    return NumberWords(
        MappingProxyType(dict(zip(fields["phrases"].split("\n"), numbers, strict=True))),
        frozenset(fields["words"].split(" ")),
        frozenset(fields["weak"].split(" ")),
        frozenset(fields["followed"].split(" ")),
        frozenset((first, second) for first, second in pairs),
        frozenset(fields["openers"].split(" ")),
        frozenset(fields["closers"].split(" ")),
    )
