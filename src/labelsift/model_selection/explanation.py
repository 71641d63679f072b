# SPDX-License-Identifier: BSD-3-Clause
"""The result of ``explain``: arrays by chosen feature, and a table of them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.core.optional import import_extra

# A feature serves a label where its contribution is above so many standard errors.
_ERRORS = 2.0


@dataclass(frozen=True, eq=False)
class Explanation:
    """What each chosen feature is for; made by ``explain``.

    Errors are mean squared leave-one-out errors of a ridge regression of the -1/+1
    labels on the chosen features. Losses are relative: 0.1 means 10 % more error.

    Parameters
    ----------
    features : ndarray of int of shape (k,)
        The chosen features, in the order of the selector.
    error : float
        Error with all of them, mean over the labels that have both values.
    label_error : ndarray of shape (n_labels,)
        The same for each label.
    contribution : ndarray of shape (k, n_labels)
        How much larger the error of a label is without the feature; 0 for a label with
        one value. Each is for one removal: they do not add up.
    contribution_se : ndarray of shape (k, n_labels)
        Standard errors, for the question whether a contribution is above 0.
    removal_loss : ndarray of shape (k,)
        Loss without the feature.
    partner : ndarray of int of shape (k,)
        The other chosen feature that stands in for it most, -1 where k is 1.
    joint_loss : ndarray of shape (k,)
        Loss without both: two copies of each other have a small removal loss and
        a large joint one.
    substitutes : ndarray of int of shape (k, m)
        Features that were not chosen and replace it best, best first.
    substitution_loss : ndarray of shape (k, m)
        Loss with each of them in its place; below 0 where it is better.
    recovered : ndarray of shape (k, m)
        Share of the removal loss that a substitute gives back: 1 is as good as the
        feature, NaN where nothing is lost without it.
    groups : tuple of ndarray of int
        For each feature, those that were not chosen and give back at least .9.
    feature_names, label_names : tuple of str
        Of all features of X and all labels.
    """

    features: NDArray[np.intp]
    error: float
    label_error: NDArray[np.float64]
    contribution: NDArray[np.float64]
    contribution_se: NDArray[np.float64]
    removal_loss: NDArray[np.float64]
    partner: NDArray[np.intp]
    joint_loss: NDArray[np.float64]
    substitutes: NDArray[np.intp]
    substitution_loss: NDArray[np.float64]
    recovered: NDArray[np.float64]
    groups: tuple[NDArray[np.intp], ...]
    feature_names: tuple[str, ...]
    label_names: tuple[str, ...]

    @property
    def serves(self) -> NDArray[np.bool_]:
        """Which labels each feature serves: contributions above two standard errors."""
        return np.asarray(self.contribution > _ERRORS * self.contribution_se)

    def labels_served(self, place: int) -> list[int]:
        """Labels that a feature serves, those with the largest share of error first.

        Parameters
        ----------
        place : int
            Position in ``features``.

        Returns
        -------
        list of int
            Label indices.
        """
        served = np.flatnonzero(self.serves[place])
        share = self.contribution[place, served] / self.label_error[served]
        return [int(label) for label in served[np.argsort(-share, kind="stable")]]

    def to_frame(self) -> Any:
        """Make a table with one row per chosen feature, best first.

        Returns
        -------
        pandas.DataFrame
            Indexed by name: removal_loss, partner, joint_loss, substitute,
            substitution_loss and recovered of the best substitute, stands_for (the
            group) and serves as names separated by commas, and a column
            ``contribution: LABEL`` for each label.
        """
        pandas = import_extra("pandas", "Explanation.to_frame")
        names = np.array(self.feature_names, dtype=object)
        best = slice(0, 1)
        columns: dict[str, Any] = {
            "removal_loss": self.removal_loss,
            "partner": [names[i] if i >= 0 else "" for i in self.partner],
            "joint_loss": self.joint_loss,
            "substitute": [", ".join(names[row[best]]) for row in self.substitutes],
            "substitution_loss": _first(self.substitution_loss),
            "recovered": _first(self.recovered),
            "stands_for": [", ".join(names[group]) for group in self.groups],
            "serves": [
                ", ".join(self.label_names[label] for label in self.labels_served(j))
                for j in range(len(self.features))
            ],
        }
        index = pandas.Index(names[self.features], name="feature")
        heads = [f"contribution: {name}" for name in self.label_names]
        contributions = pandas.DataFrame(self.contribution, index, heads)
        return pandas.concat([pandas.DataFrame(columns, index), contributions], axis=1)


def _first(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The first of each row; NaN where there is none."""
    return values[:, 0] if values.shape[1] else np.full(len(values), np.nan)
