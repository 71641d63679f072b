# SPDX-License-Identifier: BSD-3-Clause
"""Base classes of estimators that are fitted from sums, whole or in a stream."""

from abc import abstractmethod
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np

from labelsift.core.base import BaseSelector
from labelsift.core.estimator import LabelEstimator
from labelsift.core.labels import Labels, check_both_values
from labelsift.core.result import Ranking
from labelsift.core.selector import resolve_budget
from labelsift.core.targets import TAKE_BOTH, TAKE_VALUES
from labelsift.core.validation import validate_features, validate_parameters
from labelsift.sums.dask_sums import DaskFitMixin
from labelsift.sums.device_fit import DeviceFitMixin
from labelsift.sums.sources import Batches, as_batches
from labelsift.sums.sums import Sums


class SumsFitMixin(DeviceFitMixin, DaskFitMixin, LabelEstimator):
    """An estimator with ``fit_sums``; implements ``_solve_sums``."""

    # Whether X'X and Y'Y are needed, or their diagonals only.
    _products: ClassVar[tuple[bool, bool]] = (True, False)

    @abstractmethod
    def _solve_sums(self, sums: Sums) -> None:
        """Set what ``fit`` would set, from sums that were checked."""

    def fit_sums(self, sums: Sums) -> Self:
        """Learn from sums over rows instead of the rows.

        Parameters
        ----------
        sums : Sums
            Over all rows: of one block or many, from here or elsewhere.

        Returns
        -------
        self
            Fitted as by ``fit`` on the rows.
        """
        validate_parameters(self)
        self._check_sums_options()
        self._introduce_sums(sums)
        self._solve_sums(sums)
        self.n_samples_seen_ = sums.rows
        return self

    def _introduce_sums(self, sums: Sums) -> None:
        """Check the sums, and set the attributes about X and y."""
        if not isinstance(sums, Sums):
            raise TypeError(
                f"sums must be labelsift.sums.Sums, got {type(sums).__name__}: make "
                "them by Sums().update(X, Y)."
            )
        self._check_sums(sums)
        labels = self._sum_labels(sums)
        check_both_values(labels, type(self).__name__)
        self._forget("feature_names_in_")
        self._introduce_targets(labels)
        self.n_features_in_ = len(sums.x_mean)
        if sums.feature_names is not None:
            self.feature_names_in_ = sums.feature_names

    def _check_sums(self, sums: Sums) -> None:
        """Raise where something is missing."""
        if sums.rows < 2:
            raise ValueError(
                f"{type(self).__name__} needs at least two rows, got sums over "
                f"{sums.rows}: update them with more."
            )
        self._check_products(sums)

    def _check_products(self, sums: Sums) -> None:
        """Raise where X'X or Y'Y is needed and only a diagonal is held."""
        for needed, held, name, argument in zip(
            self._products,
            (sums.xx.ndim == 2, sums.yy.ndim == 2),
            ("X'X", "Y'Y"),
            ("feature_products", "label_products"),
            strict=True,
        ):
            if needed and not held:
                raise ValueError(
                    f"{type(self).__name__} needs {name}, and these Sums hold its "
                    f"diagonal only: make them with {argument}=True."
                )

    def _check_sums_options(self) -> None:
        """Raise where the arguments ask for more than sums."""
        if getattr(self, "calibration", None) is not None:
            raise ValueError(
                f"calibration={self.calibration!r} needs rows, which sums do not "
                "hold: pass calibration=None, or call fit on rows."
            )

    def _new_sums(self, classes: Any = None) -> Sums:
        """Sums without rows, of what this estimator needs."""
        return Sums(
            target=getattr(self, "target", "labels"),
            classes=classes,
            feature_products=self._products[0],
            label_products=self._products[1],
        )

    def _fit_weighted(self, X: Any, y: Any, sample_weight: Any) -> Self:
        """Rows in memory as any estimator, others by their sums."""
        batches = as_batches(X, y)
        if batches is None:
            fitted: Self = super()._fit_weighted(X, y, sample_weight)
            return fitted
        if sample_weight is not None:
            raise ValueError(
                "sample_weight must come with the batches: yield (X, Y, sample_weight)."
            )
        validate_parameters(self)
        self._check_sums_options()
        return self._fit_batches(batches)

    def _fit_batches(self, batches: Batches) -> Self:
        """Fit from one pass; methods that need more read the batches again."""
        return self.fit_sums(self._new_sums().update_batches(batches))

    def _sum_labels(self, sums: Sums) -> Labels:
        """What y held, where this estimator learns from it."""
        labels = replace(sums.targets.labels(), matrix=sums.y_range)
        owner, asked = type(self).__name__, getattr(self, "target", None)
        if asked == "values" and labels.kind != "values":
            raise ValueError(
                f'{owner} has target="values" and the Sums hold labels: make them by '
                'Sums(target="values").'
            )
        if labels.kind != "labels" and asked in (None, "labels"):
            raise ValueError(
                f"{owner} learns from labels, but these are sums over values: code "
                f"labels as 0/1, or use one that learns from values: {TAKE_VALUES}."
            )
        if labels.kind == "mixed" and not self.takes_mixed:
            raise ValueError(
                f"These are sums over labels and values, and {owner} learns from one "
                f"kind: sum each kind on its own, or use {TAKE_BOTH}."
            )
        return labels


