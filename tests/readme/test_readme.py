"""README.md is held against what it tells: its tables, outputs, examples and commands."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.readme.write import GENERATED, OUTPUT, README, ROOT, output_of, parts

TEXT = README.read_text("utf-8")


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder where the demo was run, with nothing said about where."""
    folder = tmp_path_factory.mktemp("demo")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "grounding", "run"]
    subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
    return folder


@pytest.mark.parametrize("name", parts())
def test_a_generated_part_is_what_would_be_generated(name: str) -> None:
    written = {match[2]: match[3] for match in GENERATED.finditer(TEXT)}
    assert written[name] == parts()[name], "run: python tests/readme/write.py"


@pytest.mark.parametrize("command", [match[2] for match in OUTPUT.finditer(TEXT)])
def test_a_command_prints_what_the_readme_shows(
    command: str, demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(demo)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    shown = {match[2]: match[3] for match in OUTPUT.finditer(TEXT)}
    assert output_of(command) == shown[command], "run: python tests/readme/write.py"


def test_the_python_examples_say_what_they_print() -> None:
    examples = "\n".join(re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(examples, {}, "README.md", str(README), 0)
    assert len(test.examples) > 5
    assert doctest.DocTestRunner().run(test).failed == 0


def test_there_are_two_commands_and_each_is_one_line() -> None:
    blocks = re.findall(r"<!-- (demo|tests) -->\n```sh\n(.*?)```", TEXT, re.DOTALL)
    assert [name for name, _ in blocks] == ["demo", "tests"]
    assert all(command.count("\n") == 1 for _, command in blocks)


def test_every_link_to_a_file_leads_somewhere() -> None:
    targets = [target.split("#")[0] for target in re.findall(r"\]\(([^)h][^)]*)\)", TEXT)]
    assert [target for target in targets if target and not (ROOT / target).exists()] == []
