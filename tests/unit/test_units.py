"""The table of units: what the shipped one holds, and what a user's file may say."""

import pytest

from grounding.errors import JobError
from grounding.units import DIMENSIONS, KINDS, LONGEST, parsed_units, shipped_units


def canonical(text: str) -> set[str]:
    return {one.canonical for one in shipped_units().listed(text)}


@pytest.mark.parametrize(
    "spellings",
    [
        ["mcg", "µg", "μg", "microgram"],
        ["IU", "UI", "đơn vị", "Đơn Vị"],
        ["giờ", "hour", "Hours", "h"],
        ["gio\u031b\u0300", "gi\u01a1\u0300", "giờ"],
        ["$", "US$", "USD", "dollars"],
        ["%", "percent", "per cent", "phần trăm"],
        ["million", "triệu"],
    ],
)
def test_listed_spellings_of_one_unit_are_equal(spellings: list[str]) -> None:
    assert len({frozenset(canonical(spelling)) for spelling in spellings}) == 1
    assert canonical(spellings[0])


def test_prefixes_keep_their_case_and_words_do_not() -> None:
    assert canonical("mg") == {"mg"}
    assert canonical("Mg") == set()
    assert canonical("mW") == set() != canonical("MW")
    assert canonical("TABLETS") == canonical("tablets") == {"tablet"}


def test_every_kind_is_used_and_no_spelling_is_longer_than_what_is_read() -> None:
    spellings = shipped_units().spellings()
    assert {one.kind for one in spellings} == set(KINDS)
    assert max(len(one.text) for one in spellings) <= LONGEST
    assert set(shipped_units().dimensions.values()) == set(DIMENSIONS)


def test_a_file_of_the_users_adds_to_the_shipped_one() -> None:
    mine = "\ufeff# mine\n\nfurlong | length | en | fur | furlong, Furlongs\n"
    mine += "mg | mass | de | - | Milligramm"
    table = parsed_units(mine, "mine.txt", shipped_units())
    assert {one.canonical for one in table.listed("FURLONGS")} == {"furlong"}
    assert {one.canonical for one in table.listed("milligramm")} == {"mg"}
    assert table.dimensions["furlong"] == "length"
    assert {one.canonical for one in table.listed("mg")} == {"mg"}
    assert not shipped_units().listed("furlong")


def test_the_signs_around_a_spelling_say_where_it_may_stand() -> None:
    table = parsed_units("a | mass | * | _a, +b | c_", "mine.txt")
    [apart], [glued], [closing] = table.listed("a"), table.listed("b"), table.listed("c")
    assert (apart.apart, apart.glued, apart.closing) == (True, False, False)
    assert (glued.apart, glued.glued, glued.closing) == (False, True, False)
    assert (closing.apart, closing.glued, closing.closing) == (False, False, True)


def test_a_file_with_faults_is_refused_with_all_of_them_at_once() -> None:
    text = "\n".join(
        [
            "mg | mass | *",
            "stone | weight | en | st | stone",
            " | mass | en | st | stone",
            "million | scale | en | - | gazillion",
            "stone | mass | en | - | -",
            "g | length | en | - | grom",
            "gallop | mass | en | g | -",
            f"long | mass | en | {'x' * 41} | -",
        ]
    )
    with pytest.raises(JobError) as error:
        parsed_units(text, "mine.txt", shipped_units())
    faults = error.value.faults
    assert [fault.split(": ")[:2] for fault in faults] == [
        ["mine.txt", f"line {line}"] for line in range(1, 9)
    ]
    wanted = [
        "3 parts between `|`; wanted five",
        "kind 'weight'; wanted one of mass,",
        "no canonical text",
        "wanted the power of ten, as 6 for million",
        "no spelling",
        "'g' is of kind mass already; got length",
        "the spelling 'g' means 'g' already; got 'gallop'",
        "a spelling of 41 characters; wanted 1 to 40",
    ]
    assert all(part in fault for part, fault in zip(wanted, faults, strict=True))
