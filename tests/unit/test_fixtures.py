"""Truth tables are checked whole: what is wrong is named at once, what is right is a lookup."""

import json
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest

from grounding.errors import FixtureError, InputError
from grounding.faults import faults
from grounding.fixtures import BookFixture, Question, load_book_fixture, parse_fixture

GOOD: dict[str, Any] = {
    "fixture_id": "Glass Harbor \u00e9",
    "title": "A book",
    "facts": [
        {"fact_id": "Founding.Year", "values": ["1911"], "statement": "Founded in 1911."},
        {"fact_id": "keeper_1", "values": ["Ada  Lumen", "Lumen, Ada"]},
    ],
    "negative_facts": [
        {"negative_fact_id": "Harbor-Fire", "statement": "It never burned."},
        {"negative_fact_id": "flood"},
    ],
    "questions": [
        {
            "question_id": "Q1",
            "prompt": "When?",
            "facts": ["KEEPER_1", "founding.year"],
            "negative_facts": ["harbor-fire"],
            "inputs": ["founding.year"],
        },
        {"question_id": "q1"},
    ],
    "passages": ["", "It was founded in 1911."],
}


def parsed(document: Any) -> BookFixture:
    return parse_fixture(json.dumps(document), "book.json")


def refused(text: str | bytes) -> tuple[str, ...]:
    with pytest.raises(FixtureError) as error:
        parse_fixture(text, "book.json")
    assert error.value.exit_code == 3
    assert all(fault.startswith("book.json: ") for fault in error.value.faults)
    return tuple(fault.removeprefix("book.json: ") for fault in error.value.faults)


def test_a_good_fixture_keeps_values_as_written_under_folded_ids() -> None:
    book = parsed(GOOD)
    assert faults(GOOD) == ()
    assert book.fixture_id == "Glass Harbor \u00e9"
    assert book.title == "A book"
    assert dict(book.facts) == {
        "founding.year": ("1911",),
        "keeper_1": ("Ada  Lumen", "Lumen, Ada"),
    }
    assert dict(book.negative_facts) == {"harbor-fire": "It never burned.", "flood": None}
    facts, missing = ("keeper_1", "founding.year"), ("harbor-fire",)
    assert book.questions == (
        Question("Q1", "When?", facts, missing, ("founding.year",)),
        Question("q1"),
    )
    assert book.passages == ("", "It was founded in 1911.")


def test_values_are_accepted_in_any_spelling_that_normalises_alike() -> None:
    book = parsed(GOOD)
    assert book.accepts("KEEPER_1", " ada lumen")
    assert book.accepted["keeper_1"] == {"ada lumen", "lumen, ada"}
    assert not book.accepts("founding.year", "ada lumen")
    assert not book.accepts("nobody", "1911")


def test_questions_are_found_by_their_id_as_it_is() -> None:
    book = parsed(GOOD)
    assert book.question("Q1").prompt == "When?"
    assert book.question("q1").prompt is None
    with pytest.raises(InputError, match="has no question 'q2', but Q1, q1"):
        book.question("q2")


def test_a_fixture_built_from_plain_values_is_the_one_of_a_file() -> None:
    facts, missing = ("KEEPER_1", "founding.year"), ("harbor-fire",)
    built = BookFixture.build(
        "Glass Harbor \u00e9",
        {"Founding.Year": ("1911",), "keeper_1": ["Ada  Lumen", "Lumen, Ada"]},
        {"Harbor-Fire": "It never burned."},
        [Question("Q1", "When?", facts, missing, ("founding.year",)), Question("q1")],
        "A book",
        ("", "It was founded in 1911."),
    )
    assert built == parsed(GOOD | {"negative_facts": GOOD["negative_facts"][:1]})


