"""What goes wrong in an object store is said in our own words, and publishes nothing."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import obstore.exceptions
import pytest

from grounding.errors import InputError, JobError, TaskError
from pipelines import plan
from pipelines.cli import main
from pipelines.grade import Grader
from pipelines.job import Job
from pipelines.places import lease, stores
from pipelines.read import files, rows
from pipelines.run import run
from tests.contract.bench import Bench, answers, put
from tests.contract.objects import Store, forget_access

ROWS = "answer_id,answer,evidence\n" + "".join(f"c{n},5,5\n" for n in range(50))


@pytest.fixture
def url(bench: Bench, store: Store) -> str:
    return store.put_folder(f"{store.bucket()}/in", put(bench.answers, {"a.parquet": answers(3)}))


def faults(job: Job) -> str:
    with pytest.raises((JobError, InputError, TaskError)) as caught:
        run(job)
    return f"{caught.value.exit_code}: {caught.value}"


def before(patch: pytest.MonkeyPatch, owner: Any, name: str, happens: Callable[[], object]) -> None:
    """Let something happen as a function is entered for the first time."""
    function, happened = getattr(owner, name), list[object]()

    def entered(*given: Any, **named: Any) -> Any:
        if not happened:
            happened.append(happens())
        return function(*given, **named)

    patch.setattr(owner, name, entered)


@pytest.mark.parametrize("change", ["replaced", "removed"])
def test_an_object_that_changes_while_it_is_read_publishes_nothing(
    store: Store, url: str, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    def happens() -> None:
        if change == "removed":
            store.remove(f"{url}/a.parquet")
        else:
            store.put(f"{url}/a.parquet", store.get(f"{url}/a.parquet") + b"PAR1")

    before(monkeypatch, Grader, "_published", happens)
    assert faults(Job(answers=url, out=f"{url} out")) == (
        f"3: input: {url}/a.parquet was changed or removed while it was read; nothing was "
        "published: run the same again"
    )
    assert {name.partition("/")[0] for name in store.names(f"{url} out")} == {"_lease"}


def test_bytes_of_two_objects_are_never_mixed(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = store.bucket()
    store.put(f"{url}/a.csv", ROWS.encode())
    before(monkeypatch, rows, "_convert", lambda: store.put(f"{url}/a.csv", ROWS[:-8].encode()))
    assert "a.csv was changed or removed while it was read" in faults(
        Job(answers=url, out=f"{url}/out")
    )


def test_an_object_that_changed_since_it_was_found_is_no_input(
    store: Store, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before(monkeypatch, files, "_at_once", lambda: store.put(f"{url}/a.parquet", b"PAR1"))
    said = faults(Job(answers=url, out=f"{url} out"))
    assert said == f"3: answers: {url}/a.parquet cannot be read: it was changed meanwhile"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("{url}/none", "{url}/none does not exist; give an object, a prefix or a glob"),
        ("{url}/*.csv", "no object matches {url}/*.csv"),
        ("s3://no-such-bucket/x", "s3://no-such-bucket/x cannot be looked up: the bucket does not"),
        ("s3a://bucket/x", "'s3a://bucket/x' is no URL of an object store: they are spelled s3://"),
        ("s3:///x", "'s3:///x' is no URL of an object store"),
        ("{url}/a//b", "{url}/a//b cannot be looked up: no name that an object may have here"),
    ],
)
def test_input_that_is_not_there(store: Store, url: str, given: str, said: str) -> None:
    told = faults(Job(answers=given.format(url=url), out=f"{url} out"))
    assert told.startswith("3: answers: ")
    assert said.format(url=url) in told
    assert len(told) < 300


def test_a_prefix_without_data_is_no_input(store: Store) -> None:
    url = store.bucket()
    assert "does not exist" in faults(Job(answers=url, out=f"{url}/out"))
    store.put(f"{url}/x.txt", b"")
    assert "is a prefix without an object ending in .parquet" in faults(Job(answers=url))


def test_results_need_a_bucket(bench: Bench) -> None:
    put(bench.answers, {"a.parquet": answers()})
    for out in ("s3://no-such-bucket/out", "s3://", "https://bucket/x"):
        assert faults(Job(answers=str(bench.answers), out=out)).startswith(f"2: out: {out}") or (
            f"2: out: {out!r} is no URL of an object store"
            in faults(Job(answers=str(bench.answers), out=out))
        )


@pytest.fixture
def nobody(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    forget_access()
    yield
    monkeypatch.undo()
    forget_access()


@pytest.mark.usefixtures("nobody")
def test_without_credentials_it_is_said_what_to_set(bench: Bench, url: str) -> None:
    wanted = "no credentials were found: set AWS_PROFILE, or AWS_ACCESS_KEY_ID and"
    assert f"3: answers: {url} cannot be looked up: {wanted}" in faults(Job(answers=url))
    here = str(bench.answers)
    assert f"2: out: {url} cannot be held: {wanted}" in faults(Job(answers=here, out=url))


@pytest.mark.usefixtures("nobody")
def test_a_profile_that_is_not_there_is_named(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_PROFILE", "nightly")
    assert "its credentials cannot be had: The config profile (nightly)" in faults(Job(answers=url))


@pytest.fixture
def denied(store: Store, url: str) -> Iterator[str]:
    """A place where our key may do nothing."""
    with store.nobody_may():
        yield url


def test_without_permission_it_is_said_so(bench: Bench, denied: str) -> None:
    said = faults(Job(answers=denied))
    assert said.startswith(f"3: answers: {denied} cannot be looked up: access is denied (")
    said = faults(Job(answers=str(bench.answers), out=denied))
    assert said.startswith(f"2: out: {denied} cannot be held: access is denied (InvalidAccessKeyId")
    assert len(said) < 400


def test_results_that_cannot_be_read_are_no_defect(
    denied: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in (["query", "pass_rates", "--dir"], ["runs"]):
        assert main([*command, denied]) == 2
        assert "access is denied" in (said := capsys.readouterr().err)
        assert "Traceback" not in said


def test_libraries_that_are_missing_are_named(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    forget_access()
    monkeypatch.setitem(sys.modules, "obstore.exceptions", None)
    assert 'pip install "grounding[s3]"' in faults(Job(answers=url))


def test_a_store_that_stops_answering_keeps_finished_tasks(
    bench: Bench, store: Store, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "TASK_BYTES", 1)
    store.put_folder(url, put(bench.answers, {"b.parquet": answers(2, answer_id=["x", "y"])}))
    job = Job(answers=url, out=f"{url} out")
    graded, done = Grader.graded, list[int]()

    class Dead:
        def __getattr__(self, name: str) -> Any:
            raise obstore.exceptions.GenericError(
                "Generic S3 error: Error performing PUT http://h/b in 2s, after 8 retries - HTTP "
                "error: error sending request\n\nDebug source:\nGeneric { … }"
            )

    def counted(self: Grader, number: int, task: plan.Task) -> Any:
        if done == [0]:
            monkeypatch.setattr(stores, "_opened", lambda _: Dead())
        done.append(number)
        return graded(self, number, task)

    monkeypatch.setattr(Grader, "graded", counted)
    with monkeypatch.context() as patch:
        patch.setattr(stores, "_opened", stores._opened)
        said = faults(job)
    assert said.startswith("4: out: ")
    assert "error sending request" in said
    assert "Debug source" not in said
    clock = [0.0]
    times = lease.Times(now=lambda: clock[0], pause=lambda _: clock.append(clock.pop() + 60))
    monkeypatch.setattr(lease, "TIMES", times)
    assert run(job).graded == 5
    assert done == [0, 1, 1, 2, 3, 4]


def test_no_temporary_folder_is_left(
    bench: Bench, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import tempfile

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    run(Job(answers=url, out=f"{url} out"))
    faults(Job(answers=url, out=f"{url} out", map={"answer": "nothing"}))
    assert main(["query", "pass_rates", "--dir", f"{url} out"]) == 0
    assert list((tmp_path / "tmp").iterdir()) == []
