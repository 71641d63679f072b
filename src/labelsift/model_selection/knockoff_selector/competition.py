# SPDX-License-Identifier: BSD-3-Clause
"""Features and their copies before one selector: what each of them is worth to it."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.covariance import ledoit_wolf
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_array

from labelsift.core.labels import signed_labels
from labelsift.model_selection.meta_selector import Told, fit_quietly, seeded_clone
from labelsift.selection.mt_lasso import MTLasso
from labelsift.solvers.knockoffs import GaussianKnockoffs

# Share of the penalty that noise alone would seldom pass.
_PENALTY = 0.5
# The least eigenvalue of a correlation matrix, below which some identity is mixed in.
_LEAST = 1e-6


def standardised(X: NDArray[Any]) -> NDArray[np.float64]:
    """Columns with mean 0 and variance 1."""
    X = X.astype(np.float64)
    return np.asarray((X - X.mean(axis=0)) / X.std(axis=0))


def group_lasso_alpha(Y: NDArray[Any], n_features: int) -> float:
    """Penalty of the group lasso on 2 d columns of unit norm.

    .5 sd (sqrt t + sqrt(2 log 2d)), where sd^2 is the mean variance of the t labels
    coded -1/+1. It does not look at X, so that features and copies can be exchanged.
    """
    spread = np.sqrt(signed_labels(Y).var(axis=0).mean())
    noise = np.sqrt(Y.shape[1]) + np.sqrt(2 * np.log(2 * n_features))
    return float(_PENALTY * spread * noise)


def known_correlation(
    covariance: Any, columns: NDArray[np.intp], n_features: int
) -> NDArray[np.float64] | None:
    """Correlation of some columns; None where the covariance is to be estimated."""
    if isinstance(covariance, str):
        return None
    matrix = check_array(covariance, dtype=np.float64, input_name="covariance")
    if matrix.shape != (n_features, n_features) or not np.allclose(matrix, matrix.T):
        raise ValueError(
            f"covariance must be a symmetric matrix for the {n_features} features of "
            f"X, got shape {matrix.shape}: pass one row and column per feature."
        )
    matrix = matrix[np.ix_(columns, columns)]
    if not (np.diag(matrix) > 0).all() or np.linalg.eigvalsh(matrix)[0] < -_LEAST:
        raise ValueError(
            "covariance has a variance or an eigenvalue that is not positive: pass a "
            'positive definite matrix, or "ledoit-wolf".'
        )
    return _as_correlation(matrix)


def estimated_correlation(X: NDArray[np.float64]) -> NDArray[np.float64]:
    """Correlation of standardised columns, shrunk towards independence."""
    return _as_correlation(ledoit_wolf(X, assume_centered=True)[0])


def _as_correlation(covariance: NDArray[np.float64]) -> NDArray[np.float64]:
    """Unit diagonal; a singular matrix is moved a little towards the identity."""
    scale = np.sqrt(np.diag(covariance))
    matrix = covariance / np.outer(scale, scale)
    least = float(np.linalg.eigvalsh(matrix)[0])
    if least < _LEAST:
        share = (_LEAST - least) / (1 - least)
        matrix = (1 - share) * matrix + share * np.eye(len(matrix))
    return np.asarray(matrix)


def scores_of_both(
    selector: Any,
    X: NDArray[np.float64],
    y: NDArray[Any],
    copies: GaussianKnockoffs,
    seed: int,
) -> tuple[NDArray[np.float64], list[Told]]:
    """Scores of the features, then of their copies; 0 where they are not used.

    Columns come in random order: where two are equally good, the original must not
    always be the first.
    """
    rng = np.random.RandomState(seed)
    both = np.hstack([X, copies.draw(X, rng)])
    place = rng.permutation(both.shape[1])
    fitted = seeded_clone(selector, int(rng.randint(np.iinfo(np.int32).max)))
    told = fit_quietly(fitted, both[:, place], y)
    if not hasattr(fitted, "scores_"):
        raise ValueError(
            f"selector={selector!r} has no scores_: pass a selector that scores "
            "features jointly, or None."
        )
    if isinstance(fitted, MTLasso):  # that few features have weights is as it should be
        told = [one for one in told if issubclass(one[1], ConvergenceWarning)]
    scores = np.empty(len(place))
    scores[place] = np.maximum(fitted.scores_, 0)
    return scores, told
