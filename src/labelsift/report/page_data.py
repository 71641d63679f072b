# SPDX-License-Identifier: BSD-3-Clause
"""What the page of a comparison shows, as plain data: the report's only input."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from labelsift.results.recommendation import Recommendation

ALL_FEATURES = "all-features"
RANDOM_RANKING = "random-ranking"

_TITLES = {ALL_FEATURES: "all features", RANDOM_RANKING: "random ranking"}


def method_title(method: str) -> str:
    """What a method is called on the page."""
    return _TITLES.get(method, method)


@dataclass(frozen=True)
class PageData:
    """Everything that stands on the page of a comparison.

    Names of features, labels and methods are text of strangers; the page escapes them.

    Parameters
    ----------
    title : str
        Stands above the page.
    recommendation : Recommendation or None
        The answer; None where nothing was measured.
    metric : str
        The measure that the answer is about; its tab is open first.
    measures : mapping of str to {"title": str, "higher_is_better": bool}
        The measures in the order of their tabs.
    data : mapping
        name, n_samples, n_features, n_labels, sparse, label_names, label_counts,
        cooccurrence (counts of the most frequent labels, at most 40 x 40),
        cooccurrence_labels (their indices) and image_shape ([rows, columns] of pixels,
        or None).
    rows : sequence of mappings
        method, budget, measure, split and value; "random-ranking" and "all-features"
        among the methods.
    methods : sequence of str
        The methods in the order in which they are shown.
    selections : mapping of str to mapping
        Per method: order (feature indices, best first, of a fit on all rows), names
        (theirs), gain (a value or None per step), weights (per feature one value per
        label, or None), weights_labels (label indices), folds (feature indices per
        split) and, where features have one, costs (theirs).
    label_values : mapping of str to mapping
        Per method, "all-features" among them: budget -> mean AUC per label, or None
        where a label has none.
    costs : mapping of str to mapping
        Per method: seconds (all budgets of one split, on average), memory_mib (the most
        of a split, or None) and fits (how many splits).
    made : mapping
        command, date, versions, checksum, seed, cv, readout, warnings, left_out
        (method, why), failed (method, error) and finished ("120 of 130 tasks").
    """

    title: str
    recommendation: Recommendation | None
    metric: str
    measures: Mapping[str, Mapping[str, Any]]
    data: Mapping[str, Any]
    rows: Sequence[Mapping[str, Any]]
    methods: Sequence[str]
    selections: Mapping[str, Mapping[str, Any]]
    label_values: Mapping[str, Mapping[int, Sequence[float | None]]]
    costs: Mapping[str, Mapping[str, Any]]
    made: Mapping[str, Any]