def test_a_fixture_built_from_plain_values_is_checked_like_a_file() -> None:
    wrong: Any = {"a": "1911", "b": [1911], "c": [], "d": None}
    with pytest.raises(FixtureError) as error:
        BookFixture.build("x", wrong, "fire", [Question("q", facts=("e",))], passages="text")
    assert error.value.faults == (
        "fixture 'x': facts[0].values: a text; wanted a list of texts",
        "fixture 'x': facts[1].values[0]: a number; wanted a text",
        "fixture 'x': facts[3].values: null; wanted a list of texts",
        "fixture 'x': negative_facts: a text; wanted a list of objects",
        "fixture 'x': passages: a text; wanted a list of texts",
        "fixture 'x': facts[2].values: empty; wanted at least one accepted value",
        "fixture 'x': questions[0].facts[0]: 'e' is no fact of this fixture",
    )


def test_nothing_in_a_fixture_can_be_changed() -> None:
    book: Any = parsed(GOOD)
    with pytest.raises(FrozenInstanceError):
        book.fixture_id = "y"
    for table in (book.facts, book.negative_facts, book.accepted):
        with pytest.raises(TypeError):
            table["new"] = ()
    with pytest.raises(FrozenInstanceError):
        book.questions[0].prompt = ""


def test_all_faults_are_named_at_once_each_with_its_place() -> None:
    document = {
        "fixture_id": "",
        "titel": "x",
        "facts": [
            {"fact_id": "a b", "values": ["1"]},
            {"fact_id": "Year", "values": [], "value": "1911"},
            {"fact_id": "YEAR", "values": ["1", "\u00a0 \u3000"]},
            {"fact_id": "caf\u00e9", "values": ["1"]},
            {"fact_id": "line\n", "values": ["1"]},
            {"values": ["1"]},
            "fact",
        ],
        "negative_facts": [{"negative_fact_id": "year"}, {"negative_fact_id": ""}],
        "questions": [
            {"question_id": "", "facts": ["year", "fire"], "negative_facts": ["YEAR", "year "]},
            {"question_id": "q", "inputs": ["nothing"], "prompt": 1},
            {"question_id": "q"},
        ],
        "passages": ["x", None],
    }
    wanted = "wanted ASCII letters, digits, '_', '.' and '-'"
    rule = "an id names one fact or one negative fact, whatever its case"
    assert refused(json.dumps(document)) == (
        "unknown key 'titel'; wanted fixture_id, title, facts, negative_facts, questions, passages",
        "facts[1]: unknown key 'value'; wanted fact_id, values, statement",
        "facts[5]: no key 'fact_id'; it must be there",
        "facts[6]: a text; wanted an object",
        "questions[1].prompt: a number; wanted a text",
        "passages[1]: null; wanted a text",
        "fixture_id: empty; wanted a name",
        f"facts[0].fact_id: 'a b' is no id; {wanted}",
        f"facts[2].fact_id: 'YEAR' is facts[1].fact_id already; {rule}",
        f"facts[3].fact_id: 'caf\u00e9' is no id; {wanted}",
        f"facts[4].fact_id: 'line\\n' is no id; {wanted}",
        f"negative_facts[0].negative_fact_id: 'year' is facts[1].fact_id already; {rule}",
        f"negative_facts[1].negative_fact_id: '' is no id; {wanted}",
        "facts[1].values: empty; wanted at least one accepted value",
        "facts[2].values[1]: '\\xa0 \\u3000' is empty once normalised; wanted a value",
        "questions[0].question_id: empty; wanted a name",
        "questions[2].question_id: 'q' is questions[1].question_id already; wanted one of each",
        "questions[0].facts[1]: 'fire' is no fact of this fixture",
        "questions[0].negative_facts[1]: 'year ' is no negative fact of this fixture",
        "questions[1].inputs[0]: 'nothing' is no fact of this fixture",
    )


@pytest.mark.parametrize("value", [1911, 19.11, True, None, ["1911"], {"value": "1911"}])
def test_a_value_that_is_no_text_is_refused(value: Any) -> None:
    # 1.500 as a number would be 1.5: values are text, or not at all.
    (fault,) = faults({"fixture_id": "x", "facts": [{"fact_id": "a", "values": [value]}]})
    assert fault.startswith("facts[0].values[0]: ")
    assert fault.endswith("; wanted a text")


