"""Advice on supported numbers: what is said, where, and what it is compared with."""

import re

import polars as pl
import pytest

from grounding.advice import advice
from grounding.advice.spellings import longest_first, symbols, words
from grounding.advice.texts import after, before, number_places, spots
from grounding.causes import Passages
from grounding.holders import evidence_tokens, n_listed_numbers
from grounding.units import Spelling, parsed_units, shipped_units
from tests.property.advice_rows import Asked
from tests.property.advice_side_by_side import STEPS, vectorised


def findings(answer: str, *passages: str) -> list[tuple[object, ...]]:
    """Kind, text, nearest and passage of each finding."""
    found = vectorised([Asked(answer, passages, False)]).findings
    assert all(answer[one[3] : one[4]] == one[2] for one in found)
    return [(one[1], one[2], *one[5:]) for one in found]


def test_a_unit_that_no_passage_gives_the_number_is_a_mismatch() -> None:
    wanted = [("qualifier_mismatch", "5 mg", "5 g", 1)]
    assert findings("Take 5 mg.", "Take 5 g.") == wanted
    assert findings("Take 5 mg.", "Take 5 g.", "or 5\nmg") == []
    assert findings("Take 5.", "Take 5 g.") == []


@pytest.mark.parametrize(
    ("answer", "evidence"),
    [
        ("$35M", "35% of them"),
        ("12 giờ", "12 ngày"),
        ("5 mg/kg/lần", "5 mg/kg/ngày"),
        ("-5", "5"),
        ("5", "it fell to -5"),
        ("\u22125", "5"),
        ("3rd", "3"),
        ("thứ 3", "3"),
        ("5 million", "5 billion"),
        ("5 mg", "5 mg/kg"),
    ],
)
def test_what_an_answer_adds_or_changes_is_a_mismatch(answer: str, evidence: str) -> None:
    assert [one[:2] for one in findings(answer, evidence)] == [("qualifier_mismatch", answer)]


@pytest.mark.parametrize(
    ("answer", "evidence"),
    [
        ("5 mcg", "5 \u00b5g"),
        ("5 \u03bcg", "5 \u00b5g"),
        ("100 IU", "100 đơn vị"),
        ("15 mg", "15 mg per day"),
        ("5 mg", "take 5, 10 or 15 mg"),
        ("$10", "$5-10"),
        ("-5", "(5)"),
        ("5 million", "(in millions) 5"),
        ("4-6", "4 to 6"),
        ("August 13", "August 13th"),
        ("12 nga\u0300y", "12 ngày"),
    ],
)
def test_what_evidence_says_in_another_way_agrees(answer: str, evidence: str) -> None:
    assert findings(answer, evidence) == []


@pytest.mark.parametrize("quantity", ["½", "10⁶", "1½", "1e6", "2^6", "1/2", "7·5", "40 000"])
def test_a_quantity_that_is_not_read_whole_is_told_unless_a_passage_holds_it(quantity: str) -> None:
    answer = f"It is {quantity}."
    assert findings(answer, "1 2 6 7 10 5 40 000x") == [("unread_numeral", quantity, None, None)]
    assert findings(answer, f"Said to be {quantity}; 1 2 6 7 10 5 40") == []


def test_number_words_are_compared_folded() -> None:
    assert findings("Two hundred", "two-hundred of them") == []
    assert findings("two", "twofold") == [("unread_numeral", "two", None, None)]


def test_a_number_that_only_other_passages_hold_names_the_one_to_cite() -> None:
    assert findings("It is 7 [1].", "8", "7") == [
        ("not_in_nearest_citation", "7", None, 2),
        ("supported_but_not_cited", "7", None, 2),
    ]


def test_the_nearest_citation_is_the_next_run_on_the_line_else_the_last_before() -> None:
    passages = ("7", "8", "9")
    assert findings("7 [2], [1]. 8 [2]\n[3] is 9", *passages) == []
    assert findings("7 [2]\n[1] 8", *passages) == [
        ("not_in_nearest_citation", "7", None, 1),
        ("not_in_nearest_citation", "8", None, 2),
    ]
    assert findings("7\n[2] [1]", *passages) == []


def test_counts_and_traces_are_told_of_each_answer() -> None:
    rows = [
        Asked("7 and 8 [1].", ("7 7", "8"), False),
        Asked("7 [9]", ("7",), False),
        Asked("none", ("1 2",), False),
    ]
    said = vectorised(rows)
    assert said.counts == [
        (0, 0, 1, 0, 1, False, 2),
        (1, 0, 1, 0, 1, False, 1),
        (2, 0, 0, 0, 0, None, None),
    ]
    assert said.traces[:2] == [(0, "7", 0, 1, True, [1], True), (0, "8", 6, 7, True, [2], False)]


