"""Rows that are made to tell two implementations apart.

An answer is a string of fragments, each of them something that was, or may be, read in two ways.
`rows` draws them from a seeded generator, many and fast; `row_strategy` lets hypothesis draw the
same ones, so that it can shrink what it finds.
"""

import random
from collections.abc import Iterator

from hypothesis import strategies as st

from grounding.digits import digit_values
from grounding.fixtures import BookFixture, Question
from grounding.folding import casefold, normalise_value
from grounding.unicode16 import (
    WHITE_SPACE,
    case_folding,
    combining_classes,
    compositions,
    decompositions,
)
from tests.property.side_by_side import Row

LATER_MARKS = [
    chr(point)
    for first, last in ((0x1ACF, 0x1ADD), (0x1AE0, 0x1AEB), (0x10EFA, 0x10EFB), (0x11DE0, 0x11DE9))
    for point in range(first, last + 1)
]
"""Not assigned in Unicode 16.0: marks, and the digits of Tolong Siki, in 17.0."""

DIGITS = [*"0123456789", *"٣７᠐𝟗𑓐𞥐🯰𐵀", *"0011223579"]
NO_DIGITS = [*"²½①Ⅷ〇一٠", "\u0bf0", "\u1369", "\U00010107", "\U00011de0", "\U0001f100"]
SEPARATORS = [*".,.,.,", *"٫٬．，·'–-−/", ". ", ", ", ".,", ",,"]
BRACKETS = [*"[]][", "[[", "]]", *"［］【】(){}", "[ ", " ]", "[]", "[.]"]
WHITE = [*WHITE_SPACE, "  ", "\r\n", "\u200b", "\ufeff", "\u180e", "\u2060", "\u00ad"]
CONTROLS = ["\0", "\r", "\n", "\x7f", "\x85", "\u2028", "\ufffe", "\uffff", "\U0010ffff", "\ufffd"]
WORDS = ["mg", "Bảy", "ß", "ı", "İ", "ﬆ", "😀", "👩‍🔬", "e\u0301", "=", ":", "assert:", "x"]
MARKERS = [
    *("[1]", "[2]", "[3]", "[0]", "[007]", "[٣]", "[𝟙]", "[１]", "[1٢]", "[00]", "[1][2]", "[4]"),
    *(
        "[1, 2]",
        "[1,2]",
        "[ 2 ]",
        "[-1]",
        "[+1]",
        "[1.]",
        "[^1]",
        "[[1]]",
        "[1",
        "1]",
        "[١",
        "[1]]",
    ),
    *(f"[{value}]" for value in (2**63 - 2, 2**63 - 1, 2**63, 2**64 + 1, 2**31, 10**19, 10**40)),
    *(f"[{'0' * 30}{n}]" for n in (0, 1, 2**63 - 1)),
    f"[{'9' * 300}]",
]
PREFIXES = [
    *("[assert:", "[unsupported:", "[input:", "[ASSERT:", "[Unsupported:", "[INPUT:", "[assert:"),
    *("[aſſert:", "[aßert:", "[aẞert:", "[asſert:", "[unſupported:", "[UNSUPPORTED:", "[iNpUt:"),
    *("[aﬆert:", "[İnput:", "[ınput:", "[i̇nput:", "[as\u0345sert:", "[assert\u0301:", "[ﬅ:"),
    *("[assert：", "［assert:", "[ assert:", "[assert :", "[assert", "assert:", "[assert:[assert:"),
    *("[\u0301input:", "[in\0put:", "[input:[input:", "[a\u1acfssert:", "[аssert:", "[unsupported"),
]
IDS = [
    *("keeper", "Keeper", "KEEPER", "founding.year", "depth_m", "Tide-Table", "a", "A", "k", "K"),
    *(".-_", "-", "0", "7", "harbor-fire", "HARBOR-FIRE", "second_keeper", "x" * 70),
]
ILLEGAL_IDS = ["", "K", "ſ", "ıd", "a b", "é", "fact\u0301", "a=b", "a:b", "ａ", "7٣", "a\n"]
VALUES = [
    *("1911", "7,5", "7.5", "75", "10²", "102", "Ada Lumen", "ADA  LUMEN", "Straße  Hell"),
    *("STRASSE HELL", "ﬆ", "st", "ǰ", "J\u030c", "ΐ", "ΐ", "İ", "i̇", "ı", "I", "K", "k", "K", "Å"),
    *("Å", "A\u030a", "ς", "σ", "Σ", "ẞ", "ss", "q\u0307\u0323", "q\u0323\u0307", "\u0345\u0301"),
    *(
        "가",
        "\u1100\u1161",
        "\u1100\u1161\u11a8",
        "각",
        "\uac00\u11a8",
        "\uac00\u11a7",
        "\u1112\u1175",
    ),
    *(
        "\u0958",
        "\u0915\u093c",
        "\u0344",
        "\u0308\u0301",
        "\u1fbe",
        "ͅ",
        "a=b",
        "a:b",
        "=",
        "\u212b",
    ),
    *("a\u1acf\u0323\u0301", "a\u0323\u1acf\u0301", "\U00010efa\u0323", "Ꭰ", "ꭰ", "𞤀", "\u1c89"),
    *("  ", "\u3000", "\u2028", "\x1f", "\u200b", "\u180e", "1[2", "[1]", "7]", "]", "", "\u0344a"),
]
STIRRING = [
    *combining_classes(),
    *decompositions(),
    *case_folding(),
    *sorted({part for pair in compositions() for part in pair}),
    *LATER_MARKS,
    *map(chr, [*range(0x1100, 0x1114), *range(0x1160, 0x1177), *range(0x11A7, 0x11C4)]),
    *map(chr, range(0xAC00, 0xD7A4, 97)),
]
ALL_DIGITS = [*"0123456789", *digit_values()]
FRAGMENTS = [DIGITS, NO_DIGITS, SEPARATORS, BRACKETS, WHITE, CONTROLS, WORDS, MARKERS]


