# SPDX-License-Identifier: BSD-3-Clause
"""Greedy regularised least squares under a hard budget of features."""

from collections.abc import Sequence
from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from labelsift.core.base import BaseSelector
from labelsift.core.calibration import CalibrationMixin
from labelsift.core.estimator import WeightedFitMixin
from labelsift.core.result import Ranking
from labelsift.core.targets import TARGET, known_patterns
from labelsift.core.validation import (
    Interval,
    StrOptions,
    constant_columns,
)
from labelsift.selection.greedy_rls.labels import LabelScaling
from labelsift.selection.greedy_rls.on_device import GreedyOnDevice
from labelsift.selection.greedy_rls.options import (
    check_combination,
    read_penalty,
    read_rule,
)
from labelsift.selection.greedy_rls.patterns import (
    check_unknown,
    pattern_factor,
    select_by_patterns,
    warn_if_many,
)
from labelsift.selection.greedy_rls.problem import Problem
from labelsift.selection.greedy_rls.refit import Factor, PatternFactor
from labelsift.selection.greedy_rls.search import (
    choose_solver,
    select_by_gcv,
    select_by_loo,
    warn_if_long,
)
from labelsift.selection.greedy_rls.steps import Rule, Steps


class GreedyRLS(WeightedFitMixin, CalibrationMixin, GreedyOnDevice):
    r"""Take, step by step, the feature that lowers the leave-one-out error most.

    Ridge regression of the targets, labels coded -1/+1 or values, on the columns S,

    .. math:: \min_W \|X_S W - Y\|_F^2 + \alpha \|W\|_F^2,

    is evaluated by leaving out each row, training again and predicting it. The feature
    whose addition leaves the smallest squared error, summed over rows and labels, is
    taken; one set of features serves all labels. The errors are exact, but nothing is
    trained again: with the hat matrix of the model every error is a sum over the rows
    (``greedy_rls/dense.py``). A column of ones is in every model from the start,
    penalised like the others and outside the budget; columns are not scaled.

    This is Algorithm 2 of [1]_ with the labels taken out of the step: O(ndt + knd)
    for k of d features, n rows and t labels instead of O(kndt), with the same choices.

    ======  ================================================  ======================
    solver  a step                                            bytes beyond X and Y
    ======  ================================================  ======================
    dense   O(nd), one pass over two n x d arrays of float64  16 nd for each job
    mixed   the same arrays stored as float32                 8 nd for each job
    sparse  bounds for all, exact errors for the best         8 (n + d)(k + 2 t) each
    gcv     O((k + t) d), free of n                           16 d (k + t)
    gcv     sparse X, d > n >= k: O(nnz(X) + nt + k^2)        32 d + 16 nt + 4 k^2
    fair    the same, with the errors of every label          16 d (k + 2 t)
    ======  ================================================  ======================

    Many penalties share one more n x d array. Dense forms of dense X keep X'X, d x d,
    where d <= n and d <= 512 times the number of penalties; gcv where d <= n and
    d <= 5 k. The residuals of sparse X are dense, and so are the two arrays of the
    dense forms. "auto" takes the sparse form for sparse X with more than 2^25 entries
    (zeros included) of which less than a tenth are stored, the mixed form for other X
    with more than 2^28, else the dense one. Errors agree to 1e-8 (dense, sparse) and
    1e-4 (mixed; it is no faster) unless a warning says otherwise; choices agree while
    their margin is larger.

    Budgets nest: weights for every smaller budget come from one QR decomposition. The
    exception are groups of different sizes (``nested_budgets``). Constant columns come
    last, also with ``bias=0``. A constant label is not used in the selection and has
    a constant score. Weights of samples are those of repeated rows, one copy of which
    is left out (``greedy_rls/problem.py``); a label that is unknown (NaN) in a row is
    fitted without that row (``greedy_rls/patterns.py``).

    Parameters
    ----------
    n_features_to_select : int, float, "auto" or None, default=None
        How many features: a count, a share in (0, 1], None for half of them, "auto" for
        as many as give the lowest error of all steps.
    alpha : float, "auto" or "loo", default="auto"
        Penalty, on the scale of scikit-learn's Ridge (lambda in [1]_). "auto": 0.05 m,
        where m is the median of :math:`\|x_i - \bar x_i\|^2` over the columns that
        are not constant (n for standardised columns); the constant column is multiplied
        by the root of that, so that the intercept is penalised as with alpha = 1.
        "loo": that of ``alphas`` with the lowest leave-one-out error for the budget.
    alphas : array-like or None, default=None
        Penalties that "loo" tries; None: 2^-15, 2^-14, ..., 2^15. They share the
        product YY'X.
    bias : float, default=1.0
        Value of the constant column: the larger, the less is the intercept penalised;
        0 leaves it out.
    criterion : {"loo", "gcv"}, default="loo"
        "gcv": generalised cross-validation, which puts the mean leverage in the place
        of each row's. It needs only X'X, X'Y and Y'Y; one penalty, no solver to choose.
    objective : {"sum", "fair"}, default="sum"
        "sum": the error summed over labels. "fair": what a feature does for labels that
        were served little so far, each in units of its own best step; labels that only
        noise would improve drop out (``greedy_rls/fair.py``). Needs criterion="gcv".
    label_weight : "auto", "sqrt", "balanced", "none", None or array, default="auto"
        Weights of the labels in selection and its error; the weights of the model are
        still fitted to the -1/+1 labels. An array multiplies their columns;
        "balanced" divides each centred label by its standard deviation, "sqrt" by the
        root of it; "none" is None. "auto": "sqrt", "balanced" where Y holds values,
        and what objective="fair" does by itself.
    costs : array-like of shape (n_features,) or None, default=None
        Positive cost of each feature: the largest gain per unit of cost wins. When no
        feature lowers the error, the smallest error wins, whatever its cost.
    max_cost : float or None, default=None
        Total cost that is never exceeded; features that do not fit are skipped.
    weigh_costs : bool, default=True
        False: the largest gain wins, and costs only count up to ``max_cost``.
    groups : list of array-like or None, default=None
        Blocks of feature indices, a partition, that are taken whole; a block that does
        not fit into the budget is skipped. Costs of a block add up. By "loo" and
        the dense form only, with O(m) times its step and 24 nd bytes for blocks of m.
    screen : int or None, default=None
        How many columns are left before the first step: those of the best FisherScore,
        as if X held no others. Fast and unsafe, with a warning: features that matter
        only together may be lost. None: all. Not with groups or costs.
    solver : {"auto", "dense", "mixed", "sparse"}, default="auto"
        See the table.
    n_jobs : int or None, default=None
        Threads over ``alphas``; for one penalty over the columns, in the dense forms.
    target : {"auto", "labels", "values"}, default="auto"
        What Y holds: "auto" reads 0/1, bool and -1/+1 as labels and columns with a
        fraction as values, also both in one Y; "values" takes any number as it is, and
        makes this a regressor.
    calibration : {"sigmoid", "isotonic"} or None, default=None
        How ``predict_proba`` gets probabilities from scores: by Platt's sigmoid or
        isotonic regression on the scores of five folds, in each of which features are
        selected anew. None: there is no ``predict_proba``.

    Attributes
    ----------
    feature_order_ : ndarray
        Features in the order in which they were taken; with "auto" all that were.
    loo_error_, gcv_error_ : ndarray
        Mean squared error (of weighted labels) after each step, by the criterion.
    loo_margin_, gcv_margin_ : ndarray
        By how much, relatively, the runner-up of each step would have been worse; with
        costs it may be better, but dearer, and so may it with objective="fair".
    label_error_ : ndarray of shape (n_steps, n_labels)
        Generalised cross-validation of each (weighted) label after each step, whatever
        the criterion: leave-one-out would cost O(nt) more a step. NaN for a label with
        one value.
    screened_ : ndarray
        Columns that ``screen`` left, ascending; only where it is given.
    total_cost_ : float
        Cost of the selected features, where ``costs`` are given.
    target_ : str
        What Y held: "labels", "values" or "mixed".
    alpha_ : float
        Penalty used.
    solver_ : str
        Form used; "gram" or "columns" (of X'X) for gcv; on dask collections "blocks",
        or "passes" where workers have no room for all.
    n_passes_ : int
        Passes over X for X'X, of which columns come many at a time, for gcv on rows
        with all targets known; how often batches or a dask collection were read.
    coef_ : ndarray of shape (n_labels, n_features_in_)
        Weights, 0 for features not selected.
    intercept_ : ndarray of shape (n_labels,)
        Weight of the constant column times ``bias``.
    scores_ : ndarray of shape (n_features_in_,)
        n_features_in_ - position in the order; 0 if not taken.
    support_ : ndarray of bool of shape (n_features_in_,)
        Which features are selected.
    n_features_ : int
        Number of selected features.

    See Also
    --------
    FisherScore : Scores one feature at a time.

    References
    ----------
    .. [1] P. Naula, A. Airola, T. Salakoski, T. Pahikkala (2014), Multi-label learning
       under feature extraction budgets, Pattern Recognition Letters 40, 56-65.

    Examples
    --------
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.selection import GreedyRLS
    >>> traits = load_dataset("traits")
    >>> selector = GreedyRLS(20).fit(traits.X, traits.Y)
    >>> [traits.feature_names[i] for i in selector.feature_order_[:3]]
    ['pixel_5_2', 'pixel_5_4', 'pixel_7_4']
    >>> selector.with_budget(3).transform(traits.X).shape
    (1797, 3)
    >>> selector.predict(traits.X[:1]).tolist()
    [[1, 0, 0, 1, 0, 0]]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_features_to_select": [
            *BaseSelector._parameter_constraints["n_features_to_select"],
            StrOptions({"auto"}),
        ],
        "alpha": [
            Interval(Real, 0, None, closed="neither"),
            StrOptions({"auto", "loo"}),
        ],
        "alphas": ["array-like", None],
        "bias": [Interval(Real, 0, None, closed="left")],
        "criterion": [StrOptions({"loo", "gcv"})],
        "objective": [StrOptions({"sum", "fair"})],
        "label_weight": [
            "array-like",
            StrOptions({"auto", "sqrt", "balanced", "none"}),
            None,
        ],
        "costs": ["array-like", None],
        "max_cost": [Interval(Real, 0, None, closed="neither"), None],
        "weigh_costs": ["boolean"],
        "groups": ["array-like", None],
        "screen": [Interval(Integral, 1, None, closed="left"), None],
        "solver": [StrOptions({"auto", "dense", "mixed", "sparse"})],
        "n_jobs": [Integral, None],
        "target": TARGET,
        "calibration": CalibrationMixin.calibration_constraint,
    }
    ranks_all = False
    takes_mixed = True
    takes_unknown = True

    def __init__(
        self,
        n_features_to_select: int | float | str | None = None,
        *,
        alpha: float | str = "auto",
        alphas: ArrayLike | None = None,
        bias: float = 1.0,
        criterion: str = "loo",
        objective: str = "sum",
        label_weight: ArrayLike | str | None = "auto",
        costs: ArrayLike | None = None,
        max_cost: float | None = None,
        weigh_costs: bool = True,
        groups: Sequence[ArrayLike] | None = None,
        screen: int | None = None,
        solver: str = "auto",
        n_jobs: int | None = None,
        target: str = "auto",
        calibration: str | None = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.alpha = alpha
        self.alphas = alphas
        self.bias = bias
        self.criterion = criterion
        self.objective = objective
        self.label_weight = label_weight
        self.costs = costs
        self.max_cost = max_cost
        self.weigh_costs = weigh_costs
        self.groups = groups
        self.screen = screen
        self.solver = solver
        self.n_jobs = n_jobs
        self.target = target
        self.calibration = calibration

    @property
    def nested_budgets(self) -> bool:
        """Whether one fit serves every smaller budget: not with groups of many sizes.

        A group that does not fit is skipped for one that does, so that the groups
        of a smaller budget need not be the first of a larger one.
        """
        return (
            self.groups is None or len({np.size(group) for group in self.groups}) == 1
        )

    def _rank(
        self, X: Any, Y: NDArray[Any], weights: NDArray[Any] | None = None
    ) -> Ranking:
        check_combination(self)
        self._forget("n_passes_")
        X = self._screen_rows(X, Y, weights)
        constant = constant_columns(X)
        self._labels, codes = LabelScaling.of_rows(self, Y, weights)
        groups, rule = read_rule(self, constant)
        patterns = known_patterns(codes if Y.dtype.kind == "f" else Y)
        whole = isinstance(patterns[0][0], slice)
        seen = self._labels.seen(codes)
        # Penalties are those of all rows; targets that are not known have no part.
        every = seen if whole else np.zeros((len(Y), 1))
        problem = Problem.from_rows(X, every, self.bias, weights)
        alphas, bias = read_penalty(self, problem.spread[~constant], problem.n)
        problem = replace(problem, bias=bias)
        if whole:
            selections = self._select(problem, alphas, rule, groups)
        else:
            problems = [
                Problem.from_rows(
                    X[rows],
                    seen[np.ix_(rows, columns)],
                    bias,
                    None if weights is None else weights[rows],
                )
                for rows, columns in patterns
            ]
            selections = self._select_known(X, problems, alphas, rule, groups)

        def factor(features: NDArray[Any], alpha: float) -> Factor | PatternFactor:
            if whole:
                return Factor.from_rows(X, features, codes, alpha, bias, weights)
            return pattern_factor(X, patterns, features, codes, alpha, bias, weights)

        return self._keep(selections, alphas, groups, factor)

    def _select(
        self,
        problem: Problem,
        alphas: NDArray[Any],
        rule: Rule,
        groups: list[NDArray[Any]] | None,
    ) -> list[Steps]:
        """One selection for each penalty, with all targets known."""
        if self.criterion == "gcv":
            steps, self.solver_, self.n_passes_ = select_by_gcv(
                problem, alphas[0], rule, self.objective
            )
            return [steps]
        self.solver_ = choose_solver(problem.X, self.solver, groups is not None)
        longest, runs = rule.max_features, len(alphas)
        warn_if_long(problem, self.solver_, longest, runs, self.n_jobs)
        return select_by_loo(problem, alphas, rule, self.solver_, groups, self.n_jobs)

    def _select_known(
        self,
        X: Any,
        problems: list[Problem],
        alphas: NDArray[Any],
        rule: Rule,
        groups: list[NDArray[Any]] | None,
    ) -> list[Steps]:
        """The same, with a model for each set of known rows."""
        warn_if_many(len(problems), self._labels.live.sum())
        solver = "gcv"
        if self.criterion == "loo":
            solver = choose_solver(X, self.solver, groups is not None)
        check_unknown(self.objective, solver)
        self.solver_ = "columns" if solver == "gcv" else solver
        return select_by_patterns(problems, alphas, rule, solver, groups, self.n_jobs)