@pytest.mark.parametrize("key", ["facts", "negative_facts", "questions", "passages"])
@pytest.mark.parametrize("value", ["x", 1, {}, None])
def test_a_list_that_is_none_is_refused(key: str, value: Any) -> None:
    assert any(fault.startswith(f"{key}: ") for fault in faults(GOOD | {key: value}))


@pytest.mark.parametrize("text", ["[]", "1", "null", '"x"', "true"])
def test_a_document_that_is_no_object_is_refused(text: str) -> None:
    (fault,) = refused(text)
    assert fault.endswith("; wanted an object")


def test_keys_that_stand_twice_in_one_object_are_refused() -> None:
    text = '{"fixture_id": "x", "facts": [{"fact_id": "a", "values": ["1"], "values": ["2"]}]}'
    assert refused(text) == ("facts[0]: the key 'values' stands there more than once; keep one",)
    text = '{"facts": [], "fixture_id": "x", "facts": []}'
    assert refused(text) == ("the key 'facts' stands there more than once; keep one",)


def test_a_lone_surrogate_is_refused_wherever_it_stands() -> None:
    text = (
        '{"fixture_id": "x", "facts": [{"fact_id": "a", "values": ["\\ud83d"]}],'
        ' "passages": ["\\ude00 \\ud83d\\ude00"], "\\udfff": 1}'
    )
    found = refused(text)
    assert "facts[0].values[0]: holds the lone surrogate U+D83D" in found[0]
    assert "passages[0]: holds the lone surrogate U+DE00" in found[1]
    assert found[2].startswith("unknown key '\\udfff'")
    for fault in found:
        fault.encode()  # a fault can always be printed
    assert parsed(GOOD | {"passages": ["\U0001f600"]}).passages == ("\U0001f600",)


def test_what_is_not_utf_8_is_refused_with_its_offset() -> None:
    assert refused(b'{"title": "caf\xe9"}') == (
        "not UTF-8: byte 0xE9 at offset 14; save the file as UTF-8",
    )
    assert "not UTF-8: byte 0xFF at offset 0" in refused("\ufeff{}".encode("utf-16-le"))[0]
    marked = b"\xef\xbb\xbf" + json.dumps(GOOD).encode()
    assert parse_fixture(marked, "book.json") == parsed(GOOD)


def test_what_is_not_json_is_refused_with_line_and_column() -> None:
    assert refused('{\n  "facts": [,]\n}') == ("not JSON: Expecting value at line 2, column 13",)
    assert "not JSON" in refused("")[0]


def test_deep_nesting_and_long_numbers_are_refused_and_do_not_crash() -> None:
    for text in ("[" * 200_000, "[" * 900 + "]" * 900, '{"facts": ' + "9" * 5000 + "}"):
        assert refused(text)
    deep = '{"fixture_id": "x", "facts": [], "more": ' + "[" * 400 + "]" * 400 + "}"
    assert refused(deep) == (
        "unknown key 'more'; wanted fixture_id, title, facts, negative_facts, questions, passages",
    )


def test_a_long_text_is_cut_in_a_fault() -> None:
    (fault,) = faults({"fixture_id": "x", "facts": [{"fact_id": "!" * 10**6, "values": ["1"]}]})
    assert len(fault) < 200


def test_a_file_that_cannot_be_read_is_refused_with_its_path(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.json", tmp_path):
        with pytest.raises(FixtureError, match="cannot be read") as error:
            load_book_fixture(path)
        assert str(path) in str(error.value)


def test_a_file_is_loaded_by_path_or_its_spelling(tmp_path: Path) -> None:
    file = tmp_path / "book.json"
    file.write_text(json.dumps(GOOD), encoding="utf-8")
    assert load_book_fixture(file) == load_book_fixture(str(file)) == parsed(GOOD)


def test_the_bundled_book_is_glass_harbor() -> None:
    book = load_book_fixture()
    assert book.fixture_id == "glass-harbor"
    assert len(book.facts) >= 25
    assert len(book.negative_facts) == 10
    assert len(book.questions) == 10
    assert book.passages
