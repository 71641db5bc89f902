"""Files of labels for the answers of a bench, and what became of them."""

from typing import Any

import polars as pl

from tests.contract.bench import Bench, Run, put


def labels(*rows: tuple[Any, str | None], key: Any = pl.String) -> pl.DataFrame:
    return pl.DataFrame(rows, {"answer_id": key, "label": pl.String}, orient="row")


def beside(bench: Bench, content: Any, name: str = "l.parquet") -> str:
    """A folder of labels that holds this file, and what was put before."""
    return str(put(bench.folder / "labels", {name: content}))


def labelled(made: Run) -> dict[Any, str | None]:
    return dict(made.table("verdicts").select("answer_id", "label").rows())
