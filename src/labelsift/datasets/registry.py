# SPDX-License-Identifier: BSD-3-Clause
"""Data sets by name: embedded, prepared in a folder, or downloaded."""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from labelsift.core.data import MultiLabelData
from labelsift.datasets.catalogue import Entry, entries
from labelsift.datasets.embedded import EMBEDDED
from labelsift.datasets.fetch import download, file_sha256
from labelsift.datasets.files import read_file
from labelsift.datasets.frame import as_numbers
from labelsift.datasets.homes import (
    OFFLINE_VARIABLE,
    data_homes,
    download_home,
    is_offline,
)
from labelsift.datasets.memory import Size
from labelsift.datasets.npz import read_meta, read_npz, write_npz
from labelsift.datasets.sklearn_sets import load_openml, load_rcv1
from labelsift.datasets.textfile import one_line

_PREPARED = "data.npz"


@dataclass(frozen=True)
class DatasetInfo:
    """A line of the list of data sets.

    Parameters
    ----------
    name : str
        Name for ``load_dataset``.
    n_samples, n_features, n_labels : int or None
        Size; None where it is known only after the download.
    cardinality : float or None
        Mean number of labels of a row.
    source : str
        Where it comes from.
    licence : str
        Licence, as far as known.
    local : bool
        Whether it is available without a download.
    """

    name: str
    n_samples: int | None
    n_features: int | None
    n_labels: int | None
    cardinality: float | None
    source: str
    licence: str = "see source"
    local: bool = True


def load_dataset(
    name: str,
    data_home: str | Path | None = None,
    *,
    offline: bool | None = None,
    memory: Size = None,
) -> MultiLabelData:
    """Load a data set by name, downloading it where needed.

    ``traits`` is embedded, and so are ``digit-halves`` and ``diabetes``, whose Y holds
    values. Any other name is looked for as NAME/data.npz in ``data_home``, in the
    folder LABELSIFT_DATA and in the user cache; then it is downloaded, if listed, to
    ``data_home`` or the user cache. A ``registry.toml`` in one of the folders lists
    more sets (its form is described in ``labelsift.datasets.catalogue``).

    Parameters
    ----------
    name : str
        See ``list_datasets``.
    data_home : str, Path or None, default=None
        A folder of data sets that is searched first.
    offline : bool or None, default=None
        Whether downloads are off; None: the environment variable LABELSIFT_OFFLINE.
    memory : int, str or None, default=None
        What reading may take, in bytes or as "8G"; None: 2G. More is a ValueError.

    Returns
    -------
    MultiLabelData
        The data.

    Examples
    --------
    >>> from labelsift.datasets import load_dataset
    >>> traits = load_dataset("traits")
    >>> traits.X.shape, traits.Y.shape
    ((1797, 64), (1797, 6))
    """
    if name in EMBEDDED:
        return EMBEDDED[name][0]()
    homes = data_homes(data_home)
    file = prepared_file(name, data_home)
    if file is not None:
        return read_npz(file, memory=memory)
    known = entries(homes)
    if name not in known:
        raise ValueError(_unknown(name, homes, known))
    entry = known[name]
    target = download_home(data_home)
    if entry.files:
        return _from_files(entry, homes, target, offline, memory)
    return _from_sklearn(entry, target, offline)


def prepared_file(name: str, data_home: str | Path | None = None) -> Path | None:
    """The NAME/data.npz that ``load_dataset`` reads; None if missing."""
    if name in EMBEDDED:  # embedded, whatever folders exist
        return None
    for home in data_homes(data_home):
        if name in _prepared(home):
            return home / name / _PREPARED
    return None


def _unknown(name: str, homes: list[Path], known: dict[str, Entry]) -> str:
    local = {prepared for home in homes for prepared in _prepared(home)}
    choices = sorted({*EMBEDDED, *local, *known})
    close = get_close_matches(name, choices, n=1)
    hint = f"did you mean {close[0]!r}" if close else f"known: {', '.join(choices)}"
    return (
        f"There is no data set {name!r} in {' or '.join(map(str, homes))} ({hint}): "
        f"put it at {homes[0] / name / _PREPARED}."
    )


def _from_sklearn(entry: Entry, target: Path, offline: bool | None) -> MultiLabelData:
    """Fetch a set through scikit-learn, and store it as npz."""
    place = target / entry.name / _PREPARED
    _refuse_offline(entry, place, offline)
    if entry.openml is not None:
        data = load_openml(entry.name, entry.openml, target)
    else:
        data = load_rcv1(entry.name, target)
    _check_size(entry, data)
    write_npz(data, place, source=entry.origin, licence=entry.licence)
    return data