class SumsSelector(SumsFitMixin, BaseSelector):
    """A selector with ``fit_sums``; implements ``_rank_sums``."""

    @abstractmethod
    def _rank_sums(self, sums: Sums) -> Ranking:
        """Rank the features; ``self.n_features_`` holds the budget."""

    def _solve_sums(self, sums: Sums) -> None:
        self.n_features_ = resolve_budget(self.n_features_to_select, len(sums.x_mean))
        # Minima and maxima are two rows with the same constant columns.
        self._set_ranking(sums.x_range, self._rank_sums(sums))


class StreamFitMixin(SumsFitMixin):
    """An estimator with ``partial_fit``: solving its sums costs less than a batch."""

    _stream: Sums | None = None

    def partial_fit(
        self,
        X: Any,
        y: Any,
        classes: Any = None,
        sample_weight: Any = None,
        *,
        forgetting_factor: float = 1.0,
    ) -> Self:
        """Learn from one more batch of rows.

        After any number of batches the result is that of ``fit`` on all their rows.
        Before two rows and a label with both values have come, nothing is fitted yet.
        ``fit`` and ``fit_sums`` end a stream; the next batch begins another.

        Parameters
        ----------
        X : array-like, sparse or DataFrame of shape (n_rows, n_features)
            The rows of the batch.
        y : array-like, sparse or DataFrame of shape (n_rows, n_labels) or (n_rows,)
            Their labels, as for ``fit``.
        classes : array-like or None, default=None
            All classes of a 1-D y, on the first call; None: those of the first batch.
        sample_weight : array-like of shape (n_rows,) or None, default=None
            How often each row counts; None: once.
        forgetting_factor : float, default=1.0
            By which the weight of all earlier rows is multiplied, in (0, 1]. With
            0.99 a batch counts half as much 69 batches later: for streams that drift.

        Returns
        -------
        self
            Fitted to all rows so far.
        """
        validate_parameters(self)
        if not 0 < forgetting_factor <= 1:
            raise ValueError(
                f"forgetting_factor must be in (0, 1], got {forgetting_factor!r}."
            )
        stream = self._stream
        if stream is None:
            self._check_sums_options()
            stream = self._new_sums(classes)
        else:
            self._check_batch(X, classes, stream)
        if forgetting_factor < 1:
            stream.scaled(forgetting_factor)
        stream.update(X, y, sample_weight)
        if stream.rows > 1 and stream.live.any():
            self.fit_sums(stream)
        self._stream = stream
        return self

    def _check_batch(self, X: Any, classes: Any, stream: Sums) -> None:
        """Compare a later batch with the first."""
        if hasattr(self, "n_features_in_"):
            validate_features(self, X, reset=False)
        known = stream.targets.classes
        if classes is not None and list(np.unique(classes)) != list(
            () if known is None else known
        ):
            raise ValueError(
                f"classes={classes!r} differ from those of the first batch, {known}: "
                "pass them on the first call only."
            )

    def fit_sums(self, sums: Sums) -> Self:
        self._stream = None
        return super().fit_sums(sums)

    fit_sums.__doc__ = SumsFitMixin.fit_sums.__doc__

    def _read_weighted(self, X: Any, y: Any, sample_weight: Any) -> Any:
        self._stream = None
        self._forget("n_samples_seen_")
        return super()._read_weighted(X, y, sample_weight)
