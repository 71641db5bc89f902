"""What is installed is what git tracks, and the command finds its own packages wherever it is."""

import os
import re
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path
from sysconfig import get_path

import pytest

from grounding import __version__

ROOT = Path(__file__).resolve().parents[2]
MOVED = {"sql/": "pipelines/_sql/", "data/": "grounding/_data/"}
SHIPPED = ("grounding", "pipelines", "sql", "data")
CHECK = ("check", "--answer", "Take 4 mg [1].", "--evidence", "Take 4 mg.")


def command(*arguments: str | Path, cwd: Path, **environment: str) -> str:
    """Stdout of a command that must succeed; no PYTHONPATH of the caller's leaks in."""
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        arguments, cwd=cwd, env={**kept, **environment}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def tracked(*folders: str) -> set[str]:
    """The files that git tracks, or would: not caches, nor what somebody ignores."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout, so what belongs to the project is not known")
    listed = command(
        *("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *folders), cwd=ROOT
    )
    return {name for name in listed.split("\0") if name and (ROOT / name).is_file()}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel, built from the source distribution, as a release is."""
    folder = tmp_path_factory.mktemp("dist")
    command(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT, cwd=folder)
    return folder


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A folder of the user's, which holds a `pipelines` of its own that must not be imported."""
    theirs = tmp_path / "elsewhere" / "pipelines"
    theirs.mkdir(parents=True)
    (theirs / "__init__.py").write_text("raise SystemExit('the wrong pipelines')\n")
    return theirs.parent


def environment(folder: Path) -> Path:
    """A fresh environment without the project, but with what it depends on. Returns its bin."""
    venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    asked = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = Path(command(python, "-c", asked, cwd=folder).strip())
    # A line of a path file adds a folder without reading the path files in it: our own
    # editable install is not carried over.
    (site / "dependencies.pth").write_text(f"{get_path('purelib')}\n{get_path('platlib')}\n")
    return python.parent


def install(into: Path, *arguments: str | Path) -> None:
    pip = (sys.executable, "-m", "pip", "--python", into / "python", "install", "--quiet")
    command(*pip, "--no-deps", "--no-index", *arguments, cwd=into)


def assert_works(bin_folder: Path, elsewhere: Path) -> None:
    """The command, by its script and as a module, in a folder with a hostile `pipelines`."""
    for start in ([bin_folder / "grounding"], [bin_folder / "python", "-m", "grounding"]):
        for path in ("", str(elsewhere)):
            shown = command(*start, *CHECK, cwd=elsewhere, PYTHONPATH=path)
            assert shown.startswith("passed: grounded")
    assert "one row per" in command(bin_folder / "grounding", "query", cwd=elsewhere)
    assert (
        command(bin_folder / "grounding", "--version", cwd=elsewhere)
        == f"grounding {__version__}\n"
    )


def test_a_checkout_runs_without_being_installed(tmp_path: Path, elsewhere: Path) -> None:
    python = environment(tmp_path / "venv") / "python"
    both = os.pathsep.join([str(elsewhere), str(ROOT)])
    shown = command(python, "-m", "grounding", *CHECK, cwd=elsewhere, PYTHONPATH=both)
    assert shown.startswith("passed: grounded")


def test_an_editable_install_works_from_another_folder(tmp_path: Path, elsewhere: Path) -> None:
    bin_folder = environment(tmp_path / "venv")
    install(bin_folder, "--no-build-isolation", "--editable", ROOT)
    assert_works(bin_folder, elsewhere)


def test_a_wheel_works_from_another_folder(tmp_path: Path, built: Path, elsewhere: Path) -> None:
    bin_folder = environment(tmp_path / "venv")
    install(bin_folder, *built.glob("*.whl"))
    assert_works(bin_folder, elsewhere)
    where = "import grounding, pipelines; print(grounding.__file__, pipelines.__file__)"
    assert str(ROOT) not in command(bin_folder / "python", "-c", where, cwd=tmp_path)


def test_the_wheel_holds_what_git_tracks_and_nothing_else(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    expected = set()
    for name in tracked(*SHIPPED):
        top = name.split("/")[0] + "/"
        expected.add(MOVED.get(top, top) + name.removeprefix(top))
    assert packed == expected
    assert {name.split("/")[0] for name in packed} == {"grounding", "pipelines"}
    assert any(name.startswith("grounding/_data/LICENSE") for name in packed)


def test_the_source_distribution_holds_the_tests_and_all_that_is_built_from(built: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    listed = command("tar", "-tzf", archive, cwd=built).split("\n")
    packed = {line.partition("/")[2] for line in listed if line and not line.endswith("/")}
    assert tracked() - packed <= set()
    assert packed - tracked() == {"PKG-INFO"}


def test_the_metadata_names_the_licence_and_no_machine(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
        metadata = archive.read(name).decode()
    assert f"\nVersion: {__version__}\n" in metadata
    assert "License-Expression: MIT" in metadata
    assert "Requires-Python: >=3.11" in metadata


def requirements(name: str) -> dict[str, str]:
    text = (ROOT / name).read_text(encoding="utf-8")
    return dict(re.findall(r"^([a-z0-9._-]+)==(\S+)", text, re.MULTILINE))


def test_every_dependency_has_both_bounds_and_a_pinned_release_within_the_files() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    runtime, development = requirements("requirements.txt"), requirements("requirements-dev.txt")
    for dependency in project["project"]["dependencies"]:
        assert re.fullmatch(r"[a-z-]+>=[0-9.]+,<[0-9.]+", dependency), dependency
        assert dependency.split(">")[0] in runtime
    assert runtime.items() <= development.items()
    for dependency in project["dependency-groups"]["dev"][1:]:
        assert re.split(r"[=>\[]", dependency)[0] in development
    for name in ("requirements.txt", "requirements-dev.txt"):
        blocks = re.split(
            r"^(?=[a-z])", (ROOT / name).read_text(encoding="utf-8"), flags=re.MULTILINE
        )[1:]
        assert all("--hash=sha256:" in block for block in blocks)


def test_the_readme_holds_the_two_commands_that_the_gate_runs() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for mark, last in (("demo", "grounding run"), ("tests", "pytest")):
        blocks = re.findall(
            rf"^<!-- {mark} -->\n+```\w*\n(.+?)\n```", readme, re.MULTILINE | re.DOTALL
        )
        assert len(blocks) == 1, mark
        assert blocks[0].rstrip().endswith(last)
