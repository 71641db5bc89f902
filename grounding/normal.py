"""The normal form of annotation values, as polars expressions (SPEC §2).

NFC, full case folding, NFC again, runs of white space to one space, trimmed; all of Unicode
16.0, whatever version polars brings. Nothing else: NFKC would turn `10²` into `102`.
"""

import polars as pl

from grounding.unicode16 import WHITE_SPACE, case_folding

_ASSIGNED = r"\p{age:16.0}"
_UNASSIGNED = r"[^\p{age:16.0}]"


def normalised(value: pl.Expr) -> pl.Expr:
    """The normal form of each value.

    In: string. Out: string, empty where the value is all white space. Nulls: null where null.
    """
    folded = _nfc(_nfc(value).str.replace_many(case_folding()))
    return folded.str.replace_all(f"[{WHITE_SPACE}]+", " ").str.strip_chars(" ")


def _nfc(text: pl.Expr) -> pl.Expr:
    """NFC of Unicode 16.0.

    polars 2.1 normalises by Unicode 17.0, which reorders 34 marks that 16.0 does not know. A code
    point that 16.0 leaves unassigned is there a starter that composes with nothing, so the text
    is cut at them and only what lies between is normalised. The age of a code point never changes.
    """
    piece = pl.element()
    known = pl.when(~piece.str.contains(f"^{_UNASSIGNED}")).then(piece).str.normalize("NFC")
    return (
        text.str.extract_all(f"{_ASSIGNED}+|{_UNASSIGNED}+")
        .list.eval(pl.coalesce(known, piece))
        .list.join("")
    )
