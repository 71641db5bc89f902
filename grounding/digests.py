"""64-bit digests of texts, to see whether an answer or its evidence changed between runs.

xxh3 by the polars-hash plugin, since polars' own `hash` is not stable over versions. They tell
texts apart; they prove nothing against an adversary, which is what the SHA-256 of the inputs
in the manifest is for. The plugin is imported where it is used: 30 MB that only a run needs.
"""

import polars as pl

from grounding.schema import TEXT, Block, Column

DIGESTS: Block = (
    Column("answer_digest", TEXT, "xxh3-64 of the answer's UTF-8, 16 hex digits", content=True),
    Column(
        "evidence_digest",
        TEXT,
        "xxh3-64 of the passages' own (decimal, joined by commas), 16 hex digits",
        "the answer has no evidence",
        content=True,
    ),
)


def digest(text: pl.Expr) -> pl.Expr:
    """xxh3-64 of each text as 16 hex digits. In: string. Out: string. Nulls: null where null."""
    from polars_hash import BytesNameSpace

    return BytesNameSpace(text_digest(text)).to_be().bin.encode("hex")


def text_digest(text: pl.Expr) -> pl.Expr:
    """xxh3-64 of each text. In: string. Out: uint64. Nulls: null where the text is null."""
    from polars_hash import NonCryptographicHashingNameSpace

    return NonCryptographicHashingNameSpace(text).xxh3_64()


def list_digest(digests: pl.Expr) -> pl.Expr:
    """Digest of each list of passages, made of their digests: each passage is read once.

    In: list of uint64. Out: string, 16 hex digits. Nulls: null where the list is null.
    """
    return digest(digests.cast(pl.List(pl.String)).list.join(","))
