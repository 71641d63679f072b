# SPDX-License-Identifier: BSD-3-Clause
"""Search over a parameter grid whose fits share work."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata
from sklearn.base import MetaEstimatorMixin, clone
from sklearn.model_selection import ParameterGrid
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if

from labelsift.core.base import BaseLabelRanker
from labelsift.core.labels import constant_labels
from labelsift.core.path import Fold, FoldScores
from labelsift.core.validation import StrOptions
from labelsift.core.warning import warn
from labelsift.metrics import MEASURES, Measure
from labelsift.metrics.reading import read_stack
from labelsift.model_selection.fold import (
    check_partition,
    check_ranker,
    fitted,
    fold_scores,
    label_scores,
    labels_read_before,
    make_folds,
    ranker_given,
)
from labelsift.model_selection.threshold import (
    F1_MEASURES,
    MIN_F1,
    ThresholdedClassifier,
    scut_thresholds,
)

# The default grid, for the default estimator.
_RIDGE_GRID = {"alpha": [10.0**power for power in range(-3, 4)]}


class PathSearchCV(MetaEstimatorMixin, BaseLabelRanker):
    """Choose parameters by cross-validation, for little more than one fit.

    Like scikit-learn's GridSearchCV, for estimators whose fits share work. An estimator
    with ``fold_scores`` scores all folds at all points of the grid from one Gram matrix
    and one eigendecomposition per fold (``MLLS``, ``BinaryRidge``); one with
    ``fit_path`` fits a whole grid at once, fold by fold; any other one is fitted point
    by point.

    F1 depends on thresholds more than on parameters. With ``scoring`` "micro_f1",
    "macro_f1" or "example_f1" labels of a fold are thresholded at the best F1 (scut) of
    the out-of-fold scores of the *other* folds: no fold sees a threshold tuned on
    itself. ``best_estimator_`` is then a ``ThresholdedClassifier``. Other measures of
    labels threshold at 0.

    Cost: with ``fold_scores``, one decomposition per fold and one for the final fit;
    memory O(n_samples^2) or O(n_features^2), whichever is smaller, and the scores of
    all samples for each distinct penalty. Otherwise the fits, and the scores of all
    samples at each point of the grid.

    Parameters
    ----------
    estimator : estimator or None, default=None
        A multi-label classifier with ``decision_function``, or a pipeline that ends
        in one. None: BinaryRidge.
    param_grid : dict, list of dict or None, default=None
        Values of each parameter, as in GridSearchCV. None, where no estimator is given:
        its penalty from 10^-3 to 10^3.
    scoring : str, default="macro_auc"
        A name in ``labelsift.metrics.MEASURES``; losses are negated.
    cv : int, splitter or iterable, default=5
        A number of IterativeStratifiedKFold, or a splitter or splits. F1 needs folds
        that test each sample once.
    random_state : int, RandomState instance or None, default=None
        Seed of the folds, where ``cv`` is a number.

    Attributes
    ----------
    cv_results_ : dict of str to array
        ``params``, ``param_NAME``, ``split0_test_score``, ..., ``mean_test_score``,
        ``std_test_score`` and ``rank_test_score``, as in GridSearchCV. There are no
        times: the work is shared. A fold in whose test part every label is constant,
        where the measure is undefined, is NaN and left out of the mean.
    best_params_ : dict
        The point with the best mean score, the first one on a tie.
    best_score_ : float
        Its mean score.
    best_index_ : int
        Its position in ``cv_results_``.
    best_estimator_ : estimator
        Fitted on all samples with the best parameters.
    n_splits_ : int
        Number of folds.
    classes_ : ndarray
        Column numbers of Y, or the distinct values of a 1-D y.

    See Also
    --------
    ThresholdedClassifier : Where the thresholds of F1 come from.
    IterativeStratifiedKFold : The folds behind a number of ``cv``.
    sklearn.model_selection.GridSearchCV : The same without shared work.

    Examples
    --------
    >>> from labelsift.datasets import make_planted
    >>> from labelsift.model_selection import PathSearchCV
    >>> from labelsift.subspace import MLLS
    >>> data = make_planted(200, 400, 8, label_rank=2, noise=1.0, random_state=0)
    >>> grid = {"alpha": [0, 0.1, 1, 10], "beta": [0.1, 1, 10], "n_components": [1, 2]}
    >>> search = PathSearchCV(MLLS(), grid, random_state=0).fit(data.X, data.Y)
    >>> search.best_params_["n_components"]
    2
    >>> len(search.cv_results_["mean_test_score"])
    24
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "estimator": "no_validation",  # its methods are checked in fit
        "param_grid": [dict, list, None],
        "scoring": [StrOptions(set(MEASURES))],
        "cv": ["cv_object"],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator: Any = None,
        param_grid: Any = None,
        *,
        scoring: str = "macro_auc",
        cv: Any = 5,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.param_grid = param_grid
        self.scoring = scoring
        self.cv = cv
        self.random_state = random_state

    def _fit(self, X: Any, Y: NDArray[Any]) -> None:
        ranker = ranker_given(self.estimator)
        check_ranker(ranker)
        points = list(ParameterGrid(self._grid()))
        folds = make_folds(self.cv, X, Y, self.random_state)
        thresholded = self.scoring in F1_MEASURES and not self._labels_from_classes
        if thresholded:
            check_partition(folds, len(Y), self.cv)
        self._set_results(points, self._values(ranker, X, Y, folds, points))
        best = clone(ranker).set_params(**self.best_params_)
        if thresholded:
            best = ThresholdedClassifier(best, cv=folds)
        self.best_estimator_ = fitted(best, X, Y)

    def _grid(self) -> Any:
        """The values to try."""
        if self.param_grid is not None:
            return self.param_grid
        if self.estimator is not None:
            raise ValueError(
                f"param_grid=None with estimator={self.estimator!r}: pass the values "
                "to try of each of its parameters."
            )
        return _RIDGE_GRID

    def _values(
        self,
        ranker: Any,
        X: Any,
        Y: NDArray[Any],
        folds: list[Fold],
        points: list[dict[str, Any]],
    ) -> NDArray[np.float64]:
        """Value of each fold (row) and point (column), larger is better."""
        truths = [Y[test].astype(np.bool_) for _, test in folds]
        measure, values = MEASURES[self.scoring], np.empty((len(folds), len(points)))
        with labels_read_before():
            for positions, given in _out_of_fold(ranker, X, Y, folds, points):
                if measure.needs == "labels":
                    given = self._cut(given, truths)
                values[:, positions] = _judged(measure, truths, given)
        undefined = np.flatnonzero(np.isnan(values).any(axis=1))
        if len(undefined):
            sentence = (
                f"{self.scoring} is not defined on the test part of {len(undefined)} "
                f"of {len(folds)} folds, where every label is constant"
            )
            if len(undefined) == len(folds):
                raise ValueError(f"{sentence}: use fewer folds.")
            warn(f"{sentence}: the mean is that of the others; use fewer folds.")
            values[undefined] = np.nan
        return values

    def _cut(
        self, scores: list[NDArray[Any]], truths: list[NDArray[Any]]
    ) -> list[NDArray[Any]]:
        """Label sets from scores, fold by fold."""
        if self._labels_from_classes:
            return _cut_at_best(scores)
        if self.scoring in F1_MEASURES:
            return _cut_by_other_folds(scores, truths)
        return _cut_at_zero(scores)

    def _set_results(self, points: list[dict[str, Any]], values: NDArray[Any]) -> None:
        """Set the fitted attributes, except those of the refit."""
        mean = np.nanmean(values, axis=0)
        self.cv_results_ = {
            **_parameter_columns(points),
            "params": points,
            **{f"split{k}_test_score": value for k, value in enumerate(values)},
            "mean_test_score": mean,
            "std_test_score": np.nanstd(values, axis=0),
            "rank_test_score": rankdata(-mean, method="min").astype(np.int32),
        }
        self.n_splits_ = len(values)
        self.best_index_ = int(np.argmax(mean))
        self.best_score_ = float(mean[self.best_index_])
        self.best_params_ = points[self.best_index_]

    def _scores(self, X: Any) -> NDArray[Any]:
        return label_scores(self.best_estimator_, X, len(self.classes_))

    @available_if(lambda self: hasattr(self.estimator, "transform"))
    def transform(self, X: Any) -> Any:
        """Transform by the best estimator.

        Parameters
        ----------
        X : array-like, sparse or DataFrame of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        ndarray, sparse or DataFrame
            The output of the estimator.
        """
        best = self.best_estimator_
        if isinstance(best, ThresholdedClassifier):
            best = best.estimator_
        return best.transform(X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(ranker_given(self.estimator))
        tags.input_tags.sparse = inner.input_tags.sparse
        return tags


def _out_of_fold(
    estimator: Any,
    X: Any,
    Y: NDArray[Any],
    folds: Sequence[Fold],
    points: Sequence[dict[str, Any]],
) -> FoldScores:
    """Scores of the folds' test rows at all points, sharing work where possible."""
    if hasattr(estimator, "fold_scores"):
        yield from estimator.fold_scores(X, Y, folds, points)
    elif hasattr(estimator, "fit_path"):
        grid = [{name: [value] for name, value in point.items()} for point in points]
        scores = [
            np.stack(
                [
                    label_scores(model, X[test], Y.shape[1])
                    for _, model in estimator.fit_path(X[train], Y[train], grid)
                ]
            )
            for train, test in folds
        ]
        yield list(range(len(points))), scores
    else:
        for position, point in enumerate(points):
            model = clone(estimator).set_params(**point)
            yield [position], [fold_scores(model, X, Y, *fold)[None] for fold in folds]


def _judged(
    measure: Measure, truths: list[NDArray[Any]], stacks: list[NDArray[Any]]
) -> NDArray[np.float64]:
    """Values of shape (n_folds, n_points), larger is better."""
    values = [
        measure.of_each(read_stack(truth, stack))
        if measure.of_each
        else [measure.function(truth, layer) for layer in stack]
        for truth, stack in zip(truths, stacks, strict=True)
    ]
    return np.array(values) if measure.greater_is_better else -np.array(values)


def _cut_at_zero(scores: list[NDArray[Any]]) -> list[NDArray[Any]]:
    return [stack > 0 for stack in scores]


def _cut_at_best(scores: list[NDArray[Any]]) -> list[NDArray[Any]]:
    """One label per sample, as for the classes of a 1-D y."""
    n_labels = scores[0].shape[2]
    return [np.eye(n_labels, dtype=bool)[stack.argmax(axis=2)] for stack in scores]


def _cut_by_other_folds(
    scores: list[NDArray[Any]], truths: list[NDArray[Any]]
) -> list[NDArray[Any]]:
    """Labels of each fold, cut where the other folds have their best F1."""
    labels = []
    for k, stack in enumerate(scores):
        others = [j for j in range(len(scores)) if j != k]
        truth = np.concatenate([truths[j] for j in others])
        other_scores = np.concatenate([scores[j] for j in others], axis=1)
        learnable = ~constant_labels(truth)
        thresholds = np.zeros((len(stack), 1, truth.shape[1]))
        thresholds[:, 0, learnable] = scut_thresholds(
            other_scores[..., learnable], truth[:, learnable], MIN_F1
        )
        labels.append(stack > thresholds)
    return labels


def _parameter_columns(points: list[dict[str, Any]]) -> dict[str, Any]:
    """One masked array per parameter: masked where a point does not set it."""
    columns = {}
    for name in sorted({name for point in points for name in point}):
        column = np.ma.MaskedArray(np.empty(len(points), dtype=object), mask=True)
        for position, point in enumerate(points):
            if name in point:
                column[position] = point[name]
        columns[f"param_{name}"] = column
    return columns
