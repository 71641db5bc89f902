"""Why a citation names no passage: code, a link, counting from zero, or out of range."""

import polars as pl

from grounding.causes.hold import Hold
from grounding.causes.texts import mark_places, marks_within, stretches
from grounding.tokens import MARKER, citation_value

_CODE = r"(?s:```.*?```)|``[^\r\n]*?``|`[^`\r\n]+`"
_LINK = rf"{MARKER}\([^()\[\]\r\n]*\)"

CODE_OR_LINK, ZERO_BASED, BEYOND = "code_or_link", "zero_based", "beyond_evidence"


def explained_citations(refused: pl.LazyFrame, answers: pl.LazyFrame, hold: Hold) -> pl.LazyFrame:
    """One row per invalid citation and cause that holds for it: row, start, cause.

    In: refused: row, start, value. answers: row, answer (`texts.graded_text`), n_passages; of
    these rows. A citation for which nothing holds has no row.
    """
    texts = answers.select("row", "answer")
    places = texts.pipe(mark_places).filter(pl.col("text").str.starts_with("[")).pipe(hold)
    value, key = citation_value(pl.col("text")), ["row", "start"]
    cited = places.group_by("row").agg(least=value.min(), most=value.max()).pipe(hold)
    own = refused.join(places, on=key).join(cited, on="row")
    code = pl.concat(
        [
            texts.pipe(stretches, _CODE, "`").pipe(marks_within).select(key),
            texts.pipe(stretches, _LINK, r"\[").select(key),
            own.filter(_is_index()).select(key),
        ]
    )
    shifted = cited.join(answers.select("row", "n_passages"), on="row").filter(
        (pl.col("least") == 0) & (pl.col("most") < pl.col("n_passages"))
    )
    return pl.concat(
        [
            refused.join(code, on=key, how="semi").select(*key, cause=pl.lit(CODE_OR_LINK)),
            refused.join(shifted, on="row", how="semi").select(*key, cause=pl.lit(ZERO_BASED)),
        ]
    )


def _is_index() -> pl.Expr:
    """Whether a marker indexes what stands directly before it: `arr[0]`, `a_[3]`, `x[7].name`.

    A `[0]` behind a word is a citation where the answer cites other passages too.
    """
    before, after = pl.col("before"), pl.col("after")
    number = (before == "") & pl.col("previous").str.contains("[0-9]$")
    glued = before.str.contains("[A-Za-z]$") | number.fill_null(False)
    code = (pl.col("most") == 0) | after.str.contains(r"^(?:=|\.[a-z_])")
    return before.str.ends_with("_") | (glued & code)
