# SPDX-License-Identifier: BSD-3-Clause
"""Folders of data sets, and whether downloads are allowed."""

import os
import sys
from pathlib import Path

DATA_VARIABLE = "LABELSIFT_DATA"
CACHE_VARIABLE = "LABELSIFT_CACHE"
OFFLINE_VARIABLE = "LABELSIFT_OFFLINE"


def data_homes(data_home: str | Path | None = None) -> list[Path]:
    """Folders to search: the argument, LABELSIFT_DATA, the user cache.

    A folder that the user names must exist; the cache need not.
    """
    named = [(data_home, "data_home"), (os.environ.get(DATA_VARIABLE), DATA_VARIABLE)]
    homes = []
    for folder, argument in named:
        if not folder:
            continue
        home = Path(folder).expanduser()
        if not home.is_dir():
            raise ValueError(
                f"The data folder {home} does not exist: check {argument}."
            )
        homes.append(home)
    return [*homes, user_cache()]


def download_home(data_home: str | Path | None = None) -> Path:
    """Folder of downloads: the argument, else the user cache.

    LABELSIFT_DATA is never written to: it may be shared and read-only.
    """
    return Path(data_home).expanduser() if data_home else user_cache()


def user_cache() -> Path:
    """The folder for downloads of this user, LABELSIFT_CACHE where that is set."""
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "labelsift"


def is_offline(offline: bool | None = None) -> bool:
    """Whether downloads are off: the argument, else LABELSIFT_OFFLINE (1 or 0)."""
    if offline is not None:
        return offline
    value = os.environ.get(OFFLINE_VARIABLE, "").strip().lower()
    if value in ("", "0", "false", "no", "off"):
        return False
    if value in ("1", "true", "yes", "on"):
        return True
    raise ValueError(f"{OFFLINE_VARIABLE} is {value!r}: set it to 1 or 0.")
