"""Causes, what waivers would change, and agreement with labels, as counted by hand."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from grounding.causetable import WAIVABLE
from grounding.policies import RECOMMENDED
from pipelines.places import Folder
from pipelines.views import connect
from tests.unit.labelled_job import labelled_job
from tests.unit.results_folder import point, publish, verdict


@pytest.fixture(scope="module")
def views(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    with connect(Folder(labelled_job(tmp_path_factory.mktemp("labelled")))) as connection:
        yield connection


def rows(
    views: duckdb.DuckDBPyConnection, call: str, *columns: str, where: str = "true"
) -> list[tuple[Any, ...]]:
    """The rows of a query in its own order."""
    listed = ", ".join(f'"{column}"' for column in columns)
    return views.sql(f"SELECT {listed} FROM {call} WHERE {where}").fetchall()


# Newcombe, Statistics in Medicine 17 (1998) 857-872, table I, method 3.
NEWCOMBE = [
    (81, 263, 0.2553, 0.3662),
    (15, 148, 0.0624, 0.1605),
    (0, 20, 0.0000, 0.1611),
    (1, 29, 0.0061, 0.1718),
]


@pytest.mark.parametrize(("counted", "total", "low", "high"), NEWCOMBE)
def test_the_interval_is_that_of_the_literature(
    views: duckdb.DuckDBPyConnection, counted: int, total: int, low: float, high: float
) -> None:
    for asked, expected in (
        (f"{counted}, {total}", (low, high)),
        (f"{total - counted}, {total}", (1 - high, 1 - low)),
    ):
        found = views.sql(f"SELECT wilson_low({asked}), wilson_high({asked})").fetchall()[0]
        assert found == pytest.approx(expected, abs=5e-5)


def test_an_interval_ends_at_nothing_and_at_everything_and_needs_a_total(
    views: duckdb.DuckDBPyConnection,
) -> None:
    ends = "SELECT wilson_low({0}), wilson_high({0})"
    assert views.sql(ends.format("0, 7")).fetchall()[0][0] == 0
    assert views.sql(ends.format("7, 7")).fetchall()[0][1] == 1
    assert views.sql(ends.format("0, 0")).fetchall() == [(None, None)]
    billions = views.sql(ends.format("4000000000, 8000000000")).fetchall()[0]
    assert billions == pytest.approx((0.499989, 0.500011), abs=1e-6)


def test_causes_count_tokens_and_answers(views: duckdb.DuckDBPyConnection) -> None:
    columns = ("kind", "cause", "tokens", "all_tokens", "refused", "answers", "checked")
    assert rows(views, "causes", "job", *columns) == [
        ("leaf", "ungrounded_number", "list_marker", 6, 10, 5, 11, 9),
        ("leaf", "ungrounded_number", "absent", 2, 10, 2, 11, 9),
        ("leaf", "ungrounded_number", "citation_syntax", 1, 10, 1, 11, 9),
        ("leaf", "ungrounded_number", "in_question", 1, 10, 1, 11, 9),
        ("leaf", "invalid_citation", "beyond_evidence", 1, 1, 1, 11, 9),
    ]
    rates = ("share", "refusal_rate", "checked_refusal_rate")
    assert rows(views, "causes", *rates, where="cause = 'list_marker'") == [(6 / 10, 5 / 11, 5 / 9)]


def test_causes_by_a_column_have_totals_of_its_values(views: duckdb.DuckDBPyConnection) -> None:
    columns = ("value", "cause", "tokens", "all_tokens", "refused", "answers", "checked")
    assert rows(views, "causes_by('label')", *columns) == [
        ("na", "list_marker", 1, 1, 1, 1, 1),
        ("partial", "absent", 1, 1, 1, 1, 1),
        ("supported", "list_marker", 2, 3, 1, 4, 3),
        ("supported", "in_question", 1, 3, 1, 4, 3),
        ("unsupported", "list_marker", 3, 5, 3, 4, 3),
        ("unsupported", "absent", 1, 5, 1, 4, 3),
        ("unsupported", "citation_syntax", 1, 5, 1, 4, 3),
        (None, "beyond_evidence", 1, 1, 1, 1, 1),
    ]


def test_waiver_effects_tell_what_one_more_cause_would_rescue(
    views: duckdb.DuckDBPyConnection,
) -> None:
    """The answer with a separator among its causes is rescued by nothing."""
    columns = (
        *("cause", "recommended", "refused", "holding", "rescued"),
        *("rescued_supported", "rescued_unsupported"),
        *("rescued_by_recommended", "rescued_with_recommended"),
        *("with_recommended_supported", "with_recommended_unsupported"),
    )
    assert rows(views, "waiver_effects", *columns) == [
        ("list_marker", True, 8, 4, 2, 1, 0, 3, 3, 1, 1),
        ("in_question", False, 8, 1, 1, 1, 0, 3, 4, 2, 1),
        ("citation_syntax", True, 8, 1, 0, 0, 0, 3, 3, 1, 1),
    ]
    rates = ("rescued_rate", "with_recommended_rate")
    assert rows(views, "waiver_effects", *rates, where="cause = 'in_question'") == [(1 / 8, 4 / 8)]


AGREEMENT = [  # policy, among, TP, FP, FN, TN, partial, partial refused
    ("strict", "all", 3, 2, 1, 2, 1, 1),
    ("strict", "checked", 3, 2, 0, 1, 1, 1),
    ("with_waivers", "all", 3, 1, 1, 3, 1, 1),
    ("with_waivers", "checked", 3, 1, 0, 2, 1, 1),
    ("recommended", "all", 2, 1, 2, 3, 1, 1),
    ("recommended", "checked", 2, 1, 1, 2, 1, 1),
]
COUNTS = (
    *("policy", "among"),
    *("true_positives", "false_positives", "false_negatives", "true_negatives"),
    *("partial", "partial_refused"),
)


def test_agreement_holds_each_policy_against_the_labels(views: duckdb.DuckDBPyConnection) -> None:
    assert rows(views, "agreement", *COUNTS) == AGREEMENT
    rates = ("recall", "false_alarms", "precision", "unsupported", "supported", "refused")
    strict = "policy = 'strict' AND among = 'all'"
    assert rows(views, "agreement", *rates, where=strict) == [(3 / 4, 2 / 4, 3 / 5, 4, 4, 5)]
    ends = rows(views, "agreement", "recall_low", "recall_high", where=strict)
    assert ends == views.sql("SELECT wilson_low(3, 4), wilson_high(3, 4)").fetchall()
    ends = rows(views, "agreement", "false_alarms_low", "precision_high", where=strict)
    assert ends == views.sql("SELECT wilson_low(2, 4), wilson_high(3, 5)").fetchall()


def test_confusion_is_told_by_source_file(views: duckdb.DuckDBPyConnection) -> None:
    found = rows(views, "confusion", "source_file", *COUNTS, where="among = 'all'")
    assert found == [
        ("a", "strict", "all", 2, 2, 0, 2, 0, 0),
        ("a", "with_waivers", "all", 2, 1, 0, 3, 0, 0),
        ("a", "recommended", "all", 2, 1, 0, 3, 0, 0),
        ("b", "strict", "all", 1, 0, 1, 0, 1, 1),
        ("b", "with_waivers", "all", 1, 0, 1, 0, 1, 1),
        ("b", "recommended", "all", 0, 0, 2, 0, 1, 1),
    ]
    alarms = rows(views, "confusion", "false_alarms", where="source_file = 'b'")
    assert set(alarms) == {(None,)}


def test_confusion_by_any_column_adds_up_to_agreement(views: duckdb.DuckDBPyConnection) -> None:
    sums = ", ".join(f"sum({name})::BIGINT" for name in COUNTS[2:])
    for column in ("lang", "answer_id", "label", "source_row", "job"):
        summed = views.sql(
            f"SELECT policy, among, {sums} FROM confusion_by('{column}') GROUP BY policy, among"
        ).fetchall()
        assert sorted(summed) == sorted(AGREEMENT), column


def test_the_recommended_policy_of_an_unexplained_job_is_not_guessed(tmp_path: Path) -> None:
    with connect(Folder(labelled_job(tmp_path, explained=False))) as views:
        assert {policy for (policy,) in rows(views, "agreement", "policy")} == {
            "strict",
            "with_waivers",
        }
        assert rows(views, "waiver_effects", "cause") == []
        assert rows(views, "causes", "cause", "tokens") == [(None, 10), (None, 1)]


def test_a_job_without_labels_has_no_agreement(tmp_path: Path) -> None:
    publish(tmp_path, "r1", verdicts=[verdict("a0"), verdict("a1", label="na")])
    point(tmp_path, "j1", "r1")
    with connect(Folder(tmp_path)) as views:
        for name in ("agreement", "confusion", "confusion_by('answer_id')"):
            assert rows(views, name, "policy") == []


def test_the_causes_that_sql_waives_are_those_of_the_rules(
    views: duckdb.DuckDBPyConnection,
) -> None:
    found = views.sql("FROM waivable_causes").fetchall()
    assert tuple(cause for cause, _ in found) == WAIVABLE
    assert tuple(cause for cause, recommended in found if recommended) == RECOMMENDED
