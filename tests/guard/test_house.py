"""The habits of the house that no linter knows: lengths, names, reasons, and nobody's machine."""

import re
import subprocess
from pathlib import Path
from statistics import median

import pytest

ROOT = Path(__file__).resolve().parents[2]
THIS = Path(__file__).relative_to(ROOT).as_posix()
TOO_LONG, USUAL = 300, 130
VAGUE = {"utils", "util", "misc", "helpers", "helper", "common"}

# Spelled so that this file does not hold what it looks for.
FOREIGN = re.compile(
    r"https?://[^\s\"']+/(?:simple|packages)/"
    r"|(?:pypi|pythonhosted|npmjs)\.(?:org|com)"
    r"|(?:^|[\s\"'=(:])/(?:work|root|farm|home|opt)/[A-Za-z.]",
    re.MULTILINE,
)
IGNORE = re.compile(r"#\s*(?:noqa|type:\s*ignore|pragma)")
REASONED = re.compile(
    r"#\s*(?:noqa: [A-Z0-9, ]+|type: ignore\[[a-z, -]+\]|pragma: [a-z ]+)\s*[#(]\s*\w"
)


def project_files() -> list[Path]:
    """What git tracks, or would track: caches and environments are nobody's business here."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout, so what belongs to the project is not known")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    paths = (ROOT / name for name in listed.stdout.decode().split("\0") if name)
    return [path for path in paths if path.is_file()]


def python_files() -> dict[str, str]:
    return {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for path in project_files()
        if path.suffix == ".py"
    }


def test_files_are_short() -> None:
    lengths = {name: text.count("\n") for name, text in python_files().items()}
    assert {name: n for name, n in lengths.items() if n > TOO_LONG} == {}
    assert median(lengths.values()) < USUAL


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert [name for name in python_files() if VAGUE & set(Path(name).with_suffix("").parts)] == []


def test_every_ignore_carries_its_reason_on_the_line() -> None:
    bare = [
        f"{name}:{number}: {line.strip()}"
        for name, text in python_files().items()
        for number, line in enumerate(text.split("\n"), start=1)
        if IGNORE.search(line) and not REASONED.search(line) and name != THIS
    ]
    assert bare == []


def test_no_file_names_a_registry_or_a_path_of_some_machine() -> None:
    found = {}
    for path in project_files():
        name = path.relative_to(ROOT).as_posix()
        if name.startswith("data/"):
            continue  # text of real answers may name any address
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # binary
        if hits := [match[0].strip() for match in FOREIGN.finditer(text)]:
            found[name] = hits
    assert found == {}
