"""The pinned tables and the normal form are those of Unicode 16.0, code point by code point."""

import random
import sys
import time
import unicodedata
from collections.abc import Sequence
from types import ModuleType

import pytest

from grounding.folding import casefold, nfc, normalise_value
from grounding.unicode16 import (
    WHITE_SPACE,
    case_folding,
    combining_classes,
    compositions,
    decompositions,
)

INTERPRETER = tuple(map(int, unicodedata.unidata_version.split(".")))
OLDER_OR_SAME = pytest.mark.skipif(
    INTERPRETER > (16, 0, 0), reason="this Python knows code points assigned after 16.0"
)
EVERY = [chr(point) for point in range(sys.maxunicode + 1)]
TEXTS = [character for character in EVERY if not 0xD800 <= ord(character) <= 0xDFFF]
HANGUL = {chr(point) for point in range(0xAC00, 0xD7A4)}
MARKS = sorted(combining_classes())
MOVED = [*MARKS, *decompositions(), *{part for pair in compositions() for part in pair}]


@pytest.fixture(scope="module")
def ucd() -> ModuleType:
    """An independent copy of Unicode 16.0."""
    copy: ModuleType = pytest.importorskip("unicodedata2", reason="unicodedata2 is not installed")
    assert copy.unidata_version == "16.0.0"
    return copy


def drawn(pool: Sequence[str], length: int) -> str:
    """Characters at random; pytest-randomly seeds and reports the seed."""
    return "".join(random.choices(pool, k=length))


def assigned(text: str) -> bool:
    return all(unicodedata.category(character) != "Cn" for character in text)


def test_the_tables_have_the_sizes_of_unicode_16() -> None:
    assert len(case_folding()) == 1557
    assert sum(len(fold) > 1 for fold in case_folding().values()) == 104
    assert len(combining_classes()) == 934
    assert len(decompositions()) == 2081
    assert len(compositions()) == 961
    assert len(WHITE_SPACE) == 29


def test_combining_classes_are_those_of_an_independent_copy(ucd: ModuleType) -> None:
    assert combining_classes() == {c: ucd.combining(c) for c in EVERY if ucd.combining(c)}


def test_decompositions_and_compositions_are_those_of_an_independent_copy(ucd: ModuleType) -> None:
    raw = {c: ucd.decomposition(c) for c in TEXTS if c not in HANGUL}
    canonical = {c: spelled for c, spelled in raw.items() if spelled and spelled[0] != "<"}
    table = {c: "".join(chr(int(p, 16)) for p in s.split()) for c, s in canonical.items()}
    assert decompositions() == table
    pairs = {pair: c for c, pair in table.items() if len(pair) == 2}
    assert compositions() == {pair: c for pair, c in pairs.items() if ucd.normalize("NFC", c) == c}


@OLDER_OR_SAME
def test_folding_is_that_of_this_python_for_what_it_knows() -> None:
    known = [character for character in EVERY if assigned(character)]
    assert [c for c in known if casefold(c) != c.casefold()] == []
    text = "".join(known)
    assert casefold(text) == text.casefold()


def test_folding_knows_what_unicode_15_and_16_added() -> None:
    # CaseFolding.txt 16.0: Cyrillic tje, four Latin letters and the Garay capitals.
    added = {0x1C89: 0x1C8A, 0xA7CB: 0x264, 0xA7CC: 0xA7CD, 0xA7DA: 0xA7DB, 0xA7DC: 0x19B}
    added |= {point: point + 0x20 for point in range(0x10D50, 0x10D66)}
    assert {ord(casefold(chr(point))) for point in added} == set(added.values())
    assert all(casefold(chr(point)) == chr(fold) for point, fold in added.items())


def test_only_a_bracket_folds_to_a_bracket() -> None:
    # Malformed annotations are placed by pairing the brackets of a text and of its folding.
    changed = {character for pair in case_folding().items() for text in pair for character in text}
    assert changed.isdisjoint("[]:=\r\n")


def test_white_space_is_that_of_str_isspace_and_of_unicode_16(ucd: ModuleType) -> None:
    assert [c for c in EVERY if c.isspace()] == sorted(WHITE_SPACE)
    spaces = {c for c in EVERY if ucd.bidirectional(c) in ("WS", "B", "S")}
    assert spaces | {c for c in EVERY if ucd.category(c) == "Zs"} == set(WHITE_SPACE)


