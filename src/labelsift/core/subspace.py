# SPDX-License-Identifier: BSD-3-Clause
"""Base class of shared subspaces: a subclass implements ``_fit``."""

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from labelsift.core.arrays import is_foreign, like, namespace
from labelsift.core.collections import by_blocks
from labelsift.core.estimator import LabelEstimator
from labelsift.core.validation import constant_columns, validate_features


class BaseSubspace(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, LabelEstimator, ABC
):
    """A linear subspace shared by all labels; subclasses implement ``_fit``.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features_in_)
        Directions, each with the sign that makes its largest entry in size positive.
    mean_ : ndarray of shape (n_features_in_,)
        Subtracted before projecting (implicitly, where X is sparse).
    """

    components_: NDArray[Any]
    mean_: NDArray[Any]

    @abstractmethod
    def _fit(self, X: Any, Y: NDArray[Any]) -> None:
        """Set ``components_`` and ``mean_``."""

    def _read_weighted(
        self, X: Any, y: Any, sample_weight: Any
    ) -> tuple[Any, NDArray[Any], tuple[NDArray[np.float64], ...]]:
        X, Y, weights = super()._read_weighted(X, y, sample_weight)
        check_varies(self, X)
        return X, Y, weights

    def fit(self, X: Any, y: Any) -> Self:
        """Learn the subspace.

        Parameters
        ----------
        X : array-like, sparse or DataFrame of shape (n_samples, n_features)
            The samples; CSR and CSC are never densified.
        y : array-like, sparse or DataFrame of shape (n_samples, n_labels) or \
(n_samples,)
            Labels as 0/1, bool or -1/+1, or the classes of a 1-D y.

        Returns
        -------
        self
            The fitted subspace.
        """
        return self._fit_weighted(X, y, None)

    def _fit_weighted(self, X: Any, y: Any, sample_weight: Any) -> Self:
        """Fit; weights reach ``_fit`` of the subspaces that take them."""
        X, Y, weights = self._read_weighted(X, y, sample_weight)
        self._fit(X, Y, *weights)
        self.components_ = fix_signs(self.components_)
        return self

    @by_blocks
    def transform(self, X: Any) -> NDArray[Any]:
        """Project onto the subspace.

        Parameters
        ----------
        X : array-like, sparse or DataFrame of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
            Their coordinates, in the precision of X.
        """
        check_is_fitted(self)
        X = validate_features(self, X, reset=False)
        shift = self.components_ @ self.mean_
        if is_foreign(X):
            basis, xp = like(self.components_.T, X), namespace(X)
            return xp.astype(
                xp.asarray(X, dtype=basis.dtype) @ basis - like(shift, X), X.dtype
            )
        projected = X @ self.components_.T.astype(X.dtype, copy=False)
        return projected - shift.astype(X.dtype, copy=False)

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def check_varies(estimator: Any, X: Any) -> None:
    """Raise where all columns of X are constant."""
    if constant_columns(X).all():
        raise ValueError(
            f"{type(estimator).__name__} finds no direction in X, whose columns are "
            "all constant: pass features that vary over the samples."
        )


def fix_signs(components: NDArray[Any]) -> NDArray[Any]:
    """Flip rows so that the entry largest in size is positive (first one on a tie)."""
    return components * largest_entry_signs(components)[:, np.newaxis]


def largest_entry_signs(components: NDArray[Any]) -> NDArray[Any]:
    """Sign, -1 or 1, of each row's entry that is largest in size."""
    largest = np.argmax(np.abs(components), axis=1)
    entries = components[np.arange(len(components)), largest]
    return np.where(entries < 0, -1, 1).astype(components.dtype)
