"""What reaches a terminal: nothing that acts on it, and a bar only where a person looks."""

import io
import sys

import pytest

from pipelines.cli.explained import explained
from pipelines.cli.progress import observer
from pipelines.cli.shown import marked_answer
from pipelines.cli.terminal import complain, show, visible
from pipelines.log import TaskDone


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_every_control_and_direction_character_is_spelled_out() -> None:
    acting = [*range(0x20), *range(0x7F, 0xA0), 0x61C, 0x200E, 0x200F, 0x2028, 0x2029]
    acting += [*range(0x202A, 0x202F), *range(0x2066, 0x206A)]
    for code in acting:
        assert visible(chr(code)).isascii()
        assert visible(chr(code)).startswith("\\")
    assert visible("\ud800") == "\\ud800"
    assert visible("Trẻ em ٣ 漢字 👩‍⚕️ e\u0301") == "Trẻ em ٣ 漢字 👩‍⚕️ e\u0301"


def test_a_block_keeps_its_lines() -> None:
    assert visible("a\n\tb\r\x1b", block=True) == "a\n\tb\\r\\x1b"


def test_no_line_of_a_fault_can_pass_for_another_fault(capsys: pytest.CaptureFixture[str]) -> None:
    complain("one\ngrounding: all is well")
    assert capsys.readouterr().err == "grounding: one\n  grounding: all is well\n"


def test_there_is_no_bar_where_stderr_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", stream := io.StringIO())
    with observer("Grading") as watching:
        assert watching is None
    assert stream.getvalue() == ""


def test_a_bar_follows_what_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", stream := Terminal())
    with observer("Grading") as watching:
        assert watching is not None
        for read in (1, 4):
            watching(TaskDone(1, 1, 1, 0, 1, 0.1, False, (), read, 4))
    assert "Grading" in stream.getvalue()
    assert "100%" in stream.getvalue()


def test_colour_is_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    from rich.text import Text

    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    tokens = explained("4 7", ["4"], annotated=False)
    for stream, coloured in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr(sys, "stdout", stream)
        show(Text("word", "red"))
        assert ("\x1b[31m" in stream.getvalue()) == coloured
        assert ("\x1b[32m4" in marked_answer("4 7", tokens)) == coloured
    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in marked_answer("4 7", tokens)