def test_nfc_of_every_code_point_alone_and_decomposed(ucd: ModuleType) -> None:
    assert [c for c in TEXTS if nfc(c) != ucd.normalize("NFC", c)] == []
    apart = {c: parts for c in TEXTS if (parts := ucd.normalize("NFD", c)) != c}
    assert len(apart) == len(decompositions()) + len(HANGUL)
    assert [c for c, parts in apart.items() if nfc(parts) != ucd.normalize("NFC", c)] == []


@OLDER_OR_SAME
def test_nfc_is_that_of_this_python_for_what_it_knows() -> None:
    known = [character for character in TEXTS if assigned(character)]
    assert [c for c in known if nfc(c) != unicodedata.normalize("NFC", c)] == []


def test_nfc_of_every_pair_that_composes_and_of_blocked_ones(ucd: ModuleType) -> None:
    for pair in compositions():
        for between in ("", "\u0323", "\u0301", "\u034f", "x", "\u0345"):
            text = pair[0] + between + pair[1]
            assert nfc(text) == ucd.normalize("NFC", text), ascii(text)


def test_nfc_of_hangul_in_every_state_of_composition(ucd: ModuleType) -> None:
    lead, vowel, tail = "\u1100\u1112\u115f", "\u1161\u1175\u11a7", "\u11a8\u11c2\u11c3"
    parts = [*lead, *vowel, *tail, "\uac00", "\uac01", "\ud788", "\ud7a3", "\u0301", "x"]
    for first in parts:
        for second in parts:
            for third in parts:
                text = first + second + third
                assert nfc(text) == ucd.normalize("NFC", text), ascii(text)


def test_nfc_of_random_strings_of_what_moves(ucd: ModuleType) -> None:
    for length in (2, 3, 5, 8, 20):
        for _ in range(4000):
            text = drawn(MOVED, length)
            assert nfc(text) == ucd.normalize("NFC", text), ascii(text)


def test_nfc_of_marks_in_many_orders(ucd: ModuleType) -> None:
    for base in ("", "a", "\u03b1", "e\u0301", "\u1100", "\u0b47"):
        for length in range(1, 13):
            for _ in range(60):
                text = base + drawn(MARKS, length)
                assert nfc(text) == ucd.normalize("NFC", text), ascii(text)


def test_the_normal_form_of_random_strings(ucd: ModuleType) -> None:
    pool = [*MOVED, *case_folding(), *WHITE_SPACE, "a"]
    for _ in range(4000):
        text = drawn(pool, 6)
        folded = casefold(ucd.normalize("NFC", text))
        wanted = " ".join(ucd.normalize("NFC", folded).split())
        assert normalise_value(text) == wanted, ascii(text)


def test_the_normal_form_is_its_own_normal_form() -> None:
    for character in {*MOVED, *case_folding(), *case_folding().values()}:
        once = normalise_value(character)
        assert normalise_value(once) == once, ascii(character)


def test_a_lone_surrogate_stays_where_it_stands() -> None:
    assert normalise_value("\ud800 e\u0301\udfff") == "\ud800 \u00e9\udfff"


def test_a_mark_that_unicode_16_does_not_assign_is_inert(ucd: ModuleType) -> None:
    # U+1ACF became a mark of class 230 in Unicode 17.0; before, nothing passes it.
    assert ucd.category("\u1acf") == "Cn"
    assert nfc("a\u1acf\u0323\u0301") == "a\u1acf\u0323\u0301"
    assert nfc("a\u0301\u1acf\u0323") == "\u00e1\u1acf\u0323"


@pytest.mark.parametrize("marks", ["\u0301\u0323", "\u0323\u0301\u0345", "\u0334"])
def test_a_hundred_thousand_marks_take_linear_time(marks: str) -> None:
    text = "q" + marks * (100_000 // len(marks))
    start = time.process_time()
    got = nfc(text)
    assert time.process_time() - start < 2
    assert got == "q" + "".join(sorted(text[1:], key=combining_classes().__getitem__))
