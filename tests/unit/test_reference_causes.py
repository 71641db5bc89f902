"""Causes of a refusal, one answer at a time: what the table's examples leave open."""

import random
import re
import time

import polars as pl
import pytest

from grounding.reference.causes import Explained, explained
from grounding.reference.places import SYNTAX, Answer, cited_otherwise
from grounding.reference.readings import readings
from grounding.styles import CITATION, STYLES, style_of


def only(answer: str, *evidence: str, question: str | None = None) -> Explained:
    """The first refused token of an answer."""
    return explained(answer, evidence, question=question)[0]


def causes(answer: str, *evidence: str, question: str | None = None) -> list[str]:
    """The cause of each refused token of an answer."""
    return [each.cause for each in explained(answer, evidence, question=question)]


def test_all_causes_that_hold_are_listed_in_order() -> None:
    got = only("1. 7,5 mg", "x 7.5 75")
    assert got.text == "1"
    got = explained("7,5 mg", ["7.5", "75"])[0]
    assert got.causes == ("separator_swapped", "separator_dropped", "scale")
    assert (got.cause, got.nearest, got.passage) == ("separator_swapped", "7.5", 1)


def test_nearest_is_the_first_for_which_the_cause_holds_by_passage_then_place() -> None:
    got = only("7,5", "none", "75 and 7.5", "7.5")
    assert (got.nearest, got.passage) == ("7.5", 2)
    got = only("7,5", "no", "75 750 ７.５ 7.5")
    assert (got.cause, got.nearest, got.passage) == ("separator_swapped", "７.５", 2)


def test_markers_of_evidence_hold_no_number_and_join_none() -> None:
    assert "split_in_evidence" not in only("40000", "40 [1]000 and [2] 40[3] 000").causes
    assert causes("12", "[12,345]") == ["part_of_longer"]


@pytest.mark.parametrize(
    ("answer", "evidence", "nearest"),
    [
        ("40.000", "40 000", "40 000"),
        ("1,234,567.5", "1 234\u00a0567.5 x", "1 234\u00a0567.5"),
        ("1234567", "1 234 567", "1 234 567"),
        ("1,234,567", "1, 234,567", "1, 234,567"),
        ("٤٠٠٠٠", "40 000", "40 000"),
    ],
)
def test_a_number_cut_in_the_evidence_is_found(answer: str, evidence: str, nearest: str) -> None:
    got = only(answer, evidence)
    assert (got.cause, got.nearest) == ("split_in_evidence", nearest)


@pytest.mark.parametrize(
    ("answer", "evidence"),
    [
        ("40000", "40  000"),
        ("40000", "40 0000"),
        ("40000", "A40 000"),
        ("40000", "7 40 000"),
        ("40000", "40 000 123"),
        ("40000", "40 000,123"),
        ("1,234", "1,\n234"),
        ("1.234", "1, 234"),
    ],
)
def test_what_is_no_cut_number_is_none(answer: str, evidence: str) -> None:
    assert "split_in_evidence" not in only(answer, evidence).causes


@pytest.mark.parametrize(
    ("answer", "evidence", "nearest"),
    [
        ("2", "between two and three", "two"),
        ("3", "between two and three", "three"),
        ("105", "One hundred and five men", "One hundred and five"),
        ("21", "the Twenty\u2011First day", "Twenty\u2011First"),
        ("43", "the forty - third", "forty - third"),
        ("2008", "on January eighteenth two thousand eight", "two thousand eight"),
        ("18", "on January eighteenth two thousand eight", "eighteenth"),
        ("1979", "in nineteen seventy nine", "nineteen seventy nine"),
        ("2", "hai năm sau", "hai"),
        ("2", "thứ hai", "hai"),
        ("25", "hai mươi lăm", "hai mươi lăm"),
        ("25", "hai mươi lăm".replace("ư", "u\u031b"), "hai mu\u031bơi lăm"),
    ],
)
def test_number_words_are_read(answer: str, evidence: str, nearest: str) -> None:
    got = only(answer, evidence)
    assert (got.cause, got.nearest) == ("number_word", nearest)


