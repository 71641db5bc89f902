"""The table of causes: the order of the specification, and examples that show what they say."""

import pytest

from grounding.causetable import CITATION_CAUSES, NUMBER_CAUSES, WAIVABLE, Cause, Example
from grounding.reference.causes import Explained, explained
from grounding.reference.keys import KEY
from grounding.reference.places import SPAN

CAUSES = NUMBER_CAUSES + CITATION_CAUSES

ORDER = """citation_syntax list_marker digit_script separator_swapped separator_dropped zero_padding
split_in_evidence number_word in_question identifier scale precision part_of_longer derived absent
code_or_link zero_based beyond_evidence""".split()


def named(cause: Cause) -> str:
    return cause.name


def looked_at(example: Example) -> Explained:
    found = explained(example.answer, example.evidence, question=example.question)
    return next(each for each in found if each.text == example.token)


def test_the_order_is_that_of_the_specification() -> None:
    assert [cause.name for cause in CAUSES] == ORDER


def test_what_changes_a_size_and_what_has_no_reason_cannot_be_waived() -> None:
    never = {"separator_swapped", "separator_dropped", "scale", "absent"}
    assert {cause.name for cause in NUMBER_CAUSES} - set(WAIVABLE) == never
    assert not any(cause.waivable for cause in CITATION_CAUSES)


@pytest.mark.parametrize("cause", CAUSES, ids=named)
def test_a_positive_example_has_the_cause(cause: Cause) -> None:
    got = looked_at(cause.positive)
    assert (got.cause, got.nearest) == (cause.name, cause.positive.nearest)
    assert (got.passage is None) == (got.nearest is None)


@pytest.mark.parametrize("cause", CAUSES, ids=named)
def test_a_negative_example_does_not_have_the_cause(cause: Cause) -> None:
    assert cause.name not in looked_at(cause.negative).causes


def test_the_reference_implements_each_cause_in_its_family() -> None:
    families = {family: set[str]() for family in ("SPAN", "KEY", "PAIR", "OWN")}
    for cause in NUMBER_CAUSES:
        families[cause.family].add(cause.name)
    assert (families["SPAN"], families["KEY"]) == (set(SPAN), set(KEY))
    assert (families["PAIR"], families["OWN"]) == ({"derived"}, {"absent"})


def test_a_definition_is_one_line() -> None:
    assert all(c.definition.endswith(".") and len(c.definition) < 100 for c in CAUSES)
