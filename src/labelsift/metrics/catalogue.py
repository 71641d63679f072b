# SPDX-License-Identifier: BSD-3-Clause
"""The measures by name, and all of them at once: the papers' nine, and two of the
labels that are served worst; and those of predicted values.
"""

from collections import ChainMap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from labelsift.core.labels import read_label_matrix
from labelsift.metrics.areas import (
    lowest_tenth_auc,
    lowest_tenth_aucs,
    macro_auc,
    macro_aucs,
    worst_auc,
    worst_aucs,
)
from labelsift.metrics.label_sets import (
    accuracies,
    accuracy,
    example_f1,
    example_f1s,
    hamming_loss,
    hamming_losses,
    macro_f1,
    macro_f1s,
    micro_f1,
    micro_f1s,
    subset_accuracies,
    subset_accuracy,
    zero_one_loss,
    zero_one_losses,
)
from labelsift.metrics.precision import macro_average_precision, micro_average_precision
from labelsift.metrics.rankings import (
    coverage,
    coverages,
    one_error,
    one_errors,
    ranking_loss,
    ranking_losses,
)
from labelsift.metrics.reading import Judged, read_scored
from labelsift.metrics.values import mae, r2, rmse, spearman


@dataclass(frozen=True)
class Measure:
    """A line of the catalogue.

    Parameters
    ----------
    name : str
        Name in results and on the command line.
    title : str
        Name on pages and in tables.
    function : callable
        ``function(Y_true, Y_pred)`` or ``function(Y_true, scores)`` -> float.
    greater_is_better : bool
        Its direction.
    needs : {"labels", "scores", "values"}
        What the second argument is: predicted labels, scores of labels, or predicted
        values, where Y_true holds values too.
    of_each : callable or None
        ``of_each(judged)`` computes it for each layer of a stack at once; None: one by
        one.
    digits : int
        Decimals in a table.
    bounded : bool
        Whether it is at most 1 in size, so that a difference of 0.01 means the same
        for any data.
    """

    name: str
    title: str
    function: Callable[..., float]
    greater_is_better: bool
    needs: Literal["labels", "scores", "values"]
    of_each: Callable[[Judged], Any] | None = None
    digits: int = 3
    bounded: bool = True

    def judge(self, Y_true: Any, given: Any, sample_weight: Any = None) -> float:
        """Call the function, with weights only where there are some.

        Parameters
        ----------
        Y_true : array-like
            True labels.
        given : array-like
            Predicted labels or scores, as ``needs`` says.
        sample_weight : array-like of shape (n_samples,) or None, default=None
            How much each sample counts.

        Returns
        -------
        float
            The value.
        """
        if sample_weight is None:
            return self.function(Y_true, given)
        return self.function(Y_true, given, sample_weight=sample_weight)

    @property
    def symbol(self) -> str:
        """An arrow towards better values."""
        return "↑" if self.greater_is_better else "↓"

    @property
    def judges(self) -> str:
        """What it judges: "labels" or "values"."""
        return "values" if self.needs == "values" else "labels"


MEASURES: dict[str, Measure] = {
    measure.name: measure
    for measure in (
        Measure(
            "zero_one_loss", "0/1 loss", zero_one_loss, False, "labels", zero_one_losses
        ),
        Measure(
            "hamming_loss",
            "Hamming loss",
            hamming_loss,
            False,
            "labels",
            hamming_losses,
        ),
        Measure("accuracy", "accuracy", accuracy, True, "labels", accuracies),
        Measure("one_error", "one-error", one_error, False, "scores", one_errors),
        Measure(
            "coverage", "coverage", coverage, False, "scores", coverages, bounded=False
        ),
        Measure(
            "ranking_loss",
            "ranking loss",
            ranking_loss,
            False,
            "scores",
            ranking_losses,
        ),
        Measure("macro_auc", "macro AUC", macro_auc, True, "scores", macro_aucs),
        Measure("micro_f1", "micro F1", micro_f1, True, "labels", micro_f1s),
        Measure("macro_f1", "macro F1", macro_f1, True, "labels", macro_f1s),
        Measure("worst_auc", "worst AUC", worst_auc, True, "scores", worst_aucs),
        Measure(
            "lowest_tenth_auc",
            "lowest-tenth AUC",
            lowest_tenth_auc,
            True,
            "scores",
            lowest_tenth_aucs,
        ),
        Measure(
            "macro_average_precision",
            "macro average precision",
            macro_average_precision,
            True,
            "scores",
        ),
        Measure(
            "micro_average_precision",
            "micro average precision",
            micro_average_precision,
            True,
            "scores",
        ),
        Measure("example_f1", "example F1", example_f1, True, "labels", example_f1s),
        Measure(
            "subset_accuracy",
            "subset accuracy",
            subset_accuracy,
            True,
            "labels",
            subset_accuracies,
        ),
    )
}

VALUE_MEASURES: dict[str, Measure] = {
    measure.name: measure
    for measure in (
        Measure("r2", "R²", r2, True, "values"),
        Measure("rmse", "RMSE", rmse, False, "values", bounded=False),
        Measure("mae", "mean absolute error", mae, False, "values", bounded=False),
        Measure("spearman", "rank correlation", spearman, True, "values"),
    )
}

# Both, and what is added to either; a ChainMap lists its last part first.
EVERY_MEASURE = ChainMap(VALUE_MEASURES, MEASURES)
# The measures that come with labelsift; comparisons may know more.
BUILT_IN, BUILT_IN_VALUES = tuple(MEASURES), tuple(VALUE_MEASURES)


def evaluate(
    Y_true: Any, scores: Any, Y_pred: Any = None, *, sample_weight: Any = None
) -> dict[str, float]:
    """Judge scores and the labels predicted from them by all measures.

    Parameters
    ----------
    Y_true : array-like, sparse or DataFrame of shape (n_samples, n_labels)
        True labels as 0/1, bool or -1/+1; NaN is unknown and takes no part.
    scores : array-like of shape (n_samples, n_labels)
        Larger means more likely, as from ``decision_function``.
    Y_pred : array-like, sparse or DataFrame of shape (n_samples, n_labels), optional
        Predicted labels; None: those with a score above 0.
    sample_weight : array-like of shape (n_samples,) or None, default=None
        How much each sample counts.

    Returns
    -------
    dict of str to float
        One value for each name in ``MEASURES``, in its order.

    See Also
    --------
    scorer : One of these measures for GridSearchCV and cross_validate.

    Examples
    --------
    >>> from labelsift.metrics import evaluate
    >>> truth = [[1, 0], [0, 1], [1, 0], [0, 1]]
    >>> values = evaluate(truth, [[0.5, -0.2], [0.1, 0.9], [0.7, 0.1], [-0.3, 0.2]])
    >>> values["hamming_loss"], values["ranking_loss"], values["worst_auc"]
    (0.25, 0.0, 1.0)
    """
    judged, scores = read_scored(Y_true, scores), np.asarray(scores)
    truth = judged.truth if judged.known is None else Y_true  # read once, if plain
    given = {
        "scores": scores,
        "labels": scores > 0 if Y_pred is None else read_label_matrix(Y_pred, "Y_pred"),
    }
    return {
        name: measure.judge(truth, given[measure.needs], sample_weight)
        for name, measure in MEASURES.items()
        if name in BUILT_IN
    }
