"""Object stores: how one is reached, and what its faults are called.

obstore and polars reach a store through the same Rust crate. Both are given one endpoint, one
region and one chain of credentials here, so that what one of them can read the other can, too.
"""

import contextlib
import errno
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Any

from grounding.errors import JobError

if TYPE_CHECKING:
    from botocore.credentials import Credentials
    from obstore.store import ClientConfig, ObjectStore, RetryConfig, S3Credential

SCHEMES = ("s3", "gs", "az")
"""The stores that are taken. Only `s3` is tried."""

RETRIES: "RetryConfig" = {"max_retries": 8, "retry_timeout": timedelta(seconds=30)}
"""As polars does, so that both wait alike."""

_LEASE = timedelta(minutes=10)
"""Credentials are asked for again after this: botocore never gives any that end sooner."""

_URL = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?P<bucket>[^/]*)/*(?P<key>.*)", re.DOTALL
)
_CODE = re.compile(r"<Code>([^<]*)</Code>(?:\s*<Message>([^<]*)</Message>)?")

_REFUSED = re.compile("status code: 40[13]|<Code>(ExpiredToken|InvalidToken)</Code>")
"""As a refusal is told where it is no error of its own: when objects are listed."""

_SILENT = re.compile(r"Error performing \w+ (https?://[^/\s]+).* - HTTP error: (.*)")


class StoreFault(OSError):
    """A store that does not answer, or refuses: never that something is absent.

    `filename` is the bucket.
    """


def is_url(given: str) -> bool:
    """Whether a text names a place in an object store.

    >>> is_url("s3://bucket/answers"), is_url("answers/s3:/x")
    (True, False)
    """
    return _URL.fullmatch(given) is not None


def split(url: str) -> tuple[str, str]:
    """The bucket, with its scheme, and the key below it.

    >>> split("s3://bucket/a b/c#1.csv"), split("s3://bucket")
    (('s3://bucket', 'a b/c#1.csv'), ('s3://bucket', ''))

    Raises: ValueError where it is no URL of a store that is taken.
    """
    match = _URL.fullmatch(url)
    if match is None or match["scheme"].lower() not in SCHEMES or not match["bucket"]:
        taken = ", ".join(f"{scheme}://bucket/key" for scheme in SCHEMES)
        raise ValueError(f"{url!r} is no URL of an object store: they are spelled {taken}")
    return f"{match['scheme'].lower()}://{match['bucket']}", match["key"].rstrip("/")


@contextlib.contextmanager
def store(root: str) -> Iterator["ObjectStore"]:
    """The store of a bucket, its faults as OSErrors with a short text.

    Raises: FileNotFoundError, FileExistsError or StoreFault; JobError where it needs a library.
    """
    with library(root):
        import obstore.exceptions
    try:
        yield _opened(root)
    except (obstore.exceptions.BaseError, FileNotFoundError, ValueError) as error:
        if isinstance(error, ValueError | FileNotFoundError) and not _is_of_store(error):
            raise
        raise _fault(root, error) from error


@contextlib.contextmanager
def library(root: str) -> Iterator[None]:
    """Around an import of the extra `s3`. Raises: JobError where that is not installed."""
    try:
        yield
    except ImportError as error:
        raise JobError(
            f"{root}: object stores need libraries that are not installed ({error.name}): "
            'pip install "grounding[s3]"'
        ) from error


@cache
def _opened(root: str) -> "ObjectStore":
    """Once per process: the connections are kept."""
    import obstore.store

    scheme, _, bucket = root.partition("://")
    if scheme != "s3":
        return obstore.store.from_url(root, retry_config=RETRIES)
    access = _access(root)
    client: ClientConfig = {"allow_http": access.plain_http}
    return obstore.store.S3Store(
        bucket,
        region=access.region,
        config={"endpoint": access.endpoint} if access.endpoint else {},
        client_options=client,
        retry_config=RETRIES,
        credential_provider=access.for_obstore if access.credentials else None,
    )


def reading(url: str) -> dict[str, Any]:
    """What polars needs beside the URL of an object to scan it.

    Raises: StoreFault where there are no credentials.
    """
    root, _ = split(url)
    if not root.startswith("s3:"):
        return {}  # polars looks for these itself
    access = _access(root)
    options = {"aws_region": access.region, "aws_allow_http": str(access.plain_http).lower()}
    if access.endpoint:
        options["aws_endpoint_url"] = access.endpoint
    return {
        "storage_options": options,
        "credential_provider": access.for_polars if access.credentials else None,
    }


@dataclass(frozen=True)
class _Access:
    """How S3 is reached. Without `credentials`, requests are not signed."""

    region: str
    endpoint: str | None
    credentials: "Credentials | None"

    @property
    def plain_http(self) -> bool:
        return (self.endpoint or "").lower().startswith("http://")

    def for_obstore(self) -> "S3Credential":
        key = self._key()
        return {
            "access_key_id": key.access_key,
            "secret_access_key": key.secret_key,
            "token": key.token,
            "expires_at": datetime.now(UTC) + _LEASE,
        }

    def for_polars(self) -> tuple[dict[str, str], int]:
        key = self._key()
        found = {
            "aws_access_key_id": key.access_key,
            "aws_secret_access_key": key.secret_key,
            "aws_session_token": key.token,
        }
        until = datetime.now(UTC) + _LEASE
        return {name: value for name, value in found.items() if value}, int(until.timestamp())

    def _key(self) -> Any:
        assert self.credentials is not None, "a provider is only given where there are any"
        return self.credentials.get_frozen_credentials()


def _access(root: str) -> _Access:
    with library(root):
        import botocore.exceptions
    try:
        return _found_access()
    except botocore.exceptions.BotoCoreError as error:
        raise StoreFault(errno.EACCES, f"its credentials cannot be had: {error}") from error


@cache
def _found_access() -> _Access:
    """What the environment, the profile and the machine say, looked up as boto3 does."""
    from botocore.configprovider import ConfiguredEndpointProvider
    from botocore.session import get_session

    session = get_session()
    configured = ConfiguredEndpointProvider(
        full_config=session.full_config,
        scoped_config=session.get_scoped_config(),
        client_name="s3",
    )
    region = os.environ.get("AWS_REGION") or session.get_config_variable("region")
    endpoint = configured.provide() or os.environ.get("AWS_ENDPOINT")
    unsigned = os.environ.get("AWS_SKIP_SIGNATURE", "").lower() in ("true", "1")
    credentials = None if unsigned else session.get_credentials()
    if credentials is None and not unsigned:
        raise StoreFault(
            errno.EACCES,
            "no credentials were found: set AWS_PROFILE, or AWS_ACCESS_KEY_ID and "
            "AWS_SECRET_ACCESS_KEY, or run where a role gives them",
        )
    return _Access(region or "us-east-1", endpoint, credentials)


def _is_of_store(error: Exception) -> bool:
    """Whether an error that Python has itself was raised by obstore, and not around it."""
    return str(error).startswith(("Object at location", "Could not parse path"))


def _fault(root: str, error: Exception) -> OSError:
    """An error of obstore as ours. Its text is long, and ends in a dump of its own types."""

    def fault(number: int, text: str) -> StoreFault:
        return StoreFault(number, text, root)

    import obstore.exceptions as known

    text = str(error).partition("\n\nDebug source")[0]
    code, message = next(iter(_CODE.findall(text)), ("", ""))
    said = " ".join(f"{code}: {message}".strip(": ").split())
    if code == "NoSuchBucket":
        return fault(errno.ENXIO, "the bucket does not exist")
    if isinstance(error, FileNotFoundError):
        return FileNotFoundError(errno.ENOENT, "no such object")
    if isinstance(error, known.AlreadyExistsError):
        return FileExistsError(errno.EEXIST, "it exists already")
    if isinstance(error, known.PreconditionError | known.NotModifiedError):
        return fault(errno.ESTALE, "it was changed meanwhile")
    if isinstance(error, known.InvalidPathError | ValueError):
        return fault(errno.EINVAL, f"no name that an object may have here: {_last(text)}")
    refused = isinstance(error, known.PermissionDeniedError | known.UnauthenticatedError)
    if refused or _REFUSED.search(text):
        return StoreFault(
            errno.EACCES,
            f"access is denied ({said or _last(text)}): the credentials that were found "
            "(AWS_PROFILE, AWS_ACCESS_KEY_ID, a role) may not do this",
        )
    if silent := _SILENT.search(text):
        return fault(
            errno.EIO,
            f"{silent[1]} does not answer ({silent[2]}): AWS_ENDPOINT_URL or the region is wrong, "
            "or the network is down",
        )
    return fault(errno.EIO, said or _last(text))


def _last(text: str) -> str:
    """The end of the first line of a message, which says what was wrong."""
    line = " ".join(text.split("\n", 1)[0].split())
    return line if len(line) <= 240 else f"…{line[-240:]}"
