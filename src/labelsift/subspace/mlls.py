# SPDX-License-Identifier: BSD-3-Clause
"""Multi-label least squares: the subspace that all labels share."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from labelsift.core.base import BaseSubspace, LinearRankerMixin
from labelsift.core.estimator import WeightedFitMixin
from labelsift.core.path import Fold, FoldScores, RankerPathMixin
from labelsift.core.subspace import check_varies, fix_signs, largest_entry_signs
from labelsift.core.targets import TARGET
from labelsift.core.validation import Interval
from labelsift.core.warning import warn
from labelsift.solvers.ridge.centring import column_means
from labelsift.solvers.ridge.path import (
    CentredGram,
    has_gram,
    leading_directions,
    ridge_path,
    ridge_solutions,
)
from labelsift.sums.fit import SumsFitMixin
from labelsift.sums.sums import Sums


class MLLS(
    WeightedFitMixin,
    SumsFitMixin,
    LinearRankerMixin,
    RankerPathMixin,
    BaseSubspace,
):
    r"""Least squares for many labels with a subspace that they share.

    Minimises, over label weights U (n_features x n_labels), shares V and a basis
    :math:`\Theta` of the shared subspace with :math:`\Theta \Theta' = I`,

    .. math::

        \tfrac1n \|X U - Y\|_F^2 + \alpha \|U - \Theta' V\|_F^2 + \beta \|U\|_F^2,

    with Y in {-1, +1} or real values, X and Y centred: alpha penalises what a target
    does outside the shared subspace, beta everything. The problem is not convex, yet
    solved exactly. The best :math:`\Theta' V` is the nearest matrix of rank r, so the
    middle term is alpha times :math:`\min_P \|U (I - P P')\|_F^2` over orthonormal P
    (n_labels x r). For a given P the problem falls into two ridge regressions: of the
    labels Y P with penalty beta, and of the rest with penalty alpha + beta. With ridge
    weights :math:`U_\lambda = (X'X + n \lambda I)^{-1} X'Y` and smoother
    :math:`H_\lambda = X (X'X + n \lambda I)^{-1} X'`,

    .. math::

        U = U_{\alpha+\beta} (I - P P') + U_\beta P P', \qquad
        \Theta' = \mathrm{orth}(U_\beta P),

    where P holds the leading eigenvectors of
    :math:`Y'(H_\beta - H_{\alpha+\beta})Y`: rotate the labels, fit the leading ones
    with the lower penalty. It follows that

    * alpha = 0 is plain ridge regression, and so is r >= the number of directions that
      the labels span (in particular r >= n_labels): alpha then has no effect;
    * alpha -> infinity is reduced-rank ridge regression, its subspace that of ``OPLS``;
    * beta -> infinity has the leading eigenvectors of X'YY'X as its subspace, which are
      those of the orthogonal centroid method for classes of equal size.

    Cost: one Gram matrix on the smaller side m = min(n_samples, n_features) and two
    Cholesky factors of it, or one eigendecomposition for all of ``fit_path``:
    O(nnz(X) m + m^3) in time (dense X: n_samples n_features m) and 8 m^2 bytes two or
    three times over. X is never densified, and nothing of n_features x n_features is
    formed where n_samples <= n_features. A further point of ``fit_path`` costs
    O((m^2 + nnz(X)) n_labels). Where X is sparse and m is above 8192, LSQR solves the
    ridge regressions without a Gram matrix.

    Parameters
    ----------
    n_components : int or None, default=None
        Dimension r of the shared subspace; None for n_labels - 1 (at least 1).
    alpha : float, default=1e-2
        Penalty on the part of the weights outside the shared subspace, on the scale
        of the mean loss, as in the paper.
    beta : float, default=1e-2
        Penalty on all weights, on the same scale: scikit-learn's Ridge has n_samples
        times this. At 0 directions of X that are 0 up to rounding are left out.
    fit_intercept : bool, default=True
        Whether to centre X and Y; the paper does not, and loses by it.
    target : {"auto", "labels", "values"}, default="auto"
        What Y holds: "auto" reads 0/1, bool and -1/+1 as labels and columns with a
        fraction as values; "values" takes any number as it is.

    Attributes
    ----------
    components_ : ndarray of shape (n_components_, n_features_in_)
        Orthonormal basis of the shared subspace, the direction that gains most first;
        smaller budgets nest. Each is signed so that its largest entry is positive.
    n_components_ : int
        Components that exist: at most the directions that the labels span.
    coef_ : ndarray of shape (n_labels, n_features_in_)
        Weights U', in the precision of X.
    intercept_ : ndarray of shape (n_labels,)
        Added to each label's score.
    label_rotation_ : ndarray of shape (n_directions, n_labels)
        Directions of the labels P', the one that gains most first; the first
        n_components_ are shared and signed like their components.
    eigenvalues_ : ndarray of shape (n_directions,)
        How much the objective falls when a direction is shared.
    objective_ : float
        The minimum reached.
    mean_ : ndarray of shape (n_features_in_,)
        Subtracted before projecting; 0 without intercept.
    classes_ : ndarray
        Column numbers of Y, or the distinct values of a 1-D y.

    See Also
    --------
    OPLS : Its subspace for alpha -> infinity.
    RegularizedCCA : The same with whitened labels.
    ASO : The hinge loss and beta = 0, by alternation.
    labelsift.model_selection.PathSearchCV : Chooses all three parameters.

    References
    ----------
    S. Ji, L. Tang, S. Yu, J. Ye (2008), Extracting shared subspace for multi-label
    classification, KDD, eq. (5) to (13).

    Examples
    --------
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.subspace import MLLS
    >>> traits = load_dataset("traits")
    >>> model = MLLS(3).fit(traits.X[:1000], traits.Y[:1000])
    >>> model.transform(traits.X[1000:]).shape
    (797, 3)
    >>> bool((model.predict(traits.X[1000:]) == traits.Y[1000:]).mean() > 0.9)
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_components": [Interval(Integral, 1, None, closed="left"), None],
        "alpha": [Interval(Real, 0, None, closed="left")],
        "beta": [Interval(Real, 0, None, closed="left")],
        "fit_intercept": ["boolean"],
        "target": TARGET,
    }

    def __init__(
        self,
        n_components: int | None = None,
        *,
        alpha: float = 1e-2,
        beta: float = 1e-2,
        fit_intercept: bool = True,
        target: str = "auto",
    ) -> None:
        self.n_components = n_components
        self.alpha = alpha
        self.beta = beta
        self.fit_intercept = fit_intercept
        self.target = target

    def _fit_each(
        self,
        X: Any,
        Y: NDArray[Any],
        models: Sequence[Self],
        weights: NDArray[Any] | None = None,
    ) -> Iterator[Self]:
        codes = self._codes(Y)
        n = len(Y) if weights is None else weights.sum()

        @cache
        def ridge(centred: bool) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
            group = [model for model in models if model.fit_intercept == centred]
            penalties = [
                n * p for model in group for p in (model.beta, model.alpha + model.beta)
            ]
            return ridge_path(X, codes, penalties, centred=centred, weights=weights)

        mean, level = column_means(X, weights), np.average(codes, 0, weights)

        def loss(coef: NDArray[Any], intercept: NDArray[Any]) -> float:
            errors = (X @ coef + intercept - codes) ** 2
            return float(np.average(errors, 0, weights).sum())

        for model in models:
            (low, _), (high, _) = islice(ridge(model.fit_intercept), 2)
            model._combine(low.T, high.T, mean, level, loss, X.dtype)
            yield model

    def _solve_sums(self, sums: Sums) -> None:
        check_varies(self, sums.x_range)
        level, xy, yy = sums.coded()
        xx, squares = sums.xx, np.diag(yy).sum() if yy.ndim == 2 else yy.sum()
        if not self.fit_intercept:
            xx = xx + sums.n * np.outer(sums.x_mean, sums.x_mean)
            xy = xy + sums.n * np.outer(sums.x_mean, level)
            squares += sums.n * (level @ level)
        penalties = [sums.n * p for p in (self.beta, self.alpha + self.beta)]

        def loss(coef: NDArray[Any], intercept: NDArray[Any]) -> float:
            return float(squares + np.vdot(coef, xx @ coef - 2 * xy)) / sums.n

        low, high = ridge_solutions(xx, xy, penalties)
        self._combine(low, high, sums.x_mean, level, loss, np.float64)
        self.components_ = fix_signs(self.components_)

    def _combine(
        self,
        low: NDArray[Any],
        high: NDArray[Any],
        mean: NDArray[Any],
        level: NDArray[Any],
        loss: Callable[[NDArray[Any], NDArray[Any]], float],
        dtype: Any,
    ) -> None:
        """Set the fitted attributes, from the two ridge fits."""
        # Y'(H_beta - H_alpha+beta)Y / n = alpha U_beta'U_alpha+beta, without loss of
        # digits where alpha is small.
        gains, rotation = leading_directions(low.T @ high)
        size = min(self._size(len(level)), len(gains))
        self._warn_if_ridge(size, len(gains))
        shared = rotation[:, :size]
        coef = high + (low - high) @ shared @ shared.T
        components, signs = _oriented_basis(low @ shared)
        rotation[:, :size] *= signs
        self.eigenvalues_, self.label_rotation_ = self.alpha * gains, rotation.T
        if not self.fit_intercept:
            mean, level = np.zeros_like(mean), np.zeros_like(level)
        intercept = level - mean @ coef
        self.objective_ = (
            loss(coef, intercept)
            + (self.alpha + self.beta) * float((coef**2).sum())
            - self.alpha * float(((components @ coef) ** 2).sum())
        )
        self.n_components_ = size
        self.components_ = components.astype(dtype, copy=False)
        self.mean_ = mean.astype(dtype, copy=False)
        self.coef_ = coef.T.astype(dtype, copy=False)
        self.intercept_ = intercept.astype(dtype, copy=False)

    def _size(self, n_labels: int) -> int:
        return self.n_components or max(1, n_labels - 1)

    def _warn_if_ridge(self, size: int, n_directions: int) -> None:
        if size == n_directions and self.alpha > 0:
            warn(
                f"n_components={self.n_components} covers all {n_directions} "
                "directions of the labels that X can fit: this is plain ridge "
                "regression and alpha has no effect; use fewer components."
            )

    def _score_each(
        self, X: Any, Y: NDArray[Any], folds: Sequence[Fold], models: Sequence[Self]
    ) -> FoldScores:
        if not has_gram(X):
            yield from super()._score_each(X, Y, folds, models)
            return
        codes = self._codes(Y)
        groups: dict[tuple[bool, float, float], list[int]] = {}
        for position, model in enumerate(models):
            key = (model.fit_intercept, model.alpha, model.beta)
            groups.setdefault(key, []).append(position)
        penalties = {beta for _, _, beta in groups} | {a + b for _, a, b in groups}

        @cache
        def parts(centred: bool) -> list[_FoldScores]:
            gram = CentredGram.of(X, centred=centred)
            return [_FoldScores(gram, codes, fold, penalties) for fold in folds]

        for (centred, alpha, beta), positions in groups.items():
            sizes = [models[position]._size(Y.shape[1]) for position in positions]
            yield positions, [part(alpha, beta, sizes) for part in parts(centred)]


