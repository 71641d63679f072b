# SPDX-License-Identifier: BSD-3-Clause
"""A training and a test file as one data set with a published split."""

from dataclasses import replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from labelsift.core.data import MultiLabelData


def join_parts(train: MultiLabelData, test: MultiLabelData) -> MultiLabelData:
    """Join a training and a test part; the split becomes the published one.

    Parameters
    ----------
    train, test : MultiLabelData
        With the same features and labels, by name, in any order.

    Returns
    -------
    MultiLabelData
        The training rows first, in the columns' order of the training part.
    """
    features = _places(train.feature_names, test.feature_names, "feature", test.name)
    labels = _places(train.label_names, test.label_names, "label", test.name)
    parts: list[Any] = [train.X, test.X[:, features]]
    sparse = any(map(sp.issparse, parts))
    X = sp.vstack(parts, format="csr") if sparse else np.vstack(parts)
    rows = np.arange(X.shape[0])
    return replace(
        train,
        X=X,
        Y=np.vstack([train.Y, test.Y[:, labels]]),
        train_idx=rows[: train.n_samples],
        test_idx=rows[train.n_samples :],
        weights=_weights(train, test),
    )


def _weights(train: MultiLabelData, test: MultiLabelData) -> Any:
    """Weights of both parts; None where neither has any."""
    if train.weights is None and test.weights is None:
        return None
    parts = [
        np.ones(p.n_samples) if p.weights is None else p.weights for p in (train, test)
    ]
    return np.concatenate(parts)


def _places(
    wanted: tuple[str, ...], given: tuple[str, ...], what: str, where: str
) -> list[int]:
    """Positions of the wanted names; a ValueError where the two sets differ."""
    place = {name: i for i, name in enumerate(given)}
    missing = [name for name in wanted if name not in place]
    if missing or len(given) != len(wanted):
        example = missing[0] if missing else next(n for n in given if n not in wanted)
        raise ValueError(
            f"{where} does not have the {what}s of the training part: {example!r} is "
            "in one of them only."
        )
    return [place[name] for name in wanted]
