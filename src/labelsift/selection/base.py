# SPDX-License-Identifier: BSD-3-Clause
"""What families of selectors share: sparse rows of weights, grids, information."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from labelsift.core.base import BaseSelector
from labelsift.core.estimator import WeightedFitMixin
from labelsift.core.path import PathMixin
from labelsift.core.result import Ranking, SolverResult
from labelsift.core.selector import resolve_budget
from labelsift.core.targets import TARGET
from labelsift.core.validation import StrOptions, constant_columns
from labelsift.core.warning import warn
from labelsift.solvers.information.bins import BinColumns, Bins, bin_features
from labelsift.solvers.information.counted import CountedInformation, Layout
from labelsift.solvers.information.discretize import BINNING
from labelsift.solvers.information.mutual import Information
from labelsift.solvers.information.order import Redundancy, greedy_order
from labelsift.solvers.information.targets import TargetInformation, target_codes
from labelsift.sums.fit_counts import CountsFitMixin


class RowSparseSelector(BaseSelector):
    """A selector by the norms of the rows of W, most of which are exactly zero.

    Features without weight follow the others in the order of the norm of their products
    with the residual. They score below 0, so that the sign shows which have weight.

    Attributes
    ----------
    coef_ : ndarray of shape (n_targets, n_features_in_)
        The weights W, transposed.
    n_weighted_ : int
        Features with weight, constant columns left out.
    """

    # Remedy that gives weight to more features; ends the warning.
    more_weights: ClassVar[str] = "lower gamma"

    def _rank_rows(
        self,
        X: Any,
        W: NDArray[Any],
        residual: NDArray[Any],
        result: SolverResult,
        learned: NDArray[np.bool_] | None = None,
    ) -> Ranking:
        """Rank features by their rows of W, then by their products with a residual."""
        constant, pull = constant_columns(X), X.T @ residual
        return self._rank_weights(constant, W, pull, result, learned)

    def _rank_weights(
        self,
        constant: NDArray[np.bool_],
        W: NDArray[Any],
        pull: NDArray[Any],
        result: SolverResult,
        learned: NDArray[np.bool_] | None = None,
    ) -> Ranking:
        """The same with these products, and which features are constant.

        Where W has columns only for the labels that could be learned, ``learned`` says
        which; the coefficients of the others are 0.
        """
        self.coef_ = np.ascontiguousarray(W.T)
        if learned is not None:
            self.coef_ = np.zeros((len(learned), len(W)))
            self.coef_[learned] = W.T
        scores = np.linalg.norm(W, axis=1)
        without = scores == 0
        pulls = np.linalg.norm(pull, axis=1)
        strongest = pulls[without].max(initial=0.0) or 1.0
        scores[without] = pulls[without] / strongest - 2
        self.n_weighted_ = int(np.sum(~without & ~constant))
        self._warn_beyond_weights(self.n_features_)
        return Ranking.from_scores(scores, result)

    def _cut(self, count: int) -> None:
        super()._cut(count)
        self._warn_beyond_weights(count)

    def _warn_beyond_weights(self, budget: int) -> None:
        if budget > self.n_weighted_:
            warn(
                f"{type(self).__name__} gives weight to only {self.n_weighted_} of the "
                f"{budget} selected features; the other {budget - self.n_weighted_} "
                "are those with the largest products with the residual: select fewer "
                f"features or {self.more_weights}."
            )


class Shared:
    """What the fits of a path have in common: the last of each kind is kept."""

    def __init__(self) -> None:
        self._last: dict[str, tuple[Any, Any]] = {}
        self.weights: NDArray[Any] | None = None  # of the last point

    def start(self, n_targets: int) -> NDArray[Any] | None:
        """The last weights, where they have so many targets."""
        W = self.weights
        return W if W is not None and W.shape[1] == n_targets else None

    def once(self, kind: str, key: Any, make: Callable[[], Any]) -> Any:
        """Make it, unless the last of its kind was made with the same key."""
        if kind not in self._last or self._last[kind][0] != key:
            self._last[kind] = (key, make())
        return self._last[kind][1]


class PathSelector(PathMixin, BaseSelector):
    """A selector whose grids share work; a subclass writes ``_rank_sharing``."""

    @abstractmethod
    def _rank_sharing(self, X: Any, Y: NDArray[Any], shared: Shared) -> Ranking:
        """Rank the features, making what other points of the grid need only once."""

    def _rank(self, X: Any, Y: NDArray[Any]) -> Ranking:
        return self._rank_sharing(X, Y, Shared())

    def _fit_each(
        self, X: Any, Y: NDArray[Any], models: Sequence[Self]
    ) -> Iterator[Self]:
        shared = Shared()
        for model in models:
            model.n_features_ = resolve_budget(model.n_features_to_select, X.shape[1])
            model._set_ranking(X, model._rank_sharing(X, Y, shared))
            yield model


def put_below(
    scores: NDArray[Any], outside: NDArray[np.bool_], merit: NDArray[Any]
) -> None:
    """Score some features below all others, by another merit that is not negative."""
    lowest = scores[~outside].min(initial=0.0) - 1
    scores[outside] = lowest + merit[outside] - merit.max()


def latent_dimension(n_latent: int | None, default: int, n_labels: int) -> int:
    """The number of latent labels; more than labels is an error."""
    n_latent = default if n_latent is None else n_latent
    if n_latent > n_labels:
        raise ValueError(
            f"n_latent={n_latent} is more than the {n_labels} labels that can be "
            "learned: lower n_latent, or pass None."
        )
    return n_latent


class InformationSelector(WeightedFitMixin, BaseSelector):
    """A selector that follows ``greedy_order``; subclasses implement ``_terms``.

    Features with all samples in one bin come last, and constant columns after them.
    Information about a label is that of the rows where it is known, about two labels
    of those where both are.
    """

    ranks_all = False
    takes_unknown = True

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseSelector._parameter_constraints,
        **BINNING,
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        discretize: str | None = "width",
        n_bins: int = 3,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.discretize = discretize
        self.n_bins = n_bins

    @property
    def _averages(self) -> bool:
        """Whether the mean of the redundancies is subtracted, or else their sum."""
        return True

    @abstractmethod
    def _terms(
        self, information: Information | TargetInformation
    ) -> tuple[NDArray[Any], Redundancy]:
        """Relevance of each feature, and the redundancy with a feature taken."""

    def _information(
        self, bins: Bins, Y: NDArray[Any], weights: NDArray[Any] | None
    ) -> Information | TargetInformation:
        """By exact counts, where Y holds labels that are known and count alike."""
        if Y.dtype.kind != "f" and weights is None:
            return Information(bins, Y)
        codes = target_codes(Y, self._value_columns, self.n_bins, weights)
        return TargetInformation(bins, codes, weights)

    def _keep_worth(self, worth: NDArray[Any]) -> None:
        """Keep what is told about the worth of each feature when it was taken."""

    def _rank(
        self, X: Any, Y: NDArray[Any], weights: NDArray[Any] | None = None
    ) -> Ranking:
        bins = bin_features(X, self.discretize, self.n_bins, weights)
        information = self._information(bins, Y, weights)
        return self._rank_information(information, bins, constant_columns(X))

    def _rank_information(
        self,
        information: Information | TargetInformation,
        bins: BinColumns,
        one_value: NDArray[np.bool_],
    ) -> Ranking:
        """Follow the greedy order, then features of one bin, then of one value."""
        one_bin = bins.is_constant
        taken = self._taken(information, ~one_bin & ~one_value)
        last = np.flatnonzero(one_bin & ~one_value), np.flatnonzero(one_value)
        order = np.concatenate([taken, *last])[: self.n_features_]
        return Ranking.from_order(order, bins.n_features)

    def _taken(
        self,
        information: Information | TargetInformation,
        candidates: NDArray[np.bool_],
    ) -> NDArray[np.intp]:
        """The greedy order of the candidates."""
        terms = self._terms(information)
        taken, worth = greedy_order(
            *terms, candidates, self.n_features_, average=self._averages
        )
        self._keep_worth(worth)
        return taken


class TargetInformationSelector(CountsFitMixin, InformationSelector):
    """An information selector that takes real values, cut into bins."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **InformationSelector._parameter_constraints,
        "target": TARGET,
    }
    takes_mixed = True

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        discretize: str | None = "width",
        n_bins: int = 3,
        target: str = "auto",
    ) -> None:
        super().__init__(n_features_to_select, discretize=discretize, n_bins=n_bins)
        self.target = target

    def _rank_layout(self, layout: Layout, constant: NDArray[np.bool_]) -> Ranking:
        information = CountedInformation(layout)
        return self._rank_information(information, information.bins, constant)


class SummingSelector(InformationSelector):
    """An information selector whose redundancies add up, unless the mean is chosen."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **InformationSelector._parameter_constraints,
        "redundancy": [StrOptions({"sum", "mean"})],
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        redundancy: str = "sum",
        discretize: str | None = "quantile",
        n_bins: int = 2,
    ) -> None:
        super().__init__(n_features_to_select, discretize=discretize, n_bins=n_bins)
        self.redundancy = redundancy

    @property
    def _averages(self) -> bool:
        return self.redundancy == "mean"
