# SPDX-License-Identifier: BSD-3-Clause
import hashlib
import socket
import time

import pytest

from hostile_server import CONTENT, hostile_server
from labelsift.datasets.fetch import download, file_sha256

DIGEST = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture(scope="module")
def server():
    with hostile_server() as server:
        yield server


@pytest.fixture
def fetch(server, tmp_path):
    """Download from the server with limits fit for a test; give the target."""

    def fetch_path(path, **options):
        options = {"sha256": DIGEST, "timeout": 0.5, "deadline": 1, **options}
        target = tmp_path / "folder" / "file"
        download(f"{server.address}/{path}", target, **options)
        return target

    return fetch_path


@pytest.mark.parametrize("path", ["good", "without-length", "moved"])
def test_a_good_file_arrives(fetch, path):
    target = fetch(path)
    assert target.read_bytes() == CONTENT
    assert list(target.parent.iterdir()) == [target]
    assert file_sha256(target) == DIGEST


def test_checksums_in_capitals(fetch):
    assert fetch("good", sha256=DIGEST.upper()).exists()


@pytest.mark.parametrize(
    ("path", "options", "reason"),
    [
        ("stall", {}, "timed out"),
        ("silence", {}, "timed out"),
        ("drip", {}, "it took more than 1 seconds"),
        ("truncate", {}, "only 5000 of 10000 bytes were received"),
        ("endless", {"max_bytes": 50_000}, "more than 50000 bytes, the limit"),
        ("huge-promise", {}, "more than 2147483648 bytes, the limit"),
        ("good", {"max_bytes": 9_999}, "more than 9999 bytes, the limit"),
        ("garbage", {}, "this is no HTTP"),
        ("missing", {}, "404"),
        ("failing", {}, "500"),
        ("loop", {}, "infinite loop"),
    ],
)
def test_nothing_is_left_of_a_bad_download(fetch, tmp_path, path, options, reason):
    start = time.monotonic()
    with pytest.raises(ValueError, match=f"was not downloaded .*{reason}.*try again"):
        fetch(path, **options)
    assert not list((tmp_path / "folder").iterdir())
    assert time.monotonic() - start < 20


@pytest.mark.parametrize("path", ["good", "too-short-a-promise"])
def test_a_wrong_checksum(fetch, tmp_path, path):
    wrong = {"sha256": "0" * 64} if path == "good" else {}
    with pytest.raises(
        ValueError, match=r"has the sha256 [0-9a-f]{64} and not .*was not stored"
    ):
        fetch(path, **wrong)
    assert not list((tmp_path / "folder").iterdir())


def test_an_old_file_stays_when_a_new_one_fails(fetch, tmp_path):
    target = tmp_path / "folder" / "file"
    target.parent.mkdir()
    target.write_text("old")
    with pytest.raises(ValueError, match="was not downloaded"):
        fetch("truncate")
    assert target.read_text() == "old"


def test_nobody_listens(tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/file"
        with pytest.raises(ValueError, match=r"was not downloaded .*refused"):
            download(url, tmp_path / "file", sha256=DIGEST)


@pytest.mark.parametrize("url", ["file:///etc/hostname", "ftp://h/x", "x", ""])
def test_only_web_addresses(tmp_path, url):
    with pytest.raises(ValueError, match="is not an http or https address"):
        download(url, tmp_path / "file", sha256=DIGEST)
    assert not list(tmp_path.iterdir())
