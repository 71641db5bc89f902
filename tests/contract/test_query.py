"""The whole way on the command line: answers in, a run published, and the folder asked in SQL."""

import csv
import io
import json
from decimal import Decimal
from pathlib import Path

import duckdb
import polars as pl
import pytest

from grounding.errors import JobError
from pipelines.cli import main
from pipelines.cli.rows import MOST_ROWS, Rows, as_csv, as_json, as_markdown
from pipelines.views import queries

Captured = pytest.CaptureFixture[str]
HOSTILE = 'a,"b"|\x1b[2J\u202e\nß'


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one run of four answers, the last of them rejected."""
    folder = tmp_path_factory.mktemp("query")
    pl.DataFrame(
        {
            "answer_id": ["a", "b", HOSTILE, "d"],
            "answer": ["4 mg [1]", "5 mg", "none", None],
            "evidence": [["4 mg"], ["4 mg"], [], ["x"]],
            "model": ["m1", "m1", "m2", "m2"],
        }
    ).write_parquet(folder / "answers.parquet")
    run = ["run", str(folder / "answers.parquet"), "--out", str(folder / "out")]
    assert main([*run, "--max-rejected", "1"]) == 0
    return folder / "out"


def asked(capsys: Captured, results: Path, *arguments: str) -> str:
    assert main(["query", *arguments, "--dir", str(results)]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def test_a_run_tells_its_counts_and_the_same_job_again_does_nothing(
    results: Path, capsys: Captured
) -> None:
    before = sorted(results.rglob("*.parquet"))
    answers = str(results.parent / "answers.parquet")
    assert main(["run", answers, "--out", str(results), "--max-rejected", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    counts = ("read", "graded", "rejected", "grounded", "checked", "passed")
    assert [told[key] for key in counts] == [4, 3, 1, 2, 2, 2]
    assert told["already_done"] is True
    assert Path(told["path"]) == results / f"run_id={told['run_id']}"
    assert sorted(results.rglob("*.parquet")) == before


def test_without_a_name_the_bundled_queries_are_listed_with_their_grain(capsys: Captured) -> None:
    assert main(["query", "--format", "csv"]) == 0
    listed = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    expected = sorted(
        [" ".join([q.name, *map(str.upper, q.parameters)]), q.grain] for q in queries()
    )
    assert listed == [["query", "grain"], *expected]


def test_a_bundled_query_is_asked_by_its_name(results: Path, capsys: Captured) -> None:
    out = asked(capsys, results, "rejects_by_problem")
    assert "null_answer" in out


def test_a_query_that_takes_a_column_is_given_one(results: Path, capsys: Captured) -> None:
    by_name = asked(capsys, results, "pass_rates_by", "model", "--format", "csv")
    assert "m1" in by_name
    assert "m2" in by_name


def test_sql_is_answered_exactly_in_every_machine_format(results: Path, capsys: Captured) -> None:
    sql = "SELECT answer_id, grounded, unsupported_numbers FROM verdicts ORDER BY source_row"
    rows = json.loads(asked(capsys, results, sql, "--format", "json"))
    assert [row["answer_id"] for row in rows] == ["a", "b", HOSTILE]
    assert rows[1] == {"answer_id": "b", "grounded": False, "unsupported_numbers": ["5"]}
    lines = list(csv.reader(io.StringIO(asked(capsys, results, sql, "--format", "csv"))))
    assert lines[2:] == [["b", "False", '["5"]'], [HOSTILE, "True", "[]"]]


def test_a_table_for_the_eye_lets_no_text_act(results: Path, capsys: Captured) -> None:
    for form in ("table", "markdown"):
        out = asked(capsys, results, "SELECT answer_id FROM verdicts", "--format", form)
        assert not set(out) & {"\x1b", "\u202e"}
        assert "\\x1b[2J" in out.replace("\\\\", "\\")


def test_a_long_table_is_cut_and_says_so(results: Path, capsys: Captured) -> None:
    many = MOST_ROWS + 1000
    assert main(["query", f"SELECT range AS n FROM range({many})", "--dir", str(results)]) == 0
    out, err = capsys.readouterr()
    assert out.count("\n") == MOST_ROWS + 1
    assert "1,000 more rows" in err


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(["nothing_of_this_name"], 2), (["SELEC 1"], 2), (["DROP VIEW verdicts"], 2)],
)
def test_a_wrong_question_names_what_is_wrong(
    results: Path, capsys: Captured, arguments: list[str], code: int
) -> None:
    assert main(["query", *arguments, "--dir", str(results)]) == code
    assert capsys.readouterr().out == ""


def test_a_folder_without_a_run_is_a_wrong_input(tmp_path: Path, capsys: Captured) -> None:
    assert main(["query", "pass_rates", "--dir", str(tmp_path)]) == 3
    assert str(tmp_path) in capsys.readouterr().err


def test_views_are_written_as_a_duckdb_file(results: Path, tmp_path: Path) -> None:
    database = tmp_path / "views.duckdb"
    assert main(["views", str(results), "--database", str(database)]) == 0
    with duckdb.connect(database, read_only=True) as connection:
        assert connection.execute("SELECT count(*) FROM verdicts").fetchone() == (3,)


# Rows as text


def test_numbers_stay_numbers_and_what_json_does_not_know_becomes_text() -> None:
    rows = Rows(["d", "i", "n", "l"], [[Decimal("1.50"), Decimal(7), float("nan"), [{"a": None}]]])
    assert json.loads(as_json(rows)) == [{"d": 1.5, "i": 7, "n": None, "l": [{"a": None}]}]
    assert as_csv(rows) == 'd,i,n,l\n1.5,7,,"[{""a"": null}]"'


def test_no_rows_are_an_empty_list_and_a_header() -> None:
    rows = Rows(["a"], [])
    assert (as_json(rows), as_csv(rows), as_markdown(rows)) == ("[]", "a", "| a |\n| --- |")


def test_two_columns_of_one_name_are_not_lost_in_json() -> None:
    with pytest.raises(JobError, match="AS"):
        as_json(Rows(["a", "a"], [[1, 2]]))


def test_a_bar_in_a_cell_opens_no_column_in_markdown() -> None:
    assert as_markdown(Rows(["a"], [["x|y"], [None]])).endswith("| x\\|y |\n| null |")