@pytest.mark.parametrize(
    ("answer", "evidence"),
    [
        ("2", "two thirds"),
        ("40", "the forty - third"),
        ("2", "two dozen"),
        ("2", "two point five"),
        ("5", "two point five"),
        ("2", "5 two"),
        ("2", "two\u00a05"),
        ("2", "twos two's"),
        ("2.0", "two"),
        ("02", "two"),
        ("1", "one first"),
        ("5", "năm"),
        ("20", "hai mươi mốt"),
        ("2", "second due"),
        ("25", "hai mươi năm"),
    ],
)
def test_what_spells_another_number_is_no_number_word(answer: str, evidence: str) -> None:
    assert "number_word" not in only(answer, evidence).causes


def test_two_lists_in_a_line_and_markers_before_the_dot_are_list_markers() -> None:
    assert causes("By: 1. a 2. b 3. c Also 1. d 2. e 9. f") == ["list_marker"] * 5 + ["absent"]
    assert causes("1[1]. a\n2[1]) b", "x") == ["list_marker", "list_marker"]
    assert causes("(1) a (2) b, 1) c") == ["list_marker", "list_marker", "absent"]


@pytest.mark.parametrize(
    "line", ["1. a", "  > - 1) a", "(1) a", "**1.** a", "**1)**\ta", "**1**. a", "## 1. a"]
)
def test_ordinals_that_open_a_line_are_list_markers(line: str) -> None:
    assert causes(f"a\r{line}") == ["list_marker"]


@pytest.mark.parametrize("line", ["1.", "1. \nb", "a 1. b", "1.5 a", "1234. a", "1: a", "-1. a"])
def test_other_numbers_are_no_list_markers(line: str) -> None:
    assert "list_marker" not in causes(line)


@pytest.mark.parametrize("name", ["B12", "CoV-2", "Ω‑3", "ж5", "FY2022"])
def test_a_number_right_behind_a_letter_is_part_of_a_name(name: str) -> None:
    assert causes(name) == ["identifier"]


@pytest.mark.parametrize("text", ["5mg", "µ5", "年5", "a--5", "a –5", "a 5", "nº5"])
def test_a_number_behind_anything_else_is_not(text: str) -> None:
    assert causes(text) == ["absent"]


def test_precision_needs_digits_that_tell_something() -> None:
    assert only("3.1", "3.14").cause == only("3.14", "3.1").cause == "precision"
    assert only("15", "15.5").cause == only("16", "15.5").cause == "precision"
    assert "precision" not in only("15.5", "16").causes
    assert "precision" not in only("5", "5.3").causes
    assert "precision" not in only("3.2", "3.14").causes
    assert "precision" not in only("3.14", "3.140").causes


@pytest.mark.parametrize(
    ("answer", "evidence", "nearest"),
    [
        ("579", "123 456", "123 + 456"),
        ("333", "123 456", "123 - 456"),
        ("270.6", "1.23 220", None),
        ("0.27", "123 456", None),
        ("3.71", "123 456", None),
        ("3.707", "1.23 4.56", None),
        ("3.7073", "123 456", "456 / 123"),
        ("26.97", "123 456", "100 * 123 / 456"),
        ("270.73", "123 456", "100 * (456 - 123) / 123"),
    ],
)
def test_a_number_that_two_others_give_is_derived(
    answer: str, evidence: str, nearest: str | None
) -> None:
    got = only(answer, evidence)
    assert (got.nearest if "derived" in got.causes else None) == nearest


def test_only_the_first_sixty_four_numbers_are_tried() -> None:
    evidence = " ".join(str(n) for n in range(1001, 1064)) + " 5001 7000"
    assert only("6002", evidence).nearest == "1001 + 5001"
    assert "derived" not in only("8001", evidence).causes


def test_annotations_are_no_text_where_they_are_graded() -> None:
    answer = "x[input:3]2 and 5 [assert:a=1] 9"
    assert [e.text for e in explained(answer, [""], annotated=True)] == ["2", "5", "9"]
    assert explained(answer, [""], annotated=True)[0].causes == ("absent",)
    assert all(answer[e.start : e.end] == e.text for e in explained(answer, [""], annotated=True))


