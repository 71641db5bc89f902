"""How a frame that is used more than once is held."""

from collections.abc import Callable

import polars as pl

Hold = Callable[[pl.LazyFrame], pl.LazyFrame]
"""Gives the frame again, to be used more than once: cached within the plan, or run already.

A plan that shares its parts many times over takes seconds to be optimised. So whoever may run
plans runs these parts one by one; the rules themselves run nothing.
"""


def cached(frame: pl.LazyFrame) -> pl.LazyFrame:
    """The frame, run once by the plan that it is part of."""
    return frame.cache()