def test_offsets_are_those_of_the_answer_behind_markers_annotations_and_reasoning() -> None:
    whole = "think 5 </think>[12] é [input:9] 5[1]mg"
    answers = pl.LazyFrame(
        {
            "row": [0],
            "answer": [whole],
            "annotated": [True],
            "n_citations": [2],
            "cited_indices": [[1]],
            "n_unsupported_numbers": [0],
            "n_invalid_citations": [1],
        }
    )
    held = pl.LazyFrame({"row": [0], "position": [1], "token": ["5"]})
    passages = Passages(
        pl.LazyFrame({"row": [0], "position": [1], "passage": [0]}),
        pl.LazyFrame({"passage": [0], "text": ["[3] 5[4]g"]}),
    )
    found = advice(answers, held, passages, STEPS, "</think>").findings.collect().rows()
    assert [one[1:] for one in found] == [("qualifier_mismatch", "5[1]mg", 33, 39, "5[4]g", 1)]
    assert whole[33:39] == "5[1]mg"


def test_a_table_of_a_user_adds_its_units() -> None:
    table = parsed_units("furlong | length | en | fur | -", "mine.txt", shipped_units())
    said = Asked("5 fur", ("5 mg",), False)
    assert vectorised([said]).findings == []
    assert [one[2] for one in vectorised([said], units=table).findings] == ["5 fur"]


def test_spellings_match_every_text_of_their_normal_form_and_no_other() -> None:
    ngay, kg = re.compile(words(["ngày"], " ")), re.compile(symbols(["kg"], " "))
    texts = ["ngày", "NGÀY", "nga\u0300y", "Nga\u0300Y", "ngay", "ng\u00e1y"]
    assert [bool(ngay.fullmatch(text)) for text in texts] == [True] * 4 + [False] * 2
    assert [bool(kg.fullmatch(t)) for t in ("kg", "KG", "\u212ag")] == [True, False, False]
    assert re.fullmatch(words(["dose", "doses"], " "), "do\u017fe\u017f")


def test_the_longest_spelling_that_ends_a_word_is_found() -> None:
    ones = [Spelling(text, text, "mass", True) for text in ("m", "mm", "mm Hg", "%")]
    found = pl.Series(["mm Hg;", "mm Hgx", "mmx", "%x"]).str.extract_all(
        f"^{longest_first(ones, ' ')}"
    )
    assert found.to_list() == [["mm Hg;"], ["mm "], [], ["%x"]]


def test_places_and_windows_are_whole_characters() -> None:
    frame = pl.LazyFrame({"text": ["é5 😀7"]}).pipe(number_places).collect()
    assert frame.select("token", "b0", "b1", "c0", "c1", "gap_before", "gap_after").rows() == [
        ("5", 2, 3, 1, 2, "é", " 😀"),
        ("7", 8, 9, 4, 5, " 😀", ""),
    ]
    windows = frame.select(before(pl.col("b0"), 1).alias("b"), after(pl.col("b1"), 2)).rows()
    assert windows == [("\n", " 😀\0"), ("\n", "\0")]


def test_spots_know_what_stands_beside_them() -> None:
    found = pl.LazyFrame({"text": ["a1\x1fb22", "3"]}).pipe(spots, "[0-9]").collect()
    assert found.select("token", "b0", "c1", "ahead", "behind").rows() == [
        ("1", 1, 2, "a", "\x1eb"),
        ("2", 4, 5, "b", "2\0"),
        ("2", 5, 6, "2", "\0"),
        ("3", 0, 1, "\n", "\0"),
    ]


def test_evidence_tokens_are_those_of_all_passages_and_never_cross_two() -> None:
    lists = [["1.", "5"], ["[1", "2]"], ["[1]", "7 [8] 7\x1f9"], [], [""], None, ["[input:3]"]]
    frame = pl.DataFrame({"passages": lists}, schema={"passages": pl.List(pl.String)})
    got = frame.select(tokens=evidence_tokens(pl.col("passages")))
    told = [None if one is None else " ".join(one).replace("\x1f", "|") for one in got["tokens"]]
    assert told == ["| 1 | 5", "| 1 | 2", "| | 7 7 9", "", "|", None, "| 3"]
    counted = got.select(n_listed_numbers(pl.col("tokens"))).to_series()
    assert counted.to_list() == [2, 2, 2, 0, 0, None, 1]
