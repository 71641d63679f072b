# SPDX-License-Identifier: BSD-3-Clause
"""Ridge regression of every target, labels or values, from one decomposition."""

from collections.abc import Iterator, Sequence
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from labelsift.core.base import BaseLabelRanker, LinearRankerMixin
from labelsift.core.calibration import CalibrationMixin
from labelsift.core.estimator import WeightedFitMixin
from labelsift.core.path import Fold, FoldScores, RankerPathMixin
from labelsift.core.targets import known_patterns
from labelsift.core.validation import Interval
from labelsift.solvers.ridge.path import (
    CentredGram,
    has_gram,
    ridge_path,
    ridge_solutions,
)
from labelsift.sums.fit import StreamFitMixin
from labelsift.sums.sums import Sums

# Weights and intercepts of one penalty.
_Solution = tuple[NDArray[Any], NDArray[Any]]


class _RidgeReadout(
    WeightedFitMixin,
    StreamFitMixin,
    LinearRankerMixin,
    RankerPathMixin,
    BaseLabelRanker,
):
    """Ridge regression of the codes of each target, on the rows where it is known."""

    takes_unknown = True

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "alpha": [Interval(Real, 0, None, closed="left")]
    }

    def __init__(self, alpha: float = 1.0) -> None:
        self.alpha = alpha

    def _fit_each(
        self,
        X: Any,
        Y: NDArray[Any],
        models: Sequence[Self],
        weights: NDArray[Any] | None = None,
    ) -> Iterator[Self]:
        path = _known_path(X, self._codes(Y), [m.alpha for m in models], weights)
        for model, (coef, intercept) in zip(models, path, strict=True):
            model.coef_ = coef.astype(X.dtype, copy=False)
            model.intercept_ = intercept.astype(X.dtype, copy=False)
            yield model

    def _solve_sums(self, sums: Sums) -> None:
        mean, xy, _ = sums.coded()
        self.coef_ = next(ridge_solutions(sums.xx, xy, [self.alpha])).T
        self.intercept_ = mean - self.coef_ @ sums.x_mean

    def _score_each(
        self, X: Any, Y: NDArray[Any], folds: Sequence[Fold], models: Sequence[Self]
    ) -> FoldScores:
        codes = self._codes(Y)
        if not has_gram(X) or np.isnan(codes).any():
            yield from super()._score_each(X, Y, folds, models)
            return
        gram = CentredGram.of(X)
        paths = [gram.fold(codes, *fold) for fold in folds]
        penalties = [model.alpha for model in models]
        scores = [path.solutions(penalties) + path.mean for path in paths]
        yield list(range(len(models))), scores


def _known_path(
    X: Any,
    codes: NDArray[Any],
    penalties: Sequence[float],
    weights: NDArray[Any] | None,
) -> Iterator[_Solution]:
    """Ridge fits of each target to its known rows; shared where these are the same."""
    patterns = known_patterns(codes)
    if len(patterns) == 1 and isinstance(patterns[0][0], slice):
        yield from ridge_path(X, codes, penalties, weights=weights)
        return
    parts = [
        (
            columns,
            list(
                ridge_path(
                    X[rows],
                    codes[np.ix_(rows, columns)],
                    penalties,
                    weights=None if weights is None else weights[rows],
                )
            ),
        )
        for rows, columns in patterns
    ]
    for point in range(len(penalties)):
        coef = np.zeros((codes.shape[1], X.shape[1]))
        intercept = np.zeros(codes.shape[1])
        for columns, path in parts:
            coef[columns], intercept[columns] = path[point]
        yield coef, intercept


