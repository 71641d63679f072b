# SPDX-License-Identifier: BSD-3-Clause
"""What each chosen feature is for: labels it serves, and what could replace it."""

from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.preprocessing import StandardScaler
from sklearn.utils import check_consistent_length, check_scalar
from sklearn.utils.validation import check_is_fitted

from labelsift.core.labels import (
    Labels,
    constant_labels,
    signed_labels,
    standardised,
)
from labelsift.core.targets import read_targets
from labelsift.core.validation import constant_columns, validate_features
from labelsift.model_selection.explanation import Explanation
from labelsift.selection.greedy_rls.options import read_penalty
from labelsift.selection.greedy_rls.selector import GreedyRLS
from labelsift.solvers.ridge.exchange import Candidates, RidgeModel

# Candidates by the objective whose leave-one-out errors are computed, per feature.
_SHORTLIST = 50
# Substitutes that give back this share of what a feature is worth are its group.
_AS_GOOD = 0.9


def explain(
    selector: Any,
    X: Any,
    Y: Any,
    *,
    alpha: float | None = None,
    n_substitutes: int = 3,
    feature_names: Sequence[str] | None = None,
    label_names: Sequence[str] | None = None,
    target: str = "auto",
    blocks: Sequence[NDArray[np.intp]] | None = None,
) -> Explanation:
    """Say for each chosen feature which labels it serves and what could replace it.

    One ridge regression of the labels on the chosen features is fitted; its exact
    leave-one-out errors without a feature, without two, or with another feature in the
    place of one, follow in closed form (``solvers/ridge/exchange.py``). Columns are
    used as they are. All features of X are ranked as substitutes by the objective, and
    the errors of the first 50 are computed.

    Contributions are what a *removal* costs: two copies of each other both contribute
    about 0 (see ``partner`` and ``joint_loss``). Those of chosen features that say
    nothing are a little too large: they were chosen for it. Do not exchange features
    for their substitutes as long as that lowers the error: only the error of the rows
    at hand falls, that of new rows rises or stays as it is.

    Parameters
    ----------
    selector : selector
        Any fitted selector, of labelsift or of scikit-learn.
    X : array-like, sparse or DataFrame of shape (n_samples, n_features)
        The samples; sparse X is never made dense, except for the chosen columns and
        50 others at a time.
    Y : array-like, sparse or DataFrame of shape (n_samples, n_labels) or (n_samples,)
        Labels as 0/1, bool or -1/+1, the classes of a 1-D y, or values, which count in
        units of their standard deviations.
    alpha : float or None, default=None
        Penalty, on the scale of scikit-learn's Ridge. None: that of a GreedyRLS, and
        its default for any other selector: 0.05 times the median squared norm of the
        centred columns, so that the scale of X does not matter.
    n_substitutes : int, default=3
        How many substitutes to name for each feature.
    feature_names, label_names : sequence of str or None, default=None
        Names of all features and labels; None: those of frames, where the selector or
        Y had any, else numbers.
    target : {"auto", "labels", "values"}, default="auto"
        What Y holds; "auto": values where every column has a fraction, else labels.
    blocks : sequence of array of int or None, default=None
        Columns that are one feature, such as those made of a category: each is removed
        as a whole and told once, at its first column. One of several columns replaces
        no other, and nothing is named in its place. None: every column is a feature.

    Returns
    -------
    Explanation
        Arrays by chosen feature, and ``to_frame()``.

    See Also
    --------
    StabilitySelection : Whether a feature would be chosen again.
    labelsift.plots.label_contributions : Features and labels as a heat map.

    Examples
    --------
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.model_selection import explain
    >>> from labelsift.selection import GreedyRLS
    >>> traits = load_dataset("traits")
    >>> selector = GreedyRLS(10).fit(traits.X, traits.Y)
    >>> names = traits.feature_names
    >>> why = explain(selector, traits.X, traits.Y, feature_names=names)
    >>> names[why.features[1]], round(float(why.removal_loss[1]), 3)
    ('pixel_5_4', 0.135)
    >>> [names[b] for b in why.substitutes[1]]
    ['pixel_5_6', 'pixel_6_4', 'pixel_5_3']
    >>> [traits.label_names[label] for label in why.labels_served(1)[:3]]
    ['power_of_two', 'straight_stroke', 'closed_loop']
    """
    check_is_fitted(selector)
    check_scalar(n_substitutes, "n_substitutes", Integral, min_val=1)
    X = validate_features(selector, X, reset=False)
    labels = read_targets(Y, "explain", target=target)
    check_consistent_length(X, labels.matrix)
    live = ~constant_labels(labels.matrix)
    chosen = _chosen(selector)
    model = _fit(selector, X, chosen, _codes(labels)[:, live], alpha)
    errors = model.squared_errors()
    error = float(errors.mean())
    places = _places(chosen, blocks)
    contribution, se = _contributions(model, errors, places)
    lost = contribution.mean(axis=1)
    partner, joint_error = _partners(model, places)
    columns, swapped = _substitutes(model, X, chosen, places, blocks)
    chosen = chosen[[place[0] for place in places]]
    with np.errstate(divide="ignore", invalid="ignore"):
        recovered = (error + lost[:, np.newaxis] - swapped) / lost[:, np.newaxis]
    recovered[lost <= 0] = np.nan
    shown = slice(0, n_substitutes)
    return Explanation(
        features=chosen,
        error=error,
        label_error=_for_all(errors.mean(axis=0), live),
        contribution=_for_all(contribution, live),
        contribution_se=_for_all(se, live),
        removal_loss=lost / error,
        partner=np.where(partner < 0, -1, chosen[partner]),
        joint_loss=joint_error / error - 1,
        substitutes=columns[:, shown],
        substitution_loss=swapped[:, shown] / error - 1,
        recovered=recovered[:, shown],
        groups=tuple(
            row[share >= _AS_GOOD]
            for row, share in zip(columns, recovered, strict=True)
        ),
        feature_names=_names(feature_names, _feature_names(selector), "feature_names"),
        label_names=_names(label_names, _label_names(selector, labels), "label_names"),
    )


