"""The units, currencies and scale words that bind to a number, as a table.

The shipped table is units.txt, which explains its own form; a user's file of the same form adds to
it. Nothing here reads an answer: how a unit is found is for the two implementations to say.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from grounding.errors import JobError
from grounding.folding import casefold, nfc

DIMENSIONS = (
    *("mass", "volume", "length", "area", "time", "energy", "power", "pressure", "amount"),
    *("temperature", "angle", "electric", "frequency", "data", "speed", "ratio", "dose"),
)
"""The kinds of line that are units."""

KINDS = (
    *DIMENSIONS,
    *("scale", "money_scale", "percent", "currency", "per", "article", "adverb"),
    *("stated", "month"),
)
"""Every kind of line."""

LONGEST = 40
"""Code points that a spelling may have."""

_FORM = "canonical | kind | languages | symbols | words"


@dataclass(frozen=True, slots=True)
class Spelling:
    """One way to write a unit."""

    text: str
    """NFC; case folded where it is a word."""
    canonical: str
    kind: str
    is_symbol: bool
    """Compared as written; a word is compared after case folding."""
    apart: bool = False
    """Only where a blank or a hyphen stands between number and spelling."""
    glued: bool = False
    """Only where nothing stands between them."""
    closing: bool = False
    """None where blanks and then a digit follow."""


@dataclass(frozen=True, slots=True, eq=False)
class UnitTable:
    """All spellings, by text. No two of one place in a text have the same text."""

    symbols: Mapping[str, tuple[Spelling, ...]]
    words: Mapping[str, tuple[Spelling, ...]]

    dimensions: Mapping[str, str]
    """Each unit with its dimension."""

    def listed(self, text: str) -> tuple[Spelling, ...]:
        """The spellings that a text is, whole: symbols as written, words after case folding."""
        symbol = nfc(text)
        return (*self.symbols.get(symbol, ()), *self.words.get(nfc(casefold(symbol)), ()))

    def spellings(self) -> tuple[Spelling, ...]:
        """Every spelling, symbols first, as they stand in the table."""
        tables = (self.symbols, self.words)
        return tuple(one for table in tables for same in table.values() for one in same)


@cache
def shipped_units() -> UnitTable:
    """The table that the package brings."""
    text = files("grounding").joinpath("units.txt").read_text(encoding="utf-8")
    return parsed_units(text, "units.txt")


def parsed_units(text: str, where: str, onto: UnitTable | None = None) -> UnitTable:
    """The table that a text spells, together with the one that it adds to.

    `where` names the text in errors. A spelling that is there already, of the same unit, is no
    fault. Raises JobError with all faults at once, each with its line.

    >>> table = parsed_units("furlong | length | en | fur | furlong, furlongs", "mine.txt")
    >>> table.words["furlongs"][0].canonical
    'furlong'
    """
    faults: list[str] = []
    taken = {_key(one): one for one in (onto.spellings() if onto else ())}
    kinds = {one.canonical: one.kind for one in taken.values() if _place(one.kind) == "measure"}
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        at = f"{where}: line {number}"
        parts = [part.strip() for part in line.split("|")]
        if fault := _fault(parts):
            faults.append(f"{at}: {fault}")
            continue
        canonical, kind = nfc(parts[0]), parts[1]
        had = kinds.setdefault(canonical, kind) if _place(kind) == "measure" else kind
        if had != kind:
            faults.append(f"{at}: {canonical!r} is of kind {had} already; got {kind}")
            continue
        for one in _spellings(canonical, kind, parts[3], parts[4]):
            other = taken.setdefault(_key(one), one)
            if other.canonical != canonical:
                faults.append(
                    f"{at}: the spelling {one.text!r} means {other.canonical!r} already; "
                    f"got {canonical!r}; leave it out, or name the unit {other.canonical!r}"
                )
            if not 1 <= len(one.text) <= LONGEST:
                faults.append(
                    f"{at}: a spelling of {len(one.text)} characters; wanted 1 to {LONGEST}"
                )
    if faults:
        raise JobError(faults)
    return _table(taken.values())


def _fault(parts: list[str]) -> str | None:
    """What is wrong with the parts of a line."""
    if len(parts) != 5:
        return f"{len(parts)} parts between `|`; wanted five: {_FORM}"
    canonical, kind, _, symbols, words = parts
    if kind not in KINDS:
        return f"kind {kind!r}; wanted one of {', '.join(KINDS)}"
    if not canonical:
        return f"no canonical text; wanted {_FORM}"
    if kind in ("scale", "money_scale", "stated") and not (
        canonical.isascii() and canonical.isdigit()
    ):
        return (
            f"canonical text {canonical!r} of a {kind}; wanted the power of ten, as 6 for million"
        )
    if symbols in ("", "-") and words in ("", "-"):
        return "no spelling; wanted symbols, words or both, with commas between"
    return None


def _spellings(canonical: str, kind: str, symbols: str, words: str) -> Iterator[Spelling]:
    for listed, is_symbol in ((symbols, True), (words, False)):
        for written in () if listed in ("", "-") else listed.split(","):
            spelling = " ".join(written.split())
            text = nfc(spelling.removeprefix("_").removeprefix("+").removesuffix("_"))
            yield Spelling(
                text=text if is_symbol else nfc(casefold(text)),
                canonical=canonical,
                kind=kind,
                is_symbol=is_symbol,
                apart=spelling.startswith("_"),
                glued=spelling.startswith("+"),
                closing=spelling.endswith("_"),
            )


def _place(kind: str) -> str:
    """Where in a text a kind is looked for: two spellings of one place need different texts."""
    if kind in (*DIMENSIONS, "percent", "currency"):
        return "measure"
    return "joint" if kind in ("per", "article", "adverb") else kind


def _key(one: Spelling) -> tuple[str, bool, str]:
    return one.text, one.is_symbol, _place(one.kind)


def _table(spellings: Collection[Spelling]) -> UnitTable:
    symbols: dict[str, list[Spelling]] = {}
    words: dict[str, list[Spelling]] = {}
    for one in spellings:
        (symbols if one.is_symbol else words).setdefault(one.text, []).append(one)
    dimensions = {one.canonical: one.kind for one in spellings if one.kind in DIMENSIONS}
    return UnitTable(
        MappingProxyType({text: tuple(same) for text, same in symbols.items()}),
        MappingProxyType({text: tuple(same) for text, same in words.items()}),
        MappingProxyType(dimensions),
    )
