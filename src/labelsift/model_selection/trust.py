# SPDX-License-Identifier: BSD-3-Clause
"""How far chosen features can be trusted, and what each is for: numbers and words."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.feature_selection import SelectorMixin

from labelsift.core.data import MultiLabelData
from labelsift.core.text import short
from labelsift.model_selection import (
    Explanation,
    KnockoffSelector,
    StabilitySelection,
    explain,
)
from labelsift.prepare.groups import Groups

# A feature is chosen again where this share of the halves chooses it.
THRESHOLD = 0.75
N_PAIRS = 50
# Names that a cell lists.
_NAMED = 3
NEIGHBOURS = (
    "A near-copy of a feature that matters does not count as luck: see what could "
    "replace it."
)


@dataclass(frozen=True)
class Fitted:
    """What a method is fitted on.

    Parameters
    ----------
    estimator : selector
        Unfitted, with its parameters.
    X : ndarray or csr_array
        Prepared and scaled.
    data : MultiLabelData
        Where the features and labels have their names.
    groups : Groups or None
        Which columns of X were made of the same feature; None: each is one.
    """

    estimator: Any
    X: Any
    data: MultiLabelData
    groups: Groups | None = None

    @property
    def names(self) -> Sequence[str]:
        """Of the columns of X: those of the features that they were made of."""
        names = self.data.feature_names
        if self.groups is None:
            return names
        return [names[owner] for owner in self.groups.owner]

    def columns(self, features: Sequence[int]) -> NDArray[np.intp]:
        """The columns of X that were made of some features."""
        if self.groups is None:
            return np.asarray(features, dtype=np.intp)
        return self.groups.outputs(features)

    def feature(self, column: int) -> int:
        """What a column of X was made of."""
        return column if self.groups is None else int(self.groups.owner[column])

    def features(self, columns: NDArray[np.intp]) -> list[int]:
        """The features of some columns of X, each once, in their order."""
        return list(dict.fromkeys(self.feature(int(column)) for column in columns))

    @property
    def blocks(self) -> Any:
        """Columns that are chosen together; None where each stands alone."""
        if self.groups is None or len(self.groups) == self.X.shape[1]:
            return None
        return self.groups.members


@dataclass(frozen=True)
class Bound:
    """How many of some features are chosen again, and how many of these by luck.

    Parameters
    ----------
    n_stable, n_features : int
        Chosen again, of so many.
    expected : float
        Bound on the expected number of those that are no better than a blind choice.
    threshold : float
        Share of the halves that makes a feature chosen again.
    """

    n_stable: int
    n_features: int
    expected: float
    threshold: float = THRESHOLD

    @property
    def sentence(self) -> str:
        """For somebody who does not read formulas."""
        halves = f"{100 * self.threshold:.0f} % of random halves of the rows"
        if not self.n_stable:
            return (
                f"None of the {self.n_features} features is chosen again on {halves}: "
                "there are too few rows, or near-copies share the vote."
            )
        subject = f"{self.n_stable} of the {self.n_features} features are"
        if self.n_stable == self.n_features:
            subject = f"All {self.n_features} features are"
        if self.n_features == 1:
            subject = "The feature is"
        return f"{subject} chosen again on at least {halves}. {self._luck}"

    @property
    def _luck(self) -> str:
        if self.expected >= self.n_stable:
            return (
                "With so many features chosen of so few, it cannot be said how many "
                "are there by luck: labelsift select --pfer 1 chooses so that it can."
            )
        count = f"{self.expected:.1f}".removesuffix(".0")
        few = (
            f"fewer than one ({count})"
            if self.expected < 0.95
            else f"at most about {count}"
        )
        return f"Of these, {few} should be expected to be there by luck. {NEIGHBOURS}"


@dataclass(frozen=True)
class Trust:
    """What is known about chosen features beyond that they were chosen.

    Parameters
    ----------
    again : mapping of int to float
        By feature: the share of random halves that chooses it; empty where the method
        cannot be halved.
    meaning : str
        What follows from these shares, or why there are none.
    bound : Bound or None
        The same in numbers.
    explanation : Explanation
        Of the features: one of several columns of X is taken away as a whole.
    owners : list of int
        The feature of each row of the explanation.
    """

    again: dict[int, float]
    meaning: str
    bound: Bound | None
    explanation: Explanation
    owners: list[int]

    @property
    def rows(self) -> list[dict[str, Any]]:
        """By chosen column: what costs its removal, substitutes, labels served."""
        return [self._row(place) for place in range(len(self.owners))]

    def _row(self, place: int) -> dict[str, Any]:
        why = self.explanation
        names, column = why.feature_names, int(why.features[place])
        substitute, loss = "", np.nan
        if why.substitutes.shape[1] and why.substitutes[place, 0] >= 0:
            substitute = names[why.substitutes[place, 0]]
            loss = float(why.substitution_loss[place, 0])
        return {
            "name": names[column],
            "again": self.again.get(self.owners[place], np.nan),
            "removal_loss": float(why.removal_loss[place]),
            "substitute": substitute,
            "substitution_loss": loss,
            "stands_for": [names[i] for i in why.groups[place]],
            "serves": [why.label_names[i] for i in why.labels_served(place)],
        }


def examine(
    fitted: Fitted, features: Sequence[int], *, n_pairs: int = N_PAIRS, seed: int = 0
) -> Trust:
    """Halve the rows many times, and take each chosen feature away once.

    Parameters
    ----------
    fitted : Fitted
        The method and its data.
    features : sequence of int
        What it chose on all rows, best first.
    n_pairs : int, default=50
        How often the rows are halved.
    seed : int, default=0
        Of the halves.

    Returns
    -------
    Trust
        The shares, the bound, and what each feature is for.
    """
    columns = fitted.columns(features)
    chosen = _Columns().fit(fitted.X, columns)
    why = explain(
        chosen,
        fitted.X,
        fitted.data.Y,
        feature_names=fitted.names,
        blocks=fitted.blocks,
        label_names=fitted.data.label_names,
        target=fitted.data.target,
    )
    owners = [fitted.feature(int(column)) for column in why.features]
    try:
        again, bound = _halved(fitted, features, n_pairs, seed)
    except (ValueError, TypeError) as error:
        meaning = f"The method cannot be fitted on halves of the rows: {error}"
        return Trust({}, meaning, None, why, owners)
    return Trust(again, bound.sentence, bound, why, owners)


class _Columns(SelectorMixin, BaseEstimator):
    """Columns that were chosen elsewhere, as a fitted selector."""

    def fit(self, X: Any, y: NDArray[np.intp]) -> "_Columns":
        """Take the columns for given."""
        self.n_features_in_, self.feature_order_ = X.shape[1], y
        return self

    def _get_support_mask(self) -> NDArray[np.bool_]:
        return np.isin(np.arange(self.n_features_in_), self.feature_order_)


def _halved(
    fitted: Fitted, features: Sequence[int], n_pairs: int, seed: int
) -> tuple[dict[int, float], Bound]:
    """How often halves choose the features, and what that means."""
    count = len(features)
    stable = StabilitySelection(
        clone(fitted.estimator),
        pfer=None,
        threshold=THRESHOLD,
        n_features_per_fit=count,
        n_pairs=n_pairs,
        feature_groups=fitted.blocks,
        random_state=seed,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the fit on all rows has told
        stable.fit(fitted.X, fitted.data.Y)
    first = {feature: int(fitted.columns([feature])[0]) for feature in features}
    again = {f: float(stable.selection_probability_[c]) for f, c in first.items()}
    n_stable = sum(share >= stable.threshold_ for share in again.values())
    return again, Bound(n_stable, count, stable.pfer_bound_, stable.threshold_)


def stable_features(
    fitted: Fitted, pfer: float, *, n_pairs: int = N_PAIRS, seed: int = 0
) -> tuple[list[int], list[float], str]:
    """Features that are chosen again, with a bound on those chosen by luck.

    Parameters
    ----------
    fitted : Fitted
        The method and its data.
    pfer : float
        The bound.
    n_pairs : int, default=50
        How often the rows are halved.
    seed : int, default=0
        Of the halves.

    Returns
    -------
    features : list of int
        The most often chosen first.
    shares : list of float
        Of the halves that choose each.
    sentence : str
        What that means.
    """
    stable = StabilitySelection(
        clone(fitted.estimator),
        pfer=pfer,
        threshold=THRESHOLD,
        n_pairs=n_pairs,
        feature_groups=fitted.blocks,
        random_state=seed,
    )
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "No feature is chosen on")  # said in words
        stable.fit(fitted.X, fitted.data.Y)
    columns = stable.feature_order_[: stable.n_features_]
    features = fitted.features(columns)
    first = [int(fitted.columns([feature])[0]) for feature in features]
    shares = [float(stable.selection_probability_[column]) for column in first]
    per_fit = f"On each of {2 * n_pairs} random halves of the rows, "
    per_fit += f"{stable.n_features_per_fit_} features are chosen."
    bound = Bound(len(features), len(features), stable.pfer_bound_, stable.threshold_)
    if not features:
        return [], [], f"{per_fit} None is chosen on most of the halves."
    return features, shares, f"{per_fit} {bound.sentence}"


def named_features(
    fitted: Fitted, fdr: float, *, seed: int = 0
) -> tuple[list[int], list[float], str]:
    """Features that beat copies of themselves, with a share of errors of about fdr.

    Parameters
    ----------
    fitted : Fitted
        The data; the statistic is a group lasso over all labels, whatever the method.
    fdr : float
        The expected share of errors.
    seed : int, default=0
        Of the copies.

    Returns
    -------
    features : list of int
        The strongest first.
    shares : list of float
        Of the draws of copies in which each is found.
    sentence : str
        What that means.
    """
    named = KnockoffSelector(fdr=fdr, random_state=seed)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Nothing can be named")  # said in words
        named.fit(fitted.X, fitted.data.Y)
    columns = named.feature_order_[: named.n_features_]
    features = fitted.features(columns)
    if not features:
        sentence = (
            f"Nothing can be named: a share of errors of {fdr:g} needs at least "
            f"{named.n_needed_} features found at once. Another share, tried after "
            "this answer, would not be covered."
        )
        return [], [], sentence
    draws = (named.statistic_ >= named.threshold_[:, np.newaxis]).mean(axis=0)
    owners = np.array([fitted.feature(int(column)) for column in columns])
    shares = [float(draws[columns[owners == f]].max()) for f in features]
    sentence = (
        f"Of the {len(features)} features named, about {_share(fdr)} at most should "
        "be expected to add nothing given the others, if the labels depend on the "
        "features roughly linearly."
    )
    return features, shares, sentence


def _share(fdr: float) -> str:
    """One in so many, where that is nearly true."""
    every = round(1 / fdr)
    return f"1 in {every}" if abs(every * fdr - 1) < 0.05 else f"{fdr:.0%}"


def listed(names: Sequence[str], most: int = _NAMED) -> str:
    """A few names for a cell, each cut where it is long."""
    shown = [short(name, 40) for name in names[:most]]
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(shown) + more
