# SPDX-License-Identifier: BSD-3-Clause
"""LaRank SVM and CLaRank SVM: label ranking with a certificate."""

from collections.abc import Iterator, Sequence
from numbers import Integral, Real
from typing import Any, ClassVar, Self

from numpy.typing import NDArray

from labelsift.core.base import BaseLabelRanker, LinearRankerMixin
from labelsift.core.validation import Interval
from labelsift.solvers.ranking.dcd import RankStart
from labelsift.solvers.ranking.machine import (
    RankingMachine,
    RankingTask,
    ranking_tasks,
)
from labelsift.solvers.ranking.path import RankingPathMixin


class _RankingSVM(LinearRankerMixin, RankingPathMixin, BaseLabelRanker):
    """Base of the two machines; a subclass may learn a label covariance."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "C": [Interval(Real, 0, None, closed="neither")],
        "fit_intercept": ["boolean"],
        "standardize": ["boolean"],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
    }
    mu: float = 0.0

    def _fit_each(
        self, X: Any, Y: NDArray[Any], models: Sequence[Self]
    ) -> Iterator[Self]:
        """Fit each point from the solution of the one before."""
        start: RankStart | None = None
        for model, task in ranking_tasks(X, Y, models):
            machine = task.solve(
                C=model.C,
                mu=model.mu,
                tol=model.tol,
                max_iter=model.max_iter,
                start=start,
            )
            start = machine.stop
            model._set_fitted(X, task, machine)
            model._warn_unless_converged(machine.result)
            yield model

    def _set_fitted(self, X: Any, task: RankingTask, machine: RankingMachine) -> None:
        self.coef_ = machine.weights.coef.astype(X.dtype, copy=False)
        self.intercept_ = machine.weights.intercept.astype(X.dtype, copy=False)
        self.bounds_ = machine.bounds
        self.dual_gap_ = machine.result.gap
        self.n_iter_ = machine.result.n_iter


class LaRankSVM(_RankingSVM):
    r"""Rank the labels of each sample: those it has above those it has not.

    With y the labels of a sample x and :math:`\bar y` the others, it minimises

    .. math::

        \tfrac12 \sum_k \|w_k\|^2 + C \sum_i \frac{1}{|y_i| |\bar y_i|}
        \sum_{k \in y_i, l \in \bar y_i} \max(0, 1 - (w_k - w_l)' x_i)

    over one weight vector per label, with a column of ones in X for the intercept. The
    scores order the labels of a sample; label sets take thresholds
    (``ThresholdedClassifier``), since 0 is not special among them.

    The dual problem is solved sample by sample: its scores are computed once, all its
    pairs of labels are swept in the space of scores, and the weights are changed once.
    It stops at a duality gap, which bounds how far the objective is from its optimum.
    Dense features of different offsets and scales converge slowly: standardise them. A
    sample without labels or with all of them has no pairs and is not used. A label
    with one value only gets weights 0 and that value (-1 or +1) as its score.

    Cost: a sweep takes O(nnz(X) n_labels + pairs), where a sample has
    :math:`|y||\bar y|` pairs, and tens to hundreds of sweeps suffice; memory
    O(n_features n_labels + pairs). Sparse X is centred implicitly and never densified;
    dense X is copied only where it is standardised or not C-ordered.

    Parameters
    ----------
    C : float, default=1.0
        Weight of the loss; larger means less regularisation.
    fit_intercept : bool, default=True
        Whether X gets a column of ones, whose weights are regularised as the others.
    standardize : bool, default=False
        Whether features are centred and scaled to unit variance first. ``coef_`` is for
        X as given either way.
    tol : float, default=1e-3
        Relative duality gap to stop at.
    max_iter : int, default=2000
        Sweeps over the samples at most; a ConvergenceWarning is raised if reached.

    Attributes
    ----------
    coef_ : ndarray of shape (n_labels, n_features_in_)
        Weights, in the precision of X.
    intercept_ : ndarray of shape (n_labels,)
        Added to each label's score.
    dual_gap_ : float
        Duality gap at the end, relative to the objective.
    bounds_ : ndarray of shape (n_rounds, 2)
        Lower and upper bound of the optimum after each round of sweeps.
    n_iter_ : int
        Sweeps over the samples.
    classes_ : ndarray
        Column numbers of Y, or the distinct values of a 1-D y.

    See Also
    --------
    CLaRankSVM : The same with a learned covariance of the labels.
    labelsift.selection.MLFS : The same with feature selection.
    labelsift.model_selection.ThresholdedClassifier : Label sets from scores.

    References
    ----------
    A. Elisseeff, J. Weston (2001), A kernel method for multi-labelled classification,
    NIPS 14.
    Q. Gu, Z. Li, J. Han (2011), Correlated multi-label feature selection, CIKM,
    equation (1) and Algorithm 1 (its gradient corrected).

    Examples
    --------
    >>> from labelsift.classification import LaRankSVM
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.metrics import ranking_loss
    >>> traits = load_dataset("traits")
    >>> train, test = traits.rows(slice(1000)), traits.rows(slice(1000, None))
    >>> ranker = LaRankSVM(C=0.1, standardize=True).fit(train.X, train.Y)
    >>> bool(ranking_loss(test.Y, ranker.decision_function(test.X)) < 0.1)
    True
    >>> bool(ranker.dual_gap_ <= 1e-3)
    True
    """

    def __init__(
        self,
        C: float = 1.0,
        *,
        fit_intercept: bool = True,
        standardize: bool = False,
        tol: float = 1e-3,
        max_iter: int = 2000,
    ) -> None:
        self.C = C
        self.fit_intercept = fit_intercept
        self.standardize = standardize
        self.tol = tol
        self.max_iter = max_iter


class CLaRankSVM(_RankingSVM):
    r"""Rank labels, and learn how they are correlated.

    LaRank SVM whose weights W (n_features x n_labels) have a prior covariance D of the
    labels, learned with them:

    .. math::

        \min_{W, D} \tfrac12 \|W\|_F^2 + \tfrac{\mu}{2} tr(W D^{-1} W')
        + C \sum_i \frac{1}{|y_i| |\bar y_i|}
        \sum_{k \in y_i, l \in \bar y_i} \max(0, 1 - (w_k - w_l)' x_i),
        \quad D \succeq 0, \; tr D = 1.

    The best D for W is :math:`(W'W)^{1/2}` of trace 1, so this is the ranking loss with
    half the squared Frobenius norm and :math:`\mu / 2` times the squared trace norm of
    W: labels are pressed into few directions. Weights of rankings sum to 0 over the
    labels, so D always has the ones as a null vector and no inverse.

    D is eliminated, not alternated with: in the dual it is a water filling of the
    singular values of U = X'B (B the signed sums of the dual variables), so that
    neither a start at a correlation matrix nor an eigenvalue at 0 can trap it. The
    duality gap bounds how far the objective is from its global optimum. mu also shrinks
    W as a whole (D = I / n_labels gives 1 + mu n_labels times the penalty of
    LaRankSVM), so that C and mu must be tuned together.

    Cost: as LaRankSVM, and O(n_features n_labels^2 + n_labels^3) per round.

    Parameters
    ----------
    C : float, default=1.0
        Weight of the loss; larger means less regularisation.
    mu : float, default=0.1
        Weight of the label covariance; 0 gives LaRankSVM.
    fit_intercept : bool, default=True
        Whether X gets a column of ones, whose weights are regularised as the others.
    standardize : bool, default=False
        Whether features are centred and scaled to unit variance first. ``coef_`` is for
        X as given either way.
    tol : float, default=1e-3
        Relative duality gap to stop at.
    max_iter : int, default=2000
        Sweeps over the samples at most; a ConvergenceWarning is raised if reached.

    Attributes
    ----------
    coef_ : ndarray of shape (n_labels, n_features_in_)
        Weights, in the precision of X.
    intercept_ : ndarray of shape (n_labels,)
        Added to each label's score.
    label_covariance_ : ndarray of shape (n_labels, n_labels)
        D: what the labels' weights share; 0 for constant labels.
    dual_gap_ : float
        Duality gap at the end, relative to the objective.
    bounds_ : ndarray of shape (n_rounds, 2)
        Lower and upper bound of the optimum after each round of sweeps.
    n_iter_ : int
        Sweeps over the samples.
    classes_ : ndarray
        Column numbers of Y, or the distinct values of a 1-D y.

    See Also
    --------
    LaRankSVM : Without the covariance.
    labelsift.selection.CMLFS : The same with feature selection.
    labelsift.model_selection.ThresholdedClassifier : Label sets from scores.

    References
    ----------
    Q. Gu, Z. Li, J. Han (2011), Correlated multi-label feature selection, CIKM,
    equation (6) with p = 1.

    Examples
    --------
    >>> from labelsift.classification import CLaRankSVM
    >>> from labelsift.datasets import load_dataset
    >>> traits = load_dataset("traits")
    >>> ranker = CLaRankSVM(C=0.1, mu=0.1, standardize=True).fit(traits.X, traits.Y)
    >>> even, power_of_two = 0, 5
    >>> bool(ranker.label_covariance_[even, power_of_two] > 0)
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **_RankingSVM._parameter_constraints,
        "mu": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(
        self,
        C: float = 1.0,
        *,
        mu: float = 0.1,
        fit_intercept: bool = True,
        standardize: bool = False,
        tol: float = 1e-3,
        max_iter: int = 2000,
    ) -> None:
        self.C = C
        self.mu = mu
        self.fit_intercept = fit_intercept
        self.standardize = standardize
        self.tol = tol
        self.max_iter = max_iter

    def _set_fitted(self, X: Any, task: RankingTask, machine: RankingMachine) -> None:
        super()._set_fitted(X, task, machine)
        self.label_covariance_ = task.covariance(machine)