class _FoldScores:
    """Scores of one fold's test rows for any alpha, beta and number of components."""

    def __init__(
        self,
        gram: CentredGram,
        codes: NDArray[Any],
        fold: Fold,
        penalties: Iterable[float],
    ) -> None:
        self.n_samples = len(fold[0])
        self.path = gram.fold(codes, *fold)
        solutions = self.path.solutions([self.n_samples * p for p in penalties])
        self.ridge = dict(zip(penalties, solutions, strict=True))

    def __call__(
        self, alpha: float, beta: float, sizes: Sequence[int]
    ) -> NDArray[np.float64]:
        outside = self.ridge[alpha + beta]
        if alpha == 0:  # plain ridge regression, whatever the number of components
            return outside[np.newaxis] + self.path.mean
        low, high = self.n_samples * beta, self.n_samples * (alpha + beta)
        rotation = self.path.directions(low, high)
        gained = (self.ridge[beta] - outside) @ rotation
        scores = np.empty((len(sizes), *outside.shape))
        for layer, size in zip(scores, sizes, strict=True):
            np.matmul(gained[:, :size], rotation[:, :size].T, out=layer)
        scores += outside + self.path.mean
        return scores


def _oriented_basis(
    spanning: NDArray[Any],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Orthonormal rows by Gram-Schmidt in the order of the columns.

    The signs returned are those that the columns must be multiplied with so that each
    basis vector, with its largest entry positive, lies on the side of its column.
    """
    basis, upper = np.linalg.qr(spanning)
    basis = basis.T
    signs = largest_entry_signs(basis)
    return basis * signs[:, np.newaxis], signs * np.sign(np.diagonal(upper))
