# SPDX-License-Identifier: BSD-3-Clause
"""Data sets by name: the embedded one and folders of prepared sets."""

import os
from dataclasses import dataclass
from pathlib import Path

from labelsift.core.data import MultiLabelData
from labelsift.datasets.npz import read_meta, read_npz
from labelsift.datasets.traits import load_traits

_VARIABLE = "LABELSIFT_DATA"


@dataclass(frozen=True)
class DatasetInfo:
    """A line of the list of data sets.

    Parameters
    ----------
    name : str
        What ``load_dataset`` takes.
    n_samples, n_features, n_labels : int
        Size.
    cardinality : float
        Mean number of labels of a row.
    source : str
        Where it comes from.
    """

    name: str
    n_samples: int
    n_features: int
    n_labels: int
    cardinality: float
    source: str


def load_dataset(name: str, data_home: str | Path | None = None) -> MultiLabelData:
    """Load a data set by name.

    Parameters
    ----------
    name : str
        ``"traits"`` (embedded) or the name of a folder with a ``data.npz``.
    data_home : str, Path or None, default=None
        Where the folders are; None: the environment variable LABELSIFT_DATA.

    Returns
    -------
    MultiLabelData
        The data.
    """
    if name == "traits":
        return load_traits()
    home = _home(data_home)
    if home is not None and name in _prepared(home):
        return read_npz(home / name / "data.npz")
    known = ", ".join(info.name for info in list_datasets(data_home))
    where = (
        f"it is not in {home}" if home else f"neither data_home nor {_VARIABLE} is set"
    )
    raise ValueError(
        f"Unknown data set {name!r} ({where}): put it there as {name}/data.npz, or "
        f"choose one of {known}."
    )


def list_datasets(data_home: str | Path | None = None) -> list[DatasetInfo]:
    """List the data sets that ``load_dataset`` finds.

    Parameters
    ----------
    data_home : str, Path or None, default=None
        Where the folders are; None: the environment variable LABELSIFT_DATA.

    Returns
    -------
    list of DatasetInfo
        The embedded set first, then the prepared ones by name.
    """
    traits = load_traits()
    infos = [
        DatasetInfo(
            traits.name,
            traits.n_samples,
            traits.n_features,
            traits.n_labels,
            traits.cardinality,
            "embedded: scikit-learn's digits",
        )
    ]
    home = _home(data_home)
    return infos + [_info(home, name) for name in _prepared(home)] if home else infos


def _home(data_home: str | Path | None) -> Path | None:
    """Folder of prepared sets, or None when none is named."""
    chosen = data_home or os.environ.get(_VARIABLE)
    if not chosen:
        return None
    home = Path(chosen).expanduser()
    if not home.is_dir():
        raise ValueError(f"The data folder {home} does not exist: check {_VARIABLE}.")
    return home


def _prepared(home: Path) -> list[str]:
    return sorted(file.parent.name for file in home.glob("*/data.npz"))


def _info(home: Path, name: str) -> DatasetInfo:
    meta = read_meta(home / name / "meta.json")
    if not {"n", "d", "t", "cardinality"} <= meta.keys():
        data = read_npz(home / name / "data.npz")
        size = (data.n_samples, data.n_features, data.n_labels, data.cardinality)
    else:
        size = (
            int(meta["n"]),
            int(meta["d"]),
            int(meta["t"]),
            float(meta["cardinality"]),
        )
    return DatasetInfo(name, *size, source=str(meta.get("source_repo", home / name)))
