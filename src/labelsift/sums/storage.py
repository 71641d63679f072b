# SPDX-License-Identifier: BSD-3-Clause
"""Sums as a file: arrays and one JSON document in an npz, nothing executable."""

import json
import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from labelsift.core.files import check_file
from labelsift.sums.part import Part
from labelsift.sums.targets import Targets

_FORMAT = "labelsift sums 1"
_ARRAYS = ("x_mean", "y_mean", "x_range", "y_range", "xx", "xy", "yy")


# The sums, what Y holds, the names of the features, and the argument target.
Stored = tuple[Part, Targets, Any, str]


def write(stored: Stored, path: Path) -> None:
    """Write a whole file or none."""
    sums, targets, feature_names, target = stored
    header = {
        "format": _FORMAT,
        "rows": sums.rows,
        "n": sums.n,
        "target": target,
        "values": targets.values.tolist(),
        "dtype": _plain(targets.dtype).str,
        "negative": targets.negative,
        "flat": targets.flat,
        "feature_names": _listed(feature_names),
        "label_names": _listed(targets.names),
        "classes": None if targets.classes is None else targets.classes.tolist(),
    }
    arrays: dict[str, Any] = {name: getattr(sums, name) for name in _ARRAYS}
    text = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("wb") as file:
            np.savez(file, header=text, **arrays)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def read(path: Path) -> Stored:
    """Read what ``write`` wrote; other files get one sentence."""
    check_file(path)
    try:
        with np.load(path, allow_pickle=False) as file:
            header = json.loads(bytes(file["header"]))
            arrays = {name: np.asarray(file[name], np.float64) for name in _ARRAYS}
        if header["format"] != _FORMAT:
            raise ValueError(header["format"])
        return _understood(header, arrays)
    except (
        KeyError, ValueError, TypeError, AttributeError, EOFError, zipfile.BadZipFile,
    ) as error:  # fmt: skip
        raise ValueError(
            f"{path} holds no sums, or damaged ones: pass a file of Sums.save."
        ) from error


def _understood(header: dict[str, Any], arrays: dict[str, Any]) -> Stored:
    """The parts of a file; an error where they do not fit together."""
    values, classes = np.array(header["values"], dtype=bool), header["classes"]
    _check_shapes(arrays, len(values))
    targets = Targets(
        values,
        np.dtype(header["dtype"]),
        header["negative"],
        _named(header["label_names"], len(values)),
        None if classes is None else np.array(classes),
        bool(header["flat"]),
    )
    part = Part(int(header["rows"]), float(header["n"]), **arrays)
    names = _named(header["feature_names"], len(part.x_mean))
    return part, targets, names, str(header["target"])


def _check_shapes(arrays: dict[str, Any], t: int) -> None:
    d = len(arrays["x_mean"])
    expected: dict[str, tuple[tuple[int, ...], ...]] = {
        "x_mean": ((d,),),
        "y_mean": ((t,),),
        "x_range": ((2, d),),
        "y_range": ((2, t),),
        "xx": ((d, d), (d,)),
        "xy": ((d, t),),
        "yy": ((t, t), (t,)),
    }
    wrong = [name for name in _ARRAYS if arrays[name].shape not in expected[name]]
    if wrong or not all(np.isfinite(array).all() for array in arrays.values()):
        raise ValueError("The arrays do not belong together.")


def _plain(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype of labels; objects are class names."""
    return np.dtype(str) if dtype.kind == "O" else dtype


def _listed(names: Any) -> list[str] | None:
    return None if names is None else [str(name) for name in names]


def _named(names: Any, count: int) -> Any:
    if names is None:
        return None
    if len(names) != count:
        raise ValueError(f"{len(names)} names for {count} columns.")
    return np.array([str(name) for name in names], dtype=object)
