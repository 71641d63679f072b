# SPDX-License-Identifier: BSD-3-Clause
"""Base class of selectors that are fitted from counts."""

from abc import abstractmethod
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from labelsift.core.base import BaseSelector
from labelsift.core.dask_blocks import DaskBlocks
from labelsift.core.labels import check_both_values
from labelsift.core.result import Ranking
from labelsift.core.selector import resolve_budget
from labelsift.core.validation import is_collection, validate_parameters
from labelsift.solvers.information.counted import Layout
from labelsift.sums.counts import Counts
from labelsift.sums.dask_counts import counts_of_blocks
from labelsift.sums.dask_sums import check_columns


class CountsFitMixin(BaseSelector):
    """A selector with ``fit_counts``; implements ``_rank_layout``.

    ``fit`` takes dask collections, whose blocks are counted where they are.
    """

    discretize: Any
    n_bins: int
    # Whether pairs of bins are counted for each label too.
    _by_label: ClassVar[bool] = False

    @abstractmethod
    def _rank_layout(self, layout: Layout, constant: NDArray[np.bool_]) -> Ranking:
        """Rank the features; ``self.n_features_`` holds the budget."""

    def fit_counts(self, counts: Counts) -> Self:
        """Learn from counts over rows instead of the rows.

        Parameters
        ----------
        counts : Counts
            Over all rows, with the bins of this selector.

        Returns
        -------
        self
            Fitted as by ``fit`` on the rows, bit for bit.
        """
        validate_parameters(self)
        if not isinstance(counts, Counts):
            raise TypeError(
                f"counts must be labelsift.sums.Counts, got {type(counts).__name__}: "
                "make them by Counts.from_batches(read)."
            )
        bins = counts.discretize, counts.n_bins
        if bins != (self.discretize, self.n_bins):
            raise ValueError(
                f"{type(self).__name__} has discretize={self.discretize!r} and "
                f"n_bins={self.n_bins}, and the Counts {bins[0]!r} and {bins[1]}: make "
                "them alike."
            )
        layout = counts.layout()
        assert counts.targets is not None
        sizes = layout.set_sizes @ layout.sets.astype(np.int64)
        limits = np.stack([sizes == counts.rows, sizes > 0]).astype(np.int8)
        labels = replace(counts.targets.labels(), matrix=limits)
        check_both_values(labels, type(self).__name__)
        self._forget("feature_names_in_")
        self._introduce_targets(labels)
        self.n_features_in_ = counts.x_range.shape[1]
        if counts.feature_names is not None:
            self.feature_names_in_ = counts.feature_names
        self.n_features_ = resolve_budget(
            self.n_features_to_select, self.n_features_in_
        )
        constant = counts.x_range[0] == counts.x_range[1]
        self._set_ranking(counts.x_range, self._rank_layout(layout, constant))
        self.n_samples_seen_ = counts.rows
        return self

    def _fit_weighted(self, X: Any, y: Any, sample_weight: Any) -> Self:
        """Rows in memory as any selector, blocks of rows by their counts."""
        if not is_collection(X):
            return super()._fit_weighted(X, y, sample_weight)
        validate_parameters(self)
        self._check_blocks(y, sample_weight)
        counts = counts_of_blocks(
            DaskBlocks.read(X, y),
            getattr(self, "target", "auto"),
            self.discretize,
            self.n_bins,
            self._by_label,
        )
        return self.fit_counts(counts)

    def _check_blocks(self, y: Any, sample_weight: Any) -> None:
        """Refuse what cannot be counted in blocks, before any is read."""
        if self.discretize not in ("width", "presence"):
            raise ValueError(
                f"discretize={self.discretize!r} needs all values of a feature at "
                'once: pass discretize="width" or "presence" with dask collections.'
            )
        if getattr(self, "target", None) == "values":
            raise ValueError(
                'target="values" needs all values of y at once, for their bins: pass '
                "labels as 0/1 with dask collections."
            )
        if sample_weight is not None:
            raise ValueError(
                f"{type(self).__name__} counts rows of dask collections, each once: "
                "pass sample_weight=None, or repeat rows."
            )
        check_columns(y)
