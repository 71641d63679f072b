# SPDX-License-Identifier: BSD-3-Clause
"""The sets that can be downloaded: scikit-learn's, and users' own lists.

A ``registry.toml`` in a data folder adds sets::

    [birds]
    openml = 40588                  # fetched through scikit-learn's fetch_openml

    [tags]
    source = "https://example.org"
    licence = "CC BY 4.0"
    labels = ["tag_*"]              # as in read_arff and read_csv
    drop = ["id"]
    n = 1000                        # n, d and t are compared with what is read
    [[tags.files]]                  # the first is read, the others are stored with it
    url = "https://example.org/tags.csv"
    sha256 = "..."                  # 64 hexadecimal digits, required
    file = "tags.csv"               # where the address does not end in a file's name
"""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from labelsift.core.files import read_document
from labelsift.core.text import safe_name
from labelsift.datasets.textfile import one_line

REGISTRY_FILE = "registry.toml"

_SHA256 = re.compile(r"[0-9a-fA-F]{64}")


@dataclass(frozen=True)
class RemoteFile:
    """A file to download, and its name on disk."""

    url: str
    sha256: str
    file: str

    def __post_init__(self) -> None:
        if urlsplit(self.url).scheme not in ("http", "https"):
            raise ValueError(f"url {self.url!r} is not an http or https address")
        if not _SHA256.fullmatch(self.sha256):
            raise ValueError(f"sha256 of {self.url} must be 64 hexadecimal digits")
        safe_name(self.file, f"file of {self.url}:")


@dataclass(frozen=True)
class Entry:
    """A set that can be fetched: from OpenML, as scikit-learn's RCV1, or as files."""

    name: str
    source: str = ""
    licence: str = "see source"
    n: int | None = None  # n, d and t are compared with the downloaded data
    d: int | None = None
    t: int | None = None
    cardinality: float | None = None
    openml: int | None = None  # its OpenML id
    rcv1: bool = False
    files: tuple[RemoteFile, ...] = ()
    labels: tuple[str, ...] = ()  # label columns of the first file
    drop: tuple[str, ...] = ()  # columns of it to leave out

    @property
    def origin(self) -> str:
        """Where it comes from, with a default."""
        if self.source or not self.files:
            return self.source or f"https://www.openml.org/d/{self.openml}"
        return self.files[0].url

    def __post_init__(self) -> None:
        safe_name(self.name, "the data set")
        origins = (self.openml is not None) + self.rcv1 + bool(self.files)
        if origins != 1:
            raise ValueError(f"{self.name!r} needs either openml or files")


BUILT_IN = (
    Entry("emotions", n=593, d=72, t=6, cardinality=1.868, openml=40589),
    Entry("enron", n=1702, d=1001, t=53, cardinality=3.378, openml=40590),
    Entry("scene", n=2407, d=294, t=6, cardinality=1.074, openml=40595),
    Entry("yeast", n=2417, d=103, t=14, cardinality=4.237, openml=40597),
    Entry(
        "rcv1",
        source="scikit-learn's fetch_rcv1 (Lewis et al. 2004)",
        n=804414,
        d=47236,
        t=103,
        cardinality=3.24,
        rcv1=True,
    ),
)


def entries(homes: Sequence[Path]) -> dict[str, Entry]:
    """All sets that can be fetched; a user's list overrides the built-in one."""
    entries = {entry.name: entry for entry in BUILT_IN}
    for home in reversed(homes):
        entries |= {entry.name: entry for entry in read_registry(home / REGISTRY_FILE)}
    return entries


def read_registry(path: Path) -> list[Entry]:
    """Read a user's list of sets; empty without such a file."""
    if not path.exists():
        return []
    try:
        tables = tomllib.loads(read_document(path).decode())
        return [_entry(name, table) for name, table in tables.items()]
    except (ValueError, RecursionError) as error:
        why = one_line(error).rstrip(".")
        raise ValueError(
            f"{path} is not a list of data sets ({why}): fix it."
        ) from None


_TYPES: dict[str, tuple[type, ...]] = {
    "source": (str,),
    "licence": (str,),
    "n": (int,),
    "d": (int,),
    "t": (int,),
    "cardinality": (float, int),
    "openml": (int,),
    "labels": (list, str),
    "drop": (list, str),
    "files": (list,),
}


def _entry(name: str, table: Any) -> Entry:
    if not isinstance(table, dict):
        raise ValueError(f"{name!r} is not a table [{name}]")
    for key, value in table.items():
        if key not in _TYPES:
            raise ValueError(f"{name!r} has the unknown key {key!r}")
        if not isinstance(value, _TYPES[key]) or isinstance(value, bool):
            raise ValueError(f"{key} of {name!r} must be {_TYPES[key][0].__name__}")
    values = dict(table)
    for key in ("labels", "drop"):
        given = values.get(key, ())
        values[key] = (given,) if isinstance(given, str) else tuple(map(str, given))
    values["files"] = tuple(_file(name, item) for item in table.get("files", ()))
    return Entry(name, **values)


def _file(name: str, item: Any) -> RemoteFile:
    known = {field.name for field in fields(RemoteFile)}
    if not isinstance(item, dict) or not item.keys() <= known:
        raise ValueError(f"a file of {name!r} has the keys {', '.join(sorted(known))}")
    if not {"url", "sha256"} <= item.keys():
        raise ValueError(f"a file of {name!r} needs url and sha256")
    url = str(item["url"])
    file = item.get("file") or PurePosixPath(urlsplit(url).path).name
    return RemoteFile(url, str(item["sha256"]), str(file))
