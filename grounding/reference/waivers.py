"""What the verdict on one answer would be under a policy, in plain Python.

A refused number is waived where its cause is named, unless one of its causes is about separators:
those hide a tenfold error. A citation is never waived, and a verdict never changes.
"""

from collections.abc import Iterable

from grounding.policies import NEVER_WAIVED, Policy
from grounding.reference.causes import Explained


def is_waived(refusal: Explained, policy: Policy) -> bool:
    """Whether the policy lets a refusal pass."""
    if refusal.kind != "ungrounded_number" or refusal.cause not in policy.waive:
        return False
    return not any(cause in NEVER_WAIVED for cause in refusal.causes)


def grounded_with_waivers(refusals: Iterable[Explained], policy: Policy) -> bool:
    """Whether nothing that was refused of an answer stays refused.

    >>> from grounding.reference.causes import explained
    >>> found = explained("1. Take 75 mg.", ["7,5 mg"])
    >>> grounded_with_waivers(found, Policy(waive=("list_marker",)))
    False
    >>> grounded_with_waivers(found[:1], Policy(waive=("list_marker",)))
    True
    """
    return all(is_waived(refusal, policy) for refusal in refusals)


def passed_with_policy(
    with_waivers: bool | None, annotations: bool | None, kinds: Iterable[str], policy: Policy
) -> bool | None:
    """Whether an answer passes under the policy; None where no check ran.

    In: each check that ran, None where it did not: grounded with waivers, and the annotations
    without a fault. `kinds` of what was found about the answer.
    """
    ran = [check for check in (with_waivers, annotations) if check is not None]
    if not ran:
        return None
    return all(ran) and not any(kind in policy.demand for kind in kinds)
