# SPDX-License-Identifier: BSD-3-Clause
"""Targets as greedy selection sees them: labels coded -1/+1, centred and weighted."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.core.labels import constant_labels
from labelsift.selection.greedy_rls.options import read_vector

# Which power of its standard deviation divides a centred target.
_POWERS = {"sqrt": 0.5, "balanced": 1.0}


@dataclass(frozen=True)
class LabelScaling:
    """Selection sees (target - centre) * scale of the targets that are live.

    A target is live that has more than one value.
    """

    n: float  # rows, or the sum of their weights
    mean: NDArray[Any]  # of every target: its value where it is not live
    live: NDArray[Any]
    variance: NDArray[Any]  # of live targets
    centre: NDArray[Any]
    scale: NDArray[Any]

    @classmethod
    def read(
        cls,
        options: Any,
        n: float,
        mean: NDArray[Any],
        variance: NDArray[Any],
        live: NDArray[Any],
    ) -> "LabelScaling":
        """Weights of the targets for a GreedyRLS; the fair objective has its own."""
        label_weight, inner, variance = options.label_weight, mean[live], variance[live]
        if options.objective == "fair":
            label_weight = "balanced"
        elif isinstance(label_weight, str) and label_weight == "auto":
            label_weight = "sqrt" if options.target_ == "labels" else "balanced"
        if label_weight is None or isinstance(label_weight, str):
            power = _POWERS.get(label_weight or "none", 0.0)
            centre = inner if power else np.zeros_like(inner)
            return cls(n, mean, live, variance, centre, variance ** (-power / 2))
        weights = read_vector(label_weight, "label_weight", len(live))
        if (weights < 0).any() or not weights[live].any():
            raise ValueError(
                "label_weight must be at least 0 for every label and positive for one "
                f"that has both values, got {label_weight!r}."
            )
        return cls(n, mean, live, variance, np.zeros_like(inner), weights[live])

    @classmethod
    def of_rows(
        cls, options: Any, Y: NDArray[Any], weights: NDArray[Any] | None
    ) -> tuple["LabelScaling", NDArray[np.float64]]:
        """The same from the rows of Y, and the codes of the live targets.

        NaN is unknown and does not count.
        """
        if Y.dtype == np.int8 and weights is None:
            mean = 2 * Y.mean(axis=0) - 1
            live = np.abs(mean) < 1
            codes = 2.0 * Y.compress(live, axis=1)
            codes -= 1
            return cls.read(options, len(Y), mean, 1 - mean**2, live), codes
        codes, live = options._codes(Y), ~constant_labels(Y)
        n = len(Y) if weights is None else weights.sum()
        share = ~np.isnan(codes) * (1.0 if weights is None else weights[:, np.newaxis])
        share /= np.maximum(share.sum(axis=0), np.finfo(np.float64).tiny)
        mean = np.nansum(share * codes, axis=0)
        variance = np.nansum(share * (codes - mean) ** 2, axis=0)
        labels = cls.read(options, n, mean, variance, live)
        return labels, codes.compress(live, axis=1)

    @property
    def squares(self) -> NDArray[Any]:
        """Sum of squares of each live target, centred."""
        offset = self.mean[self.live] - self.centre
        return np.asarray(self.n * (self.variance + offset**2))

    def seen(self, codes: NDArray[Any]) -> NDArray[Any]:
        """What selection sees of live targets, which stay as they are."""
        if not self.centre.any() and (self.scale == 1).all():
            return codes
        return (codes - self.centre) * self.scale

    def part(self, columns: NDArray[Any], n: float) -> "LabelScaling":
        """Some of the live targets, known in rows of this total weight."""
        live = np.flatnonzero(self.live)[columns]
        return replace(
            self,
            n=n,
            mean=self.mean[live],
            live=np.ones(len(live), dtype=bool),
            variance=self.variance[columns],
            centre=self.centre[columns],
            scale=self.scale[columns],
        )

    def spread_out(self, values: NDArray[Any], others: Any) -> NDArray[Any]:
        """Values of live targets along the last axis among those of the others."""
        full = np.empty((*values.shape[:-1], len(self.live)))
        full[...] = others
        full[..., self.live] = values
        return full
