"""What causes need of a passage: its numbers, and numbers that a space cuts into several.

One scan finds the clusters of a passage: numbers that stand by themselves, or with one space
between. What stands in a cluster is found in the cluster, so that a passage is read once.

A mark is of a kind: number, separated (`10, 000`), spaced (`40 000`), and words of `words`.
"""

import polars as pl

from grounding.causes.readings import values
from grounding.digits import digit_class
from grounding.letters import letter_class
from grounding.tokens import MARKER, NUMBER

LETTER = f"[{letter_class()}]"

_D = f"[{digit_class()}]"
_SPACES = " \u00a0\u202f\u2009"
_S = f"[{_SPACES}]"
_CLUSTER = f"{LETTER}?{NUMBER}(?:[.,]?{_S}{NUMBER})*"

# Whole tokens, after each but the last a separator and a space; only the first may be short.
_THREES = f"(?:[.,]{_D}{{3}})*"
_AT_SEPARATORS = f"{_D}{{1,3}}{_THREES}(?:[.,]{_S}{_D}{{3}}{_THREES})+"
_NEXT = f"(?:[.,]?{_S}|$)"

# From the first token of a run on; what follows is no further group of three.
_RUN = f"{LETTER}?{NUMBER}(?:{_S}{NUMBER})*"
_NOT_THREE = f"(?:{_D}{{1,2}}|{_D}{{4,}})"
_NO_MORE = f"(?:$|{_S}{_NOT_THREE}(?:[.,{_SPACES}]|$))"
_AT_SPACES = f"^({_D}{{1,3}}(?:{_S}{_D}{{3}})+(?:[.,]{_NOT_THREE})?){_NO_MORE}"


def passage_clusters(passages: pl.LazyFrame) -> pl.LazyFrame:
    """One row per cluster of numbers, in order.

    In: text string. Out: the other columns, and cluster uint32 (its number), text, as written,
    with the letter that stands directly before it.
    """
    found = pl.col("text").str.extract_all(f"{MARKER}|{_CLUSTER}")
    return (
        passages.with_columns(text=found.list.filter(~pl.element().str.starts_with("[")))
        .explode("text", keep_nulls=False, empty_as_null=False)
        .with_row_index("cluster")
    )


def number_marks(clusters: pl.LazyFrame) -> pl.LazyFrame:
    """One row per number of a cluster, in order.

    In: `passage_clusters`. Out: its columns, and kind, value: the text in ASCII digits.
    """
    return (
        clusters.with_columns(text=pl.col("text").str.extract_all(NUMBER))
        .explode("text", keep_nulls=False, empty_as_null=False)
        .with_columns(kind=pl.lit("number"), value=values(pl.col("text")))
    )


def split_marks(clusters: pl.LazyFrame) -> pl.LazyFrame:
    """One row per number that spaces cut into several, by cluster and place.

    In: `passage_clusters`. Out: its columns, and kind, value: as of `number_marks`, without spaces.
    """
    several = clusters.filter(pl.col("text").str.contains(_S))
    whole = f"{LETTER}?(?:{_AT_SEPARATORS}|{NUMBER}){_NEXT}"
    bare = pl.col("text").str.replace(f"^{LETTER}", "").str.replace(f"[.,]?{_S}$", "")
    separated = (
        several.with_columns(text=pl.col("text").str.extract_all(whole))
        .pipe(_placed)
        .with_columns(text=bare)
        .filter(pl.col("text").str.contains(_S))
        .with_columns(kind=pl.lit("separated"))
    )
    spaced = (
        several.with_columns(text=pl.col("text").str.extract_all(f"{_RUN}|[.,]{_S}"))
        .pipe(_placed)
        .with_columns(text=pl.col("text").str.extract(_AT_SPACES))
        .filter(pl.col("text").is_not_null())
        .with_columns(kind=pl.lit("spaced"))
    )
    joined = values(pl.col("text").str.replace_all(_S, ""))
    return (
        pl.concat([separated, spaced])
        .sort("cluster", "at", "kind")
        .drop("at")
        .with_columns(value=joined)
    )


def _placed(clusters: pl.LazyFrame) -> pl.LazyFrame:
    """One row per piece of a cluster, with the bytes before it as `at`.

    In: text list of string, all pieces of the cluster.
    """
    ends = pl.col("text").list.eval(pl.element().str.len_bytes().cast(pl.Int64).cum_sum())
    return (
        clusters.with_columns(at=ends)
        .explode("text", "at", empty_as_null=False)
        .with_columns(at=pl.col("at") - pl.col("text").str.len_bytes())
    )
