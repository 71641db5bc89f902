"""How a frame that is used more than once is held."""

from collections.abc import Callable

import polars as pl

Hold = Callable[[pl.LazyFrame], pl.LazyFrame]
"""Gives the frame again, run: `lambda frame: frame.collect().lazy()`.

One plan of all causes shares its parts many times over, and polars 2.1 takes ten seconds to
optimise it, however little there is to do. So whoever may run plans runs the parts one by one
(in a tenth of a second); the rules themselves run nothing.
"""
