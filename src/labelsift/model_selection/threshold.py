# SPDX-License-Identifier: BSD-3-Clause
"""Thresholds that turn the scores of a label ranker into label sets."""

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.base import MetaEstimatorMixin
from sklearn.linear_model import LinearRegression
from sklearn.utils import get_tags

from labelsift.core.base import BaseLabelRanker
from labelsift.core.labels import constant_labels
from labelsift.core.validation import Interval, StrOptions
from labelsift.model_selection.fold import (
    check_partition,
    check_ranker,
    fitted,
    fold_scores,
    label_scores,
    make_folds,
    ranker_given,
)

# A label whose best F1 is below this is not predicted everywhere.
MIN_F1 = 0.1
# Measures that depend on thresholds more than on parameters.
F1_MEASURES = ("micro_f1", "macro_f1", "example_f1")


class ThresholdedClassifier(MetaEstimatorMixin, BaseLabelRanker):
    r"""A label ranker whose label sets are cut at tuned thresholds.

    A label is predicted where its score f exceeds a threshold, and the decision
    function is the score minus the threshold. The strategies:

    ``"fixed"``
        The same ``threshold`` for every label.
    ``"scut"``
        Per label the threshold of best F1: midway between two scores, of equally good
        ones the highest (predicting least). Where even the best F1 is below
        ``min_f1``, the highest score becomes the threshold (Fan and Lin's fbr
        heuristic): an unpredictable label is better never predicted than predicted
        everywhere.
    ``"regression"``
        A threshold per sample, by least squares of

        .. math::

            t(x) = \tfrac12 \bigl(\min_{k \in y} f_k(x) + \max_{l \notin y} f_l(x)\bigr)

        on the scores of x or on x itself. A sample without labels (or with all of
        them) has its t half a mean gap between scores above the highest (below the
        lowest).

    Thresholds need scores of samples that the ranker has not seen: ``"out_of_fold"``
    fits it once more per fold and pools the scores of all folds (Fan and Lin tune in
    each fold and average). Papers have tuned on the scores of the training samples
    themselves: ``scores_from="train"`` is that variant, for comparison. Scut on
    training scores is how Ji et al. compute F1; regression on x from training scores
    is section 3.8 of Gu et al. A linear model of many features nearly interpolates its
    training samples, whose scores then say little about others.

    Ranking measures are not improved by thresholds: scut changes the order of labels
    within a sample, regression the order of samples within a label. Take scores for
    them from ``estimator_.decision_function``.

    A constant label keeps its constant score. After a fit on a 1-D y the
    best class is predicted and thresholds are not used.

    Cost: the fits of the ranker, one per fold and one on all samples, and O(n log n)
    per label for scut.

    Parameters
    ----------
    estimator : estimator or None, default=None
        A multi-label classifier with ``decision_function``: a label ranker, a selector
        that predicts, or a pipeline of selector and ranker. None: BinaryRidge.
    strategy : {"scut", "regression", "fixed"}, default="scut"
        Where thresholds come from.
    threshold : float, default=0.0
        The threshold of strategy "fixed".
    scores_from : {"out_of_fold", "train"}, default="out_of_fold"
        Which scores thresholds are tuned on.
    min_f1 : float in [0, 1], default=0.1
        Below this F1 scut falls back to the highest score (fbr). 0: never.
    features : {"scores", "x"}, default="scores"
        What the threshold of strategy "regression" is a linear function of. With more
        features than samples a regression on x interpolates.
    cv : int, splitter or iterable, default=5
        Folds of the out-of-fold scores: a number of IterativeStratifiedKFold, or a
        splitter or splits that put each sample into exactly one test part.
    n_jobs : int or None, default=None
        Folds that are fitted at a time, as in joblib.
    random_state : int, RandomState instance or None, default=None
        Seed of the folds, where ``cv`` is a number.

    Attributes
    ----------
    estimator_ : estimator
        The ranker, fitted on all samples.
    thresholds_ : ndarray of shape (n_labels,)
        Threshold of each label (strategies "scut" and "fixed"); 0 for constant
        labels.
    threshold_model_ : LinearRegression or None
        Predicts t(x) (strategy "regression"; None otherwise).
    classes_ : ndarray
        Column numbers of Y, or the distinct values of a 1-D y.

    See Also
    --------
    IterativeStratifiedKFold : The folds behind a number of ``cv``.
    sklearn.model_selection.TunedThresholdClassifierCV : One binary label.

    References
    ----------
    R.-E. Fan, C.-J. Lin (2007), A study on threshold selection for multi-label
    classification, National Taiwan University.
    A. Elisseeff, J. Weston (2001), A kernel method for multi-labelled classification,
    NIPS 14.
    S. Ji, L. Tang, S. Yu, J. Ye (2008), Extracting shared subspace for multi-label
    classification, KDD.
    Q. Gu, Z. Li, J. Han (2011), Correlated multi-label feature selection, CIKM,
    equation (34).

    Examples
    --------
    >>> from labelsift.classification import BinaryRidge
    >>> from labelsift.datasets import make_planted
    >>> from labelsift.metrics import macro_f1
    >>> from labelsift.model_selection import ThresholdedClassifier
    >>> data = make_planted(600, 30, 5, noise=1.0, random_state=0)
    >>> X, Y, X_new, Y_new = data.X[:400], data.Y[:400], data.X[400:], data.Y[400:]
    >>> tuned = ThresholdedClassifier(BinaryRidge(), random_state=0).fit(X, Y)
    >>> round(macro_f1(Y_new, tuned.predict(X_new)), 2)
    0.51
    >>> round(macro_f1(Y_new, tuned.estimator_.predict(X_new)), 2)
    0.38
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "estimator": "no_validation",  # its methods are checked in fit
        "strategy": [StrOptions({"scut", "regression", "fixed"})],
        "threshold": [Interval(Real, None, None, closed="neither")],
        "scores_from": [StrOptions({"out_of_fold", "train"})],
        "min_f1": [Interval(Real, 0, 1, closed="both")],
        "features": [StrOptions({"scores", "x"})],
        "cv": ["cv_object"],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        strategy: str = "scut",
        threshold: float = 0.0,
        scores_from: str = "out_of_fold",
        min_f1: float = MIN_F1,
        features: str = "scores",
        cv: Any = 5,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.strategy = strategy
        self.threshold = threshold
        self.scores_from = scores_from
        self.min_f1 = min_f1
        self.features = features
        self.cv = cv
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _fit(self, X: Any, Y: NDArray[Any]) -> None:
        ranker = ranker_given(self.estimator)
        check_ranker(ranker)
        self.estimator_ = fitted(ranker, X, Y)
        self.thresholds_, self.threshold_model_ = np.zeros(Y.shape[1]), None
        self._learnable = ~constant_labels(Y)
        self._regress_on_x = self.features == "x"
        if self._labels_from_classes:
            return
        if self.strategy == "fixed":
            self.thresholds_[self._learnable] = self.threshold
            return
        scores = self._tuning_scores(X, Y)[:, self._learnable]
        Y = Y[:, self._learnable]
        if self.strategy == "scut":
            self.thresholds_[self._learnable] = scut_thresholds(scores, Y, self.min_f1)
        else:
            targets = sample_thresholds(scores, Y)
            regressors = X if self._regress_on_x else scores
            self.threshold_model_ = LinearRegression().fit(regressors, targets)

    def _scores(self, X: Any) -> NDArray[Any]:
        scores = label_scores(self.estimator_, X, len(self.classes_))
        if self.threshold_model_ is None:
            return scores - self.thresholds_
        regressors = X if self._regress_on_x else scores[:, self._learnable]
        thresholds = self.threshold_model_.predict(regressors)
        return scores - np.outer(thresholds, self._learnable)

    def _tuning_scores(self, X: Any, Y: NDArray[Any]) -> NDArray[Any]:
        """Scores of the training samples, from which thresholds are tuned."""
        if self.scores_from == "train":
            return label_scores(self.estimator_, X, Y.shape[1])
        folds = make_folds(self.cv, X, Y, self.random_state)
        check_partition(folds, len(Y), self.cv)
        parts = Parallel(n_jobs=self.n_jobs)(
            delayed(fold_scores)(ranker_given(self.estimator), X, Y, *fold)
            for fold in folds
        )
        scores = np.empty(Y.shape)
        for (_, test), part in zip(folds, parts, strict=True):
            scores[test] = part
        return scores

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(ranker_given(self.estimator))
        tags.input_tags.sparse = inner.input_tags.sparse
        return tags


def scut_thresholds(
    scores: NDArray[Any], Y: NDArray[Any], min_f1: float = 0.0, weights: Any = None
) -> NDArray[np.float64]:
    """Threshold of best F1 for each label.

    Parameters
    ----------
    scores : ndarray of shape (..., n_samples, n_labels)
        One score per label; the scores of several models may be stacked.
    Y : ndarray of shape (n_samples, n_labels)
        0/1, each label present at least once.
    min_f1 : float
        Where the best F1 is below, the highest score becomes the threshold.
    weights : ndarray of shape (n_samples,) or None
        How often each row counts; None: once.

    Returns
    -------
    ndarray of shape (..., n_labels)
        A label is predicted where its score exceeds its threshold.
    """
    n_samples, n_labels = Y.shape
    columns = np.moveaxis(scores.reshape(-1, n_samples, n_labels), -1, 0)
    cuts = np.empty((n_labels, columns.shape[1]))
    for label, own in enumerate(columns.astype(np.float64, order="C")):
        here = Y[:, label] > 0
        if weights is None:  # to sort is faster than to find the order
            ranked, positive = np.sort(own, axis=1), np.sort(own[:, here], axis=1)
            cuts[label] = _best_cuts(ranked, positive, min_f1)
        else:
            cuts[label] = _weighted_cuts(own, here, min_f1, weights)
    return cuts.T.reshape(*scores.shape[:-2], n_labels)


def _weighted_cuts(
    scores: NDArray[np.float64], here: NDArray[np.bool_], min_f1: float, weights: Any
) -> NDArray[np.float64]:
    """Thresholds of best F1 from a row of scores for each model, weights for rows."""
    order = np.argsort(scores, axis=1, kind="stable")
    hits = order[here[order]].reshape(len(order), -1)
    ranked, positive = (np.take_along_axis(scores, it, axis=1) for it in (order, hits))
    return _best_cuts(ranked, positive, min_f1, weights[order], weights[hits])


def _best_cuts(
    ranked: NDArray[np.float64],
    positive: NDArray[np.float64],
    min_f1: float,
    counts: Any = None,
    positive_counts: Any = None,
) -> NDArray[np.float64]:
    """Thresholds of best F1, from all scores and those of the positive rows, ascending.

    There is a row for each model. The best is right below a positive row: negative rows
    at the end do no good.
    """
    each = np.arange(len(ranked))
    tried = positive if positive.shape[1] else ranked[:, -1:]
    first = np.array(
        [np.searchsorted(*pair) for pair in zip(ranked, tried, strict=True)]
    )
    rows = _counted_from(first, ranked, counts)
    found = _counted_from(_first_of_ties(positive, tried), positive, positive_counts)
    first_of_all = np.zeros((len(each), 1), np.intp)
    n_positive = _counted_from(first_of_all, positive, positive_counts)
    f1 = 2 * found / (rows + n_positive)
    best = f1.shape[1] - 1 - np.argmax(f1[:, ::-1], axis=1)
    at, place = tried[each, best], first[each, best]
    after = ranked[each, place - 1]
    midway = at / 2 + after / 2
    cuts = np.where(midway < at, midway, after)
    lowest = np.nextafter(ranked[:, 0], -np.inf)
    cuts = np.where(place == 0, lowest, cuts)
    return np.where(f1[each, best] < min_f1, ranked[:, -1], cuts)


def _first_of_ties(
    positive: NDArray[np.float64], tried: NDArray[np.float64]
) -> NDArray[np.intp]:
    """For each tried score, how many positive ones are lower."""
    if not positive.shape[1]:
        return np.zeros(tried.shape, dtype=np.intp)
    place = np.where(np.diff(positive, axis=1) > 0, np.arange(1, positive.shape[1]), 0)
    place = np.maximum.accumulate(place, axis=1)
    return np.append(np.zeros((len(place), 1), np.intp), place, axis=1)


def _counted_from(
    places: NDArray[np.intp], scores: NDArray[Any], counts: Any
) -> NDArray[Any]:
    """How often the scores from each place on count together, row by row."""
    if counts is None:
        return scores.shape[1] - places
    ends = np.zeros((len(counts), 1), counts.dtype)
    sums = np.hstack([np.cumsum(counts[:, ::-1], axis=1)[:, ::-1], ends])
    return np.take_along_axis(sums, places, axis=1)


def sample_thresholds(scores: NDArray[Any], Y: NDArray[Any]) -> NDArray[np.float64]:
    """Threshold of each sample: midway between its labels and the others.

    Parameters
    ----------
    scores : ndarray of shape (n_samples, n_labels)
        One score per label, two labels or more.
    Y : ndarray of shape (n_samples, n_labels)
        0/1.

    Returns
    -------
    ndarray of shape (n_samples,)
        Equation (34) of Gu et al.; half a mean gap beyond all scores for a sample with
        no label, or all.
    """
    n_labels = Y.shape[1]
    if n_labels < 2:
        raise ValueError(
            'strategy="regression" compares the labels of a sample, but only one label '
            'has both values: use strategy="scut".'
        )
    present = Y == 1
    highest, lowest = scores.max(axis=1), scores.min(axis=1)
    beyond = (highest - lowest) / (n_labels - 1)
    weakest = np.where(present, scores, np.inf).min(axis=1)
    strongest = np.where(present, -np.inf, scores).max(axis=1)
    weakest = np.where(present.any(axis=1), weakest, highest + beyond)
    strongest = np.where(present.all(axis=1), lowest - beyond, strongest)
    return (weakest + strongest) / 2