class BinaryRidge(CalibrationMixin, _RidgeReadout):
    r"""Ridge regression of each label, coded -1/+1.

    Minimises, over weights W (n_labels x n_features) and intercepts b,

    .. math::

        \|Y - X W' - 1 b'\|_F^2 + \alpha \|W\|_F^2,

    with Y in {-1, +1}. The intercept is not penalised: X and Y are centred. A label
    with one value only gets weights 0 and that value as its score. Labels may be NaN:
    each label is fitted to the rows where it is known, those with the same known rows
    together. Samples may have weights.

    Cost: all labels share one Cholesky factor of the centred Gram matrix on the smaller
    side m = min(n_samples, n_features): O(nnz(X) m) for the products (dense X:
    O(n_samples n_features m)), O(m^3) for the factor, and 16 m^2 bytes. Sparse X is
    centred implicitly and never densified. Where X is sparse and m is above 8192, LSQR
    solves label by label to a tolerance of 1e-10 without a Gram matrix. A path of more
    than eight alphas and an alpha within the rounding of the Gram matrix take an
    eigendecomposition in place of the factor: about ten times the time and 32 m^2
    bytes. ``fold_scores`` takes one for each fold, all from one Gram matrix.

    Parameters
    ----------
    alpha : float, default=1.0
        Penalty, in the scale of scikit-learn's Ridge. 0 gives the least squares
        solution of least norm.
    calibration : {"sigmoid", "isotonic"} or None, default=None
        How ``predict_proba`` gets probabilities from scores: by Platt's sigmoid or
        isotonic regression on the scores of five folds, which are fitted apart. None:
        there is no ``predict_proba``, and nothing is fitted but the model.

    Attributes
    ----------
    coef_ : ndarray of shape (n_labels, n_features_in_)
        Weights, in the precision of X.
    intercept_ : ndarray of shape (n_labels,)
        Added to each label's score.
    calibrators_ : list
        One per label, where ``calibration`` is given.
    classes_ : ndarray
        Column numbers of Y, or the distinct values of a 1-D y.

    See Also
    --------
    MultiTargetRidge : The same for real values.
    BinarySVM : The same with the squared hinge loss.
    MLkNN : A read-out that is not linear.

    References
    ----------
    A. E. Hoerl, R. W. Kennard (1970), Ridge regression: biased estimation for
    nonorthogonal problems, Technometrics 12.

    Examples
    --------
    >>> from labelsift.classification import BinaryRidge
    >>> from labelsift.datasets import load_dataset
    >>> traits = load_dataset("traits")
    >>> ridge = BinaryRidge().fit(traits.X[:1000], traits.Y[:1000])
    >>> ridge.decision_function(traits.X[1000:]).shape
    (797, 6)
    >>> bool((ridge.predict(traits.X[1000:]) == traits.Y[1000:]).mean() > 0.9)
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **_RidgeReadout._parameter_constraints,
        "calibration": CalibrationMixin.calibration_constraint,
    }

    def __init__(self, alpha: float = 1.0, *, calibration: str | None = None) -> None:
        super().__init__(alpha)
        self.calibration = calibration


class MultiTargetRidge(_RidgeReadout):
    r"""Ridge regression of many real-valued targets.

    Minimises, over weights W (n_targets x n_features) and intercepts b,

    .. math::

        \|Y - X W' - 1 b'\|_F^2 + \alpha \|W\|_F^2,

    as ``BinaryRidge`` does for labels and by the same solver: one Cholesky factor for
    all targets, one decomposition for all penalties (``fit_path``), sparse X never
    densified. A target may be NaN: each is fitted to the rows where it is known, and
    those with the same known rows share a factor. Samples may have weights.

    Parameters
    ----------
    alpha : float, default=1.0
        Penalty, in the scale of scikit-learn's Ridge. 0 gives the least squares
        solution of least norm.

    Attributes
    ----------
    coef_ : ndarray of shape (n_targets, n_features_in_)
        Weights, in the precision of X.
    intercept_ : ndarray of shape (n_targets,)
        Added to each target.

    See Also
    --------
    BinaryRidge : The same for labels.
    sklearn.linear_model.Ridge : One penalty at a time, all targets known.

    References
    ----------
    A. E. Hoerl, R. W. Kennard (1970), Ridge regression: biased estimation for
    nonorthogonal problems, Technometrics 12.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from labelsift.classification import MultiTargetRidge
    >>> pixels = load_digits().data
    >>> upper, lower = pixels[:, :32], pixels[:, 32:]
    >>> ridge = MultiTargetRidge().fit(upper[:1000], lower[:1000])
    >>> ridge.predict(upper[1000:]).shape
    (797, 32)
    """

    target = "values"