def generator(seed: int | None = None) -> random.Random:
    """A generator of a seed, or of one that the random order of the test run gives."""
    return random.Random(random.getrandbits(64) if seed is None else seed)  # no secret


def fixtures(rng: random.Random, number: int = 0) -> list[BookFixture]:
    """Four books that share ids and values: one random, one without questions, one almost bare."""
    values = [value for value in VALUES if normalise_value(value)]
    ids = list({casefold(name): name for name in rng.sample(IDS, len(IDS))}.values())
    facts, unsaid = ids[:9], ids[9:]
    listed = {fact: rng.choices(values, k=rng.randint(1, 4)) for fact in facts}
    questions = [
        Question(
            f"q{place}",
            "Who?" if place else None,
            tuple(_cased(rng, rng.choices(facts, k=rng.randint(0, 4)))),
            tuple(_cased(rng, rng.choices(unsaid, k=rng.randint(0, 3)))),
            tuple(_cased(rng, rng.choices(facts, k=rng.randint(0, 4)))),
        )
        for place in range(4)
    ]
    others = {fact: rng.choices(values, k=2) for fact in unsaid}
    bare = [Question("q0"), Question("q1", "", ("A",)), Question("Q1", None, (), ("K", "k"))]
    return [
        BookFixture.build(f"book {number}", listed, unsaid, questions),
        BookFixture.build(f"Book {number}", others, facts, [Question("q0", None, tuple(unsaid))]),
        BookFixture.build(f"unasked {number}", {fact: rng.choices(values, k=9) for fact in ids}),
        BookFixture.build(f" {number}", {"a": ["1"]}, ["k"], bare),
    ]


def rows(rng: random.Random, count: int) -> Iterator[Row]:
    """Rows from a seeded generator, five hundred to a set of books."""
    books: list[BookFixture] = []
    for number in range(count):
        if number % 500 == 0:
            books = fixtures(rng, number)
        yield _row(rng, books)


