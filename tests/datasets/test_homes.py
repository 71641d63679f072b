# SPDX-License-Identifier: BSD-3-Clause
import sys
from pathlib import Path

import pytest

from labelsift.datasets.homes import data_homes, download_home, is_offline, user_cache


def test_the_order_of_the_folders(tmp_path, monkeypatch):
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    cache = tmp_path / "cache"
    assert data_homes() == [cache]
    monkeypatch.setenv("LABELSIFT_DATA", str(second))
    assert data_homes() == [second, cache]
    assert data_homes(first) == [first, second, cache]


def test_downloads_never_go_to_the_shared_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("LABELSIFT_DATA", str(tmp_path))
    assert download_home() == tmp_path / "cache"
    assert download_home(tmp_path / "mine") == tmp_path / "mine"


def test_a_named_folder_must_exist(tmp_path, monkeypatch):
    with pytest.raises(ValueError, match="nowhere does not exist: check data_home"):
        data_homes(tmp_path / "nowhere")
    monkeypatch.setenv("LABELSIFT_DATA", str(tmp_path / "gone"))
    with pytest.raises(ValueError, match="gone does not exist: check LABELSIFT_DATA"):
        data_homes()


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {}, "home/.cache/labelsift"),
        ("linux", {"XDG_CACHE_HOME": "/xdg"}, "/xdg/labelsift"),
        ("darwin", {}, "home/Library/Caches/labelsift"),
        ("win32", {}, "home/AppData/Local/labelsift"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/labelsift"),
        ("linux", {"LABELSIFT_CACHE": "/chosen"}, "/chosen"),
    ],
)
def test_the_user_cache(monkeypatch, platform, variables, expected):
    for name in ("LABELSIFT_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(Path, "home", lambda: Path("home"))
    assert user_cache() == Path(expected)


@pytest.mark.parametrize(
    ("value", "expected"), [("", False), ("0", False), ("1", True), ("True", True)]
)
def test_the_offline_switch(monkeypatch, value, expected):
    monkeypatch.setenv("LABELSIFT_OFFLINE", value)
    assert is_offline() is expected
    assert is_offline(not expected) is not expected


def test_an_offline_switch_that_cannot_be_read(monkeypatch):
    monkeypatch.setenv("LABELSIFT_OFFLINE", "perhaps")
    with pytest.raises(ValueError, match="LABELSIFT_OFFLINE is 'perhaps': set it to 1"):
        is_offline()
