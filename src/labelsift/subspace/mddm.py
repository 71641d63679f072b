# SPDX-License-Identifier: BSD-3-Clause
"""MDDM: the directions on which the labels depend most."""

from collections.abc import Iterator, Sequence
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from labelsift.core.validation import Interval
from labelsift.solvers.ridge.reduced_rank import (
    covarying_directions,
    explaining_directions,
)
from labelsift.subspace.base import ExplainingSubspace


class MDDM(ExplainingSubspace):
    r"""Multi-label dimensionality reduction by dependence maximisation.

    With linear kernels, X and the 0/1 labels Y centred,

    .. math::

        \max_P \operatorname{tr}(P^T X^T Y Y^T X P) \quad \text{subject to} \quad
        P^T (\mu X^T X + (1 - \mu) I) P = I.

    mu = 0 (MDDMp): orthonormal directions, the singular vectors of the n_features x
    n_labels matrix X'Y. 0 < mu < 1 (MDDMf, usually 0.5): projections nearly
    uncorrelated; the subspace is that of ``OPLS`` with
    beta = (1 - mu) / (mu n_samples), so only mu = 0 is a method of its own. mu = 1 asks
    for projections without a penalty, and makes sense for more samples than features.

    There are no more directions than labels, and asking for more is an error: what
    programs return beyond them is rounding.

    Cost: mu = 0: one product X'Y and its decomposition, O(nnz(X) n_labels + n_features
    n_labels^2); otherwise that of one ridge regression, see ``OPLS``. X is never made
    dense, and no n_features x n_features array is made for mu = 0.

    Parameters
    ----------
    n_components : int or None, default=None
        How many directions; None for all there are, at most n_labels.
    mu : float, default=0.5
        Weight of uncorrelated projections against orthonormal directions, in [0, 1].

    Attributes
    ----------
    components_ : ndarray of shape (n_components_, n_features_in_)
        The columns of P, best first, each signed so that its largest entry is positive.
    n_components_ : int
        How many directions there are, or were asked for.
    eigenvalues_ : ndarray of shape (n_components_,)
        What each direction adds to the trace.
    mean_ : ndarray of shape (n_features_in_,)
        Subtracted before projecting.

    See Also
    --------
    OPLS : The same subspace for mu > 0, with projections of variance 1.
    labelsift.selection.HSICRanking : Features in place of directions.

    References
    ----------
    Y. Zhang, Z.-H. Zhou (2010), Multilabel dimensionality reduction via dependence
    maximization, ACM Transactions on Knowledge Discovery from Data 4(3).

    Examples
    --------
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.subspace import MDDM
    >>> traits = load_dataset("traits")
    >>> P = MDDM(2, mu=0.0).fit(traits.X, traits.Y).components_
    >>> abs(P @ P.T).round(6)
    array([[1., 0.],
           [0., 1.]])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **ExplainingSubspace._parameter_constraints,
        "mu": [Interval(Real, 0, 1, closed="both")],
    }

    def __init__(self, n_components: int | None = None, *, mu: float = 0.5) -> None:
        self.n_components = n_components
        self.mu = mu

    def _targets(
        self, codes: NDArray[Any], weights: NDArray[Any] | None
    ) -> NDArray[Any]:
        return codes / 2  # centred, -1/+1 is twice 0/1

    def _directions(
        self,
        X: Any,
        targets: NDArray[Any],
        models: Sequence[Self],
        weights: NDArray[Any] | None,
    ) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
        ridges = [(1 - model.mu) / model.mu for model in models if model.mu > 0]
        n = len(targets) if weights is None else weights.sum()
        # Nothing is computed before the first is asked for.
        penalised = explaining_directions(X, targets, ridges, weights)
        for model in models:
            if model.mu == 0:
                explained, directions = covarying_directions(X, targets, weights)
            else:
                explained, directions = next(penalised)
                explained = explained / model.mu
                directions = directions / np.sqrt(n * model.mu)
            model._check_rank(len(directions))
            yield explained, directions

    def _check_rank(self, rank: int) -> None:
        if self.n_components is not None and self.n_components > rank:
            raise ValueError(
                f"n_components={self.n_components} is more than the {rank} directions "
                "that X and the labels have in common: lower n_components or pass None."
            )

    def _set_explained(self, explained: NDArray[Any], n_samples: float) -> None:
        self.eigenvalues_ = explained
