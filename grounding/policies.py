"""A job's policy as data: which causes it waives, which kinds of advice it demands be absent.

A policy never changes `grounded` or `passed`. It says what they would be, in columns of their own.
"""

from typing import NamedTuple

ADVICE_KINDS = (
    "qualifier_mismatch",
    "unread_numeral",
    "not_in_nearest_citation",
    "supported_but_not_cited",
    "unknown_input",
)
"""Kinds of findings that are no refusal; each may be demanded."""

NEVER_WAIVED = ("separator_swapped", "separator_dropped")
"""A number that has one of these among its causes is not waived for any other: a tenfold error."""

RECOMMENDED = ("citation_syntax", "list_marker", "digit_script", "split_in_evidence")
"""Causes to waive where answers are prose, in the order of the table of causes."""


class Policy(NamedTuple):
    """Causes that are waived, and kinds of advice that are demanded to be absent."""

    waive: tuple[str, ...] = ()
    demand: tuple[str, ...] = ()


NO_POLICY = Policy()
