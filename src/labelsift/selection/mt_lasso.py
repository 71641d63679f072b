# SPDX-License-Identifier: BSD-3-Clause
"""Multi-task lasso: one penalty on a feature's weights for all labels."""

from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from labelsift.core.base import BaseSelector, LinearRankerMixin
from labelsift.core.estimator import WeightedFitMixin
from labelsift.core.result import Ranking, SolverResult
from labelsift.core.targets import TARGET
from labelsift.core.validation import Interval, StrOptions
from labelsift.core.warning import warn
from labelsift.solvers.row_sparse.alpha_search import AlphaSearch, n_used
from labelsift.solvers.row_sparse.forecast import warn_if_long
from labelsift.solvers.row_sparse.known_targets import KnownTargets
from labelsift.solvers.row_sparse.least_squares import (
    DesignLoss,
    RowLoss,
    least_squares,
)
from labelsift.solvers.row_sparse.norms import row_norm
from labelsift.solvers.row_sparse.standards import (
    column_standards,
    standardised_products,
    standardised_targets,
)
from labelsift.solvers.row_sparse.wide_candidates import all_correlations
from labelsift.sums.fit import SumsSelector
from labelsift.sums.sums import Sums

# Approximate number of solutions in a search.
_GRID = 30
# Products with X that a search on text costs, and those for each feature; a remedy.
_PASSES, _PASSES_EACH = 50, 0.15
_SHORTER = (
    "MTLasso",
    "raise tol, or use GreedyRLS(criterion='gcv'), which takes less.",
)


