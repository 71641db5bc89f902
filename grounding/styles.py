"""The ways in which answers cite, one documented pattern a style.

The rule reads `[n]` alone (SPEC §1): the numbers of any other style are number tokens to it, and
mostly refused. This table tells such a refusal from an invented number. A pattern is tried where
it starts, the first of the table that matches there wins, and no stretch belongs to two styles.

Every pattern is linear in the text, repeated search included: what may run on without end never
crosses the sign that opens it, so that no stretch is looked at once for each way to begin it.
"""

from dataclasses import dataclass
from typing import Literal

import polars as pl

from grounding.digits import ZEROS, digit_class
from grounding.tokens import MARKER, citation_value

_DIGITS = f"[{digit_class()}]+"
_ZEROS = f"[{''.join(map(chr, ZEROS))}]+"
_BLANKS = "[ \t\u00a0\u202f]"
_GAP = f"{_BLANKS}*"
_DASH = "[-\u2010-\u2015~]"
_WIDE = "[，、；،؛]"
_ITEM = f"{_GAP}{_DIGITS}{_GAP}"
_LABEL = (
    "(?i-u:id|ref|reference|doc|document|source|src|passage|context|chunk|cite|citation|evidence)"
    f"{_GAP}[:#_-]?{_GAP}"
)
_NAME = r"\p{Lu}[\p{L}\p{M}'’.,& -]*[\p{L}.],? (?:1[5-9]|20)[0-9]{2}[a-z]?"
_MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"

Kind = Literal["marker", "syntax", "other"]
"""`marker`: the rule reads it. `syntax`: its numbers name passages, and the rule does not know.
`other`: its numbers name no passage."""


@dataclass(frozen=True, slots=True)
class Style:
    """A way to cite. `example` is one citation, whole."""

    name: str
    kind: Kind
    pattern: str
    meaning: str
    example: str


STYLES = (
    Style(
        "markdown_link",
        "other",
        rf"\[{_DIGITS}\]\([^()\[\]\r\n]*\)",
        "a link whose text is a number; the rule reads its [n]",
        "[1](https://example.org/a)",
    ),
    Style(
        "zero_based", "marker", rf"\[{_ZEROS}\]", "[0], the first of zero-based citations", "[0]"
    ),
    Style("plain", "marker", MARKER, "[n], the style that the rule reads", "[12]"),
    Style(
        "padded",
        "syntax",
        rf"\[(?:{_BLANKS}+{_DIGITS}{_GAP}|{_DIGITS}{_BLANKS}+)\]",
        "one number, with blanks inside the brackets",
        "[ 2 ]",
    ),
    Style(
        "list",
        "syntax",
        rf"\[{_ITEM}(?:[,;]{_ITEM})+\]",
        "several numbers, between commas or semicolons",
        "[1, 2]",
    ),
    Style(
        "wide_list",
        "syntax",
        rf"\[{_ITEM}(?:[,;]{_ITEM})*{_WIDE}{_ITEM}(?:(?:[,;]|{_WIDE}){_ITEM})*\]",
        "several numbers, between full-width commas or semicolons",
        "[1，2]",
    ),
    Style(
        "range",
        "syntax",
        rf"\[{_ITEM}(?:(?:[,;]|{_WIDE}){_ITEM})*{_DASH}{_ITEM}(?:(?:[,;]|{_WIDE}|{_DASH}){_ITEM})*\]",
        "from a number to a number, alone or in a list",
        "[1-4]",
    ),
    Style("footnote", "syntax", rf"\[\^{_DIGITS}\^?\]", "a Markdown footnote", "[^7]"),
    Style(
        "caret",
        "syntax",
        rf"\^{_ITEM}(?:(?:[,;]|{_DASH}){_ITEM})*\^",
        "raised numbers between carets",
        "^1^",
    ),
    Style(
        "lenticular",
        "syntax",
        rf"【{_DIGITS}(?::{_DIGITS})?(?:†[^【】\r\n]*)?】",
        "lenticular brackets, as assistants with file search write them",
        "【10:13†source】",
    ),
    Style(
        "labelled",
        "syntax",
        rf"\[{_LABEL}{_ITEM}(?:[,;]{_GAP}(?:{_LABEL})?{_ITEM})*\]",
        "a word for a passage before the number: ID, REF, DOC, SOURCE, PASSAGE and the like",
        "[ID:3]",
    ),
    Style(
        "double_bracket",
        "syntax",
        rf"\[\[{_LABEL}{_ITEM}(?:[,;]{_GAP}(?:{_LABEL})?{_ITEM})*\]\]",
        "the same in double brackets",
        "[[REF:2]]",
    ),
    Style(
        "author_year",
        "other",
        rf"\({_NAME}(?:; ?{_NAME})*\)",
        "names and a year in parentheses; the rule reads the year as a number",
        "(Smith et al., 2020)",
    ),
)

_NONE = (rf"{_DIGITS}(?:\^{_DIGITS})+\^?", rf"\({_MONTH}\.?,? [0-9]{{4}}\)")
"""What looks like a citation and is taken for none: a power, also as `10^6^`; `(March, 2020)`."""

CITATION = "|".join([*_NONE, *(style.pattern for style in STYLES)])
"""Any citation, or what looks like one: matches that `style_of` names are citations."""


def style_of(match: pl.Expr) -> pl.Expr:
    """The style of each match of `CITATION`.

    In: string. Out: string, the name of a style. Nulls: null where it is no citation.
    """
    nothing = pl.when(match.str.contains(f"^(?:{'|'.join(_NONE)})$")).then(pl.lit(""))
    found = (
        pl.when(match.str.contains(f"^(?:{style.pattern})$")).then(pl.lit(style.name))
        for style in STYLES
    )
    return pl.coalesce(nothing, *found).replace("", None)


def citation_groups(answers: pl.LazyFrame) -> pl.LazyFrame:
    """One row per citation of an answer, whatever its style.

    In: row int64, answer string, n_passages int64.
    Out: row, style, text (as written), in_range boolean: whether all its numbers lie in
    0..n_passages, false where there is no evidence. `[1998, 2002]` is a list out of range, and a
    number that was written so. Order: of rows, then of places.
    """
    value = citation_value(pl.element())
    return (
        answers.select("row", "n_passages", text=pl.col("answer").str.extract_all(CITATION))
        .explode("text", keep_nulls=False, empty_as_null=False)
        .with_columns(style=style_of(pl.col("text")))
        .filter(pl.col("style").is_not_null())
        .with_columns(
            last=pl.col("text").str.extract_all(_DIGITS).list.eval(value).list.max(),
        )
        .with_columns(in_range=(pl.col("last") <= pl.col("n_passages")).fill_null(False))
        .select("row", "style", "text", "in_range")
    )
