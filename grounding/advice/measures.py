"""The patterns that find what binds to a number, and what a stretch that they find means.

One set of patterns for answers and one for evidence, where lines wrap and words stand in bold.
"""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache

import polars as pl

from grounding.advice.spellings import (
    NO_WORD,
    any_beginning,
    either,
    longest_first,
    opens_a_word,
    words,
    written,
)
from grounding.digits import digit_class
from grounding.normal import normalised
from grounding.unicode16 import WHITE_SPACE
from grounding.units import DIMENSIONS, Spelling, UnitTable

D = f"[{digit_class()}]"
SIGN = "[\\-\u2212\ufe63\uff0d]"
SIGNABLE = rf"[{WHITE_SPACE}(\[{{\"'“‘«‹「『=<>≤≥~≈±:|*_`]$"
"""What a sign may stand behind."""

_HYPHEN = "[\\-\u2010\u2011]"
_BLANKS = " \t\u00a0\u202f\u2009"
_EVIDENCE_BLANKS = f"{_BLANKS}\n\r*"
_MEASURES = (*DIMENSIONS, "percent", "currency")
_DROPPED = ("time", "dose")
"""Dimensions of denominators that an answer may leave out."""

_JOINS = ("x", "to", "through", "and", "or", "đến", "tới", "và", "hoặc", "hay")
_CONJUNCTIONS = ("and", "or", "và", "hoặc", "hay")


DENOMINATORS = 3
"""Those of a unit that are read."""


@dataclass(frozen=True, slots=True)
class Patterns:
    """Patterns of one kind of text.

    What stands after or before every number to which something binds has `after` or `before`, and
    its text has `around`; little else has.

    Those of what follows begin at its start and take in what shows that a spelling ends; those of
    what precedes end at its end.
    """

    in_evidence: bool
    blanks: str
    aside: str
    after: str
    before: str
    around: str
    ordinal: str
    ordinal_before: str
    month_before: str
    month_after: str
    scale: str
    money_scale: str
    measure: str
    percent_behind: str
    denominator: str
    further: str
    joint: str
    currency: str
    currency_apart: str
    parted: str
    link: str
    may_sign: str
    signed: str


@cache
def patterns(units: UnitTable, in_evidence: bool) -> Patterns:
    """The patterns of evidence, or of answers."""
    blanks = _EVIDENCE_BLANKS if in_evidence else _BLANKS
    b = f"[{blanks}]"
    some, gap = f"{b}{{1,3}}", f"{b}{{0,3}}"
    hyphen = f"{gap}{_HYPHEN}{gap}" if in_evidence else _HYPHEN
    apart = rf"(?:\+(?:{hyphen}|{gap})|{hyphen}|{some})"

    def of(*kinds: str) -> list[Spelling]:
        return [one for one in units.spellings() if one.kind in kinds]

    def behind_gap(ones: Collection[Spelling]) -> str:
        plain = longest_first([one for one in ones if not (one.glued or one.apart)], b)
        far, near = [one for one in ones if one.apart], [one for one in ones if one.glued]
        parts = [
            f"{apart}?{plain}",
            f"{apart}{longest_first(far, b)}" if far else "",
            longest_first(near, b) if near else "",
        ]
        return either(part for part in parts if part)

    def words_of(*kinds: str) -> str:
        return written(of(*kinds), b)

    unit = longest_first([one for one in of(*DIMENSIONS) if not one.glued], b)
    adverb = f"{some}{longest_first(of('adverb'), b)}"
    aside = r"(?:\)|[ \u00a0]?\([^()\n]{0,40}\))?" if in_evidence else ""
    per, slash = f"{some}{words_of('per')}{some}", f"{b}?/{b}?"
    article = f"{some}{words_of('article')}{some}"
    signs_of_money = [one for one in of("currency") if one.is_symbol]
    wordy = written([one for one in signs_of_money if opens_a_word(one.text)], b)
    signs = written([one for one in signs_of_money if not opens_a_word(one.text)], b)
    ordinal = f"(?i-u:st|nd|rd|th){NO_WORD}"
    scales, measures = behind_gap(of("scale")), behind_gap(of(*_MEASURES))
    money = behind_gap(of("scale", "money_scale"))
    percent = rf"\){behind_gap(of('percent'))}"
    denominator = f"{aside}(?:{slash}|{per}){unit}"
    ordinal_before = f"{NO_WORD}{words(['thứ'], b)}{some}"
    behind = rf"|\)|{b}?\(" if in_evidence else ""
    begun = any_beginning(of(*_MEASURES, "scale", "money_scale"), b)
    opened = r"|\(" if in_evidence else ""
    joins, conjunctions = words(_JOINS, b), words(_CONJUNCTIONS, b)
    following = f"(?:(?i-u:st|nd|rd|th)|{apart}?{begun}|{aside}(?:{slash}|{per}){begun}{behind})"
    preceding = f"(?:{SIGN}|{words(['thứ'], b)}{some}|(?:{wordy}|{signs}){b}?{opened})"
    return Patterns(
        in_evidence=in_evidence,
        blanks=blanks,
        aside=f"^{aside}",
        after=f"^{following}",
        before=f"{preceding}$",
        around=f"{D}{following}|{preceding}{D}",
        ordinal=f"^{ordinal}",
        ordinal_before=f"{ordinal_before}$",
        month_before=f"{NO_WORD}{words_of('month')}{some}$",
        month_after=f"^(?:{some}[oO][fF])?{some}{longest_first(of('month'), b)}",
        scale=f"^{scales}",
        money_scale=f"^{money}",
        measure=f"^{measures}",
        percent_behind=f"^{percent}",
        denominator=f"^{denominator}",
        further=f"^{aside}(?:(?:{slash}|{per}|{article}){unit}|{adverb})",
        joint=f"^{aside}(?:{slash}|{per}|{article}|{some})",
        currency=f"(?:{NO_WORD}{wordy}|{signs})$",
        currency_apart=f"(?:{NO_WORD}{wordy}|[^{digit_class()}]{signs}){b}$",
        parted=f"{D}{some}$",
        link=(
            f"^(?:{gap}[\\-–—~/×]{gap}|{some}(?:{joins}){some}"
            f"|[,;]{some}(?:(?:{conjunctions}){some})?)$"
        ),
        may_sign=f"{SIGN}(?:(?:{wordy}|{signs}){b}?)?{D}",
        signed=(f"(?:^|{SIGNABLE[:-1]}|{wordy}|{signs}){SIGN}(?:(?:{wordy}|{signs}){b}?)?{D}"),
    )