def _from_files(
    entry: Entry,
    homes: list[Path],
    target: Path,
    offline: bool | None,
    memory: Size = None,
) -> MultiLabelData:
    """Read a set of listed files, downloading those that are missing."""
    folder = _folder_with_files(entry, homes) or target / entry.name
    for remote in entry.files:
        path = folder / remote.file
        if not path.exists():
            _refuse_offline(entry, path, offline)
            download(remote.url, path, sha256=remote.sha256)
        elif file_sha256(path) != remote.sha256.lower():
            raise ValueError(
                f"{path} does not have the sha256 that is listed for it: remove it "
                "to download it again."
            )
    first = folder / entry.files[0].file
    table = read_file(first, entry.labels or None, entry.drop, memory=memory)
    data = as_numbers(table)
    _check_size(entry, data)
    return data


def _folder_with_files(entry: Entry, homes: list[Path]) -> Path | None:
    for home in homes:
        folder = home / entry.name
        if all((folder / remote.file).exists() for remote in entry.files):
            return folder
    return None


def _refuse_offline(entry: Entry, place: Path, offline: bool | None) -> None:
    if is_offline(offline):
        raise ValueError(
            f"{entry.name} is not available, downloads are off: put it at {place}, or "
            f"allow downloads (offline=False, {OFFLINE_VARIABLE}=0)."
        )


def _check_size(entry: Entry, data: MultiLabelData) -> None:
    listed = (entry.n, entry.d, entry.t)
    sizes = (data.n_samples, data.n_features, data.n_labels)
    if any(a not in (None, b) for a, b in zip(listed, sizes, strict=True)):
        raise ValueError(
            f"{entry.name} from {entry.origin} has n, d, t = {sizes} where {listed} is "
            "listed: it is another set or version and is not used."
        )


def list_datasets(data_home: str | Path | None = None) -> list[DatasetInfo]:
    """List the data sets that ``load_dataset`` can load.

    Parameters
    ----------
    data_home : str, Path or None, default=None
        A folder of data sets that is searched first.

    Returns
    -------
    list of DatasetInfo
        The embedded sets first, then local ones, then those to be downloaded.
    """
    homes = data_homes(data_home)
    local = {info.name: info for home in reversed(homes) for info in _infos(home)}
    fetched = [
        DatasetInfo(
            entry.name,
            entry.n,
            entry.d,
            entry.t,
            entry.cardinality,
            entry.origin,
            entry.licence,
            local=bool(entry.files) and _folder_with_files(entry, homes) is not None,
        )
        for name, entry in sorted(entries(homes).items())
        if name not in local
    ]
    return [*_embedded(), *(local[name] for name in sorted(local)), *fetched]


def _embedded() -> Iterator[DatasetInfo]:
    for load, origin in EMBEDDED.values():
        data = load()
        mean = data.cardinality if data.target == "labels" else None
        sizes = (data.n_samples, data.n_features, data.n_labels)
        yield DatasetInfo(data.name, *sizes, mean, origin)


def _prepared(home: Path) -> list[str]:
    return sorted(file.parent.name for file in home.glob(f"*/{_PREPARED}"))


def _infos(home: Path) -> Iterator[DatasetInfo]:
    for name in _prepared(home):
        try:
            yield _info(name, home / name / _PREPARED)
        except (OSError, ValueError) as error:  # one bad file leaves the others alone
            reason = f"cannot be read: {one_line(error)}"
            yield DatasetInfo(name, None, None, None, None, reason)


def _info(name: str, path: Path) -> DatasetInfo:
    meta = read_meta(path)
    size = _listed_size(meta)
    if size is None:
        data = read_npz(path)
        size = (data.n_samples, data.n_features, data.n_labels, data.cardinality)
    source = meta.get("source") or meta.get("source_repo") or path.parent
    licence = meta.get("licence") or "see source"
    return DatasetInfo(name, *size, source=str(source), licence=str(licence))


def _listed_size(meta: dict[str, Any]) -> tuple[int, int, int, float] | None:
    """Size as listed, None where it is not."""
    match meta:
        case {"n": int(n), "d": int(d), "t": int(t), "cardinality": float(mean)}:
            return n, d, t, mean
    return None
