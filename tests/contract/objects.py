"""A server on this machine that speaks S3, and what tests do with it beside the code under test."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from typing import Any

import boto3  # type: ignore[import-untyped]  # it ships no types
import pytest
from moto.server import ThreadedMotoServer

from pipelines.places import stores
from pipelines.run import Outcome
from tests.contract.bench import Run, assert_whole

ENVIRONMENT = {
    "AWS_ACCESS_KEY_ID": "testing",
    "AWS_SECRET_ACCESS_KEY": "testing",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_EC2_METADATA_DISABLED": "true",
    "AWS_CONFIG_FILE": os.devnull,
    "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
}

_NUMBERS = count()  # servers of one process show the same buckets


class Store:
    """The server. Every test takes a bucket of its own."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.client: Any = boto3.client("s3", endpoint_url=url)

    def bucket(self, *, versions: bool = False) -> str:
        """The URL of a new bucket."""
        name = f"bucket-{next(_NUMBERS)}"
        self.client.create_bucket(Bucket=name)
        if versions:
            self.client.put_bucket_versioning(
                Bucket=name, VersioningConfiguration={"Status": "Enabled"}
            )
        return f"s3://{name}"

    def put(self, url: str, content: bytes) -> None:
        bucket, key = parts(url)
        self.client.put_object(Bucket=bucket, Key=key, Body=content)

    def get(self, url: str) -> bytes:
        bucket, key = parts(url)
        content = self.client.get_object(Bucket=bucket, Key=key)["Body"].read()
        assert isinstance(content, bytes)
        return content

    def remove(self, url: str) -> None:
        bucket, key = parts(url)
        self.client.delete_object(Bucket=bucket, Key=key)

    def put_folder(self, url: str, folder: Path) -> str:
        """Put all files of a folder there. Returns the URL."""
        for file in folder.rglob("*"):
            if file.is_file():
                self.put(f"{url}/{file.relative_to(folder).as_posix()}", file.read_bytes())
        return url

    def names(self, url: str) -> list[str]:
        """Every key below a URL, from there."""
        bucket, prefix = parts(url + "/")
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=prefix)
        keys = [entry["Key"] for page in pages for entry in page.get("Contents", ())]
        return sorted(key.removeprefix(prefix) for key in keys)

    def clear(self, url: str) -> None:
        for name in self.names(url):
            self.remove(f"{url}/{name}")

    @contextmanager
    def nobody_may(self) -> Iterator[None]:
        """Refuse every request, as no key is known to the server."""
        self._let("0")
        yield
        self._let("inf")

    def _let(self, requests: str) -> None:
        connection = HTTPConnection(self.url.removeprefix("http://"))
        connection.request("POST", "/moto-api/reset-auth", requests)
        assert connection.getresponse().status == 200
        connection.close()

    def run(self, outcome: Outcome, folder: Path) -> Run:
        """A copy of a published run and of what lies beside it, which is held against its word."""
        out, _, name = outcome.path.rpartition("/")
        for file in self.names(out):
            target = folder / file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(self.get(f"{out}/{file}"))
        made = Run(_at(outcome, folder / name))
        assert_whole(made)
        return made


def parts(url: str) -> tuple[str, str]:
    bucket, _, key = url.removeprefix("s3://").partition("/")
    return bucket, key


def _at(outcome: Outcome, path: Path) -> Outcome:
    fields = {name: getattr(outcome, name) for name in Outcome.__slots__}
    return Outcome(**{**fields, "path": str(path)})


def forget_access() -> None:
    """Look for credentials anew, and open stores anew."""
    stores._opened.cache_clear()
    stores._found_access.cache_clear()


@contextmanager
def serving() -> Iterator[Store]:
    """The server, and an environment in which everything finds it."""
    import logging

    logging.getLogger("werkzeug").setLevel(logging.CRITICAL)  # a line a request
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("AWS_")]:
            patch.delenv(name)
        for name, value in {**ENVIRONMENT, "AWS_ENDPOINT_URL": f"http://{host}:{port}"}.items():
            patch.setenv(name, value)
        forget_access()
        yield Store(f"http://{host}:{port}")
    forget_access()
    server.stop()
