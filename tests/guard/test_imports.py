"""The direction of the house: who may import whom, and what `grounding` may not do at all."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PURE, IMPURE = "grounding/", "pipelines/"
ENTRY = "grounding/__main__.py"
REFERENCE = "grounding/reference/"
FIXTURES = "grounding/fixtures.py"
NUMBER_WORDS, UNITS = "grounding/numberwords.py", "grounding/units.py"

# What is imported | the only places that may. A place ends in a slash, or is one file.
ONLY = [
    ("pipelines", [IMPURE, ENTRY]),
    ("pipelines.cli", ["pipelines/cli/", ENTRY]),
    ("pipelines.run", ["pipelines/cli/", "pipelines/doctor/"]),
    ("grounding.reference", [REFERENCE, "grounding/__init__.py", "pipelines/cli/"]),
    ("duckdb", ["pipelines/views/", "pipelines/query.py"]),
    ("obstore", ["pipelines/places/", "pipelines/read/remote.py"]),
    ("botocore", ["pipelines/places/stores.py"]),
    ("fsspec", ["pipelines/views/objects.py"]),
    ("typer", ["pipelines/cli/"]),
    ("rich", ["pipelines/cli/"]),
    ("pydantic", ["pipelines/job.py", "pipelines/gatekeys.py", "pipelines/rulekeys.py"]),
    ("pydantic_core", ["pipelines/job.py"]),
    ("pyarrow", [IMPURE]),
    ("pathlib", [IMPURE, ENTRY, FIXTURES]),
    ("importlib", [IMPURE, "grounding/__init__.py", FIXTURES, NUMBER_WORDS, UNITS]),
    ("os", [IMPURE, ENTRY]),
    *((module, [IMPURE]) for module in ("io", "time", "datetime", "random", "subprocess")),
]

# Beside its own modules the reference stands on these, and on none that works on columns.
REFERENCE_STANDS_ON = {
    *("grounding.categories", "grounding.digits", "grounding.letters", "grounding.unicode16"),
    *("grounding.causetable", "grounding.numberwords", "grounding.policies", "grounding.units"),
    *("grounding.errors", "grounding.faults", "grounding.fixtures", "grounding.folding"),
}

# Names that a rule has no use for: they run a plan, leave the engine, or reach the outside.
FORBIDDEN = {
    *("collect", "collect_all", "collect_async", "fetch"),
    *("map_elements", "map_batches", "map_groups", "iter_rows", "to_dicts"),
    *("open", "read_text", "read_bytes", "write_text", "write_bytes", "environ", "getenv"),
    *("scan_parquet", "read_parquet", "scan_csv", "read_csv", "sink_parquet", "write_parquet"),
    *("now", "today", "utcnow", "print", "input", "exec"),
}
# The one function of a file that reads what is shipped beside it; what it reads is parsed purely.
READS_ITS_FILE = {
    FIXTURES: "load_book_fixture",
    NUMBER_WORDS: "number_words",
    UNITS: "shipped_units",
}


def sources(*places: str) -> Iterator[tuple[str, ast.Module]]:
    for place in places:
        for file in sorted((ROOT / place).rglob("*.py")):
            yield file.relative_to(ROOT).as_posix(), ast.parse(file.read_text(encoding="utf-8"))


def imported(tree: ast.AST) -> Iterator[str]:
    """Every module that a file imports, at any depth, `from a import b` as `a` and as `a.b`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative import"
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def lies_in(file: str, places: list[str]) -> bool:
    return any(file == place or (place[-1] == "/" and file.startswith(place)) for place in places)


def names(tree: ast.AST, leaving_out: str | None = None) -> Iterator[str]:
    """Every name and attribute that is used, but for the body of one function."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef) and node.name == leaving_out:
            continue
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        yield from names(node, leaving_out)


@pytest.mark.parametrize(("module", "places"), ONLY, ids=[module for module, _ in ONLY])
def test_only_these_places_import_it(module: str, places: list[str]) -> None:
    strangers = [
        file
        for file, tree in sources(PURE, IMPURE)
        if not lies_in(file, places)
        and any(name == module or name.startswith(f"{module}.") for name in imported(tree))
    ]
    assert strangers == []


def test_the_reference_and_the_vectorised_modules_never_meet() -> None:
    trees = dict(sources(PURE))
    files = {
        file.removesuffix(".py").removesuffix("/__init__").replace("/", "."): file
        for file in trees
        if file != "grounding/__init__.py"
    }
    beneath, waiting = set[str](), [file for file in trees if file.startswith(REFERENCE)]
    while waiting:
        ours = set(files) & set(imported(trees[waiting.pop()]))
        waiting += [files[name] for name in ours - beneath]
        beneath |= ours
    reference = {name for name, file in files.items() if file.startswith(REFERENCE)}
    assert beneath - reference <= REFERENCE_STANDS_ON
    assert {"grounding.reference.spans", "grounding.fixtures", "grounding.digits"} < beneath


def test_the_rules_run_no_plan_and_reach_nothing_outside() -> None:
    used = {
        file: set(names(tree, READS_ITS_FILE.get(file)))
        for file, tree in sources(PURE)
        if file != ENTRY and not file.startswith(REFERENCE)
    }
    assert {file: hit for file, found in used.items() if (hit := found & FORBIDDEN)} == {}


def test_the_walk_sees_imports_at_any_depth_and_every_name() -> None:
    tree = ast.parse("def f():\n    from a import b\n    import c.d\n    x.collect(open)\n")
    assert list(imported(tree)) == ["a", "a.b", "c.d"]
    assert set(names(tree)) & FORBIDDEN == {"collect", "open"}
    assert set(names(tree, leaving_out="f")) == set()


def test_importing_grounding_loads_no_part_of_the_pipelines() -> None:
    heavy = "polars duckdb pydantic typer rich pyarrow pipelines"
    code = f"import sys, grounding; print([m for m in '{heavy}'.split() if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("[]\n", "")
