"""What people say of an answer, so that verdicts can be held against it. No rule reads it."""

from grounding.schema import TEXT, Block, Column

LABELS = ("supported", "partial", "unsupported", "na")
"""All that a label may say: whether the evidence supports the answer, or that nobody can tell."""

LABEL: Block = (
    Column(
        "label",
        TEXT,
        "what people say of the answer: supported, partial, unsupported or na",
        "nobody said anything",
    ),
)
