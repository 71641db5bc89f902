"""A results folder in an object store does what one on a disk does; its objects read as files."""

import errno
import glob
import io
import pickle
from pathlib import Path

import obstore.store
import pytest

from grounding.errors import InputError, TaskError
from pipelines.places import Bucket, place_of, stores
from pipelines.places.bucket import stamp_of
from pipelines.places.stores import StoreFault
from pipelines.read.remote import Remote, fault_of, matches


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> obstore.store.MemoryStore:
    """A store in memory in the place of every bucket."""
    kept = obstore.store.MemoryStore()
    monkeypatch.setattr(stores, "_opened", lambda _: kept)
    return kept


def test_errors_of_our_own_pass_through_a_store(memory: obstore.store.MemoryStore) -> None:
    with pytest.raises(ValueError, match="ours"), stores.store("s3://b"):
        raise ValueError("ours")
    with pytest.raises(FileNotFoundError, match=r"gone\.parquet"):
        place_of("s3://b").take("x", Path("gone.parquet"))


def test_a_place_goes_to_other_processes_by_its_url(memory: obstore.store.MemoryStore) -> None:
    place = place_of("S3://b/a b/")
    place.write("x", "5")
    again = pickle.loads(pickle.dumps(place))  # noqa: S301  (our own bytes)
    assert (again, again.read("x"), str(again)) == (place, b"5", "s3://b/a b")


def test_a_place_does_what_a_folder_does(memory: obstore.store.MemoryStore, tmp_path: Path) -> None:
    place = place_of("s3://b/out")
    name = "t [1]/100% #é?*.parquet"
    memory.put("outside", b"")
    memory.put("out side/x", b"")
    (tmp_path / "part").write_bytes(b"12345")
    place.take(name, tmp_path / "part")
    assert not (tmp_path / "part").exists()
    assert place.create("t [1]/new", "1")
    assert not place.create("t [1]/new", "2")
    first = place.stamp("t [1]/new")
    place.write("t [1]/new", "3")
    assert place.stamp("t [1]/new") not in (first, None)
    assert place.stamp("none") is None
    assert place.entries("") == ["t [1]"]
    assert place.entries("t [1]") == ["100% #é?*.parquet", "new"]
    assert place.entries("none") == []
    assert place.sizes("") == {name: 5, "t [1]/new": 1}
    assert place.path(name) == f"s3://b/out/{name}"
    with pytest.raises(FileNotFoundError):
        place.read("none")
    place.remove("none")
    place.remove()
    place.remove_below("t [1]")
    assert place.sizes("") == {}
    assert len(memory.list().collect()) == 2


def test_an_upload_of_another_size_is_a_fault_and_keeps_the_file(
    memory: obstore.store.MemoryStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Cut:
        def put(self, *_: object) -> None: ...

        def head(self, _: str) -> dict[str, int]:
            return {"size": 4}

    monkeypatch.setattr(stores, "_opened", lambda _: Cut())
    (tmp_path / "part").write_bytes(b"12345")
    with pytest.raises(StoreFault, match="t/part has 4 bytes there, 5 were sent"):
        place_of("s3://b").take("t/part", tmp_path / "part")
    assert (tmp_path / "part").exists()


def test_an_object_is_read_as_a_file_is(memory: obstore.store.MemoryStore) -> None:
    data = bytes(range(256)) * 100_000
    meta = memory.put("x", data)
    remote = Remote("s3://b", "x", len(data), meta["e_tag"])
    assert remote.read_bytes() == data
    with remote.open() as stream, io.BytesIO(data) as same:
        for offset, whence, size in ((-70, 2, 100), (5, 0, 9_000_000), (-3, 1, 3), (10**9, 0, 1)):
            assert stream.seek(offset, whence) == same.seek(offset, whence)
            assert stream.read(size) == same.read(size)
            assert stream.tell() == same.tell()
    memory.put("x", data)
    with pytest.raises(StoreFault, match="changed meanwhile"), remote.open() as stream:
        stream.read(1)


def test_what_is_said_of_input_depends_on_whose_fault_it_is() -> None:
    stale = fault_of("answers: x", StoreFault(errno.ESTALE, "it was changed meanwhile"))
    gone = fault_of("answers: x", FileNotFoundError(errno.ENOENT, "no such object"))
    silent = fault_of("answers: x", StoreFault(errno.EIO, "no route"))
    assert (type(stale), type(gone), type(silent)) == (InputError, InputError, TaskError)
    assert str(silent) == (
        "answers: x cannot be read: no route; finished tasks are kept: run the same again"
    )


@pytest.mark.parametrize(
    ("version", "e_tag", "stamp"),
    [
        ("v1", '"e"', "version:v1"),
        ("null", '"e"', "etag:e"),
        (None, '"e"', "etag:e"),
        *((None,) * 3,),
    ],
)
def test_a_version_comes_before_an_etag(
    version: str | None, e_tag: str | None, stamp: str | None
) -> None:
    assert stamp_of({"version": version, "e_tag": e_tag}) == stamp  # type: ignore[typeddict-item]  # all that is looked at


@pytest.mark.parametrize(
    ("name", "pattern", "found"),
    [
        ("a.csv", "*.csv", True),
        ("a/b.csv", "*.csv", False),
        ("a/b.csv", "*/*.csv", True),
        ("b.csv", "**/*.csv", True),
        ("a/b/c.csv", "**/*.csv", True),
        ("a/b/c.csv", "a/**", True),
        (".a/b.csv", "**/*.csv", False),
        (".b.csv", "*", False),
        (".b.csv", ".b*", True),
        ("[1].csv", "[[]1].csv", True),
        ("A.csv", "a.csv", False),
    ],
)
def test_patterns_match_as_glob_does(name: str, pattern: str, found: bool, tmp_path: Path) -> None:
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).touch()
    there = glob.glob(f"{glob.escape(str(tmp_path))}/{pattern}", recursive=True)
    assert (str(tmp_path / name) in there) is found
    assert matches(name.split("/"), pattern.split("/")) is found


def test_a_bucket_is_a_place() -> None:
    assert place_of("s3://b/x") == Bucket("s3://b", "x")
