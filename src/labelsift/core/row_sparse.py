# SPDX-License-Identifier: BSD-3-Clause
"""What selectors share whose weights are exactly zero for most features."""

import warnings
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from labelsift.core.result import Ranking, SolverResult
from labelsift.core.selector import BaseSelector
from labelsift.core.validation import constant_columns


def latent_dimension(n_latent: int | None, default: int, n_labels: int) -> int:
    """How many latent labels are meant; more than there are labels is an error."""
    n_latent = default if n_latent is None else n_latent
    if n_latent > n_labels:
        raise ValueError(
            f"n_latent={n_latent} is more than the {n_labels} labels that can be "
            "learned: lower n_latent, or pass None."
        )
    return n_latent


class RowSparseSelector(BaseSelector):
    """A selector by the norms of the rows of W, most of which are exactly zero.

    Features without weight follow the others in the order of the norm of their products
    with the residual. They score below 0, so that the sign tells who has weight.

    Attributes
    ----------
    coef_ : ndarray of shape (n_targets, n_features_in_)
        The weights W, transposed.
    n_weighted_ : int
        Features with weight, constant columns left out.
    """

    # What gives weight to more features; ends the warning's sentence.
    more_weights: ClassVar[str] = "lower gamma"

    def _rank_rows(
        self,
        X: Any,
        W: NDArray[Any],
        residual: NDArray[Any],
        result: SolverResult,
        learned: NDArray[np.bool_] | None = None,
    ) -> Ranking:
        """Rank features by their rows of W, then by their products with a residual.

        Where W has columns for the labels that could be learned only, ``learned`` says
        which; the coefficients of the others are 0.
        """
        self.coef_ = np.ascontiguousarray(W.T)
        if learned is not None:
            self.coef_ = np.zeros((len(learned), len(W)))
            self.coef_[learned] = W.T
        scores = np.linalg.norm(W, axis=1)
        without = scores == 0
        pull = np.linalg.norm(X.T @ residual, axis=1)
        strongest = pull[without].max(initial=0.0) or 1.0
        scores[without] = pull[without] / strongest - 2
        self.n_weighted_ = int(np.sum(~without & ~constant_columns(X)))
        self._warn_beyond_weights(self.n_features_, stacklevel=5)
        return Ranking.from_scores(scores, result)

    def _cut(self, count: int) -> None:
        super()._cut(count)
        self._warn_beyond_weights(count, stacklevel=4)

    def _warn_beyond_weights(self, budget: int, stacklevel: int) -> None:
        if budget > self.n_weighted_:
            warnings.warn(
                f"{type(self).__name__} gives weight to {self.n_weighted_} features "
                f"only; the other {budget - self.n_weighted_} of the {budget} selected "
                "are those with the largest products with the residual: select fewer "
                f"features or {self.more_weights}.",
                UserWarning,
                stacklevel=stacklevel,
            )
