"""`grounding check` as a person and a script meet it: one answer, explained."""

import json
import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from pipelines.cli import main

ROOT = Path(__file__).resolve().parents[2]
Captured = pytest.CaptureFixture[str]


def started(
    *arguments: str, stdin: str = "", **environment: str
) -> "subprocess.CompletedProcess[str]":
    """The command in a process of its own, started from the checkout."""
    return subprocess.run(
        [sys.executable, "-m", "grounding", *arguments],
        cwd=ROOT,
        env={**os.environ, "NO_COLOR": "1", **environment},
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )


def only_json(capsys: Captured) -> dict[str, object]:
    value = json.loads(capsys.readouterr().out)
    assert isinstance(value, dict)
    return value


def test_a_grounded_answer_is_0_and_shows_where_each_token_stands(capsys: Captured) -> None:
    evidence = ["--evidence", "Up to 8 tablets.", "--evidence", "Take 4 mg\ntwice a day."]
    assert main(["check", "--answer", "Take 4 mg [2].", *evidence]) == 0
    out = capsys.readouterr().out
    assert out.startswith("passed: grounded\n")
    assert "Take 4✓ mg [2]✓." in out
    assert "✓ number 4 at 5: stands in passage 2\n" in out
    assert "passage 2 at 5: Take «4» mg twice a day." in out
    assert "✓ citation [2] at 10: names passage 2" in out


def test_a_refused_answer_is_6_and_says_why(capsys: Captured) -> None:
    assert main(["check", "--answer", "75 mg [2]", "--evidence", "7,5 mg"]) == 6
    out = capsys.readouterr().out
    assert out.startswith("refused: ungrounded_number\n")
    assert "75✗ mg [2]✗" in out
    assert "✗ number 75 at 0: stands in no passage" in out
    assert "✗ citation [2] at 6: names no passage: there is 1" in out
    assert "\n    separator_dropped: passage 1 has «7,5» (also scale)\n" in out
    assert out.endswith("\n    beyond_evidence\n")


def test_json_holds_the_cause_of_each_refused_token(capsys: Captured) -> None:
    evidence = ["--evidence", "7,5 mg and 123 of 456"]
    assert main(["check", "--answer", "75 of 579, 123 [2]", *evidence, "--json"]) == 6
    tokens = only_json(capsys)["tokens"]
    assert isinstance(tokens, list)
    assert [
        (token.get("cause"), token.get("nearest"), token.get("passage")) for token in tokens
    ] == [
        ("separator_dropped", "7,5", 1),
        ("derived", "123 + 456", 1),
        (None, None, None),
        ("beyond_evidence", None, None),
    ]
    assert tokens[0]["causes"] == ["separator_dropped", "scale"]


def test_what_was_compared_is_spelled_out_where_it_would_act(capsys: Captured) -> None:
    assert main(["check", "--answer", "21", "--evidence", "twenty\rone"]) == 6
    assert "number_word: passage 1 has «twenty\\rone»" in capsys.readouterr().out


def test_an_answer_with_nothing_to_check_says_so(capsys: Captured) -> None:
    assert main(["check", "--answer", "No.", "--evidence", "Yes 1"]) == 0
    assert "nothing to check" in capsys.readouterr().out


def test_check_as_json_holds_the_verdict_and_every_token(capsys: Captured) -> None:
    huge = "9" * 5000
    answer = f"4 and [{huge}] and [1]"
    assert main(["check", "--json", "--answer", answer, "--evidence", "4 4"]) == 6
    value = only_json(capsys)
    assert (value["grounded"], value["reason"]) == (False, "invalid_citation")
    assert (value["unsupported_numbers"], value["invalid_citations"]) == ([], [huge])
    assert value["cited_indices"] == [1]
    assert value["tokens"] == [
        {"text": "4", "start": 0, "end": 1, "kind": "number", "supported": True, "passages": [1]},
        {
            "text": f"[{huge}]",
            "start": 6,
            "end": 5008,
            "kind": "citation",
            "supported": False,
            "passages": [],
            "cause": "beyond_evidence",
            "causes": ["beyond_evidence"],
            "nearest": None,
            "passage": None,
        },
        {
            "text": "[1]",
            "start": 5013,
            "end": 5016,
            "kind": "citation",
            "supported": True,
            "passages": [1],
        },
    ]
    assert "response_claims" not in value


