# SPDX-License-Identifier: BSD-3-Clause
"""Nothing outside a test's own folder is looked at, and nothing is downloaded."""

import pytest


@pytest.fixture(autouse=True)
def own_folders(monkeypatch, tmp_path):
    monkeypatch.delenv("LABELSIFT_DATA", raising=False)
    monkeypatch.delenv("LABELSIFT_OFFLINE", raising=False)
    monkeypatch.setenv("LABELSIFT_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def write(tmp_path):
    """Write a file and give its path."""

    def write_file(name, content):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write_file
