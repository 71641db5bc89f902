"""The causes of a refusal as data: their order, families, definitions and examples (`causes/1`).

The first cause of the table that holds is the `cause` of a refused number; all that hold are its
`causes`. The vectorised code and the reference each look the names up in a table of their own, and
a test walks both tables and tries the examples on both.
"""

from dataclasses import dataclass
from typing import Literal

Family = Literal["SPAN", "KEY", "PAIR", "OWN"]
"""`SPAN`: the place in the answer tells. `KEY`: it shares a key with a number of the evidence.
`PAIR`: two numbers of the evidence give it. `OWN`: no other cause holds."""


@dataclass(frozen=True, slots=True)
class Example:
    """An answer with its evidence, and the refused token that is looked at (its first)."""

    answer: str
    evidence: tuple[str, ...]
    token: str
    nearest: str | None = None
    question: str | None = None


@dataclass(frozen=True, slots=True)
class Cause:
    """A cause, with an example where it is the cause and one where it does not hold."""

    name: str
    family: Family
    definition: str
    waivable: bool
    positive: Example
    negative: Example


NUMBER_CAUSES = (
    Cause(
        "citation_syntax",
        "SPAN",
        "It lies in a citation of another style whose numbers are all those of passages.",
        True,
        Example("It ran [1, 2].", ("a", "b"), "1"),
        Example("It ran in [1998, 2002].", ("a", "b"), "1998"),
    ),
    Cause(
        "list_marker",
        "SPAN",
        "One to three digits that number a line, or the items of a list within a line from 1 on.",
        True,
        Example("Take:\n1. one tablet\n2. water", ("a tablet and water",), "1"),
        Example("1998. It was hot.", ("hot",), "1998"),
    ),
    Cause(
        "digit_script",
        "KEY",
        "The evidence has the same digits in another script.",
        True,
        Example("７ mg", ("7 mg",), "７", "7"),
        Example("٧,٥ mg", ("75 mg",), "٧,٥"),
    ),
    Cause(
        "separator_swapped",
        "KEY",
        "The evidence has the same groups of digits with other separators.",
        False,
        Example("7,5 mg", ("7.5 mg",), "7,5", "7.5"),
        Example("7,5 mg", ("75 mg",), "7,5"),
    ),
    Cause(
        "separator_dropped",
        "KEY",
        "The evidence has the same digits, grouped otherwise: another size.",
        False,
        Example("75 mg", ("7,5 mg",), "75", "7,5"),
        Example("75 mg", ("7,6 mg",), "75"),
    ),
    Cause(
        "zero_padding",
        "KEY",
        "The evidence has it with other leading zeros, or other zeros at the end of its fraction.",
        True,
        Example("04 May", ("4 May",), "04", "4"),
        Example("1.5 kg", ("1.500 kg",), "1.5"),
    ),
    Cause(
        "split_in_evidence",
        "KEY",
        "The evidence cuts it by a space after a separator, or between groups of three.",
        True,
        Example("10,000 men", ("10, 000 men",), "10,000", "10, 000"),
        Example("40000 men", ("40 00 men",), "40000"),
    ),
    Cause(
        "number_word",
        "KEY",
        "The evidence spells it in words, cardinal or ordinal.",
        True,
        Example("21 days", ("Twenty-one days",), "21", "Twenty-one"),
        Example("2 mg", ("two hundred mg",), "2"),
    ),
    Cause(
        "in_question",
        "SPAN",
        "The question holds it.",
        True,
        Example("In 1998 it was hot.", ("hot",), "1998", question="Was it hot in 1998?"),
        Example("In 1998 it was hot.", ("hot",), "1998", question="Was it hot in 98?"),
    ),
    Cause(
        "identifier",
        "SPAN",
        "It is part of a name: a letter stands right before it, or one hyphen after a letter.",
        True,
        Example("Vitamin B12 helps.", ("It helps.",), "12"),
        Example("Take 5mg.", ("Take it.",), "5"),
    ),
    Cause(
        "scale",
        "KEY",
        "Under some reading, it is a number of the evidence times a power of ten.",
        False,
        Example("5 mg", ("0.5 mg",), "5", "0.5"),
        Example("5 mg", ("0.6 mg",), "5"),
    ),
    Cause(
        "precision",
        "KEY",
        "It and a number of the evidence are one another, rounded or truncated.",
        True,
        Example("3.1", ("3.14",), "3.1", "3.14"),
        Example("3.2", ("3.14",), "3.2"),
    ),
    Cause(
        "part_of_longer",
        "KEY",
        "It is the first or the last group of digits of a number of the evidence.",
        True,
        Example("12 men", ("12,345 men",), "12", "12,345"),
        Example("34 men", ("12,345 men",), "34"),
    ),
    Cause(
        "derived",
        "PAIR",
        "Two numbers of the evidence give it: sum, difference, product, ratio, percent, change.",
        True,
        Example("369 in all", ("246 here, 123 there",), "369", "246 + 123"),
        Example("36 in all", ("24 here, 12 there",), "36"),
    ),
    Cause(
        "absent",
        "OWN",
        "None of these: the evidence has nothing like it.",
        False,
        Example("In 2019 it ran.", ("In 2018 it ran.",), "2019"),
        Example("75 mg", ("7,5 mg",), "75"),
    ),
)

CITATION_CAUSES = (
    Cause(
        "code_or_link",
        "SPAN",
        "It stands in code, is an index, or is the text of a link.",
        False,
        Example("`arr[0]` is first.", ("first",), "[0]"),
        Example("It is first [9].", ("first",), "[9]"),
    ),
    Cause(
        "zero_based",
        "SPAN",
        "The answer cites [0], and every marker would be valid if it were one higher.",
        False,
        Example("It is [0] so [1].", ("it", "so"), "[0]"),
        Example("It is [0] so [2].", ("it", "so"), "[0]"),
    ),
    Cause(
        "beyond_evidence",
        "OWN",
        "None of these: there is no such passage.",
        False,
        Example("It is [3].", ("it",), "[3]"),
        Example("It is [0] so [1].", ("it", "so"), "[0]"),
    ),
)

WAIVABLE = tuple(cause.name for cause in NUMBER_CAUSES if cause.waivable)
"""The causes that a job may waive (SPEC §3). A size that changed is never waived."""
