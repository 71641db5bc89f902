"""How the parts of a rule are run one by one by whoever may run plans."""

from collections.abc import Callable
from typing import NamedTuple

import polars as pl

from grounding.causes.hold import Hold


class Steps(NamedTuple):
    """What runs a frame that is used more than once, and what tells whether it has no rows.

    Where there is nothing to read, the patterns of all spellings, which take milliseconds to be
    made ready, are not asked for.
    """

    hold: Hold
    is_empty: Callable[[pl.LazyFrame], bool]
