# SPDX-License-Identifier: BSD-3-Clause
"""CMLFS and MLFS: ranking machines that weight features, with certificates."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from labelsift.core.base import BaseSelector, LinearRankerMixin
from labelsift.core.result import Ranking, SolverResult
from labelsift.core.selector import resolve_budget
from labelsift.core.validation import Interval, constant_columns
from labelsift.solvers.ranking.dcd import RankStart
from labelsift.solvers.ranking.machine import (
    RankingMachine,
    RankingTask,
    RankingWeights,
    ranking_tasks,
)
from labelsift.solvers.ranking.path import RankingPathMixin


class _RankingSelector(LinearRankerMixin, RankingPathMixin, BaseSelector):
    """Base of the two selectors; a subclass may learn a label covariance."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseSelector._parameter_constraints,
        "C": [Interval(Real, 0, None, closed="neither")],
        "m": [Interval(Integral, 1, None, closed="left"), None],
        "refit": ["boolean"],
        "fit_intercept": ["boolean"],
        "standardize": ["boolean"],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
    }
    mu: float = 0.0

    @property
    def nested_budgets(self) -> bool:
        """Whether ``with_budget`` works: not with a refit, which needs the data."""
        return not self.refit

    def _rank(self, X: Any, Y: NDArray[Any]) -> Ranking:
        [(_, task)] = ranking_tasks(X, Y, [self])
        ranking, _ = self._learn(task, X, None)
        return ranking

    def _fit_each(
        self, X: Any, Y: NDArray[Any], models: Sequence[Self]
    ) -> Iterator[Self]:
        """Fit each point from the solution of the one before."""
        start: RankStart | None = None
        for model, task in ranking_tasks(X, Y, models):
            model.n_features_ = resolve_budget(model.n_features_to_select, X.shape[1])
            ranking, start = model._learn(task, X, start)
            model._set_ranking(X, ranking)
            yield model

    def _learn(
        self, task: RankingTask, X: Any, start: RankStart | None
    ) -> tuple[Ranking, RankStart]:
        """Weight all features, choose, and solve again on the chosen ones."""
        m = self._weight_sum(X.shape[1])
        machine = self._solve(task, m, start)
        scores = np.where(constant_columns(X), -1.0, machine.norms)
        order = np.argsort(-scores, kind="stable")
        self.feature_weights_ = machine.eta
        self.bounds_, self.dual_gap_ = machine.bounds, machine.result.gap
        self._set_covariance(task, machine)
        self._dtype, result = X.dtype, machine.result
        if self.refit:
            chosen = np.sort(order[: self.n_features_])
            weights, again = self._refitted(task, machine, m, chosen)
            self._set_coefficients(weights)
            if result.converged:
                result = replace(result, gap=again.gap, converged=again.converged)
        else:
            self._relaxed = machine.weights
            self._set_coefficients(self._relaxed.only(order[: self.n_features_]))
        return Ranking.from_scores(machine.norms, result), machine.stop

    def _weight_sum(self, n_features: int) -> int:
        if self.m is None:
            return max(1, n_features // 10)
        if self.m > n_features:
            raise ValueError(
                f"m={self.m} is more than the {n_features} features of X: it is the "
                f"sum of their weights, between 1 and {n_features}."
            )
        return int(self.m)

    def _solve(
        self, task: RankingTask, m: int, start: RankStart | None
    ) -> RankingMachine:
        return task.solve(
            C=self.C,
            mu=self.mu,
            m=m,
            tol=self.tol,
            max_iter=self.max_iter,
            start=start,
        )

    def _refitted(
        self, task: RankingTask, machine: RankingMachine, m: int, chosen: NDArray[Any]
    ) -> tuple[RankingWeights, SolverResult]:
        """The same problem on the chosen features alone."""
        others = np.ones(len(machine.eta), dtype=bool)
        others[chosen] = False
        if not machine.eta[others].any():
            return machine.weights, machine.result
        start = replace(machine.stop, eta=machine.stop.eta[chosen])
        part = self._solve(task.columns(chosen), min(m, len(chosen)), start)
        coef = np.zeros_like(machine.weights.coef)
        coef[:, chosen] = part.weights.coef
        weights = replace(machine.weights, coef=coef, bias=part.weights.bias)
        return weights, part.result

    def _set_coefficients(self, weights: RankingWeights) -> None:
        self.coef_ = weights.coef.astype(self._dtype, copy=False)
        self.intercept_ = weights.intercept.astype(self._dtype, copy=False)

    def _set_covariance(self, task: RankingTask, machine: RankingMachine) -> None:
        """Does nothing, where none is learned."""

    def _cut(self, count: int) -> None:
        super()._cut(count)
        self._set_coefficients(self._relaxed.only(self.feature_order_[:count]))


class MLFS(_RankingSelector):
    r"""Weight features for ranking labels, and select those that carry most.

    The LaRank SVM over all weightings of the features,

    .. math::

        \min_{W, \eta} \tfrac12 \sum_j \frac{\|w^j\|^2}{\eta_j}
        + C \sum_i \frac{1}{|y_i| |\bar y_i|}
        \sum_{k \in y_i, l \in \bar y_i} \max(0, 1 - (w_k - w_l)' x_i),
        \quad 0 \le \eta \le 1, \; \sum_j \eta_j = m,

    where :math:`w^j` are the weights of feature j for all labels. With eta in {0, 1} it
    would be the best subset of m features; over the hull of those it is a convex
    problem, the squared group m-support norm. **m is a relaxation parameter, not a
    number of features**: eta is fractional, and several times m of them can be above 0.
    The features with the largest :math:`\|w^j\|` are selected, which is the order of
    eta, continued where it is capped at 1. A feature on which all labels depend equally
    does not help to rank them, and is not selected.

    Then the same problem is solved on the selected features alone (for
    n_features_to_select <= m every eta is 1 there: LaRankSVM on these features). With
    ``refit=False`` the weights of the selected features are unchanged: the
    fitted selector then serves every other budget too (``with_budget``), and with all
    features selected it is the predictor of the paper. The column of ones of the
    intercept has eta = 1 and is not counted.

    Every round gives a lower and an upper bound of the optimum, and it stops when they
    meet to ``tol``. For few features all of them are swept and eta moves in closed
    form; for 1000 or more, of which m is at most a third, cutting planes work on the
    union of the m features that violate most and give exact zeros elsewhere.

    Cost: a sweep over the samples takes O(nnz(X) n_labels + pairs) (for cutting planes
    nnz of the working columns), tens to hundreds suffice; memory O(n_features n_labels
    + pairs) and a copy of the working columns. Sparse X is never densified.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features: a count, a share in (0, 1], or None for half of them.
    C : float, default=1.0
        Weight of the loss; larger means less regularisation.
    m : int or None, default=None
        Sum of the feature weights, from 1 to n_features: smaller is sparser. None: a
        tenth of the features, at least 1.
    refit : bool, default=True
        Whether weights are learned again on the selected features.
    fit_intercept : bool, default=True
        Whether X gets a column of ones, whose weights are regularised as the others.
    standardize : bool, default=False
        Whether features are centred and scaled to unit variance first. ``coef_`` is for
        X as given either way. Without it a feature of large scale is cheap to use.
    tol : float, default=1e-2
        Gap between the bounds, relative to the upper one, to stop at.
    max_iter : int, default=2000
        Sweeps over the samples at most; a ConvergenceWarning is raised if reached.

    Attributes
    ----------
    feature_order_ : ndarray of shape (n_features_in_,)
        All features, best first; constant columns last.
    scores_ : ndarray of shape (n_features_in_,)
        Norms of the features' weights; eta is min(1, scores_ / nu) for some nu.
    support_ : ndarray of bool of shape (n_features_in_,)
        Which features are selected.
    feature_weights_ : ndarray of shape (n_features_in_,)
        eta.
    coef_ : ndarray of shape (n_labels, n_features_in_)
        Weights, 0 outside the selection.
    intercept_ : ndarray of shape (n_labels,)
        Added to each label's score.
    dual_gap_ : float
        Gap between the bounds at the end, relative to the upper one (of the problem on
        all features).
    bounds_ : ndarray of shape (n_rounds, 2)
        Lower and upper bound of the optimum after each round or cut.
    objective_ : ndarray of shape (n_rounds,)
        The upper bounds.
    n_iter_ : int
        Sweeps over the samples.

    See Also
    --------
    CMLFS : The same with a learned covariance of the labels.
    labelsift.classification.LaRankSVM : The machine on all features.

    References
    ----------
    Q. Gu, Z. Li, J. Han (2011), Correlated multi-label feature selection, CIKM,
    equation (6) with mu = 0 and Algorithm 2 (corrected).

    Examples
    --------
    >>> from labelsift.datasets import make_planted
    >>> from labelsift.selection import MLFS
    >>> planted = make_planted(n_features=100, n_relevant=5, random_state=0)
    >>> selector = MLFS(5, m=5, standardize=True).fit(planted.X, planted.Y)
    >>> sorted(selector.feature_order_[:5]) == sorted(planted.relevant)
    True
    """

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        C: float = 1.0,
        m: int | None = None,
        refit: bool = True,
        fit_intercept: bool = True,
        standardize: bool = False,
        tol: float = 1e-2,
        max_iter: int = 2000,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.C = C
        self.m = m
        self.refit = refit
        self.fit_intercept = fit_intercept
        self.standardize = standardize
        self.tol = tol
        self.max_iter = max_iter


class CMLFS(_RankingSelector):
    r"""Weight features for ranking labels, and learn how the labels are correlated.

    MLFS whose weights have a prior covariance D of the labels, learned with them:

    .. math::

        \min_{W, \eta, D} \tfrac12 \sum_j \frac1{\eta_j}
        w^j (I + \mu D^{-1}) w^{j\prime}
        + C \sum_i \frac{1}{|y_i| |\bar y_i|}
        \sum_{k \in y_i, l \in \bar y_i} \max(0, 1 - (w_k - w_l)' x_i),
        \quad 0 \le \eta \le 1, \; \sum_j \eta_j = m, \; D \succeq 0, \; tr D = 1.

    For fixed eta this is CLaRankSVM, for fixed D it is MLFS; both are convex, the two
    together are not (the paper's saddle-point argument does not hold), so that the
    result is a local optimum. ``dual_gap_`` is the larger of the two gaps, of eta at
    this D and of D at this eta: 0 means that neither can be improved alone. A bound
    belongs to its D, so those of earlier rounds are void and ``bounds_`` need not be
    monotone.

    Selection, refit, budgets and the meaning of m are those of MLFS; mu = 0 gives MLFS,
    and m = n_features gives CLaRankSVM. C and mu must be tuned together: mu also
    shrinks W as a whole.

    Cost: as MLFS, and O(n_features n_labels^2 + n_labels^3) per round.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features: a count, a share in (0, 1], or None for half of them.
    C : float, default=1.0
        Weight of the loss; larger means less regularisation.
    mu : float, default=0.1
        Weight of the label covariance; 0 gives MLFS.
    m : int or None, default=None
        Sum of the feature weights, from 1 to n_features: smaller is sparser. None: a
        tenth of the features, at least 1. Not a number of features: see MLFS.
    refit : bool, default=True
        Whether weights are learned again on the selected features.
    fit_intercept : bool, default=True
        Whether X gets a column of ones, whose weights are regularised as the others.
    standardize : bool, default=False
        Whether features are centred and scaled to unit variance first. ``coef_`` is for
        X as given either way. Without it a feature of large scale is cheap to use.
    tol : float, default=1e-2
        Gap between the bounds, relative to the upper one, to stop at.
    max_iter : int, default=2000
        Sweeps over the samples at most; a ConvergenceWarning is raised if reached.

    Attributes
    ----------
    feature_order_ : ndarray of shape (n_features_in_,)
        All features, best first; constant columns last.
    scores_ : ndarray of shape (n_features_in_,)
        Norms of the features' weights in the metric of the penalty; eta is
        min(1, scores_ / nu) for some nu.
    support_ : ndarray of bool of shape (n_features_in_,)
        Which features are selected.
    feature_weights_ : ndarray of shape (n_features_in_,)
        eta.
    label_covariance_ : ndarray of shape (n_labels, n_labels)
        D, learned on all features; 0 for constant labels.
    coef_ : ndarray of shape (n_labels, n_features_in_)
        Weights, 0 outside the selection.
    intercept_ : ndarray of shape (n_labels,)
        Added to each label's score.
    dual_gap_ : float
        The larger of the two gaps at the end, relative to the objective (of the problem
        on all features).
    bounds_ : ndarray of shape (n_rounds, 2)
        Lower and upper bound at the D of each round or cut.
    objective_ : ndarray of shape (n_rounds,)
        The upper bounds.
    n_iter_ : int
        Sweeps over the samples.

    See Also
    --------
    MLFS : Without the covariance.
    labelsift.classification.CLaRankSVM : The machine on all features.

    References
    ----------
    Q. Gu, Z. Li, J. Han (2011), Correlated multi-label feature selection, CIKM,
    equation (6) and Algorithm 2 (corrected).

    Examples
    --------
    >>> from labelsift.datasets import make_planted
    >>> from labelsift.selection import CMLFS
    >>> planted = make_planted(n_features=100, n_relevant=5, random_state=0)
    >>> selector = CMLFS(5, m=5, standardize=True).fit(planted.X, planted.Y)
    >>> sorted(selector.feature_order_[:5]) == sorted(planted.relevant)
    True
    >>> selector.label_covariance_.shape
    (6, 6)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **_RankingSelector._parameter_constraints,
        "mu": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        C: float = 1.0,
        mu: float = 0.1,
        m: int | None = None,
        refit: bool = True,
        fit_intercept: bool = True,
        standardize: bool = False,
        tol: float = 1e-2,
        max_iter: int = 2000,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.C = C
        self.mu = mu
        self.m = m
        self.refit = refit
        self.fit_intercept = fit_intercept
        self.standardize = standardize
        self.tol = tol
        self.max_iter = max_iter

    def _set_covariance(self, task: RankingTask, machine: RankingMachine) -> None:
        self.label_covariance_ = task.covariance(machine)