def _codes(labels: Labels) -> NDArray[np.float64]:
    """Labels as -1/+1; values in units of their standard deviations."""
    if labels.values is None:
        return signed_labels(labels.matrix)
    return standardised(labels.matrix)


def _chosen(selector: Any) -> NDArray[np.intp]:
    """The chosen features, in the order of the selector where it has one."""
    support = np.asarray(selector.get_support())
    order = getattr(selector, "feature_order_", np.arange(len(support)))
    chosen = np.asarray(order)[support[order]]
    if not len(chosen):
        raise ValueError(
            f"selector={selector!r} has chosen no feature: there is nothing to explain."
        )
    return chosen


def _fit(
    selector: Any,
    X: Any,
    chosen: NDArray[np.intp],
    codes: NDArray[np.float64],
    alpha: float | None,
) -> RidgeModel:
    """The ridge model of the chosen columns and the constant column."""
    if alpha is not None:
        check_scalar(alpha, "alpha", Real, min_val=0, include_boundaries="neither")
    penalty, constant = _penalty(selector, X, alpha)
    Z = _dense_columns(X, chosen)
    if constant:
        Z = np.column_stack([Z, np.full(len(Z), constant)])
    return RidgeModel.fit(Z, codes, penalty)


def _penalty(selector: Any, X: Any, alpha: float | None) -> tuple[float, float]:
    """The penalty and the value of the constant column, by the rules of GreedyRLS."""
    ours = isinstance(selector, GreedyRLS)
    rule = selector if ours else GreedyRLS()
    if alpha is not None:
        return alpha, rule.bias
    if ours:  # with "auto" the constant column grows with the penalty
        scale = np.sqrt(selector.alpha_) if selector.alpha == "auto" else 1.0
        return selector.alpha_, selector.bias * scale
    variance = StandardScaler(with_mean=not sp.issparse(X)).fit(X).var_
    spread = X.shape[0] * variance[~constant_columns(X)]
    [penalty], constant = read_penalty(rule, spread, X.shape[0])
    return penalty, constant


