# SPDX-License-Identifier: BSD-3-Clause
"""Binary relevance: a linear support vector machine for each label."""

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.svm import LinearSVC
from sklearn.utils import check_random_state

from labelsift.core.base import BaseLabelRanker, LinearRankerMixin
from labelsift.core.data import with_short_indices
from labelsift.core.interrupt import interruptible
from labelsift.core.labels import constant_labels, signed_labels
from labelsift.core.validation import Interval

# Of C times the square of a value of X. Squares of this must stay finite.
_LARGEST_CURVATURE = 1e140


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
        Weight of the loss, from 1e-30 to 1e30; larger means less regularisation.
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
        "C": [Interval(Real, 1e-30, 1e30, closed="both")],
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
        _check_curvature(self.C, max(float(X.max()), -float(X.min())))
        models = Parallel(n_jobs=self.n_jobs)(
            delayed(_fitted)(self._machine(seeds[label]), rows, Y[:, label])
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


def _check_curvature(C: float, size: float) -> None:
    """Raise where liblinear would compute with infinities, and not end."""
    if C * size**2 > _LARGEST_CURVATURE:
        raise ValueError(
            f"C={C:g} and values of X of size {size:.0e} are too large together: "
            "rescale X first, for example with MaxAbsScaler, or lower C."
        )


def _fitted(machine: LinearSVC, X: Any, y: NDArray[Any]) -> LinearSVC:
    """The machine, fitted by liblinear, which does not listen to Ctrl-C."""
    return interruptible(lambda: machine.fit(X, y))
