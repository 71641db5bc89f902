"""The job: one list of options, read from flags and from a file, every fault named at once."""

import json
from pathlib import Path

import pytest

from grounding.errors import JobError
from pipelines.gatekeys import GateKeys
from pipelines.job import Job, flag_of, identity, options
from pipelines.read.layout import OURS


def job_file(folder: Path, text: str) -> Path:
    file = folder / "job.toml"
    file.write_text(text, encoding="utf-8")
    return file


def faults(file: Path, **flags: object) -> tuple[str, ...]:
    with pytest.raises(JobError) as caught:
        Job.from_toml(file, flags)
    assert caught.value.exit_code == 2
    return caught.value.faults


def test_every_option_is_described_and_says_what_it_accepts_and_decides() -> None:
    assert sorted(options()) == sorted(Job.model_fields)
    assert next(iter(options())) == "answers"
    for key, field in Job.model_fields.items():
        assert field.description, key
        assert options()[key].wanted, key


def test_the_options_are_those_of_this_release() -> None:
    assert sorted(set(Job.model_fields) - set(GateKeys.model_fields)) == [
        "allow_empty",
        "answers",
        "carry",
        "content",
        "demand",
        "evidence",
        "explain",
        "fixtures",
        "graded_after",
        "id",
        "incremental",
        "labels",
        "map",
        "max_text",
        "name",
        "out",
        "passages",
        "require_final_answer",
        "waive",
        "workers",
    ]


def test_without_options_the_job_is_the_demo() -> None:
    job = Job()
    assert (job.answers, job.fixtures, job.out) == (None, (), "results")
    assert (job.map, job.id, job.name, job.carry) == ({}, (), None, None)
    assert (job.content, job.max_text, job.allow_empty) == ("full", 256 * 2**20, False)


def test_a_job_file_and_flags_that_say_the_same_are_the_same_job(tmp_path: Path) -> None:
    file = job_file(
        tmp_path,
        f"""
        answers = "{tmp_path}/answers/*.parquet"
        fixtures = ["{tmp_path}/a.json", "{tmp_path}/b"]
        out = "{tmp_path}/out"
        id = ["prompt", "model"]
        carry = []
        content = "verdicts"
        max_text = "1MiB"
        allow_empty = true
        name = "nightly"
        map = {{ answer = "output", evidence = "contexts" }}
        """,
    )
    flags = {
        "answers": f"{tmp_path}/answers/*.parquet",
        "fixtures": [f"{tmp_path}/a.json", f"{tmp_path}/b"],
        "out": f"{tmp_path}/out",
        "id": "prompt,model",
        "carry": "",
        "content": "verdicts",
        "max_text": "1048576",
        "allow_empty": True,
        "name": "nightly",
        "map": "answer=output,evidence=contexts",
    }
    assert Job.from_toml(file) == Job.from_flags(flags)


def test_a_flag_takes_the_place_of_its_key_and_leaves_the_others(tmp_path: Path) -> None:
    file = job_file(tmp_path, 'answers = "a.csv"\ncontent = "verdicts"\nmap = { answer = "x" }\n')
    job = Job.from_toml(file, {"map": "evidence=y", "answers": "b.csv"})
    assert (job.answers, job.content, job.map) == ("b.csv", "verdicts", {"evidence": "y"})


def test_relative_paths_of_a_file_start_at_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "jobs [old]"
    folder.mkdir()
    (folder / "a[1].csv").touch()
    text = 'answers = "data/*.csv"\nout = "/elsewhere"\nfixtures = ["books", "s3://bucket/*.json"]'
    job = Job.from_toml(job_file(folder, text))
    assert job.answers == f"{tmp_path}/jobs [[]old]/data/*.csv"
    assert job.fixtures == (f"{tmp_path}/jobs [old]/books", "s3://bucket/*.json")
    assert job.out == "/elsewhere"
    assert Job.from_toml(job_file(folder, 'answers = "a[1].csv"')).answers == str(
        folder / "a[1].csv"
    )
    assert Job.from_toml(folder / "job.toml", {"answers": "a.csv"}).answers == "a.csv"


