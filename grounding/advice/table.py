"""The counts of advice as columns of a verdict."""

from grounding.schema import COUNT, FLAG, Block, Column

_NOT_RUN = "grounding did not run, or no advice was asked for"

ADVISED: Block = (
    Column(
        "grounded_in_cited",
        FLAG,
        "no invalid citation, and a cited passage holds every number",
        "the answer cites nothing, grounding did not run, or no advice was asked for",
    ),
    Column(
        "n_qualifier_mismatches",
        COUNT,
        "supported numbers whose sign, unit, currency or scale no passage gives them",
        _NOT_RUN,
    ),
    Column(
        "n_not_cited",
        COUNT,
        "supported numbers that stand only in passages which the answer does not cite",
        _NOT_RUN,
    ),
    Column(
        "n_unread_numerals",
        COUNT,
        "quantities that the rule does not read whole, and that no passage holds as they stand",
        _NOT_RUN,
    ),
    Column(
        "n_not_in_nearest",
        COUNT,
        "supported numbers that no passage of the citation nearest to them holds",
        _NOT_RUN,
    ),
)

CHANCE: Block = (
    Column(
        "n_evidence_numbers",
        COUNT,
        "distinct number tokens over all passages: what may have matched by chance",
        "the answer has no number, or grounding did not run",
    ),
)

MISMATCH, NOT_CITED = "qualifier_mismatch", "supported_but_not_cited"
UNREAD, NOT_NEAREST = "unread_numeral", "not_in_nearest_citation"
KINDS = (MISMATCH, NOT_CITED, UNREAD, NOT_NEAREST)
"""The kinds of findings that are advice on numbers."""
