"""Under any policy both implementations say the same of adversarial rows, and no verdict bends."""

from itertools import pairwise

import polars as pl
import pytest

from grounding.causetable import WAIVABLE
from grounding.policies import NO_POLICY, RECOMMENDED, Policy
from grounding.reference.causes import explained
from grounding.reference.waivers import grounded_with_waivers
from grounding.waivers import with_waivers
from tests.property.adversarial import generator
from tests.property.causes_rows import Asked, asked
from tests.property.causes_side_by_side import causes_of

RNG = generator(11)
# Cut short, since of many numbers one is always left that nothing waives.
DRAWN = [row._replace(answer=row.answer[: RNG.randrange(3, 25)]) for row in asked(RNG, 600)]
POLICIES = [
    NO_POLICY,
    Policy(RECOMMENDED),
    Policy(WAIVABLE),
    *(Policy((cause,)) for cause in WAIVABLE),
    *(Policy(tuple(RNG.sample(WAIVABLE, 5))) for _ in range(5)),
]
FINDINGS = causes_of(DRAWN)


def waived(policy: Policy) -> list[bool]:
    """What columns say of the rows."""
    refused = set(FINDINGS["row"])
    grounded = [row not in refused for row in range(len(DRAWN))]
    verdicts = pl.LazyFrame({"row": range(len(DRAWN)), "grounded": grounded})
    said = verdicts.pipe(with_waivers, FINDINGS.lazy(), policy).collect()
    found: list[bool] = said["grounded_with_waivers"].to_list()
    return found


def of_reference(row: Asked, policy: Policy) -> bool:
    refusals = explained(row.answer, row.evidence, question=row.question, annotated=row.annotated)
    return grounded_with_waivers(refusals, policy)


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: ",".join(policy.waive))
def test_both_say_the_same(policy: Policy) -> None:
    assert waived(policy) == [of_reference(row, policy) for row in DRAWN]


def test_more_waivers_ground_no_fewer_answers_and_none_but_refused_ones() -> None:
    steps = [waived(Policy(WAIVABLE[:count])) for count in range(len(WAIVABLE) + 1)]
    assert steps[0] == waived(NO_POLICY)
    for fewer, more in pairwise(steps):
        assert all(after for before, after in zip(fewer, more, strict=True) if before)
    assert sum(steps[0]) + 10 < sum(steps[-1]) < len(DRAWN) - 10
