"""`run --dry-run` says what would be read, graded and superseded, and writes nothing."""

import json

import pytest

from pipelines.cli import main
from pipelines.job import Job
from pipelines.run import intended, run
from tests.contract.bench import Bench, put
from tests.contract.nights import grown, job, night


def test_a_dry_run_says_what_would_be_graded_and_writes_nothing(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    grown(bench, {"1.parquet": night(1), "2.parquet": night(2)})
    before = {p: p.read_bytes() for p in bench.out.rglob("*") if p.is_file()}
    put(bench.answers, {"1.parquet": night(1, 3), "3.parquet": night(3)})
    (bench.answers / "2.parquet").unlink()
    flags = [str(bench.answers), "--out", str(bench.out), "--name", "nightly", "--incremental"]
    assert main(["run", *flags, "--dry-run", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["would_grade"] == ["1.parquet", "3.parquet"]
    assert (said["changed"], said["unchanged"], said["gone"]) == (["1.parquet"], [], ["2.parquet"])
    assert list(said["superseded"].values()) == [["1.parquet"]]
    assert said["bytes"] == sum((bench.answers / n).stat().st_size for n in said["would_grade"])
    assert {p: p.read_bytes() for p in bench.out.rglob("*") if p.is_file()} == before
    assert said["run_id"] == run(job(bench)).run_id


def test_a_dry_run_of_a_plain_job_makes_no_folder(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    put(bench.answers, {"1.parquet": night(1)})
    flags = [str(bench.answers), "--out", str(bench.out)]
    assert main(["run", *flags, "--dry-run"]) == 0
    assert "would publish run r" in capsys.readouterr().out
    assert not bench.out.exists()
    plain = Job.from_flags({"answers": str(bench.answers), "out": str(bench.out)})
    made = run(plain)
    assert main(["run", *flags, "--dry-run"]) == 0
    assert f"nothing to grade: run {made.run_id} is published" in capsys.readouterr().out
    assert intended(plain).done is not None
