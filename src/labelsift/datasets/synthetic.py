# SPDX-License-Identifier: BSD-3-Clause
"""Data with planted features: what is relevant is known."""

from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils import check_scalar

from labelsift.core.data import MultiLabelData, numbered_names

# Labels are on in a tenth to two fifths of the rows, as in the usual benchmarks.
_PREVALENCE = (0.1, 0.4)
# A redundant feature is its original with this much noise, relative to its spread.
_COPY_NOISE = 0.5


@dataclass(frozen=True, eq=False)
class PlantedData(MultiLabelData):
    """Data made by ``make_planted``.

    Parameters
    ----------
    relevant : ndarray
        Sorted indices of the features that the labels were made from.
    """

    relevant: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, np.intp))


def make_planted(
    n_samples: int = 500,
    n_features: int = 100,
    n_labels: int = 6,
    *,
    n_relevant: int = 10,
    label_rank: int | None = None,
    redundancy: float = 0.0,
    noise: float = 0.1,
    density: float = 1.0,
    random_state: int | None = None,
) -> PlantedData:
    """Make a data set whose labels share a few known features.

    The scores of the labels are S = X_R B + noise, where X_R are the relevant columns
    and B = F G has rank ``label_rank`` with rows of equal norm, so that every relevant
    feature matters alike. A label is on in the rows with its highest scores. Columns
    are shuffled.

    Parameters
    ----------
    n_samples, n_features, n_labels : int
        Size.
    n_relevant : int, default=10
        Features that the labels are made from.
    label_rank : int or None, default=None
        Rank of the labels' scores: how much the labels share. None: full.
    redundancy : float in [0, 1], default=0.0
        Share of the other features that are noisy copies of relevant ones; the rest
        are independent of the labels.
    noise : float, default=0.1
        Standard deviation of the noise on the scores, relative to the scores' own.
    density : float in (0, 1], default=1.0
        Below 1, X is a csr_array with this share of entries, drawn from (0, 1]; at 1
        it is a dense Gaussian matrix.
    random_state : int or None, default=None
        Seed.

    Returns
    -------
    PlantedData
        The data, with ``relevant``.

    Examples
    --------
    >>> from labelsift.datasets import make_planted
    >>> planted = make_planted(n_features=20, n_relevant=3, random_state=0)
    >>> planted.X.shape, planted.Y.shape, len(planted.relevant)
    ((500, 20), (500, 6), 3)
    """
    rank = min(n_relevant, n_labels) if label_rank is None else label_rank
    _check_arguments(
        n_samples, n_features, n_labels, n_relevant, rank, redundancy, noise, density
    )
    rng = np.random.default_rng(random_state)
    n_copies = round(redundancy * (n_features - n_relevant))
    originals = rng.integers(n_relevant, size=n_copies)
    n_drawn = n_features - n_copies
    draw, copy = (_dense, _dense_copies) if density == 1 else (_sparse, _sparse_copies)
    X = draw(rng, n_samples, n_drawn, density)
    scores = X[:, :n_relevant] @ _loadings(rng, n_relevant, rank, n_labels)
    place = rng.permutation(n_features)
    if n_copies:
        X = copy(rng, X, originals)
    return PlantedData(
        X=_shuffled(X, place),
        Y=_labels(rng, scores, noise),
        feature_names=numbered_names("x", n_features),
        label_names=numbered_names("y", n_labels),
        name="planted",
        relevant=np.flatnonzero(place < n_relevant),
    )


def _check_arguments(
    n_samples: int,
    n_features: int,
    n_labels: int,
    n_relevant: int,
    rank: int,
    redundancy: float,
    noise: float,
    density: float,
) -> None:
    check_scalar(n_samples, "n_samples", Integral, min_val=2)
    check_scalar(n_features, "n_features", Integral, min_val=1)
    check_scalar(n_labels, "n_labels", Integral, min_val=1)
    check_scalar(n_relevant, "n_relevant", Integral, min_val=1, max_val=n_features)
    check_scalar(
        rank, "label_rank", Integral, min_val=1, max_val=min(n_relevant, n_labels)
    )
    check_scalar(redundancy, "redundancy", Real, min_val=0, max_val=1)
    check_scalar(noise, "noise", Real, min_val=0)
    check_scalar(
        density, "density", Real, min_val=0, max_val=1, include_boundaries="right"
    )


def _loadings(
    rng: np.random.Generator, n_relevant: int, rank: int, n_labels: int
) -> NDArray[np.float64]:
    B = rng.normal(size=(n_relevant, rank)) @ rng.normal(size=(rank, n_labels))
    return np.asarray(B / np.linalg.norm(B, axis=1, keepdims=True))


def _labels(
    rng: np.random.Generator, scores: NDArray[np.float64], noise: float
) -> NDArray[Any]:
    """Switch each label on in the rows with the highest scores."""
    n, t = scores.shape
    scores = scores + noise * scores.std(axis=0) * rng.normal(size=(n, t))
    counts = np.clip(np.rint(n * rng.uniform(*_PREVALENCE, size=t)), 1, n - 1)
    rank = np.argsort(np.argsort(-scores, axis=0, kind="stable"), axis=0)
    return np.asarray(rank < counts)


def _dense(
    rng: np.random.Generator, n: int, d: int, density: float
) -> NDArray[np.float64]:
    return rng.normal(size=(n, d))


def _dense_copies(rng: np.random.Generator, X: Any, originals: NDArray[Any]) -> Any:
    noise = _COPY_NOISE * rng.normal(size=(len(X), len(originals)))
    return np.hstack([X, X[:, originals] + noise])


def _sparse(rng: np.random.Generator, n: int, d: int, density: float) -> Any:
    """Columns of independent entries, made as CSC without ever being dense."""
    counts = np.maximum(rng.binomial(n, density, size=d), 1)
    rows = [rng.choice(n, size=count, replace=False) for count in counts]
    indptr = np.concatenate([[0], np.cumsum(counts)])
    values = 1 - rng.uniform(size=indptr[-1])
    return sp.csc_array((values, np.concatenate(rows), indptr), shape=(n, d))


def _sparse_copies(rng: np.random.Generator, X: Any, originals: NDArray[Any]) -> Any:
    """Copies keep the place of most entries, with values drawn around the original."""
    copies = X[:, originals].copy()
    copies.data *= np.exp(_COPY_NOISE * rng.normal(size=copies.nnz))
    copies.data *= rng.uniform(size=copies.nnz) > _COPY_NOISE / 2
    copies.eliminate_zeros()
    return sp.hstack([X, copies], format="csc")


def _shuffled(X: Any, place: NDArray[Any]) -> Any:
    X = X[:, place]
    if not sp.issparse(X):
        return X
    X = X.tocsr()
    X.sort_indices()
    return X
