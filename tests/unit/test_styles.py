"""Citation styles: what each pattern takes, what it leaves, and that none of them can be slow."""

import time

import polars as pl
import pytest

from grounding.digits import ZEROS
from grounding.styles import STYLES, Style, citation_groups

# style → citations of it, and what looks like one and is no citation of any style.
POSITIVE = {
    "markdown_link": ["[1](https://a.b/c?d=e#f)", "[٣](x)", "[12]()"],
    "zero_based": ["[0]", "[000]", "[٠]", "[０]"],
    "plain": ["[1]", "[007]", "[10]", "[٣]", "[१२]"],
    "padded": ["[ 2 ]", "[2 ]", "[ 2]", "[\u00a02\u00a0]", "[  ٢\t]"],
    "list": ["[1, 2]", "[1,2]", "[1;2;3]", "[ 1 , 2 ]", "[١, ٢]"],
    "wide_list": ["[1，2]", "[1、2、3]", "[1, 2；3]", "[٣،٤]", "[１，２]"],
    "range": ["[1-4]", "[1–4]", "[1 — 4]", "[1-3, 7]", "[1, 3-5，9]", "[1~4]"],
    "footnote": ["[^7]", "[^7^]", "[^٧]"],
    "caret": ["^1^", "^1,2^", "^1-3^", "^ 1 ^"],
    "lenticular": ["【10:13†source】", "【3】", "【13†L5-L9】", "【4:0†a b.pdf】"],
    "labelled": [
        "[ID:3]",
        "[id: 3]",
        "[Source 2]",
        "[doc_4]",
        "[Ref-1]",
        "[ID:1, ID:2]",
        "[doc#1,2]",
    ],
    "double_bracket": ["[[REF:2]]", "[[Doc 2]]", "[[ID: 1, 2]]"],
    "author_year": [
        "(Smith et al., 2020)",
        "(Nguyễn, 2019a)",
        "(Liu & Đỗ 1998; O’Neil, 2001b)",
    ],
}
NEGATIVE = {
    "markdown_link": ["[one](https://a.b/1)", "[](1)"],
    "zero_based": ["[]", "0"],
    "plain": ["[a]", "(1)", "1", "{1}", "[1", "1]", "[.1]", "[1.5]", "[²]", "[Ⅳ]"],
    "padded": ["[ ]", "[ 2 quoted words ]", "[ 2\n]"],
    "list": ["[1, ]", "[,1]", "[1, two]", "(1, 2)", "[1, 2", "[1,\n2]"],
    "wide_list": ["[，]", "（1，2）", "[1，]"],
    "range": ["[-4]", "[1-]", "[a-4]", "1-4", "[2020-01-x]"],
    "footnote": ["[^a]", "[^]", "[7^]"],
    "caret": ["x^2", "2^10^3", "10^6^", "2^6^", "^2", "^a^", "^^"],
    "lenticular": ["【source】", "【】", "【†1】", "【1:】", "【1\n】"],
    "labelled": ["[input:3]", "[assert:id=3]", "[unsupported:3]", "[Figure 3]", "[ID:]", "[ID:x]"],
    "double_bracket": ["[[Figure 3]]", "[[input:3]]", "[[REF:x]]"],
    "author_year": [
        "(March, 2020)",
        "(May 2019)",
        "(in 2020)",
        "(2020)",
        "(Smith, 20)",
        "(a 1999)",
    ],
}


def groups(*texts: str, n_passages: int | None = 99) -> list[tuple[str, str, bool]]:
    rows = pl.LazyFrame(
        {"row": range(len(texts)), "answer": texts, "n_passages": [n_passages] * len(texts)},
        {"row": pl.Int64, "answer": pl.String, "n_passages": pl.Int64},
    )
    return citation_groups(rows).select("style", "text", "in_range").collect().rows()


def found(text: str) -> list[tuple[str, str]]:
    return [(style, match) for style, match, _ in groups(text)]


def test_every_style_is_tried_both_ways() -> None:
    names = [style.name for style in STYLES]
    assert list(POSITIVE) == list(NEGATIVE) == names
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.name)
def test_a_style_takes_its_citations_whole_and_no_other_style_does(style: Style) -> None:
    for text in [style.example, *POSITIVE[style.name]]:
        assert found(text) == [(style.name, text)]
        assert found(f"Words{text}, and more.") == [(style.name, text)]
        assert found(f"{text}{text}") == [(style.name, text)] * 2


@pytest.mark.parametrize(
    ("style", "text"), [(name, text) for name, texts in NEGATIVE.items() for text in texts]
)
def test_what_only_looks_like_a_citation_is_none(style: str, text: str) -> None:
    assert found(text) == []
    assert found(f"Words {text} and more.") == []


def test_citations_come_in_order_and_each_stretch_counts_once() -> None:
    text = "One [1, 2] two [3] three [4](x) four [[REF:5]] five [^6]."
    assert found(text) == [
        ("list", "[1, 2]"),
        ("plain", "[3]"),
        ("markdown_link", "[4](x)"),
        ("double_bracket", "[[REF:5]]"),
        ("footnote", "[^6]"),
    ]


def test_a_number_in_double_brackets_is_the_marker_that_the_rule_reads() -> None:
    assert found("[[2]]") == [("plain", "[2]")]


def test_numbers_that_name_no_passage_are_out_of_range() -> None:
    texts = ["[1998, 2002]", "[1, 2]", "[0, 3]", "[1-4]", "[1, 99999999999999999999]"]
    assert [in_range for *_, in_range in groups(*texts, n_passages=3)] == [
        False,
        True,
        True,
        False,
        False,
    ]
    assert groups("[1, 2]", n_passages=None) == [("list", "[1, 2]", False)]
    assert groups("[٣, ٤]", n_passages=4) == [("list", "[٣, ٤]", True)]


def test_all_pinned_digits_are_digits_here_and_nothing_else_is() -> None:
    digits = [chr(zero + value) for zero in ZEROS for value in range(10)]
    assert found(" ".join(f"[{d}, {d}]" for d in digits)) == [
        ("list", f"[{d}, {d}]") for d in digits
    ]
    # Decimal digits of Unicode 17, and numerals that are no decimal digits.
    assert found("[\U00011de0, \U00011de1] [Ⅳ, Ⅴ] [½, ½]") == []


def test_null_and_empty_answers_have_no_citation() -> None:
    rows = pl.LazyFrame(
        {"row": [0, 1], "answer": [None, ""], "n_passages": [1, 1]},
        {"row": pl.Int64, "answer": pl.String, "n_passages": pl.Int64},
    )
    assert citation_groups(rows).collect().is_empty()


OPENINGS = [
    *("[1](a", "[1](Aaaa ", "(", "(A", "(Aa, 2020; ", "^1,", "1^1", "1^", "【1†", "【1:", "[1,"),
    *("[1，", "[1-", "[id", "[[ID:", "[[", "[ ", "[^1", "[1 ", "(A 2020; A"),
]


@pytest.mark.parametrize("opening", OPENINGS)
def test_a_million_openings_are_read_in_linear_time(opening: str) -> None:
    texts = [opening * (1_000_000 // len(opening))]
    texts += [opening + tail * 300_000 for tail in ("1", "A", " ", ",1", "A, ")]
    started = time.process_time()
    groups(*texts)
    assert time.process_time() - started < 20  # under 1 s measured; quadratic time would be hours
