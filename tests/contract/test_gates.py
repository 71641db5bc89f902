"""Gates end to end: the run is published whatever they say, and the same command says the same."""

import json
from pathlib import Path
from typing import Any

import pytest

from grounding.errors import JobError
from pipelines.cli import main
from tests.contract.bench import Bench, answers, published_runs, put

Captured = pytest.CaptureFixture[str]
KEYS = ["name", "group", "figure", "total", "limit", "passed", "judged"]


def command(bench: Bench, *flags: str) -> int:
    return main(["run", str(bench.answers), "--out", str(bench.out), *flags])


def told(bench: Bench, capsys: Captured, *flags: str) -> tuple[int, dict[str, Any], list[str]]:
    """Exit code, the one JSON object of stdout, the lines of stderr."""
    capsys.readouterr()
    code = command(bench, *flags, "--json")
    out, err = capsys.readouterr()
    (line,) = out.splitlines()
    return code, json.loads(line), err.splitlines()


@pytest.fixture
def night(bench: Bench) -> Bench:
    """100 rows, one rejected; one of 99 answers is wrong; models are a (90), b (8), null (1)."""
    text = ["It is 5 [1]."] * 98 + ["It is 6 [1]."] + [None]
    put(
        bench.answers,
        {"a.parquet": answers(100, answer=text, model=["a"] * 90 + ["b"] * 8 + [None, "b"])},
    )
    return bench


def test_a_run_with_as_many_rejects_as_are_allowed_is_green(night: Bench, capsys: Captured) -> None:
    code, value, err = told(night, capsys)
    assert (code, err) == (0, [])
    assert "error" not in value
    assert value["gates"] == [
        {
            "name": "max_rejected",
            "group": None,
            "figure": 1,
            "total": 100,
            "limit": "1%",
            "passed": True,
            "judged": True,
        }
    ]


def test_one_reject_too_many_ends_with_6_and_the_run_is_published(
    night: Bench, capsys: Captured
) -> None:
    code, value, err = told(night, capsys, "--max-rejected", "0.99%")
    assert code == 6
    assert published_runs(night.out) == [f"run_id={value['run_id']}"]
    (line,) = err
    assert line == "grounding: gate max_rejected: 1 of 100 (1.0000 %), the limit is 0.99%"
    assert value["error"] == {
        "message": line.removeprefix("grounding: "),
        "exit_code": 6,
        "kind": "GateFailed",
    }
    assert (value["read"], value["rejected"], value["already_done"]) == (100, 1, False)


def test_the_same_command_again_says_the_same_and_other_limits_judge_the_same_run(
    night: Bench, capsys: Captured
) -> None:
    flags = ["--min-grounded", "99%", "--gate-by", "model", "--expect-groups", "c"]
    first, second = told(night, capsys, *flags), told(night, capsys, *flags)
    assert first[0] == second[0] == 6
    assert [value.pop("already_done") for value in (first[1], second[1])] == [False, True]
    assert first == second
    code, value, _ = told(night, capsys)
    assert (code, value["run_id"], value["already_done"]) == (0, first[1]["run_id"], True)
    assert len(published_runs(night.out)) == 1


def test_groups_are_objects_and_null_is_a_group_of_its_own(night: Bench, capsys: Captured) -> None:
    code, value, err = told(
        night, capsys, "--gate-by", "model", "--max-reason", "ungrounded_number=2%"
    )
    assert code == 6
    assert all(list(gate) == KEYS for gate in value["gates"])
    found = [(gate["group"], gate["figure"], gate["total"]) for gate in value["gates"][1:]]
    assert found == [
        (None, 1, 99),
        ({"model": "a"}, 0, 90),
        ({"model": "b"}, 0, 8),
        ({"model": None}, 1, 1),
    ]
    assert len(err) == 1
    assert '"model" null: 1 of 1' in err[0]


def test_a_group_below_min_n_fails_unless_that_is_allowed(night: Bench, capsys: Captured) -> None:
    flags = ["--gate-by", "model", "--min-grounded", "98%", "--min-n", "9"]
    code, value, err = told(night, capsys, *flags)
    assert code == 6
    unjudged = [gate["group"] for gate in value["gates"] if not gate["judged"]]
    assert unjudged == [{"model": "b"}, {"model": None}]
    assert len(err) == 2
    assert all("not judged" in line for line in err)
    code, value, err = told(night, capsys, *flags, "--allow-unjudged")
    assert (code, err) == (0, [])
    assert [gate["group"] for gate in value["gates"] if not gate["judged"]] == unjudged


@pytest.mark.parametrize(
    ("rows", "code"), [("100", 0), ("101", 6), ("=100", 0), ("=99", 6), ("90..99", 6)]
)
def test_a_short_night_is_not_green(night: Bench, rows: str, code: int) -> None:
    assert command(night, "--expect-rows", rows) == code
    assert len(published_runs(night.out)) == 1