@dataclass(frozen=True, slots=True)
class Meanings:
    """What spellings mean: symbols as written, words folded."""

    symbols: dict[str, str]
    words: dict[str, str]

    def of(self, written: pl.Expr, blanks: str) -> pl.Expr:
        """The meaning of each stretch, null where it is none of the spellings."""
        plain = written.str.replace_all(f"[{blanks}]", " ")
        return pl.coalesce(
            self.of_symbol(written, blanks),
            normalised(plain).replace_strict(self.words, default=None, return_dtype=pl.String),
        )

    def of_symbol(self, written: pl.Expr, blanks: str) -> pl.Expr:
        """The same of symbols alone."""
        composed = written.str.replace_all(f"[{blanks}]", " ").str.normalize("NFC")
        return composed.replace_strict(self.symbols, default=None, return_dtype=pl.String)


@cache
def meanings(units: UnitTable, *kinds: str) -> Meanings:
    """What the spellings of some kinds mean, behind a letter of its sort.

    That is % percent, $ currency, u another, U one that an answer may leave out as a denominator.
    """
    sorts = {"percent": "%", "currency": "$", "adverb": "U"}
    symbols: dict[str, str] = {}
    words: dict[str, str] = {}
    for one in units.spellings():
        if one.kind in kinds:
            sort = sorts.get(one.kind) or ("U" if one.kind in _DROPPED else "u")
            (symbols if one.is_symbol else words).setdefault(one.text, sort + one.canonical)
    return Meanings(symbols, words)


@cache
def measure_meanings(units: UnitTable) -> Meanings:
    """What may stand behind a number as its measure."""
    return meanings(units, *_MEASURES)


@cache
def scale_meanings(units: UnitTable) -> Meanings:
    """What may stand before it as its scale."""
    return meanings(units, "scale", "money_scale")


@cache
def denominator_meanings(units: UnitTable) -> Meanings:
    """What may stand as a denominator."""
    return meanings(units, *DIMENSIONS, "adverb")


@cache
def stated_scales(units: UnitTable) -> dict[str, str]:
    """For each scale that a passage may state, a pattern of the phrases that do."""
    white = f"[{WHITE_SPACE}]+"
    phrases: dict[str, list[str]] = {}
    for one in units.spellings():
        if one.kind == "stated":
            phrases.setdefault(one.canonical, []).append(one.text)
    begins, ends = f"(?:^|{NO_WORD})", f"(?:$|{NO_WORD})"
    return {scale: f"{begins}{words(ones, white)}{ends}" for scale, ones in phrases.items()}
