"""Digests are xxh3-64 of an independent library, and tell texts and lists of texts apart."""

import polars as pl
import pytest

from grounding.digests import digest, list_digest, text_digest

xxhash = pytest.importorskip("xxhash", reason="xxhash holds an independent copy of the digest")

TEXTS = [
    "",
    "a",
    "\0",
    "é",
    "e\u0301",
    "😀",
    "a" * 16,
    "a" * 17,
    "x" * 129,
    "y" * 241,
    "z" * 100_000,
]


def digests(expression: pl.Expr, values: list[object], dtype: pl.DataType) -> list[str | None]:
    frame = pl.DataFrame({"value": values}, schema={"value": dtype})
    return frame.select(expression).to_series().to_list()


def evidence_digest(passages: pl.Expr) -> pl.Expr:
    return list_digest(passages.list.eval(text_digest(pl.element())))


def of_text(text: str) -> str:
    return str(xxhash.xxh3_64_hexdigest(text.encode()))


def of_evidence(passages: list[str]) -> str:
    """The digest of the passages' own, in decimal and joined by commas."""
    each = (str(xxhash.xxh3_64_intdigest(passage.encode())) for passage in passages)
    return of_text(",".join(each))


def test_of_texts_of_every_length_class() -> None:
    wanted = [*map(of_text, TEXTS), None]
    assert digests(digest(pl.col("value")), [*TEXTS, None], pl.String()) == wanted


def test_leading_zeros_are_kept() -> None:
    texts = [text for text in map(str, range(2_000)) if of_text(text).startswith("0")]
    got = digests(digest(pl.col("value")), [*texts], pl.String())
    assert len(texts) > 50
    assert got == list(map(of_text, texts))


def test_of_lists_of_passages() -> None:
    lists = [[], [""], ["", ""], TEXTS, ["a", "b"], ["b", "a"], ["ab"], ["a,b"]]
    got = digests(evidence_digest(pl.col("value")), [*lists, None], pl.List(pl.String()))
    assert got == [*map(of_evidence, lists), None]
    assert len(set(got)) == len(got)


def test_a_slice_of_a_column_has_the_digests_of_its_rows() -> None:
    frame = pl.DataFrame({"value": [["a"], None, ["b", "c"], [], ["d"]]})
    whole = frame.select(evidence_digest(pl.col("value"))).to_series()
    parts = [frame[n : n + 1].select(evidence_digest(pl.col("value"))).item() for n in range(5)]
    assert parts == whole.to_list()
