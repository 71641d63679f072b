# SPDX-License-Identifier: BSD-3-Clause
"""Binary relevance: one linear model per label, all from the same features."""

from collections.abc import Iterator, Sequence
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.svm import LinearSVC
from sklearn.utils import check_random_state

from labelsift.core.base import BaseLabelRanker, LinearRankerMixin
from labelsift.core.data import with_short_indices
from labelsift.core.labels import constant_labels, signed_labels
from labelsift.core.path import Fold, FoldScores, RankerPathMixin
from labelsift.core.validation import Interval
from labelsift.solvers.ridge.path import CentredGram, has_gram, ridge_path


class BinaryRidge(LinearRankerMixin, RankerPathMixin, BaseLabelRanker):
    r"""Ridge regression of each label, coded -1/+1.

    Minimises, over weights W (n_labels x n_features) and intercepts b,

    .. math::

        \|Y - X W' - 1 b'\|_F^2 + \alpha \|W\|_F^2,

    with Y in {-1, +1}. The intercept is not penalised: X and Y are centred. A label
    with one value only gets weights 0 and that value as its score.

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

    Attributes
    ----------
    coef_ : ndarray of shape (n_labels, n_features_in_)
        Weights, in the precision of X.
    intercept_ : ndarray of shape (n_labels,)
        Added to each label's score.
    classes_ : ndarray
        Column numbers of Y, or the distinct values of a 1-D y.

    See Also
    --------
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
        "alpha": [Interval(Real, 0, None, closed="left")]
    }

    def __init__(self, alpha: float = 1.0) -> None:
        self.alpha = alpha

    def _fit_each(
        self, X: Any, Y: NDArray[Any], models: Sequence[Self]
    ) -> Iterator[Self]:
        path = ridge_path(X, signed_labels(Y), [model.alpha for model in models])
        for model, (coef, intercept) in zip(models, path, strict=True):
            model.coef_ = coef.astype(X.dtype, copy=False)
            model.intercept_ = intercept.astype(X.dtype, copy=False)
            yield model

    def _score_each(
        self, X: Any, Y: NDArray[Any], folds: Sequence[Fold], models: Sequence[Self]
    ) -> FoldScores:
        if not has_gram(X):
            yield from super()._score_each(X, Y, folds, models)
            return
        gram, codes = CentredGram.of(X), signed_labels(Y)
        paths = [gram.fold(codes, *fold) for fold in folds]
        penalties = [model.alpha for model in models]
        scores = [path.solutions(penalties) + path.mean for path in paths]
        yield list(range(len(models))), scores


class BinarySVM(LinearRankerMixin, BaseLabelRanker):
    r"""A linear support vector machine for each label.

    For each label with values y in {-1, +1}, scikit-learn's LinearSVC minimises

    .. math::

        \tfrac12 (\|w\|^2 + b^2) + C \sum_i \max(0, 1 - y_i (w'x_i + b))^2,

    the primal or the dual problem, whichever is smaller. A label with one value only
    gets weights 0 and that value (-1 or +1) as its score.

    Cost: O(nnz(X)) per iteration and label; liblinear keeps a sparse copy of X per
    running label, so dense X costs 16 bytes an entry for each of ``n_jobs``.

    Parameters
    ----------
    C : float, default=1.0
        Weight of the loss; larger means less regularisation.
    tol : float, default=1e-4
        Tolerance at which a label's problem is solved.
    max_iter : int, default=1000
        Iterations for a label at most; a ConvergenceWarning is raised if reached.
    n_jobs : int or None, default=None
        Labels that are fitted at a time, as in joblib; the result is the same.
    random_state : int, RandomState instance or None, default=None
        Seed of the dual solver's order.

    Attributes
    ----------
    coef_ : ndarray of shape (n_labels, n_features_in_)
        Weights, in the precision of X.
    intercept_ : ndarray of shape (n_labels,)
        Added to each label's score.
    n_iter_ : int
        Most iterations that a label took.
    classes_ : ndarray
        Column numbers of Y, or the distinct values of a 1-D y.

    See Also
    --------
    BinaryRidge : The same with squares, all labels in one solution.

    References
    ----------
    R.-E. Fan, K.-W. Chang, C.-J. Hsieh, X.-R. Wang, C.-J. Lin (2008), LIBLINEAR: a
    library for large linear classification, JMLR 9.

    Examples
    --------
    >>> from labelsift.classification import BinarySVM
    >>> from labelsift.datasets import load_dataset
    >>> traits = load_dataset("traits")
    >>> svm = BinarySVM(C=0.01, random_state=0).fit(traits.X[:1000], traits.Y[:1000])
    >>> svm.coef_.shape
    (6, 64)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "C": [Interval(Real, 0, None, closed="neither")],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        C: float = 1.0,
        *,
        tol: float = 1e-4,
        max_iter: int = 1000,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.C = C
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _fit(self, X: Any, Y: NDArray[Any]) -> None:
        n_labels = Y.shape[1]
        rng = check_random_state(self.random_state)
        seeds = rng.randint(np.iinfo(np.int32).max, size=n_labels)
        learnable = np.flatnonzero(~constant_labels(Y))
        rows = with_short_indices(X)  # liblinear accepts no others
        models = Parallel(n_jobs=self.n_jobs)(
            delayed(self._machine(seeds[label]).fit)(rows, Y[:, label])
            for label in learnable
        )
        self.coef_ = np.zeros((n_labels, X.shape[1]), dtype=X.dtype)
        self.intercept_ = signed_labels(Y[0]).astype(X.dtype)
        for label, model in zip(learnable, models, strict=True):
            self.coef_[label] = model.coef_[0]
            self.intercept_[label] = model.intercept_[0]
        self.n_iter_ = max(int(model.n_iter_) for model in models)

    def _machine(self, seed: int) -> LinearSVC:
        return LinearSVC(
            C=self.C,
            tol=self.tol,
            max_iter=self.max_iter,
            dual="auto",
            random_state=seed,
        )
