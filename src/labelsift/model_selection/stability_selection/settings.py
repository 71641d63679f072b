# SPDX-License-Identifier: BSD-3-Clause
"""Bound, threshold and number of features per fit: two of them decide the third."""

from dataclasses import dataclass
from math import ceil
from typing import Any

from labelsift.model_selection.stability_selection.bounds import (
    ASSUMPTIONS,
    least_count,
    most_features,
    selection_bound,
)


@dataclass(frozen=True)
class Settings:
    """What decides a bound, complete."""

    q: int
    d: int
    count: int
    n_pairs: int
    assumption: str

    @classmethod
    def complete(
        cls,
        pfer: Any,
        threshold: Any,
        q: Any,
        *,
        d: int,
        n_pairs: int,
        assumption: str,
    ) -> "Settings":
        """Compute the one of bound, threshold and features per fit that is None."""
        if sum(value is None for value in (pfer, threshold, q)) != 1:
            raise ValueError(
                f"pfer={pfer}, threshold={threshold} and n_features_per_fit={q}: give "
                "two of them, and None for the one that is to be computed."
            )
        if (q or 1) > d:
            raise ValueError(
                f"n_features_per_fit={q or 1} is more than the {d} features (or "
                "groups) that are not constant: choose fewer."
            )
        if threshold is None:
            count = _settled_count(pfer, q, d, n_pairs, assumption)
        else:  # 0.75 of 100 halves are 75, whatever the last digit of the product
            count = ceil(round(2 * n_pairs * threshold, 9))
        if q is None:
            q = _settled_q(pfer, d, count, n_pairs, assumption)
        return cls(q, d, count, n_pairs, assumption)

    @property
    def threshold(self) -> float:
        """Share of the halves."""
        return self.count / (2 * self.n_pairs)

    def bound(self) -> float:
        """Bound by the assumption."""
        return self.bounds()[self.assumption]

    def bounds(self) -> dict[str, float]:
        """Bound by each assumption."""
        given = self.q, self.d, self.count, self.n_pairs
        return {name: selection_bound(*given, name) for name in ASSUMPTIONS}


def _settled_count(pfer: float, q: int, d: int, n_pairs: int, assumption: str) -> int:
    """How many halves must choose a feature that is selected."""
    count = least_count(pfer, q, d, n_pairs, assumption)
    if count is None:
        least = selection_bound(q, d, 2 * n_pairs, n_pairs, assumption)
        raise ValueError(
            f"pfer={pfer} cannot be had with n_features_per_fit={q} of {d} features: "
            f"raise pfer to {least:.3g} at least, or choose fewer features per fit."
        )
    return count


def _settled_q(pfer: float, d: int, count: int, n_pairs: int, assumption: str) -> int:
    """How many features may be chosen per fit."""
    q = most_features(pfer, d, count, n_pairs, assumption)
    if not q:
        least = selection_bound(1, d, count, n_pairs, assumption)
        raise ValueError(
            f"pfer={pfer} cannot be had with {d} features, even with one feature per "
            f"fit: raise pfer to {least:.3g} at least, or raise threshold."
        )
    return q
