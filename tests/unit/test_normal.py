"""The normal form of annotation values as an expression."""

import polars as pl
import pytest

from grounding.folding import normalise_value
from grounding.normal import normalised
from grounding.unicode16 import WHITE_SPACE
from tests.property.adversarial import LATER_MARKS, STIRRING, generator


def normal_forms(values: list[str | None]) -> list[str | None]:
    frame = pl.DataFrame({"value": values}, schema={"value": pl.String})
    return frame.select(normalised(pl.col("value"))).to_series().to_list()


@pytest.mark.parametrize(
    ("value", "form"),
    [
        ("  STRASSE\t Hell ", "strasse hell"),
        ("Straße\u3000\u2028Hell", "strasse hell"),
        ("10²", "10²"),
        ("E\u0301", "é"),
        ("\u212b", "å"),
        ("\u212a", "k"),
        ("\u0130", "i\u0307"),
        ("ﬆ", "st"),
        ("ς", "σ"),
        ("\u0345\u0301", "\u0301ι"),  # sorted as marks before folding makes a letter of one
        ("a\u0345\u0308", "äι"),
        ("\u1fb4", "άι"),
        ("\u1100\u1161\u11a8", "각"),
        ("a\u200bb", "a\u200bb"),
        ("\u180e", "\u180e"),
        ("\0", "\0"),
        (" \r\n\x1c\x85 ", ""),
        ("", ""),
    ],
)
def test_values(value: str, form: str) -> None:
    assert normal_forms([value]) == [form]
    assert normalise_value(value) == form


def test_a_missing_value_stays_missing() -> None:
    assert normal_forms([None, "A", None]) == [None, "a", None]


def test_each_white_space_is_one_space_inside_and_nothing_outside() -> None:
    assert normal_forms([f"{w}a{w}{w}b{w}" for w in WHITE_SPACE]) == ["a b"] * len(WHITE_SPACE)


@pytest.mark.parametrize("mark", LATER_MARKS)
def test_what_unicode_16_does_not_assign_stays_where_it_stands(mark: str) -> None:
    values = [
        f"a{mark}\u0323\u0301",
        f"a\u0301{mark}\u0323",
        f"{mark}{mark}\u0301",
        mark,
        f"e{mark}",
    ]
    assert normal_forms([*values]) == list(map(normalise_value, values))
    assert normal_forms([values[0]]) == values[:1]


@pytest.mark.parametrize("length", [2, 4, 9])
def test_random_strings_of_what_moves(length: int) -> None:
    rng = generator()
    values = ["".join(rng.choices(STIRRING, k=length)) for _ in range(3_000)]
    got = normal_forms([*values])
    wanted = list(map(normalise_value, values))
    assert [pair for pair in zip(values, got, wanted, strict=True) if pair[1] != pair[2]] == []