def test_all_faults_of_a_file_are_named_at_once_with_file_key_and_what_is_allowed(
    tmp_path: Path,
) -> None:
    file = job_file(
        tmp_path,
        """
        fixture = "book.json"
        answers = 7
        out = ""
        content = "all"
        allow_empty = "yes"
        carry = ["model", "model"]
        max_text = 0
        name = " padded"
        id = ["row", "model"]
        map = { anwser = "output", evidence = "text", question_id = "text" }
        """,
    )
    found = faults(file)
    expected = {
        "fixture": ["no such key", "did you mean fixtures?", "allow_empty, answers, carry"],
        "answers": ["got 7", "a file, a folder or a glob", "a text, not int"],
        "out": ["got ''", "a folder", "not an empty text"],
        "content": ["got 'all'", "full or verdicts"],
        "allow_empty": ["got 'yes'", "true or false"],
        "carry": ["named twice: model"],
        "max_text": ["got 0", "from 1"],
        "name": ["got ' padded'", "without white space around it"],
        "id": ["row means file and row, and stands alone"],
        "map": ["'text' is read as two columns"],
    }
    by_key = {fault.removeprefix(f"{file}: ").split(":")[0]: fault for fault in found}
    assert set(by_key) == set(expected)
    for key, words in expected.items():
        assert all(word in by_key[key] for word in words), by_key[key]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("content", "everything"),
        ("max_text", "much"),
        ("max_text", "-1"),
        ("max_text", "99999999999999999GiB"),
        ("max_text", True),
        ("map", "answer"),
        ("map", "answer=a,answer=b"),
        ("map", "answer="),
        ("map", ""),
        ("id", ""),
        ("id", "a,,b"),
        ("carry", "a,a"),
        ("name", ""),
        ("name", "two\nlines"),
        ("name", "x" * 201),
        ("answers", "a\0b"),
        ("answers", "a\udcff"),
        ("out", ""),
        ("fixtures", [""]),
    ],
)
def test_a_wrong_flag_is_named_by_its_spelling(key: str, value: object) -> None:
    with pytest.raises(JobError) as caught:
        Job.from_flags({"answers": "a.csv", key: value})
    assert len(caught.value.faults) == 1
    assert caught.value.faults[0].startswith(f"{flag_of(key)}: got ")


@pytest.mark.parametrize(
    ("written", "bytes_"),
    [("1", 1), (1, 1), ("1kB", 1000), ("1KiB", 1024), ("2 MiB", 2**21), ("1gb", 10**9)],
)
def test_sizes_take_decimal_and_binary_units(written: object, bytes_: int) -> None:
    assert Job.from_flags({"max_text": written}).max_text == bytes_


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"answers = ", "not valid TOML"),
        (b"a = 1\na = 2\n", "not valid TOML"),
        (b"\xff\xfe", "not UTF-8"),
        (None, "cannot be read"),
    ],
)
def test_a_file_that_is_no_toml_is_named(tmp_path: Path, content: bytes | None, words: str) -> None:
    file = tmp_path / "job.toml"
    if content is not None:
        file.write_bytes(content)
    (fault,) = faults(file)
    assert fault.startswith(f"{file}: ")
    assert words in fault


def test_two_keys_of_an_answer_are_refused() -> None:
    with pytest.raises(JobError, match="give one"):
        Job.from_flags({"answers": "a.csv", "id": "uid", "map": "answer_id=uid"})


@pytest.mark.parametrize(
    "flags", [{"fixtures": ["b"]}, {"map": "answer=x"}, {"id": "row"}, {"carry": "model"}]
)
def test_options_about_answers_are_not_laid_over_the_demo(flags: dict[str, object]) -> None:
    with pytest.raises(JobError, match="bundled demo"):
        Job.from_flags(flags)


def test_a_long_value_is_shortened_in_its_message() -> None:
    with pytest.raises(JobError) as caught:
        Job.from_flags({"content": "x" * 10_000})
    assert len(str(caught.value)) < 300


def test_identity_holds_the_keys_that_change_a_table_and_no_other() -> None:
    base: dict[str, object] = {"answers": "a.csv"}
    same: list[dict[str, object]] = [
        {"out": "o"},
        {"allow_empty": True},
        {"answers": "b.csv"},
        {"name": "n"},
        {"fixtures": ["f"]},
        {"content": "full"},
        {"max_text": "256MiB"},
    ]
    other: list[dict[str, object]] = [
        {"map": "answer=x"},
        {"id": "row"},
        {"id": "a"},
        {"carry": ""},
        {"carry": "a"},
        {"content": "verdicts"},
        {"max_text": 5},
    ]

    def written(flags: dict[str, object]) -> str:
        return json.dumps(identity(Job.from_flags({**base, **flags})))

    assert {written(flags) for flags in same} == {written({})}
    assert len({written(flags) for flags in [{}, *other]}) == len(other) + 1


def test_identity_does_not_depend_on_the_order_of_a_map() -> None:
    one = Job.from_flags({"answers": "a", "map": "answer=x,evidence=y"})
    two = Job.from_flags({"answers": "a", "map": "evidence=y,answer=x"})
    assert json.dumps(identity(one)) == json.dumps(identity(two))


MAPPED = (*OURS, "model")


def test_every_column_of_ours_can_be_mapped() -> None:
    pairs = ",".join(f"{name}=their_{name}" for name in MAPPED)
    assert Job.from_flags({"answers": "a", "map": pairs}).map == {
        name: f"their_{name}" for name in MAPPED
    }
