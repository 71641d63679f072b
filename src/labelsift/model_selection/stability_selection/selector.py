# SPDX-License-Identifier: BSD-3-Clause
"""Stability selection: the features that are chosen again on random halves."""

import copy
from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from labelsift.core.labels import constant_labels
from labelsift.core.validation import Interval, StrOptions, constant_columns
from labelsift.core.warning import warn
from labelsift.model_selection.meta_selector import MetaSelector
from labelsift.model_selection.stability_selection.bounds import ASSUMPTIONS
from labelsift.model_selection.stability_selection.halves import Halves, Pair
from labelsift.model_selection.stability_selection.settings import Settings
from labelsift.model_selection.stability_selection.votes import Votes, collect_votes
from labelsift.selection.greedy_rls.options import read_groups
from labelsift.selection.greedy_rls.selector import GreedyRLS


class StabilitySelection(MetaSelector):
    r"""Select the features that a selector chooses again on random halves of the rows.

    The rows are split ``n_pairs`` = B times into two halves. On each half the selector
    chooses q features. A feature is selected where it is chosen on a share of at least
    ``threshold`` of the 2B halves. Two of three decide the third: the threshold,
    the number q of features per fit, and ``pfer``, a bound on the expected number of
    selected features that are no better than a blind choice.

    What the bound means. Let L be the features that are chosen on one half with a
    probability of at most q / d, that of a blind draw of q from d. The bound is on the
    expected number of features of L among the selected. It is a bound on *false
    selections* (the per-family error rate) as far as features unrelated to the labels
    lie in L, which holds where they are exchangeable and the selector is no worse than
    guessing. **A feature correlated with one that matters is chosen more often than
    blindly: it is not in L and is not counted.** A selector that looks at all
    features together seldom selects such neighbours; one that scores each feature
    alone selects them with confidence.

    How strong the bound is depends on ``assumption`` (formulas in
    ``stability_selection/bounds.py``): "none", "unimodal" and "r-concave"
    distributions of the shares of features in L [2]_. About as many features can be
    stable as are chosen per fit, at most q / threshold: a small q limits what is found.

    One fit per half serves every smaller q, where the budgets of the selector nest:
    ``probability_path_``, an array of shape (q, n_features_in_) that is made when it is
    asked for, has the probabilities for 1, 2, ..., q features per fit.

    Choosing pfer, threshold or q *after* looking at the probabilities is not covered;
    ``with_budget`` marks its answer so. To look at m settings, give each pfer / m.

    Halves keep both values of every label where each has two rows (groups), by
    ``LabelCoverageSplit``. A label with few positives has half of them in each half
    all the same: its features are seldom stable. Near-copies share the vote, so that
    none of them may be stable: put them into ``feature_groups`` fixed beforehand,
    without looking at the labels.

    Cost: 2B fits on half of the rows, in parallel over pairs; X is copied half by half.

    Parameters
    ----------
    selector : selector or None, default=None
        Any selector with a number of features to set: of labelsift or of scikit-learn
        (n_features_to_select, k or max_features, which is set to q). None:
        GreedyRLS(criterion="gcv"). A ``random_state`` of it is replaced by one
        for each half.
    pfer : float or None, default=1.0
        Bound on the expected number of false selections; None: what the other two give.
    threshold : float or None, default=0.75
        Share of the halves, above 1/2; None: the smallest that keeps to ``pfer``.
    n_features_per_fit : int or None, default=None
        Features q that are chosen on each half; None: the most that keep to ``pfer``.
    n_pairs : int, default=50
        How often the rows are halved.
    assumption : {"r-concave", "unimodal", "none"}, default="r-concave"
        What is assumed of features in L.
    feature_groups : list of array-like or None, default=None
        Blocks of feature indices, a partition. A block counts as chosen where one of
        its features is, is selected as a whole, and d is the number of blocks.
    random_state : int, RandomState instance or None, default=None
        Seed of the halves; one seed per pair is drawn first, so that n_jobs changes
        nothing.
    n_jobs : int or None, default=None
        Pairs that are fitted at a time, as in joblib.

    Attributes
    ----------
    selection_probability_ : ndarray of shape (n_features_in_,)
        Share of the halves on which each feature (its group) is chosen; ``scores_``. 0
        for a constant column.
    pair_probability_ : ndarray of shape (n_features_in_,)
        Share of the pairs in which both halves choose it.
    n_features_per_fit_ : int
        The q used.
    threshold_ : float
        The threshold used, a multiple of 1 / (2B).
    pfer_bound_ : float
        Bound on the expected number of false selections.
    bounds_ : dict of str to float
        The bound by each assumption.
    after_the_fact_ : bool
        Whether the number of features was chosen with the probabilities known; the
        bound is then a description, no guarantee.
    feature_order_ : ndarray of shape (n_features_in_,)
        All features by probability, equal ones by their mean place on the halves.
    scores_ : ndarray of shape (n_features_in_,)
        ``selection_probability_``.
    support_ : ndarray of bool of shape (n_features_in_,)
        Which features are selected; none of them may be, with a warning.
    n_features_ : int
        How many are.

    See Also
    --------
    KnockoffSelector : A bound on the share of false selections.
    explain : What could replace a selected feature, and which labels it serves.
    LabelCoverageSplit : How the rows are halved.

    References
    ----------
    .. [1] N. Meinshausen, P. Buhlmann (2010), Stability selection, Journal of the
       Royal Statistical Society B 72, 417-473.
    .. [2] R. D. Shah, R. J. Samworth (2013), Variable selection with error control:
       another look at stability selection, ibid. 75, 55-80.

    Examples
    --------
    >>> from labelsift.datasets import make_planted
    >>> from labelsift.model_selection import StabilitySelection
    >>> data = make_planted(300, 60, 5, n_relevant=6, noise=1.0, random_state=0)
    >>> stable = StabilitySelection(random_state=0).fit(data.X, data.Y)
    >>> stable.n_features_per_fit_, round(stable.pfer_bound_, 2)
    (12, 0.84)
    >>> stable.get_support(indices=True).tolist() == data.relevant.tolist()
    True
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "selector": "no_validation",  # what it must have is checked in fit
        "pfer": [Interval(Real, 0, None, closed="neither"), None],
        "threshold": [Interval(Real, 0.5, 1, closed="right"), None],
        "n_features_per_fit": [Interval(Integral, 1, None, closed="left"), None],
        "n_pairs": [Interval(Integral, 1, None, closed="left")],
        "assumption": [StrOptions(set(ASSUMPTIONS))],
        "feature_groups": ["array-like", None],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        selector: Any = None,
        *,
        pfer: float | None = 1.0,
        threshold: float | None = 0.75,
        n_features_per_fit: int | None = None,
        n_pairs: int = 50,
        assumption: str = "r-concave",
        feature_groups: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.selector = selector
        self.pfer = pfer
        self.threshold = threshold
        self.n_features_per_fit = n_features_per_fit
        self.n_pairs = n_pairs
        self.assumption = assumption
        self.feature_groups = feature_groups
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, groups: Any = None) -> Self:
        """Choose features on every half and select those that are stable.

        Parameters
        ----------
        X : array-like, sparse or DataFrame of shape (n_samples, n_features)
            The samples; CSR and CSC are never made dense.
        y : array-like, sparse or DataFrame of shape (n_samples, n_labels) or \