def test_places_are_those_of_the_whole_answer() -> None:
    got = explained("7 </think> 8 [4]", [""], graded_after="</think>")
    assert [(e.text, e.start) for e in got] == [("8", 11), ("[4]", 13)]


@pytest.mark.parametrize(
    ("answer", "n_passages", "cause"),
    [
        ("```\na[9]\n```", 1, "code_or_link"),
        ("``a` [9]``", 1, "code_or_link"),
        ("see [9](http://a.b) ", 1, "code_or_link"),
        ("x_[9]", 1, "code_or_link"),
        ("a[0]", 1, "code_or_link"),
        ("word[0]. Then [1].", 2, "zero_based"),
        ("a[9] = 4", 1, "beyond_evidence"),
        ("a[9].next", 1, "code_or_link"),
        ("word[9]. Then", 1, "beyond_evidence"),
        ("so [0] and [1]", 2, "zero_based"),
        ("so [0] and [2]", 2, "beyond_evidence"),
    ],
)
def test_invalid_citations_are_explained(answer: str, n_passages: int, cause: str) -> None:
    got = [e for e in explained(answer, ["4"] * n_passages) if e.kind == "invalid_citation"]
    assert got[0].cause == cause
    assert (got[0].nearest, got[0].passage) == (None, None)


def test_citation_styles_are_those_of_the_table() -> None:
    """The reference spells the patterns again, for a regex that is not linear by itself."""
    assert set(SYNTAX) == {style.name for style in STYLES if style.kind == "syntax"}
    pieces = [*"[]^^【】()", "1", "2", "١", ",", ";", "，", "-", "–", " ", "\u00a0", ":", "†s"]
    pieces += ["[[", "]]", "ID:", "Ref ", "ſrc", "doc#", "\n", "x", *(s.example for s in STYLES)]
    drawn = random.Random(7)
    texts = ["".join(drawn.choices(pieces, k=drawn.randrange(2, 12))) for _ in range(4000)]
    frame = pl.DataFrame({"text": texts}).with_columns(
        match=pl.col("text").str.extract_all(CITATION)
    )
    styles = frame.explode("match").with_columns(style=style_of(pl.col("match")))
    wanted = dict.fromkeys(texts, 0)
    for text, match, style in styles.iter_rows():
        wanted[text] += len(match) if style in SYNTAX else 0
    got = {text: len(cited_otherwise(Answer(text, (), 99, None))) for text in texts}
    assert got == {text: n // texts.count(text) for text, n in wanted.items()}


@pytest.mark.parametrize(
    "answer",
    [
        "9" * 200_000,
        "9." * 100_000 + "9",
        "1" * 5_000 + "," + "2" * 5_000,
        "[" * 100_000 + "1",
        "[id" + " " * 100_000,
        "[1" + " , 1" * 50_000,
        "^1" * 50_000,
        "`" * 99_999 + " [9]",
        "``a" * 30_000 + "[9]",
        "> " * 50_000 + "1. a",
        " " * 100_000 + "1",
        "\n" * 100_000 + "1",
        "a-1" * 30_000,
    ],
    ids=lambda text: text[:6],
)
def test_hostile_answers_take_no_time(answer: str) -> None:
    start = time.process_time()
    explained(answer, ["two " * 20_000, answer + "0", "12 345 " * 10_000])
    assert time.process_time() - start < 20


def test_many_numbers_against_many_take_time_that_grows_with_them() -> None:
    numbers = [f"{n}.{n % 97}" for n in range(20_000)]
    start = time.process_time()
    found = explained(" ".join(numbers), [" ".join(number + "1" for number in numbers)])
    assert time.process_time() - start < 15
    assert len(found) > 18_000


def test_readings_of_long_tokens_are_exact() -> None:
    assert readings("9" * 10_000 + ".5")[0] > readings("9" * 10_000)[0]
    assert only("0" * 9_000 + "7", "7").cause == "zero_padding"
    assert re.fullmatch("9+0", only("9" * 9_000, "9" * 9_000 + "0").nearest or "")
