# SPDX-License-Identifier: BSD-3-Clause
"""Sets fetched through scikit-learn: multi-label sets of OpenML, and RCV1."""

import zlib
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.datasets import fetch_openml, fetch_rcv1

from labelsift.core.data import MultiLabelData, numbered_names
from labelsift.datasets.textfile import one_line

# The first documents of RCV1 are the training part of its published split.
_RCV1_TRAINING = 23149


def load_openml(name: str, number: int, home: Path) -> MultiLabelData:
    """Fetch a set of OpenML, whose default targets are the labels.

    scikit-learn compares its checksum; ``home`` holds the download while it is read.
    """
    bunch = _fetched(
        name,
        home,
        lambda scratch: fetch_openml(
            data_id=number,
            data_home=scratch,
            as_frame=False,
            parser="liac-arff",
            n_retries=1,
        ),
    )
    X = sp.csr_array(bunch.data) if sp.issparse(bunch.data) else np.asarray(bunch.data)
    return MultiLabelData(
        X=X.astype(np.float64, copy=False),
        Y=_truth(name, bunch.target),
        feature_names=tuple(map(str, bunch.feature_names)),
        label_names=tuple(map(str, bunch.target_names)),
        name=name,
    )


def load_rcv1(name: str, home: Path) -> MultiLabelData:
    """Fetch RCV1 with its published split, training part first; Y takes 83 MB."""
    bunch = _fetched(name, home, lambda scratch: fetch_rcv1(data_home=scratch))
    X = sp.csr_array(bunch.data)
    rows = np.arange(X.shape[0])
    return MultiLabelData(
        X=X,
        Y=bunch.target.astype(np.int8).toarray(),
        feature_names=numbered_names("x", X.shape[1]),
        label_names=tuple(map(str, bunch.target_names)),
        train_idx=rows[:_RCV1_TRAINING],
        test_idx=rows[_RCV1_TRAINING:],
        name=name,
    )


def _fetched(name: str, home: Path, fetch: Callable[[str], Any]) -> Any:
    """Fetch into a temporary folder."""
    home.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=home, prefix=".fetch-") as scratch:
        try:
            return fetch(scratch)
        except (OSError, HTTPException, ValueError, EOFError, zlib.error) as error:
            raise ValueError(
                f"{name} was not downloaded ({one_line(error)}): try again, or put it "
                f"at {home / name / 'data.npz'} yourself."
            ) from error


def _truth(name: str, target: Any) -> NDArray[np.int8]:
    """Label values as OpenML writes them (TRUE and FALSE, or 1 and 0) as 1 and 0."""
    words = np.char.lower(np.asarray(target).astype(str))
    on = np.isin(words, ("true", "1", "1.0"))
    if words.ndim != 2 or not (on | np.isin(words, ("false", "0", "0.0"))).all():
        raise ValueError(
            f"{name} is not a multi-label set: its targets are not columns of 0/1."
        )
    return on.astype(np.int8)
