"""JSON Lines that cannot be read: a line is one reject with its number, a file is refused whole."""

import gzip
from typing import Any

import pytest

from pipelines.read import jsonlines
from tests.contract.bench import Bench
from tests.contract.json_lines import line, raw

GOOD = line("z").encode()
BROKEN: dict[str, tuple[bytes, str]] = {
    "no JSON": (b"{", "is no JSON"),
    "cut": (GOOD.strip()[:-3], "is no JSON"),
    "a list": (b"[1]", "is no JSON object"),
    "a text": (b'"x"', "is no JSON object"),
    "null": (b"null", "is no JSON object"),
    "two objects": (GOOD.strip() * 2, "Extra data"),
    "no comma": (b'{"answer": "5" "x": 1}', "Expecting ','"),
    "a last comma": (b'{"answer": "5",}', "is no JSON"),
    "no colon": (b'{"answer"}', "Expecting ':'"),
    "a bare key": (b"{answer: 1}", "is no JSON"),
    "single quotes": (b"{'answer': '5'}", "is no JSON"),
    "NaN": (b'{"score": NaN}', "NaN"),
    "-Infinity": (b'{"score": [-Infinity]}', "-Infinity"),
    "a control character": (b'{"answer": "a\tb"}', "is no JSON"),
    "a leading zero": (b'{"score": 007}', "is no JSON"),
    "a surrogate": (b'{"answer": "\\ud800"}', "surrogate"),
    "a surrogate in a key": (b'{"\\uDFFF": 1}', "surrogate"),
    "a surrogate below": (b'{"x": [{"y": "\\udc00"}]}', "surrogate"),
    "a key twice": (b'{"answer": "5", "answer": "5"}', "repeats the key 'answer'"),
    "a key twice, spelled otherwise": (b'{"a": 1, "\\u0061": 1}', "repeats the key 'a'"),
    "a key twice below": (b'{"x": [{"y": 1, "y": 1}]}', "repeats the key 'y'"),
    "latin-1": ('{"answer": "é"}'.encode("latin-1"), "is not UTF-8: byte 13 is 0xe9"),
    "a surrogate in UTF-8": (b'{"answer": "\xed\xa0\x80"}', "is not UTF-8"),
    "too deep": (b'{"x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested too deeply"),
    "a level too deep": (b'{"x": ' + b"[" * 200 + b"]" * 200 + b"}", "nested too deeply"),
    "a no-break space": (b"\xc2\xa0", "is no JSON"),
    "a carriage return between": (b"{}\r{}", "Extra data"),
}


def test_a_line_that_is_no_object_is_one_reject_with_its_number(bench: Bench) -> None:
    lines = [content for content, _ in BROKEN.values()]
    made = bench.run({"a.jsonl": b"\n\n" + b"\n".join(lines) + b"\n" + GOOD})
    assert made.column("answer_id") == ["z"]
    assert made.column("source_row") == [len(BROKEN)]
    for (name, (_, said)), (row, key, problem, detail) in zip(
        BROKEN.items(), enumerate_rejects(made), strict=True
    ):
        assert (key, problem) == (None, "unreadable_row"), name
        assert said in detail, name
        assert detail.startswith(f"line {row + 3}: "), name
        assert len(detail) < 200, name


def enumerate_rejects(made: Any) -> list[Any]:
    assert [reject[0] for reject in made.rejects] == list(range(len(BROKEN)))
    return list(made.rejects)


def test_a_line_that_is_too_long_is_passed_over(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jsonlines, "LONGEST", 100)
    made = bench.run({"a.jsonl": line("a", x="y" * 1000) + line("b") + line("c", x="y" * 99)})
    assert made.column("answer_id") == ["b"]
    details = [str(reject[3]) for reject in made.rejects]
    assert [detail.split(":")[0] for detail in details] == ["line 1", "line 3"]


PACKED = gzip.compress(b"".join(line(str(n), x="y" * 50).encode() for n in range(2000)))
REFUSED: dict[str, tuple[bytes, str]] = {
    "cut": (PACKED[: len(PACKED) // 2], "cut short"),
    "without its end": (PACKED[:-4], "cut short"),
    "spoilt": (PACKED[:200] + b"\xff" * 50 + PACKED[250:], "cannot be unpacked"),
    "not packed": (GOOD, "cannot be unpacked"),
    "followed by more": (PACKED + b"more", "cannot be unpacked"),
    "empty": (b"", "cut short"),
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_a_packed_file_that_cannot_be_unpacked_whole_is_refused(
    bench: Bench, name: str, ending: str
) -> None:
    content, said = REFUSED[name]
    (fault,) = bench.faults({f"a.{ending}.gz": content, "b.jsonl": GOOD})
    assert fault.startswith("3: ")
    assert f"a.{ending}.gz" in fault
    assert said in fault


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (line().encode("utf-16"), "UTF-16"),
        (b'{"unreadable row": 1}\n', "reserved"),
        (b'{"output": "5"}\n', "--map answer=output"),
        (b"\n", "no row was read"),
        (b"[1]\n[2]\n", "unreadable_row: 2"),
        (b"{}\n", "null_answer_id: 1"),
    ],
)
def test_a_file_that_is_wrong_as_a_whole_is_refused(
    bench: Bench, content: bytes, said: str
) -> None:
    faults = bench.faults({"a.jsonl": content})
    assert said in "\n".join(faults)


def test_a_file_without_lines_is_one_without_rows(bench: Bench) -> None:
    made = bench.run({"a.jsonl": b"", "b.jsonl": line(7), "c.jsonl.gz": gzip.compress(b"")})
    assert made.column("answer_id") == [7]
    empty = bench.run({"b.jsonl": b""}, allow_empty=True, id=("model", "n"))
    assert empty.outcome.read == 0


def test_columns_without_end_are_refused(bench: Bench) -> None:
    members = ", ".join(f'"k{n}": 1' for n in range(10_001))
    (fault,) = bench.faults({"a.jsonl": raw(members)})
    assert "10000 different keys" in fault