def _places(
    chosen: NDArray[np.intp], blocks: Sequence[NDArray[np.intp]] | None
) -> list[list[int]]:
    """Which of the chosen columns are each feature, in the order of their first."""
    if blocks is None:
        return [[j] for j in range(len(chosen))]
    owner = {int(column): k for k, block in enumerate(blocks) for column in block}
    places: dict[int, list[int]] = {}
    for j, column in enumerate(chosen.tolist()):
        places.setdefault(owner[column], []).append(j)
    return list(places.values())


def _contributions(
    model: RidgeModel, errors: NDArray[np.float64], places: list[list[int]]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How much the error of each label rises without each feature, and its se."""
    rise, se = np.empty((2, len(places), errors.shape[1]))
    for j, place in enumerate(places):
        change = model.squared_errors_without(place) - errors
        rise[j] = change.mean(axis=0)
        se[j] = change.std(axis=0, ddof=1) / np.sqrt(len(change))
    return rise, se


def _partners(
    model: RidgeModel, places: list[list[int]]
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Which other chosen feature stands in for each, and the error without both.

    Of several columns, that whose column stands in for one of them most.
    """
    k = len(places)
    if k == 1:
        return np.array([-1]), np.array([np.nan])
    rises = model.joint_rises()
    best = np.array(
        [[rises[np.ix_(one, other)].max() for other in places] for one in places]
    )
    np.fill_diagonal(best, -np.inf)
    partner = np.argmax(best, axis=1)
    errors = [
        model.squared_errors_without([*places[j], *places[other]]).mean()
        for j, other in enumerate(partner)
    ]
    return partner, np.array(errors)


def _substitutes(
    model: RidgeModel,
    X: Any,
    chosen: NDArray[np.intp],
    places: list[list[int]],
    blocks: Sequence[NDArray[np.intp]] | None,
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """The most promising substitutes of each feature with their errors, best first.

    -1 and NaN for a feature of several columns, which is no substitute either.
    """
    closed = constant_columns(X)
    closed[chosen] = True
    for block in blocks or ():
        closed[block] |= len(block) > 1
    size = min(_SHORTLIST, int(np.count_nonzero(~closed)))
    columns = np.full((len(places), size), -1, dtype=np.intp)
    errors = np.full((len(places), size), np.nan)
    candidates, cells = Candidates(model, X), model.R.size
    X = X.tocsc() if sp.issparse(X) else X
    for place, (j, *others) in enumerate(places):
        if others:
            continue
        gains = np.where(closed, -np.inf, candidates.gains(j))
        best = np.sort(np.argsort(-gains, kind="stable")[:size])
        found = model.errors_with(j, _dense_columns(X, best)) / cells
        order = np.argsort(found, kind="stable")
        columns[place], errors[place] = best[order], found[order]
    return columns, errors


def _dense_columns(X: Any, columns: NDArray[np.intp]) -> NDArray[np.float64]:
    part = X[:, columns]
    part = part.toarray() if sp.issparse(part) else part
    return np.asarray(part, dtype=np.float64)


def _for_all(
    values: NDArray[np.float64], live: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Values of the labels with both values, 0 for the others."""
    spread = np.zeros((*values.shape[:-1], len(live)))
    spread[..., live] = values
    return spread


def _names(
    given: Sequence[str] | None, known: Sequence[Any], argument: str
) -> tuple[str, ...]:
    """The names that are given, if they are as many as there should be."""
    if given is not None and len(given) != len(known):
        raise ValueError(
            f"{argument} has {len(given)} names for {len(known)} columns: pass one for "
            "each."
        )
    return tuple(map(str, known if given is None else given))


def _feature_names(selector: Any) -> Any:
    """Those of the frame that the selector saw, or numbered."""
    numbered = [f"x{i}" for i in range(selector.n_features_in_)]
    return getattr(selector, "feature_names_in_", numbered)


def _label_names(selector: Any, labels: Labels) -> Any:
    """From a frame, the classes of a 1-D y, the selector's own, or numbered."""
    names = labels.names if labels.names is not None else labels.classes
    if names is not None:
        return names
    numbered = [f"y{i}" for i in range(labels.matrix.shape[1])]
    return getattr(selector, "label_names_in_", numbered)