def row_strategy(books: list[BookFixture]) -> st.SearchStrategy[Row]:
    """Rows that hypothesis draws, over the books given."""
    odd = st.sampled_from([*ALL_DIGITS, *STIRRING, *"[].,:="])
    short = st.text(odd | st.characters(exclude_categories=["Cs"]), max_size=6)
    names, ends = [*IDS, *ILLEGAL_IDS], ["]", "]", ""]
    parts = map(st.sampled_from, (PREFIXES, names, ["=", "=", "", "]"], VALUES, ends))
    fragment = st.one_of(*map(st.sampled_from, FRAGMENTS), st.tuples(*parts).map("".join), short)
    text = st.lists(fragment, max_size=8).map("".join)
    evidence = st.none() | st.lists(text, max_size=3).map(tuple)
    asked = [(b, q) for b in books for q in (None, *(x.question_id for x in b.questions))]
    made = st.builds(
        lambda answer, evidence, asked: Row(answer, evidence, *asked),
        text,
        evidence,
        st.sampled_from([(None, None), *asked]),
    )
    return made.filter(lambda row: row.evidence is not None or row.fixture is not None)


def _row(rng: random.Random, books: list[BookFixture]) -> Row:
    book = rng.choice((None, *books, books[0], books[0]))
    answer = "".join(_fragments(rng, rng.choice((0, 1, 2, 4, 8, 16)), book))
    evidence = None if book and rng.random() < 0.1 else _evidence(rng, answer)
    question = rng.choice([None, *book.questions]) if book else None
    return Row(answer, evidence, book, question.question_id if question else None)


def _evidence(rng: random.Random, answer: str) -> tuple[str, ...]:
    """Passages that repeat parts of the answer, whole or cut in two, so that much is supported."""
    passages = []
    for _ in range(rng.randint(0, 4)):
        start = rng.randint(0, len(answer))
        part = answer[start : rng.randint(start, len(answer))]
        own = "".join(_fragments(rng, rng.randint(0, 3), None))
        passages.append(rng.choice((part, own, own + part, part + own, answer)))
    if len(passages) > 1 and rng.random() < 0.2:  # a marker or a number across two passages
        cut = rng.randint(0, len(passages[0]))
        passages[:2] = [passages[0][:cut], passages[0][cut:]]
    return tuple(passages)


def _fragments(rng: random.Random, count: int, book: BookFixture | None) -> Iterator[str]:
    for _ in range(count):
        draw = rng.random()
        if draw < 0.35:
            yield _well_formed(rng, book) if draw < 0.23 else _broken(rng)
        elif draw < 0.87:
            yield rng.choice(rng.choice(FRAGMENTS))
        elif draw < 0.95:
            yield "".join(rng.choices(STIRRING if draw < 0.91 else ALL_DIGITS, k=rng.randint(1, 5)))
        else:
            yield _any_character(rng)


def _well_formed(rng: random.Random, book: BookFixture | None) -> str:
    """An annotation that is well-formed but for a value of brackets or white space."""
    kind = rng.choice(("assert", "assert", "unsupported", "input"))
    word = "".join(rng.choice((letter, letter.upper())) for letter in kind)
    fact, values = rng.choice(list(book.facts.items()) if book else [(rng.choice(IDS), VALUES)])
    if rng.random() < 0.5:
        fact = rng.choice(IDS)
    value = rng.choice((*values, *values, rng.choice(VALUES)))
    value = rng.choice((value, value.upper(), "".join(rng.choices([*STIRRING, *WHITE], k=3))))
    value = rng.choice((value, normalise_value(value), rng.choice(WHITE) + value))
    name = _cased(rng, [fact])[0]
    body = {"assert": f"{name}={value}", "unsupported": name, "input": value}[kind]
    return f"[{word}:{body}]"


def _broken(rng: random.Random) -> str:
    """What may look like an annotation, and mostly is none."""
    name = rng.choice((rng.choice(IDS), rng.choice(ILLEGAL_IDS)))
    mid = rng.choice(("=", "=", "==", "", "]", "[", _any_character(rng)))
    end = rng.choice(("]", "]", "", "\n]", "[]", " ]", "]]", _any_character(rng)))
    return rng.choice(PREFIXES) + name + mid + rng.choice(VALUES) + end


def _cased(rng: random.Random, names: list[str]) -> list[str]:
    return [rng.choice((name, name.upper(), name.lower(), name.title())) for name in names]


def _any_character(rng: random.Random) -> str:
    point = rng.choice((rng.randrange(0x250), rng.randrange(0x3000), rng.randrange(0x110000)))
    return "\ufffd" if 0xD800 <= point <= 0xDFFF else chr(point)
