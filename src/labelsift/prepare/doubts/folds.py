# SPDX-License-Identifier: BSD-3-Clause
"""What only the folds can tell of labels: at chance, left behind, served worst."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labelsift.prepare.doubts.doubt import Doubt, listed, plain

_ALL = "all-features"
# A label is left behind so little above chance where all features give it so much more.
BEHIND_ABOVE, BEHIND_GAP = 0.1, 0.1
ALPHA = 0.05


class WorstLabel(NamedTuple):
    """The label with the lowest AUC, with the recommended and with all features.

    ``with_all`` is NaN where all features were not measured. Of values it is the target
    with the lowest R².
    """

    name: str
    auc: float
    with_all: float
    one: str = "label"
    quality: str = "AUC"

    @property
    def sentence(self) -> str:
        """For the line behind the answer."""
        known = np.isfinite(self.with_all)
        whole = f" ({self.with_all:.3f} with all features)" if known else ""
        name = plain(self.name)
        subject = f"The {self.one} that is served worst is {name}"
        return f"{subject}: {self.quality} {self.auc:.3f}{whole}."


def worst_label(
    artifacts: Any,
    label_names: Sequence[str],
    answer: Any,
    one: str = "label",
    quality: str = "AUC",
) -> WorstLabel | None:
    """The label that the recommended features serve worst; None where none is known.

    The first parameters are those of ``fold_doubts``; the others are words.
    """
    aucs = {} if answer is None else _by_method(artifacts, answer.budget)
    if answer is None or answer.method not in aucs:
        return None
    part = _means(aucs[answer.method])
    if np.isnan(part).all():
        return None
    worst = int(np.nanargmin(part))
    whole = _means(aucs[_ALL])[worst] if _ALL in aucs else np.nan
    name = label_names[worst]
    return WorstLabel(name, float(part[worst]), float(whole), one, quality)


def fold_doubts(
    artifacts: Any,
    label_names: Sequence[str],
    answer: Any,
    p_value: Callable[[NDArray[np.float64]], float],
    one: str = "label",
    chance: float = 0.5,
) -> tuple[Doubt, ...]:
    """What the AUC of each label in each split makes doubtful.

    Parameters
    ----------
    artifacts : DataFrame
        With method, split, budget, name and value; those called "label_auc" count. The
        method "all-features" uses all of them, "random" is a control.
    label_names : sequence of str
        Names of the labels.
    answer : Recommendation
        All methods are looked at with as many features as its ``budget``.
    p_value : callable
        Of differences over the splits being above 0, one-sided.
    one : str, default="label"
        What a column of Y is called.
    chance : float, default=0.5
        The value of "label_auc" where nothing is known.

    Returns
    -------
    tuple of Doubt
        At most one of each kind.
    """
    aucs = _by_method(artifacts, answer.budget)
    return (
        *_at_chance(aucs, label_names, p_value, one, chance),
        *_left_behind(aucs, label_names, answer, chance),
    )


def _by_method(artifacts: Any, budget: float) -> dict[str, NDArray[np.float64]]:
    """AUC by split and label of every method at a budget, or where it ended."""
    rows = artifacts[artifacts["name"] == "label_auc"]
    rows = rows[(rows["budget"] <= budget) | (rows["method"] == _ALL)]
    rows = rows[rows["method"] != "random"].sort_values(["split", "budget"])
    rows = rows.drop_duplicates(["method", "split"], keep="last")
    return {
        str(method): np.array(part["value"].tolist(), dtype=np.float64)
        for method, part in rows.groupby("method", sort=False)
    }


def _at_chance(
    aucs: dict[str, NDArray[np.float64]],
    names: Sequence[str],
    p_value: Callable[[NDArray[np.float64]], float],
    one: str,
    chance: float,
) -> Iterator[Doubt]:
    """Labels that no method is shown to predict better than chance, or their mean."""
    smallest = np.full(len(names), np.nan)
    for values in aucs.values():
        for label in range(len(names)):
            known = values[np.isfinite(values[:, label]), label]
            if len(known) > 1:
                smallest[label] = np.fmin(smallest[label], p_value(known - chance))
    unproved = np.flatnonzero(smallest * len(aucs) > ALPHA)
    if not len(unproved):
        return
    labels = [names[int(i)] for i in unproved]
    count = f"1 {one}" if len(labels) == 1 else f"{len(labels):,} {one}s"
    guess = "chance" if chance else "the mean"
    yield Doubt(
        "chance-label",
        (),
        tuple(labels),
        float(min(1.0, smallest[unproved].max() * len(aucs))),
        f"No method is shown to predict {count} better than {guess} "
        f"({listed(labels)}): more rows or other columns would be needed.",
    )


def _left_behind(
    aucs: dict[str, NDArray[np.float64]],
    names: Sequence[str],
    answer: Any,
    chance: float,
) -> Iterator[Doubt]:
    """Labels near chance with the chosen features and not with all of them."""
    if answer.method not in aucs or _ALL not in aucs:
        return
    part, whole = (_means(aucs[name]) for name in (answer.method, _ALL))
    behind = (part < chance + BEHIND_ABOVE) & (whole - part >= BEHIND_GAP)
    order = [int(i) for i in np.argsort(part - whole) if behind[i]]
    if not order:
        return
    first = order[0]
    labels = [names[i] for i in order]
    others = f"; so {_are(len(labels) - 1)} {listed(labels[1:])}" if labels[1:] else ""
    yield Doubt(
        "uneven-labels",
        (),
        tuple(labels),
        float(part[first]),
        f"At {_size(answer)} {plain(labels[0])} is at {part[first]:.2f} "
        f"({whole[first]:.2f} with all){others}: try greedy-fair, or more features.",
        "--methods greedy-fair",
    )


def _size(answer: Any) -> str:
    """The recommended budget in words."""
    if getattr(answer, "purchases", ()):
        return f"a cost of {answer.budget:g}"
    return f"{answer.budget:,} features"


def _means(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Means over the splits that know a label; NaN where none does."""
    known = np.isfinite(values)
    totals = np.where(known, values, 0).sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(totals / known.sum(axis=0))


def _are(count: int) -> str:
    return "is" if count == 1 else "are"