(n_samples,)
            Labels as 0/1, bool or -1/+1, or the classes of a 1-D y.
        groups : array-like of shape (n_samples,) or None, default=None
            Rows of one group (of one subject, say) stay in one half.

        Returns
        -------
        self
            The fitted selector.
        """
        X, Y = self._read(X, y)
        Y = Y[:, ~constant_labels(Y)]
        block = _blocks(self.feature_groups, X.shape[1])
        varying = ~constant_columns(X)
        settings = Settings.complete(
            self.pfer,
            self.threshold,
            self.n_features_per_fit,
            d=len(np.unique(block[varying])),
            n_pairs=self.n_pairs,
            assumption=self.assumption,
        )
        rng = check_random_state(self.random_state)
        seeds = rng.randint(np.iinfo(np.int32).max, size=self.n_pairs)
        values = self._value_columns is not None
        # Any half of the rows has values; of labels both must be in each.
        halves = Halves.read(np.ones((len(Y), 1), np.int8) if values else Y, groups)
        pairs = [halves.draw(np.random.RandomState(seed)) for seed in seeds]
        self._warn_of_labels(Y, pairs)
        self._votes = collect_votes(
            self._inner_selector(),
            X.tocsr() if sp.issparse(X) else X,
            self._inner_labels(Y),
            pairs,
            seeds,
            q=settings.q,
            block=block,
            n_jobs=self.n_jobs,
        )
        self._keep_votes(self._votes, varying)
        self._select(int(np.count_nonzero(self._counts >= settings.count)), settings)
        self.after_the_fact_ = False
        if not self.n_features_:
            warn(
                f"No feature is chosen on {self.threshold_:.0%} of the halves: there "
                "are too few rows, or near-copies share the vote; see feature_groups."
            )
        return self

    def _inner_selector(self) -> Any:
        if self.selector is None:
            return GreedyRLS(criterion="gcv")
        return self.selector

    def _warn_of_labels(self, Y: NDArray[Any], pairs: list[Pair]) -> None:
        """Tell once of the labels that some halves cannot learn."""
        lost = [constant_labels(Y[rows]) for pair in pairs for rows in pair]
        n_lost = np.count_nonzero(np.any(lost, axis=0))
        if n_lost:
            warn(
                f"{n_lost} of {Y.shape[1]} labels have one value on some of the "
                f"{2 * self.n_pairs} halves, which say nothing about them: labels with "
                "so few rows of one value cannot be judged by halves."
            )

    def _keep_votes(self, votes: Votes, varying: NDArray[np.bool_]) -> None:
        """Set the probabilities; those of constant columns are 0, also in a group."""
        halves, pairs, place = votes.tally()
        halves, pairs = halves * varying, pairs * varying
        self._counts, self._order = halves, np.lexsort((place, -halves))
        self.selection_probability_ = halves / (2 * self.n_pairs)
        self.pair_probability_ = pairs / self.n_pairs

    def _select(self, count: int, settings: Settings) -> None:
        """Select the first features, and say what bounds hold for them."""
        self._keep_order(self.selection_probability_, self._order, count)
        self._settings = settings
        self.n_features_per_fit_, self.threshold_ = settings.q, settings.threshold
        self.bounds_, self.pfer_bound_ = settings.bounds(), settings.bound()

    @property
    def probability_path_(self) -> NDArray[np.float64]:
        """Selection probabilities for every number of features per fit up to q."""
        check_is_fitted(self)
        if not self._votes.nested:
            raise AttributeError(
                "probability_path_ needs a selector whose budgets nest: "
                f"{self._inner_selector()!r} solves each on its own."
            )
        return self._votes.path()

    def with_budget(self, budget: int) -> Self:
        """Return a fitted view that selects the most probable features.

        The number is chosen with the probabilities known, which the theory does not
        cover: ``after_the_fact_`` is True and ``pfer_bound_`` a description.

        Parameters
        ----------
        budget : int
            How many features.

        Returns
        -------
        selector
            A fitted selector with ``threshold_`` and ``pfer_bound_`` at the least
            probability that it selects; this one is left as it is.
        """
        check_is_fitted(self)
        if not isinstance(budget, Integral) or not 1 <= budget <= self.n_features_in_:
            raise ValueError(
                f"budget must be a count from 1 to {self.n_features_in_}, got "
                f"{budget!r}."
            )
        view = copy.copy(self)
        count = int(self._counts[self._order[budget - 1]])
        view._select(int(budget), replace(self._settings, count=count))
        view.after_the_fact_ = True
        return view


def _blocks(feature_groups: Any, n_features: int) -> NDArray[np.intp]:
    """The block of each feature; by default every feature is its own."""
    block = np.arange(n_features)
    for number, members in enumerate(read_groups(feature_groups, n_features) or []):
        block[members] = number
    return block