class MTLasso(WeightedFitMixin, LinearRankerMixin, SumsSelector):
    r"""Multi-task lasso: select the features whose weights are not all zero.

    .. math::

        \min_W \tfrac12 \|Y - XW\|_F^2
            + \alpha \sum_j \|W_j\|_p, \qquad p = \infty \text{ or } 2,

    where row :math:`W_j` holds the weights of feature j for all labels: a feature is
    penalised once, by its largest weight (or root sum of squares), for all labels.
    Labels are coded -1/+1. Internally, the columns of X are centred and scaled to unit
    norm and the labels are centred, so that alpha means the same for every feature and
    the intercept is not penalised; ``coef_`` and ``intercept_`` are on the scale of X.
    In the letters of [1]_, alpha is lambda; it is n_samples times the alpha of
    scikit-learn's MultiTaskLasso.

    With ``alpha`` given, features are ranked by the norm of their row, and those
    without weights follow by how close they are to entering. ``n_features_to_select``
    cuts this ranking, and the weights outside the budget are set to zero.

    With ``alpha=None``, the path is searched for the smallest alpha that leaves at most
    ``n_features_to_select`` features: down a grid from the alpha that admits no
    feature, the start of each the two before it, then by bisection to 0.1 %. The number
    of features is *not monotone* in alpha: a feature can leave again as alpha falls.
    The search ends after three neighbours on the grid (10 % apart) with too many
    features, and may miss a smaller alpha beyond. It also ends at 1/1000 of its start.
    Points of the grid are solved as closely as it takes to see on which side of the
    budget they are, where features are screened. On sparse X of 2000 features or more
    the bisection skips points that, by the number of features at their neighbours, are
    far from the budget (``solvers/row_sparse/halving.py``). Where several features
    enter together, or at that end, fewer features than requested have weights; the
    budget is then filled with those closest to entering, with a warning.

    The solver sweeps over the rows of a growing set of features, with Newton steps in
    between, until the duality gap is small: the objective is then known to be within
    ``dual_gap_`` of its minimum. Every row is either used or exactly zero. A label that
    is unknown in a row (NaN) is fitted without it: unknown entries are filled in by the
    model and the lasso is solved again, until the gap of the known ones is small
    (``solvers/row_sparse/known_targets.py``). Rows may have weights.

    Cost: a pass over all features takes O(nnz(X) n_labels); there are one or two for
    each point of the grid, as features are screened, without a change of the result
    (``solvers/row_sparse/screening.py``). A sweep over a features takes
    O(a^2 n_labels), or twice O(nnz n_labels) of their columns, if that is less. Memory:
    a copy of X, and a Gram matrix of the features in use; of all features, where that
    is no larger than X or 128 MB. Sparse X is centred implicitly and never densified.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features: a count, a share in (0, 1], or None for half of them.
    norm : {"inf", "2"}, default="inf"
        Norm of a row: "inf" is the multi-task lasso of [1]_ and [2]_, "2" the group
        lasso (L2,1).
    alpha : float or None, default=None
        Weight of the penalty; None: the smallest within the budget.
    tol : float, default=1e-6
        Duality gap to stop at, as a share of half the sum of squares of the
        centred labels.
    max_iter : int, default=10000
        Sweeps at most, for each alpha.
    target : {"auto", "labels", "values"}, default="auto"
        What Y holds: "auto" reads 0/1, bool and -1/+1 as labels and columns with a
        fraction as values, also both in one Y; "values" takes any number as it is, and
        makes this a regressor. Where Y holds values, each target is standardised.

    Attributes
    ----------
    feature_order_ : ndarray of shape (n_features_in_,)
        All features, best first; constant columns last.
    scores_ : ndarray of shape (n_features_in_,)
        Norm of the row of weights on the standardised columns; for a feature without
        weights, how far it is from entering, between -1 and 0: the dual norm of its
        correlations with the residual over alpha, minus 1.
    support_ : ndarray of bool of shape (n_features_in_,)
        Which features are selected.
    coef_ : ndarray of shape (n_labels, n_features_in_)
        Weights; zero outside the selected features.
    intercept_ : ndarray of shape (n_labels,)
        Added to each label's score.
    target_ : str
        What Y held: "labels", "values" or "mixed".
    alpha_ : float
        Weight of the penalty that was used.
    dual_gap_ : float
        Bound on how far the objective is above its minimum.
    objective_ : ndarray
        Objective at ``alpha_``, at the start and after each sweep; never rises.
    n_iter_ : int
        Sweeps, in all.

    See Also
    --------
    FisherScore : One feature at a time, without weights.

    References
    ----------
    .. [1] P. Naula, A. Airola, T. Salakoski, T. Pahikkala (2014), Multi-label learning
       under feature extraction budgets, Pattern Recognition Letters 40, 56-65.
    .. [2] H. Liu, M. Palatucci, J. Zhang (2009), Blockwise coordinate descent
       procedures for the multi-task lasso, ICML, 649-656.

    Examples
    --------
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.selection import MTLasso
    >>> traits = load_dataset("traits")
    >>> lasso = MTLasso(5).fit(traits.X, traits.Y)
    >>> [traits.feature_names[i] for i in lasso.feature_order_[:5]]
    ['pixel_7_4', 'pixel_5_2', 'pixel_0_5', 'pixel_1_2', 'pixel_2_2']
    >>> lasso.predict(traits.X).shape
    (1797, 6)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseSelector._parameter_constraints,
        "norm": [StrOptions({"2", "inf"})],
        "alpha": [Interval(Real, 0, None, closed="neither"), None],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "target": TARGET,
    }
    takes_mixed = True
    takes_unknown = True

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        norm: str = "inf",
        alpha: float | None = None,
        tol: float = 1e-6,
        max_iter: int = 10_000,
        target: str = "auto",
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.norm = norm
        self.alpha = alpha
        self.tol = tol
        self.max_iter = max_iter
        self.target = target

    @property
    def nested_budgets(self) -> bool:
        """Whether ``with_budget`` works: where alpha is given."""
        return self.alpha is not None

    def _rank(
        self, X: Any, Y: NDArray[Any], weights: NDArray[Any] | None = None
    ) -> Ranking:
        problem = self._once("problem", lambda: self._problem(X, Y, weights))
        passes = _PASSES + _PASSES_EACH * self.n_features_
        self._once("told", lambda: warn_if_long(problem.loss, passes, *_SHORTER))
        return self._rank_problem(problem)

    def _rank_sums(self, sums: Sums) -> Ranking:
        return self._rank_problem(self._problem_of_sums(sums))

    def _rank_problem(self, problem: "_Problem") -> Ranking:
        result = self._solve(problem)
        W = result.solution
        self._label_mean = problem.label_mean
        if problem.known is not None:
            self._label_mean = self._label_mean + problem.unit * problem.known.level(W)
        used = np.flatnonzero(W.any(axis=1))
        weights = W.copy()
        weights[used] = W[used] / problem.scale[used, np.newaxis] * problem.unit
        self._weights, self._feature_mean = weights.T, problem.mean
        ranking = Ranking.from_scores(self._merits(problem.loss, W, used), result)
        self._restrict_to(ranking.order[: self.n_features_])
        return ranking

    def _problem(
        self, X: Any, Y: NDArray[Any], weights: NDArray[Any] | None
    ) -> "_Problem":
        mean, scale = column_standards(X, weights)
        codes, unit, label_mean = standardised_targets(
            self._codes(Y), weights, scaled=self.target_ != "labels"
        )
        unknown = bool(np.isnan(codes).any())
        loss = least_squares(
            X,
            np.nan_to_num(codes),
            mean=mean,
            scale=scale,
            form="residual" if unknown else "auto",
            n_solves=_GRID if self.alpha is None else 1,
            weights=weights,
        )
        known = None
        if unknown:
            root = None if weights is None else np.sqrt(weights)
            known = KnownTargets(cast(DesignLoss, loss), codes, root)
        search = AlphaSearch(loss, known, self.norm, self.tol, self.max_iter)
        return _Problem(mean, scale, unit, label_mean, loss, known, search)

    def _problem_of_sums(self, sums: Sums) -> "_Problem":
        """The same from X'X, X'Y and Y'Y."""
        label_mean, xy, yy = sums.coded()
        squares = np.diagonal(yy) if yy.ndim == 2 else yy
        loss, scale, unit = standardised_products(
            sums.xx, xy, squares, sums.n, scaled=self.target_ != "labels"
        )
        search = AlphaSearch(loss, None, self.norm, self.tol, self.max_iter)
        return _Problem(sums.x_mean, scale, unit, label_mean, loss, None, search)

    def _solve(self, problem: "_Problem") -> SolverResult:
        """Solve at the given alpha, or search for one."""
        search = problem.search
        if self.alpha is None:
            self.alpha_, result, visited = search.smallest_alpha(self.n_features_)
        else:
            self.alpha_, result = self.alpha, search.solve(self.alpha, None)
            visited = [result]
        self.dual_gap_ = result.gap
        n_weighted = n_used(result)
        if n_weighted < self.n_features_:
            warn(
                f"Only {n_weighted} features have weights at alpha={self.alpha_:.6g}, "
                f"fewer than the {self.n_features_} to be selected: the others are "
                "those closest to entering. Select fewer features or lower alpha."
            )
        worst = next((other for other in visited if not other.converged), result)
        target_sq = (problem.known or problem.loss).target_sq
        return replace(
            result,
            n_iter=sum(other.n_iter for other in visited),
            gap=2 * worst.gap / target_sq,  # relative, as is the tolerance
            converged=worst.converged,
            remedy="raise max_iter, tol or alpha",
        )

    def _merits(
        self, loss: RowLoss, W: NDArray[Any], used: NDArray[np.intp]
    ) -> NDArray[Any]:
        """Norm of each row in use; at most 0 for the rows without weights."""
        norm = row_norm(self.norm)
        strength = norm.dual(all_correlations(loss, used, W[used]))
        merits = np.minimum(strength / self.alpha_, 1.0) - 1
        merits[used] = norm.values(W)[used]
        return merits

    def _restrict_to(self, features: NDArray[Any]) -> None:
        """Predict from some features only."""
        self.coef_ = np.zeros_like(self._weights)
        self.coef_[:, features] = self._weights[:, features]
        self.intercept_ = self._label_mean - self.coef_ @ self._feature_mean

    def _cut(self, count: int) -> None:
        super()._cut(count)
        self._restrict_to(self.feature_order_[:count])


@dataclass(frozen=True)
class _Problem:
    """What the fits of several budgets share."""

    mean: NDArray[Any]
    scale: NDArray[Any]
    unit: NDArray[Any]
    label_mean: NDArray[Any]
    loss: RowLoss
    known: KnownTargets | None
    search: AlphaSearch
