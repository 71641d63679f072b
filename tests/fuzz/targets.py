# SPDX-License-Identifier: BSD-3-Clause
"""What is fuzzed: every reader of files that strangers write.

A target takes a path. Right are a result, or a ValueError or OSError of one line;
anything else, a crash or a warning of numpy among it, is an escape.
"""

import warnings
from collections.abc import Callable
from pathlib import Path

from labelsift.bench.export import read_export
from labelsift.bench.suite_file import read_suite
from labelsift.datasets import (
    describe,
    load_dataset,
    read_arff,
    read_csv,
    read_excel,
    read_feather,
    read_libsvm,
    read_npz,
    read_parquet,
)
from labelsift.datasets.catalogue import read_registry
from labelsift.datasets.mulan_xml import read_label_names
from labelsift.datasets.npz import read_meta
from labelsift.model_selection import load_selection
from labelsift.model_selection.protocol import read_splits
from labelsift.prepare.units import read_units

LONGEST_SENTENCE = 3000
_TRAITS = load_dataset("traits")


def _data(read: Callable) -> Callable:
    """Read data, and look at all of it."""

    def target(path: Path) -> None:
        data = read(path)
        if data.n_samples * max(data.n_features, data.n_labels**2) < 10**5:
            describe(data)
        assert len(data.checksum) == 64

    return target


def _selection(path: Path) -> None:
    saved = load_selection(path)
    assert len(saved.get_feature_names_out()) == len(saved.order)


def _export(path: Path) -> None:
    read_export(path.parent)


TARGETS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "arff": ("a.arff", _data(lambda path: read_arff(path, 1))),
    "libsvm": ("a.svm", _data(read_libsvm)),
    "npz": ("a.npz", _data(read_npz)),
    "csv": ("a.csv", _data(lambda path: read_csv(path, "y*"))),
    "parquet": ("a.parquet", _data(lambda path: read_parquet(path, "y*"))),
    "feather": ("a.feather", _data(lambda path: read_feather(path, "y*"))),
    "xlsx": ("a.xlsx", _data(lambda path: read_excel(path, "y*"))),
    "xml": ("a.xml", read_label_names),
    "meta": ("a.npz", read_meta),
    "selector": ("a.json", _selection),
    "suite": ("a.toml", lambda path: read_suite(str(path))),
    "registry": ("registry.toml", read_registry),
    "splits": ("a.csv", read_splits),
    "costs": ("a.csv", lambda path: read_units(_TRAITS.feature_names, path)),
    "export": ("provenance.json", _export),
}


def escape(name: str, content: bytes, folder: Path) -> str | None:
    """Give one input to a target; what went wrong, None where all is right."""
    file, target = TARGETS[name]
    path = folder / file
    path.write_bytes(content)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            target(path)
    except (ValueError, OSError) as error:
        sentence = str(error)
        if not sentence or len(sentence) > LONGEST_SENTENCE:
            return f"a sentence of {len(sentence)} characters"
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:200]}"
    return None
