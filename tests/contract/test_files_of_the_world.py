"""Files as other tools write them: every type of text, packing, encoding, row group and name."""

import base64
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pyarrow.parquet.encryption as pe
import pytest

from tests.contract.bench import Bench, Run, answers

TEXT = pa.string()


def written(bench: Bench, table: pa.Table, name: str = "a.parquet", **options: Any) -> Run:
    """A run over a table that pyarrow wrote with options."""
    bench.answers.mkdir()
    pq.write_table(table, bench.answers / name, **options)
    return bench.run()


@pytest.mark.parametrize("compression", ["none", "snappy", "zstd", "lz4", "gzip", "brotli"])
@pytest.mark.parametrize("page", ["1.0", "2.0"])
def test_any_packing_and_page_version_is_read(bench: Bench, compression: str, page: str) -> None:
    made = written(bench, answers(50), compression=compression, data_page_version=page)
    assert made.outcome.passed == 50


@pytest.mark.parametrize("encoding", ["PLAIN", "DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY"])
def test_any_encoding_is_read(bench: Bench, encoding: str) -> None:
    table = answers(50, n=list(range(50)), x=[n / 2 for n in range(50)])
    encodings = {
        "answer_id": encoding,
        "answer": encoding,
        "evidence.list.element": encoding,
        "n": "DELTA_BINARY_PACKED",
        "x": "BYTE_STREAM_SPLIT",
    }
    made = written(bench, table, use_dictionary=False, column_encoding=encodings)
    assert made.outcome.passed == 50
    assert made.column("n") == list(range(50))
    assert made.column("x") == [n / 2 for n in range(50)]


def test_row_groups_may_be_of_one_row(bench: Bench) -> None:
    made = written(bench, answers(300), row_group_size=1)
    assert made.column("source_row") == list(range(300))


def test_files_without_rows_are_read_beside_others(bench: Bench) -> None:
    made = bench.run({"a.parquet": answers(0), "b.parquet": answers(2), "c.parquet": answers(0)})
    assert made.column("source_file") == ["b.parquet"] * 2


def test_files_may_differ_in_columns_their_order_and_their_types(bench: Bench) -> None:
    first = answers(1, answer_id=["a"], x=pa.array([1], pa.int8()), y=["1.500"])
    second = answers(1, answer_id=pa.array(["b"], pa.string_view()), x=pa.array([2**40]))
    third = answers(1, answer_id=["c"], z=[True], y=pa.nulls(1))
    shuffled = third.select(["z", "evidence", "y", "answer", "answer_id"])
    made = bench.run({"a.parquet": first, "b.parquet": second, "c.parquet": shuffled})
    assert made.table("verdicts").select("answer_id", "x", "y", "z").rows() == [
        ("a", 1, "1.500", None),
        ("b", 2**40, None, None),
        ("c", None, None, True),
    ]


NAMES = ["a b", "it's", 'say "x"', "#1", "100%", "%41", "ünïcode 😀", "[ab]", "a*?", "a;b&c", "x=y"]


@pytest.mark.parametrize("ending", ["parquet", "csv", "jsonl"])
def test_a_file_may_have_any_name(bench: Bench, ending: str) -> None:
    contents: dict[str, object] = {}
    for name in NAMES:
        contents[f"{name}/{name}.{ending}"] = {
            "parquet": answers(1, answer_id=[name]),
            "csv": f'answer_id,answer,evidence\n"{name.replace(chr(34), chr(34) * 2)}",5,5\n',
            "jsonl": {"answer_id": name, "answer": "5", "evidence": ["5"]},
        }[ending]
    made = bench.run(contents)
    assert sorted(made.column("answer_id")) == sorted(NAMES)
    assert made.column("source_file") == sorted(contents)
    one = bench.run(answers=str(bench.answers / "a*?" / f"a*?.{ending}"))
    assert one.column("answer_id") == ["a*?"]


class Keys(pe.KmsClient):  # type: ignore[misc]  # pyarrow ships no types
    """A key server that keeps nothing secret."""

    def wrap_key(self, key: bytes, _: str) -> bytes:
        return base64.b64encode(key)

    def unwrap_key(self, key: bytes, _: str) -> bytes:
        return base64.b64decode(key)


@pytest.mark.parametrize("plain_footer", [True, False])
def test_an_encrypted_file_is_refused_for_being_encrypted(bench: Bench, plain_footer: bool) -> None:
    factory = pe.CryptoFactory(lambda _: Keys())
    how = pe.EncryptionConfiguration(
        footer_key="f", column_keys={"c": ["answer"]}, plaintext_footer=plain_footer
    )
    properties = factory.file_encryption_properties(pe.KmsConnectionConfig(), how)
    bench.answers.mkdir()
    path: Path = bench.answers / "a.parquet"
    pq.write_table(answers(), path, encryption_properties=properties)
    (fault,) = bench.faults()
    assert fault.startswith("3: ")
    assert "a.parquet" in fault
    assert "encrypt" in fault
