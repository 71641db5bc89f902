"""Why numbers and citations were refused, on columns."""

import polars as pl
import pytest

from grounding.causes import CAUSES, ORDER
from grounding.causes.pairs import OPERATIONS
from grounding.causes.readings import numerals
from grounding.causetable import CITATION_CAUSES, NUMBER_CAUSES, Example
from tests.property.causes_rows import Asked
from tests.property.causes_side_by_side import causes_of, refusals_of

EXAMPLES = [
    pytest.param(cause.name, example, holds, id=f"{cause.name}-{'is' if holds else 'is not'}")
    for cause in (*NUMBER_CAUSES, *CITATION_CAUSES)
    for example, holds in ((cause.positive, True), (cause.negative, False))
]


def explained(*rows: Asked) -> list[tuple[str, str, list[str], str | None, int | None]]:
    columns = ["text", "cause", "causes", "nearest", "passage"]
    return causes_of(rows).sort("row", "start").select(columns).rows()


def causes(answer: str, *evidence: str) -> list[str]:
    return [cause for _, cause, *_ in explained(Asked(answer, evidence))]


@pytest.mark.parametrize(("name", "example", "holds"), EXAMPLES)
def test_the_examples_of_the_table(name: str, example: Example, holds: bool) -> None:
    rows = explained(Asked(example.answer, example.evidence, example.question))
    text, cause, all_of_them, nearest, _ = next(row for row in rows if row[0] == example.token)
    assert text == example.token
    if holds:
        assert (cause, nearest) == (name, example.nearest)
    else:
        assert name not in all_of_them


def test_each_cause_of_the_table_has_its_place() -> None:
    names = [cause.name for cause in (*NUMBER_CAUSES, *CITATION_CAUSES)]
    assert sorted(ORDER, key=ORDER.__getitem__) == names
    assert [column.name for column in CAUSES] == ["cause", "causes", "nearest", "passage"]


def test_the_first_cause_in_order_gives_nearest_and_passage() -> None:
    rows = explained(Asked("B75", ("x", "0.750", "7,5 and 7.5")))
    assert rows == [
        ("75", "separator_dropped", ["separator_dropped", "identifier", "scale"], "7,5", 3)
    ]


def test_nearest_is_the_first_for_which_the_cause_holds_and_no_earlier_one() -> None:
    assert explained(Asked("7,5", ("7,4 75", "x 7.5 y 7.5"))) == [
        ("7,5", "separator_swapped", ["separator_swapped", "separator_dropped", "scale"], "7.5", 2)
    ]


def test_every_place_of_a_token_is_explained_alike_but_for_its_own_text() -> None:
    rows = explained(Asked("B12 and 12", ()))
    assert [cause for _, cause, *_ in rows] == ["identifier", "absent"]


def test_a_finding_that_is_no_refused_number_or_citation_has_no_causes() -> None:
    rows = [Asked("75 [2]", ("7,5",))]
    other = refusals_of(rows).with_columns(kind=pl.lit("malformed_annotation"))
    got = causes_of(rows, findings=other)
    assert got.select("cause", "causes", "nearest", "passage").rows() == [(None,) * 4] * 2


def test_places_are_those_of_the_whole_answer_where_only_its_end_is_graded() -> None:
    got = causes_of([Asked("1) 2) 75</think>\n1. x 75", ("7,5",))], graded_after="</think>")
    assert got.select("text", "start", "cause").rows() == [
        ("1", 17, "list_marker"),
        ("75", 22, "separator_dropped"),
    ]


def test_graded_annotations_are_no_text_before_a_number() -> None:
    rows = [Asked("x[input:a]5", (), None, annotated) for annotated in (False, True)]
    assert [cause for _, cause, *_ in explained(*rows)] == ["absent", "absent"]
    assert causes("x-5") == ["identifier"]


@pytest.mark.parametrize(
    ("passage", "cause"),
    [
        ("40 000", "split_in_evidence"),
        ("40\u202f000,5 or 40 000", "split_in_evidence"),
        ("B40 000", "scale"),
        ("5 40 000", "scale"),
        ("40 000 000", "scale"),
        ("40[1]000", "scale"),
        ("40 000 1234", "split_in_evidence"),
    ],
)
def test_numbers_that_spaces_cut(passage: str, cause: str) -> None:
    assert causes("40000", passage) == [cause]


@pytest.mark.parametrize(
    ("passage", "spelled"),
    [
        ("Twenty-one", True),
        ("twenty\none", True),
        ("TWENTY\u00a0ONE", True),
        ("twenty[1] one", False),
        ("twenty, one", False),
        ("twenty-one hundred", False),
        ("5 twenty one", False),
        ("twenty one 5", False),
        ("_twenty one_", True),
        ("o'twenty one", False),
        ("hai mu\u031bo\u031bi mốt", True),
    ],
)
def test_number_words_are_whole_runs(passage: str, spelled: bool) -> None:
    assert causes("21", passage) == ["number_word" if spelled else "absent"]


@pytest.mark.parametrize(
    ("token", "passage", "nearest"),
    [
        ("369", "246 123", "246 + 123"),
        ("123", "246 and 369", "246 - 369"),
        ("31.9800", "123 0.2600", "123 * 0.2600"),
        ("0.3333", "123 369", "123 / 369"),
        ("33.33", "123 369", "100 * 123 / 369"),
        ("66.7", "123 369", "100 * (123 - 369) / 369"),
        ("0.333", "123 369", None),
        ("36", "24 12", None),
    ],
)
def test_derived_numbers(token: str, passage: str, nearest: str | None) -> None:
    [(_, cause, _, said, _)] = explained(Asked(token, (passage,)))
    assert said == nearest
    assert (cause == "derived") == (nearest is not None)


def test_only_the_first_64_values_are_operands() -> None:
    distinct = " x ".join(str(number) for number in range(1001, 1063))
    assert causes("7777777", f"{distinct} x 1001 x 3333333 x 4444444") == ["derived"]
    assert causes("7777777", f"{distinct} x 1063 x 3333333 x 4444444") == ["absent"]


def test_derived_is_exact_beyond_int64() -> None:
    assert causes("1.0001", "999999999999 and 999900009998") == ["derived"]
    assert causes("274382071.25", "123456.5 and 2222.5") == ["derived"]
    assert causes("274382071.26", "123456.5 and 2222.5") == ["absent"]
    assert causes("999998000001", "999999 and 999999.0") == ["absent"]
    assert len(OPERATIONS) == 6


def test_a_number_is_taken_apart() -> None:
    texts = ["7", "7.5", "0.500", "1.500", "1,234.50", "1.234.567", "12,34,56", "1" * 30]
    got = numerals(pl.LazyFrame({"value": texts})).collect()
    assert dict(got.select("value", "decimals").rows()) == {
        "7": 0,
        "7.5": 1,
        "0.500": 3,
        "1.500": None,
        "1,234.50": 2,
        "1.234.567": 0,
        "12,34,56": None,
        "1" * 30: 0,
    }


def test_a_hundred_thousand_numbers_against_as_many_are_not_compared_one_with_one() -> None:
    count = 100_000
    answer = " x ".join("1" + "0" * (number % 40) + ".0" for number in range(count))
    passage = " x ".join("1" + "0" * (40 + number % 40) for number in range(count))
    got = causes_of([Asked(answer, (passage,))])
    assert got.height == count
    assert set(got["cause"]) == {"scale", "separator_dropped"}


def test_answers_without_a_refusal_give_the_columns_all_the_same() -> None:
    got = causes_of([Asked("7", ("7",))])
    assert got.is_empty()
    assert got.columns[-4:] == [column.name for column in CAUSES]