def test_annotations_are_graded_where_a_fixture_is_given(capsys: Captured, tmp_path: Path) -> None:
    book = tmp_path / "book.json"
    facts = [{"fact_id": "year", "values": ["1911"]}]
    book.write_text(json.dumps({"fixture_id": "b", "facts": facts}))
    arguments = ["check", "--fixture", str(book), "--answer"]
    assert main([*arguments, "[assert:year=1911]"]) == 0
    assert main([*arguments, "[assert:year=1912]"]) == 6
    out = capsys.readouterr().out
    assert "✗ invented_claim at 0: [assert:year=1912]" in out
    assert main([*arguments, "[assert:year=1911] 7", "--evidence", "1911"]) == 6
    assert "✗ number 7 at 19" in capsys.readouterr().out


def test_nothing_to_check_against_is_a_wrong_input(capsys: Captured) -> None:
    assert main(["check", "--answer", "4"]) == 3
    assert "--evidence" in capsys.readouterr().err


def test_texts_come_from_files_and_from_stdin(tmp_path: Path) -> None:
    passage = tmp_path / "passage.txt"
    passage.write_bytes(b"costs $35M\r\n")
    done = started("check", "--answer", "-", "--evidence", f"@{passage}", stdin="$35M\n")
    assert (done.returncode, done.stderr) == (0, "")
    done = started("check", "--answer", "@@4", "--evidence", "4")
    assert "@4✓" in done.stdout


@pytest.mark.parametrize("content", [None, b"\xff 4"])
def test_a_text_that_cannot_be_read_is_named(
    capsys: Captured, tmp_path: Path, content: bytes | None
) -> None:
    file = tmp_path / "answer.txt"
    if content:
        file.write_bytes(content)
    assert main(["check", "--answer", f"@{file}", "--evidence", "4"]) == 3
    assert str(file) in capsys.readouterr().err


def test_hostile_text_is_spelled_out(capsys: Captured) -> None:
    answer = "[bold]7[/bold] \x1b]0;title\x07 \u202e4 :smile:\nnext\tline"
    assert main(["check", "--answer", answer, "--evidence", "\x1b[31m7\x9b"]) == 6
    out = capsys.readouterr().out
    assert not set(out) & {"\x1b", "\x07", "\x9b", "\u202e"}
    assert "[bold]7✓[/bold] \\x1b]0✗;title\\x07 \\u202e4✗ :smile:\nnext" in out


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    file = tmp_path / "a[1].parquet"
    pl.DataFrame(
        {
            "answer_id": [1, 2, 2, 3],
            "answer": ["4 [1]", "x", "y", None],
            "evidence": [["4"], ["x"], ["y"], ["z"]],
        }
    ).write_parquet(file)
    return file


def test_a_stored_answer_is_found_by_its_id(stored: Path, capsys: Captured) -> None:
    assert main(["check", "--from", str(stored), "--row", "1"]) == 0
    assert "4✓ [1]✓" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("row", "words"), [("9", "no row"), ("2", "more than one row"), ("3", "is null")]
)
def test_a_stored_answer_that_is_not_one_text_is_named(
    stored: Path, capsys: Captured, row: str, words: str
) -> None:
    assert main(["check", "--from", str(stored), "--row", row]) == 3
    assert words in capsys.readouterr().err


def test_a_file_that_is_no_parquet_is_named(tmp_path: Path, capsys: Captured) -> None:
    file = tmp_path / "answers.parquet"
    file.write_text("no")
    assert main(["check", "--from", str(file), "--row", "1"]) == 3
    assert main(["check", "--from", str(tmp_path / "gone.parquet"), "--row", "1"]) == 3
    assert str(file) in capsys.readouterr().err


def test_an_ascii_terminal_is_told_everything_in_ascii() -> None:
    done = started(
        "check", "--answer", "né 7", "--evidence", "né 8", PYTHONIOENCODING="ascii", PYTHONUTF8="0"
    )
    assert (done.returncode, done.stderr) == (6, "")
    assert "n\\xe9 7(no)" in done.stdout
