"""How an object store is reached, and what its faults are called."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import obstore.exceptions as known
import pytest

from grounding.errors import JobError
from pipelines.places import place_of, stores
from pipelines.places.stores import StoreFault, reading, split

BODY = (
    "Error performing PUT http://127.0.0.1:9/b/x in 3ms - Server returned non-2xx status code: "
    "{status}: <?xml version='1.0'?>\n<Error><Code>{code}</Code><Message>So it is.</Message>"
    "</Error>\n\nDebug source:\nGeneric {{ store: S3 }}"
)


@pytest.fixture
def access(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.MonkeyPatch:
    """An environment that says nothing of AWS."""
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "config"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "credentials"))
    monkeypatch.setattr(stores, "_found_access", stores._found_access.__wrapped__)
    return monkeypatch


def raised(error: Exception) -> OSError:
    return stores._fault("s3://b", error)


@pytest.mark.parametrize(
    ("error", "number", "text"),
    [
        (known.GenericError(BODY.format(status=500, code="Odd")), errno.EIO, "Odd: So it is."),
        (
            known.GenericError("Generic S3 error: no route\n\nDebug source:\nX"),
            errno.EIO,
            "Generic S3 error: no route",
        ),
        (
            known.GenericError(
                "Generic S3 error: Error performing GET http://h:9/b/x%20y in 2s, after 8 retries, "
                "max_retries: 8  - HTTP error: error sending request\n\nDebug source:\nX"
            ),
            errno.EIO,
            "http://h:9 does not answer (error sending request): AWS_ENDPOINT_URL or the region is "
            "wrong, or the network is down",
        ),
        (
            known.GenericError(BODY.format(status=404, code="NoSuchBucket")),
            errno.ENXIO,
            "the bucket does not exist",
        ),
        (
            known.PreconditionError(BODY.format(status=412, code="PreconditionFailed")),
            errno.ESTALE,
            "it was changed meanwhile",
        ),
        (
            known.InvalidPathError('Path "a//b" contained empty path segment\n\nDebug source:'),
            errno.EINVAL,
            'no name that an object may have here: Path "a//b" contained empty path segment',
        ),
    ],
)
def test_a_fault_is_told_in_a_line(error: Exception, number: int, text: str) -> None:
    fault = raised(error)
    assert isinstance(fault, StoreFault)
    assert (fault.errno, fault.strerror, fault.filename) == (number, text, "s3://b")


@pytest.mark.parametrize(
    "error",
    [
        known.PermissionDeniedError(BODY.format(status=403, code="AccessDenied")),
        known.UnauthenticatedError(BODY.format(status=401, code="AccessDenied")),
        known.GenericError(BODY.format(status=403, code="AccessDenied")),
        known.GenericError(BODY.format(status=400, code="ExpiredToken")),
    ],
)
def test_a_refusal_says_what_decides_it(error: Exception) -> None:
    fault = raised(error)
    assert fault.errno == errno.EACCES
    assert ": So it is." in str(fault.strerror)
    assert "AWS_PROFILE" in str(fault.strerror)


def test_absence_and_presence_are_errors_that_python_has() -> None:
    assert isinstance(raised(FileNotFoundError("Object at location x not found")), OSError)
    assert type(raised(FileNotFoundError("Object at location x"))) is FileNotFoundError
    assert type(raised(known.AlreadyExistsError("Object at location x"))) is FileExistsError
    missing = FileNotFoundError(BODY.format(status=404, code="NoSuchBucket"))
    assert type(raised(missing)) is StoreFault  # else results would seem to be empty


@pytest.mark.parametrize("url", ["s3:///key", "s4://b/k", "file:///tmp/x", "https://b/k"])
def test_what_is_no_url_of_a_store_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="is no URL of an object store"):
        split(url)
    with pytest.raises(JobError, match="is no URL of an object store"):
        place_of(url)


def test_a_profile_says_endpoint_region_and_key(access: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "config").write_text(
        "[profile nightly]\nregion = eu-north-1\nendpoint_url = http://store:9000\n"
    )
    (tmp_path / "credentials").write_text(
        "[nightly]\naws_access_key_id = K\naws_secret_access_key = S\naws_session_token = T\n"
    )
    access.setenv("AWS_PROFILE", "nightly")
    given = reading("s3://b/x")
    assert given["storage_options"] == {
        "aws_region": "eu-north-1",
        "aws_allow_http": "true",
        "aws_endpoint_url": "http://store:9000",
    }
    key, until = given["credential_provider"]()
    assert key == {
        "aws_access_key_id": "K",
        "aws_secret_access_key": "S",
        "aws_session_token": "T",
    }
    theirs = dict(stores._access("s3://b").for_obstore())
    assert abs(theirs.pop("expires_at").timestamp() - until) < 5  # type: ignore[attr-defined]  # a time
    assert list(theirs.values()) == ["K", "S", "T"]


def test_the_environment_comes_before_a_profile(access: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        access.setenv(name, "K")
    access.setenv("AWS_REGION", "us-west-2")
    access.setenv("AWS_ENDPOINT_URL", "https://one")
    access.setenv("AWS_ENDPOINT_URL_S3", "https://two")
    assert reading("s3://b/x")["storage_options"] == {
        "aws_region": "us-west-2",
        "aws_allow_http": "false",
        "aws_endpoint_url": "https://two",
    }


def test_public_buckets_need_no_credentials(access: pytest.MonkeyPatch) -> None:
    with pytest.raises(StoreFault, match="no credentials were found"):
        reading("s3://b/x")
    access.setenv("AWS_SKIP_SIGNATURE", "true")
    assert reading("s3://b/x")["credential_provider"] is None


def test_nothing_of_it_is_imported_before_a_url_is_given() -> None:
    heavy = "obstore botocore boto3 fsspec"
    code = f"""
import sys, pipelines.cli, pipelines.run, pipelines.views
from pipelines.places import place_of
place_of("s3://bucket/x"), place_of("results").entries("")
print([name for name in "{heavy}".split() if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("[]\n", "")