def test_an_empty_night_is_green_only_where_that_is_expected(bench: Bench) -> None:
    put(bench.answers, {"a.parquet": answers(0)})
    assert command(bench) == 3
    assert command(bench, "--allow-empty") == 0
    assert command(bench, "--allow-empty", "--expect-rows", "1") == 6
    assert command(bench, "--allow-empty", "--min-grounded", "0%") == 6
    assert command(bench, "--allow-empty", "--min-grounded", "0%", "--allow-unjudged") == 0


def test_where_all_rows_are_rejected_allow_empty_publishes_and_the_gate_still_fails(
    bench: Bench,
) -> None:
    put(bench.answers, {"a.parquet": answers(2, answer=["5", "5"], evidence=[None, None])})
    assert command(bench, "--allow-empty") == 6
    assert command(bench, "--allow-empty", "--max-rejected", "100%") == 0


def test_the_summary_counts_gates_and_the_failing_ones_are_listed(
    night: Bench, capsys: Captured
) -> None:
    assert command(night, "--min-grounded", "100%") == 6
    out, err = capsys.readouterr()
    assert "1 of 2 gates passed\n" in out
    assert err == ("grounding: gate min_grounded: 98 of 99 (98.9898 %), the limit is 100%\n")


def test_a_hostile_group_cannot_act_on_a_terminal_or_forge_a_line(
    bench: Bench, capsys: Captured
) -> None:
    name, value = "^a\u202e.*$", "x\x1b[2J\ngrounding: all gates passed"
    table = answers(2, answer=["5", "6"], **{name: ["y", value]})
    put(bench.answers, {"a.parquet": table})
    code, told_value, err = told(bench, capsys, "--gate-by", name, "--min-grounded", "50%")
    assert code == 6
    assert [gate["group"] for gate in told_value["gates"][2:]] == [{name: value}, {name: "y"}]
    (line,) = err
    assert line.startswith('grounding: gate min_grounded, "^a\\u202e.*$" "x\\u001b[2J\\n')


def test_a_gate_by_that_is_not_carried_is_refused_before_anything_is_graded(bench: Bench) -> None:
    keys: dict[str, Any] = {"gate_by": "model", "min_grounded": "1%"}
    (fault,) = bench.faults({"a.parquet": answers(2, modle=["a", "b"])}, **keys)
    assert fault.startswith("2: gate_by: no carried column 'model'; did you mean 'modle'?")
    bench.run()
    with pytest.raises(JobError, match="no carried column 'model'"):
        bench.run(**keys)  # found as done


def test_a_column_is_gated_by_the_name_that_it_is_published_under(bench: Bench) -> None:
    keys: dict[str, Any] = {"map": {"model": "m"}, "carry": ("m",), "min_grounded": "1%"}
    made = bench.run({"a.parquet": answers(2, m=["a", "b"])}, gate_by="model", **keys)
    assert [gate.group for gate in made.outcome.gates[2:]] == [("model", "a"), ("model", "b")]


def test_a_failed_gate_is_no_error_in_python_and_gates_change_no_run_id(bench: Bench) -> None:
    plain = bench.run({"a.parquet": answers(4, answer=["5", "5", "6", None])})
    assert [gate.passed for gate in plain.outcome.gates] == [False]
    gated = bench.run(max_rejected="50%", expect_rows=4, min_grounded="66%")
    assert [gate.passed for gate in gated.outcome.gates] == [True] * 3
    assert gated.outcome.run_id == plain.outcome.run_id
    assert gated.manifest["job_id"] == plain.manifest["job_id"]


def test_the_gates_of_a_job_file_are_those_of_the_flags(
    night: Bench, capsys: Captured, tmp_path: Path
) -> None:
    file = tmp_path / "job.toml"
    file.write_text(
        '[gates]\nmin_grounded = "99%"\ngate_by = "model"\n[expect]\nrows = 5\ngroups = ["a", "z"]'
    )
    from_file = told(night, capsys, "--job", str(file))
    flags = ["--min-grounded", "99%", "--gate-by", "model", "--expect-rows", "5"]
    flags += ["--expect-groups", "a", "--expect-groups", "z"]
    from_flags = told(night, capsys, *flags)
    assert from_file[0] == from_flags[0] == 6
    assert from_file[1]["gates"] == from_flags[1]["gates"]
    assert from_file[2] == from_flags[2]


@pytest.mark.parametrize("flags", [["--max-rejected", "150%"], ["--min-grounded", "abc"]])
def test_a_wrong_limit_is_2_and_nothing_is_published(
    night: Bench, capsys: Captured, flags: list[str]
) -> None:
    code, value, _ = told(night, capsys, *flags)
    assert code == 2
    assert "wanted" in value["error"]["message"]
    assert not night.out.exists()
