# SPDX-License-Identifier: BSD-3-Clause
"""Knockoffs: features that beat copies of themselves made without the labels."""

from math import ceil
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
import scipy.sparse as sp
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from labelsift.core.labels import constant_labels
from labelsift.core.validation import Interval, StrOptions, constant_columns
from labelsift.core.warning import warn
from labelsift.model_selection.knockoff_selector.competition import (
    estimated_correlation,
    group_lasso_alpha,
    known_correlation,
    scores_of_both,
    standardised,
)
from labelsift.model_selection.knockoff_selector.thresholds import (
    e_bh_count,
    e_values,
    knockoff_threshold,
)
from labelsift.model_selection.meta_selector import MetaSelector, warn_once
from labelsift.selection.mt_lasso import MTLasso
from labelsift.solvers.knockoffs import CONSTRUCTIONS, GaussianKnockoffs


class KnockoffSelector(MetaSelector):
    r"""Select features with at most about a share ``fdr`` of errors among them.

    Each feature gets a copy (knockoff) that is made without looking at the labels and
    that relates to the other features as its original does. A selector sees originals
    and copies together; :math:`W_j` is how much more it makes of feature j than of its
    copy. Features that add nothing about the labels, given all others, win or lose
    against their copies by a coin toss, so that those that lose count the false ones
    among those that win: with T the least value for which

    .. math::

        \frac{1 + \#\{j : W_j \le -T\}}{\max(1, \#\{j : W_j \ge T\})} \le fdr

    the features with :math:`W_j \ge T` have an expected share of errors of at most fdr.
    An error is a feature that all labels together do not depend on, given the other
    features; a neighbour of a feature that matters is one.

    With several draws of copies the answer depends little on the seed [2]_. Each draw,
    at the level fdr / 2, gives the feature j

    .. math:: e_j = \frac{d \cdot 1\{W_j \ge T\}}{1 + \#\{i : W_i \le -T\}} .

    Of the mean e-values the k largest are selected, k the largest number for which the
    k-th is at least d / (k fdr). **At least 1/fdr features, with several draws 2/fdr,
    must be found at once, or none is**: an empty ``support_`` and one warning.

    The copies are Gaussian with the first two moments of X (``solvers/knockoffs.py``),
    whose covariance is estimated: the level holds approximately, also for 0/1 features
    and counts, while the labels depend on the features roughly linearly. **It fails
    where labels need combinations of features and other features echo the
    combination** (a measured share of errors of .43 at fdr = .1); nothing in the data
    warns of it. Strong correlation costs power.

    Copies and the covariance are dense: 8 n d bytes for each of the copies that are
    made at a time, and a few d x d arrays. Sparse X is refused: choose fewer columns
    first, without looking at the labels or on other rows. Cost: O(d^3) for the
    construction, then one fit on n x 2d per draw.

    Parameters
    ----------
    selector : selector or None, default=None
        What is fitted to originals and copies, all columns standardised; ``scores_``
        above 0 are its measure of a feature. None: the group lasso
        ``MTLasso(norm="2")`` with a penalty that depends on the labels' variance and
        on the numbers of labels and features alone. A method that chooses jointly will
        do, such as GreedyRLS with a path of three times the features expected; scores
        of one feature at a time overshoot the level.
    fdr : float, default=0.2
        The expected share of errors among the selected.
    n_draws : int, default=10
        Draws of copies. 1: the threshold T decides; more: the mean e-values do.
    construction : {"mvr", "sdp", "equicorrelated"}, default="mvr"
        How unlike their features the copies are; "mvr" is the most cautious.
    covariance : "ledoit-wolf" or array-like, default="ledoit-wolf"
        Covariance of the features: estimated with shrinkage, or known, of shape
        (n_features, n_features).
    statistic : {"difference", "signed-max"}, default="difference"
        W = Z - Z', or max(Z, Z') sign(Z - Z') from the scores Z and Z' of a feature and
        its copy; the second for scores that are places in an order.
    random_state : int, RandomState instance or None, default=None
        Seed of the copies; one seed per draw is drawn first, so that n_jobs changes
        nothing.
    n_jobs : int or None, default=None
        Draws that are fitted at a time, as in joblib.

    Attributes
    ----------
    statistic_ : ndarray of shape (n_draws, n_features_in_)
        W of each draw; 0 for a constant column.
    threshold_ : ndarray of shape (n_draws,)
        T of each draw, infinite where nothing is found.
    e_value_ : ndarray of shape (n_features_in_,)
        Mean e-values.
    fdr_ : float
        The least level at which the same rule would have selected these features; NaN
        where none is selected. It describes the answer and is no new guarantee.
    n_needed_ : int
        How many features must be found at once: 1/fdr, with several draws 2/fdr.
    scores_ : ndarray of shape (n_features_in_,)
        ``e_value_``, or ``statistic_[0]`` for one draw.
    feature_order_ : ndarray of shape (n_features_in_,)
        All features by score.
    support_ : ndarray of bool of shape (n_features_in_,)
        Which features are selected; often none.
    n_features_ : int
        How many are.

    See Also
    --------
    StabilitySelection : A bound on the number of false selections.
    labelsift.selection.MTLasso : The group lasso behind the statistic.

    References
    ----------
    .. [1] E. Candes, Y. Fan, L. Janson, J. Lv (2018), Panning for gold: model-X
       knockoffs for high dimensional controlled variable selection, Journal of the
       Royal Statistical Society B 80, 551-577.
    .. [2] Z. Ren, R. F. Barber (2024), Derandomised knockoffs: leveraging e-values for
       false discovery rate control, ibid. 86, 122-154.

    Examples
    --------
    >>> from labelsift.datasets import make_planted
    >>> from labelsift.model_selection import KnockoffSelector
    >>> data = make_planted(400, 60, 5, n_relevant=15, noise=0.5, random_state=0)
    >>> named = KnockoffSelector(fdr=0.2, random_state=0).fit(data.X, data.Y)
    >>> named.n_needed_, named.n_features_
    (10, 16)
    >>> int(named.support_[data.relevant].sum())
    15
    """

    nested_budgets: ClassVar[bool] = False

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "selector": "no_validation",  # what it must have is checked in fit
        "fdr": [Interval(Real, 0, 1, closed="neither")],
        "n_draws": [Interval(Integral, 1, None, closed="left")],
        "construction": [StrOptions(set(CONSTRUCTIONS))],
        "covariance": [StrOptions({"ledoit-wolf"}), "array-like"],
        "statistic": [StrOptions({"difference", "signed-max"})],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        selector: Any = None,
        *,
        fdr: float = 0.2,
        n_draws: int = 10,
        construction: str = "mvr",
        covariance: Any = "ledoit-wolf",
        statistic: str = "difference",
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.selector = selector
        self.fdr = fdr
        self.n_draws = n_draws
        self.construction = construction
        self.covariance = covariance
        self.statistic = statistic
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any) -> Self:
        """Draw copies, let them compete with the features and select the winners.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            The samples, dense.
        y : array-like, sparse or DataFrame of shape (n_samples, n_labels) or \
(n_samples,)
            Labels as 0/1, bool or -1/+1, or the classes of a 1-D y.

        Returns
        -------
        self
            The fitted selector.
        """
        _refuse_sparse(X)
        X, Y = self._read(X, y)
        Y = Y[:, ~constant_labels(Y)]
        varying = np.flatnonzero(~constant_columns(X))
        self.statistic_ = np.zeros((self.n_draws, X.shape[1]))
        if len(varying):
            correlation = known_correlation(self.covariance, varying, X.shape[1])
            W = self._compete(X[:, varying], Y, correlation)
            self.statistic_[:, varying] = W
        level = self.fdr if self.n_draws == 1 else self.fdr / 2
        self.n_needed_ = ceil(round(1 / level, 9))
        self.threshold_ = np.array(
            [knockoff_threshold(W, level) for W in self.statistic_]
        )
        self._select(len(varying))
        if not self.n_features_:
            self._warn_of_nothing(len(varying))
        return self

    def _inner_selector(self) -> Any:
        return MTLasso(norm="2") if self.selector is None else self.selector

    def _compete(
        self, X: NDArray[Any], Y: NDArray[Any], correlation: NDArray[Any] | None
    ) -> NDArray[np.float64]:
        """W of every draw for columns that are not constant."""
        selector, X = self.selector, standardised(X)
        if selector is None:
            alpha = group_lasso_alpha(Y, X.shape[1])
            selector = MTLasso(1, norm="2", alpha=alpha)
        if correlation is None:
            correlation = estimated_correlation(X)
        copies = GaussianKnockoffs.build(correlation, self.construction)
        rng = check_random_state(self.random_state)
        seeds = rng.randint(np.iinfo(np.int32).max, size=self.n_draws)
        drawn = Parallel(n_jobs=self.n_jobs)(
            delayed(scores_of_both)(
                selector, X, self._inner_labels(Y), copies, int(seed)
            )
            for seed in seeds
        )
        warn_once([told for _, told in drawn], "on features and copies")
        Z, Z_copy = np.split(np.array([scores for scores, _ in drawn]), 2, axis=1)
        if self.statistic == "difference":
            return np.asarray(Z - Z_copy)
        return np.asarray(np.maximum(Z, Z_copy) * np.sign(Z - Z_copy))

    def _select(self, n_varying: int) -> None:
        """Select by the threshold of one draw or by the e-values of several."""
        self.e_value_ = e_values(self.statistic_, self.threshold_, n_varying)
        if self.n_draws == 1:
            scores, T = self.statistic_[0], self.threshold_[0]
            count = int(np.count_nonzero(scores >= T))
            level = (1 + np.count_nonzero(scores <= -T)) / max(1, count)
        else:
            scores = self.e_value_
            count = e_bh_count(scores, n_varying, self.fdr)
            level = n_varying / max(1, count * np.sort(scores)[-max(1, count)])
        # E-values are often equal: the statistics then tell more.
        order = np.lexsort((-self.statistic_.mean(axis=0), -scores))
        self._keep_order(scores, order, count)
        self.fdr_ = float(level) if count else np.nan

    def _warn_of_nothing(self, n_varying: int) -> None:
        draws = "one draw" if self.n_draws == 1 else f"{self.n_draws} draws"
        warn(
            f"Nothing can be named: fdr={self.fdr:g} with {draws} needs at least "
            f"{self.n_needed_} features found at once, of {n_varying} that are not "
            "constant. Another fdr or number of draws, tried after this answer, would "
            "not be covered."
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        return tags


def _refuse_sparse(X: Any) -> None:
    """Copies of sparse data are dense."""
    if sp.issparse(X):
        n, d = X.shape
        raise ValueError(
            f"X is sparse and its copies are dense: they would take "
            f"{8 * n * d / 2**30:.3g} GiB, and their correlations "
            f"{8 * d * d / 2**30:.3g} GiB. Choose fewer columns without looking at the "
            "labels, and pass X.toarray()."
        )
