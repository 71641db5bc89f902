"""The bundled queries give the figures of a folder that is small enough to count."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest

from pipelines.places import Folder
from pipelines.views import bundled, connect, queries
from pipelines.views.bundled import functions
from pipelines.views.relations import literal
from tests.unit.results_folder import claim, finding, publish, verdict
from tests.unit.two_jobs import HOSTILE, two_jobs

SQL = Path(__file__).parents[2] / "sql"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return two_jobs(tmp_path_factory.mktemp("query"))


@pytest.fixture(scope="module")
def views(folder: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with connect(Folder(folder)) as connection:
        yield connection


def shown(views: duckdb.DuckDBPyConnection, call: str) -> list[dict[str, Any]]:
    """The rows of a view, or of a macro with its values, in its own order."""
    found: list[dict[str, Any]] = views.sql(f"FROM {call}").to_arrow_table().to_pylist()
    return found


def table(found: Sequence[Mapping[str, Any]], *columns: str) -> list[tuple[Any, ...]]:
    return [tuple(row[column] for column in columns) for row in found]


def test_every_query_says_its_grain_and_is_listed_in_the_readme() -> None:
    readme = (SQL / "README.md").read_text(encoding="utf-8")
    calls = {
        query.name + (f"({', '.join(query.parameters)})" if query.parameters else ""): query.grain
        for query in queries()
    }
    listed = [line for line in readme.splitlines() if line.startswith("| `")]
    assert listed == [
        f"| `{call}` | {grain.removeprefix('one row per ')} |"
        for call, grain in sorted(calls.items())
    ]
    assert {query.name for query in queries()} == {file.stem for file in SQL.glob("*.sql")}


def test_every_function_says_its_value_and_is_in_the_readme() -> None:
    readme = (SQL / "README.md").read_text(encoding="utf-8")
    assert {each.name for each in functions()} == {
        file.stem for file in SQL.glob("functions/*.sql")
    }
    for function in functions():
        assert function.grain.startswith("one value per ")
        assert f"`{function.name}({', '.join(function.parameters)})`" in readme


def test_a_query_names_only_relations() -> None:
    for query in (*queries(), *functions()):
        assert "read_" not in query.sql
        assert "/" not in query.sql.replace(" / ", " ")
        assert "{" not in query.sql


def test_a_file_without_a_grain_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.sql").write_text("SELECT 1\n", encoding="utf-8")
    monkeypatch.setattr(bundled, "_folder", lambda: tmp_path)
    with pytest.raises(ValueError, match="one row per"):
        bundled.queries.__wrapped__()


def test_pass_rates_stand_over_all_and_over_checked_answers(
    views: duckdb.DuckDBPyConnection,
) -> None:
    found = shown(views, "pass_rates")
    counts = ("job", "verdict", "answers", "passed", "checked", "checked_passed", "not_run")
    assert table(found, *counts) == [
        ("jB", "passed", 3, 2, 0, 0, 0),
        ("jB", "grounded", 0, 0, 0, 0, 3),
        ("jB", "annotations", 3, 2, 0, 0, 0),
        ("leaflets", "passed", 4, 2, 3, 1, 0),
        ("leaflets", "grounded", 4, 2, 3, 1, 0),
        ("leaflets", "annotations", 0, 0, 0, 0, 4),
    ]
    assert table(found, "pass_rate", "checked_pass_rate")[1:4] == [
        (None, None),
        (2 / 3, None),
        (2 / 4, 1 / 3),
    ]


def test_pass_rates_by_model(views: duckdb.DuckDBPyConnection) -> None:
    found = [row for row in shown(views, "pass_rates_by_model") if row["verdict"] == "passed"]
    assert table(found, "job", "model", "passed", "answers", "checked") == [
        ("jB", None, 2, 3, 0),
        ("leaflets", "m1", 1, 2, 2),
        ("leaflets", "m2", 1, 2, 1),
    ]


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        ("lang", [(None, 2, 3), ("en", 1, 2), ("vi", 1, 2)]),
        ("LANG", [(None, 2, 3), ("en", 1, 2), ("vi", 1, 2)]),
        (HOSTILE, [(None, 2, 3), ("x", 1, 1), (None, 1, 3)]),
        ("passed", [("false", 0, 1), ("true", 2, 2), ("false", 0, 2), ("true", 2, 2)]),
    ],
)
def test_pass_rates_by_any_column(
    views: duckdb.DuckDBPyConnection, column: str, expected: list[tuple[str | None, int, int]]
) -> None:
    found = shown(views, f"pass_rates_by({literal(column)})")
    passed = [row for row in found if row["verdict"] == "passed"]
    assert table(passed, "value", "passed", "answers") == expected


def test_refusals_by_reason(views: duckdb.DuckDBPyConnection) -> None:
    columns = ("job", "reason", "refused", "answers", "refusal_rate", "checked")
    found = shown(views, "refusals_by_reason")
    assert table(found, *columns, "checked_refusal_rate") == [
        ("leaflets", "invalid_citation", 1, 4, 1 / 4, 3, 1 / 3),
        ("leaflets", "ungrounded_number", 1, 4, 1 / 4, 3, 1 / 3),
    ]


def test_most_refused_tokens(views: duckdb.DuckDBPyConnection) -> None:
    columns = ("job", "kind", "text", "times", "refused", "share", "answers")
    assert table(shown(views, "most_refused_tokens"), *columns) == [
        ("leaflets", "ungrounded_number", "7", 2, 2, 1.0, 1),
        ("leaflets", "invalid_citation", "[9]", 1, 1, 1.0, 1),
    ]


def test_claim_accuracy_holds_facts_never_asserted_and_facts_invented(
    views: duckdb.DuckDBPyConnection,
) -> None:
    columns = ("job", "fixture_id", "fact_id", "known", "needed", "asserted", "correct", "accuracy")
    assert table(shown(views, "claim_accuracy"), *columns) == [
        ("jB", "gh", "f1", True, 2, 2, 2, 1.0),
        ("jB", "gh", "f2", True, 2, 0, 0, None),
        ("jB", "gh", "f3", True, 0, 0, 0, None),
        ("jB", "gh", "invented", False, 0, 1, 0, 0.0),
    ]


def test_missing_facts_hold_questions_that_nobody_answered(
    views: duckdb.DuckDBPyConnection,
) -> None:
    columns = ("question_id", "fact_id", "answers", "missing", "missing_rate", "checked")
    assert table(shown(views, "missing_facts"), *columns) == [
        ("q1", "f1", 2, 0, 0.0, 0),
        ("q1", "f2", 2, 1, 0.5, 0),
        ("q2", "f3", 0, 0, None, 0),
    ]


def test_rejects_by_problem(views: duckdb.DuckDBPyConnection) -> None:
    columns = ("job", "problem", "rejected", "read", "reject_rate")
    assert table(shown(views, "rejects_by_problem"), *columns) == [
        ("jB", "null_answer", 1, 4, 1 / 4)
    ]


def test_survivors_are_the_passed_rows_in_source_order(views: duckdb.DuckDBPyConnection) -> None:
    found = shown(views, "survivors")
    assert table(found, "job", "answer_id") == [
        ("jB", "0"),
        ("jB", "2"),
        ("leaflets", "a0"),
        ("leaflets", "a3"),
    ]


def test_nothing_impossible_stands_in_a_sound_folder(views: duckdb.DuckDBPyConnection) -> None:
    assert shown(views, "impossible_rows") == []


def test_each_impossible_row_is_found(tmp_path: Path) -> None:
    broken: dict[str, dict[str, object]] = {
        "grounded_disagrees_with_counts": {"grounded": False, "passed": False},
        "reason_disagrees_with_counts": {"reason": "invalid_citation"},
        "counts_disagree_with_lists": {"cited_indices": [], "invalid_citations": [9]},
        "more_refused_than_found": {"cited_indices": [1]},
        "cites_a_passage_beyond_the_evidence": {"cited_indices": [3], "n_citations": 1},
        "passed_disagrees_with_checks": {"passed": False, "passed_with_policy": False},
        "policy_disagrees_with_checks": {"grounded_with_waivers": False},
        "counts_disagree_with_findings": {"unknown_input_count": 2},
        "counts_disagree_with_claims": {},
        "row_graded_and_rejected": {"source_row": 99},
    }
    sound = {"source_row": 0, **{key: verdict("a0")[key] for key in verdict("a0")}}
    outside = {**finding("finding_outside_its_answer", "ungrounded_number", "7"), "end": 5}
    unlike = finding("cause_disagrees_with_causes", "ungrounded_number", "7")
    unlike = {**unlike, "cause": "scale", "causes": ["precision", "scale"]}
    stray = finding("finding_or_claim_without_verdict", "ungrounded_number", "7")
    run = publish(
        tmp_path,
        "r1",
        verdicts=[
            *({**sound, "answer_id": name, **change} for name, change in broken.items()),
            verdict("answer_graded_twice"),
            verdict("answer_graded_twice"),
            verdict("finding_outside_its_answer", unsupported_numbers=["7"]),
            verdict("cause_disagrees_with_causes", unsupported_numbers=["7"]),
        ],
        findings=[outside, stray, unlike],
        claims=[claim("counts_disagree_with_claims", "f", "x", known=False)],
        rejects=[{"source_file": "answers.parquet", "source_row": 99, "problem": "null_answer"}],
        read=7,
    )
    manifest = (run / "manifest.json").read_text(encoding="utf-8")
    changed = manifest.replace('"graded": 14', '"graded": 15')
    (run / "manifest.json").write_text(changed, encoding="utf-8")
    of_answers = {*broken, "answer_graded_twice", "finding_or_claim_without_verdict"}
    of_answers |= {"finding_outside_its_answer", "cause_disagrees_with_causes"}
    with connect(Folder(tmp_path)) as views:
        found = shown(views, "impossible_rows")
    assert table(found, "check_name", "answer_id") == [
        *((name, name) for name in sorted(of_answers)),
        ("rows_disagree_with_manifest", None),
        ("rows_lost", None),
    ]
