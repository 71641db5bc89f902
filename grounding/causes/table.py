"""The causes of findings as published columns, and which cause stands before which."""

from grounding.causetable import CITATION_CAUSES, NUMBER_CAUSES
from grounding.schema import COUNT, TEXT, TEXTS, Block, Column

ORDER = {
    cause.name: place for place, cause in enumerate((*NUMBER_CAUSES, *CITATION_CAUSES), start=1)
}
"""The place of each cause: of those that hold, the first is the cause."""

ABSENT, BEYOND_EVIDENCE = NUMBER_CAUSES[-1].name, CITATION_CAUSES[-1].name
"""What holds where no other does, of a number and of a citation."""

_OTHER = "the finding is no refused number or citation"

CAUSES: Block = (
    Column("cause", TEXT, "why it was refused: the first of its causes", _OTHER),
    Column("causes", TEXTS, "all that hold, in the order of the table of causes", _OTHER),
    Column(
        "nearest",
        TEXT,
        "what the cause compares it with in the evidence, as written",
        "the cause compares it with nothing there",
        content=True,
    ),
    Column(
        "passage",
        COUNT,
        "the place of its passage in the evidence of the answer, from 1",
        "the cause compares it with nothing there",
    ),
)
