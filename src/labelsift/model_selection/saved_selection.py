# SPDX-License-Identifier: BSD-3-Clause
"""A selection saved as JSON, to be applied to other data; no pickle."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from labelsift import __version__
from labelsift.core.base import BaseSelector
from labelsift.datasets.atomic import write_text
from labelsift.model_selection.saved_document import read_saved, selection_document
from labelsift.prepare import TablePreparation

# Names that an error lists.
_NAMED = 5


@dataclass(frozen=True, eq=False)
class SavedSelection:
    """Which features were selected, of which; read by ``load_selection``.

    Parameters
    ----------
    method : str
        The name of the method.
    parameters : mapping
        The arguments of the method; values that JSON lacks are text.
    n_features_in : int
        Number of features before selection.
    feature_names : tuple of str or None
        Their names, where they were known.
    order : ndarray of int
        The selected features, best first.
    scores : ndarray
        Their scores, in that order; of ``labelsift select`` and ``compare`` their
        gains.
    label_names : tuple of str or None
        The names of the labels, where they were known.
    coef, intercept : ndarray or None
        Weights of the selected features, in increasing order of their indices, of
        shape (n_labels, n_selected), or of what ``preparation`` makes of them, and
        intercepts, where the method predicts too.
    preparation : TablePreparation or None
        What makes the numbers that the weights belong to; None: the selected features
        are these numbers.
    thresholds : ndarray or None
        A label is predicted where its score is above; None: above 0.
    value_columns : ndarray of bool or None
        Which targets are values rather than labels; None: none is.
    costs : ndarray or None
        What the selected features cost, in their order; a group's cost is shared
        evenly.
    labels_form : tuple of str
        How the labels of a table were told, as ``tag_*`` or ``tags:|``.
    data, checksum : str
        Name and checksum of the data it was fitted on.
    labelsift_version : str
        The version of labelsift that wrote the file.
    """

    method: str
    parameters: Mapping[str, Any]
    n_features_in: int
    feature_names: tuple[str, ...] | None
    order: NDArray[np.intp]
    scores: NDArray[Any]
    label_names: tuple[str, ...] | None = None
    coef: NDArray[Any] | None = None
    intercept: NDArray[Any] | None = None
    preparation: TablePreparation | None = None
    thresholds: NDArray[Any] | None = None
    value_columns: NDArray[np.bool_] | None = None
    costs: NDArray[Any] | None = None
    labels_form: tuple[str, ...] = ()
    data: str = ""
    checksum: str = ""
    labelsift_version: str = __version__

    @property
    def support(self) -> NDArray[np.bool_]:
        """Which features are selected, as a mask."""
        mask = np.zeros(self.n_features_in, dtype=bool)
        mask[self.order] = True
        return mask

    @property
    def total_cost(self) -> float | None:
        """What the selected features cost together; None where nothing was told."""
        return None if self.costs is None else math.fsum(self.costs)

    def get_feature_names_out(self) -> NDArray[np.object_]:
        """Names of the selected features, in the order of the columns.

        Returns
        -------
        ndarray of str
            Numbered names (x0, x1, ...) where none were known.
        """
        places = np.sort(self.order)
        if self.feature_names is None:
            return np.array([f"x{i}" for i in places], dtype=object)
        return np.array([self.feature_names[i] for i in places], dtype=object)

    def columns(self, names: Sequence[str]) -> NDArray[np.intp]:
        """Positions of the selected features among the columns of other data.

        Parameters
        ----------
        names : sequence of str
            The columns of the data, in any order, others among them.

        Returns
        -------
        ndarray of int
            Positions, in the order of ``get_feature_names_out``.
        """
        if self.feature_names is None:
            self._check_count(len(names))
            return np.sort(self.order)
        position = {name: i for i, name in enumerate(names)}
        wanted = self.get_feature_names_out()
        missing = [name for name in wanted if name not in position]
        if missing:
            listed = ", ".join(repr(name) for name in missing[:_NAMED])
            more = f" and {len(missing) - _NAMED} more" if len(missing) > _NAMED else ""
            raise ValueError(
                f"The data lack {len(missing)} of the {len(wanted)} selected features: "
                f"{listed}{more}; apply the selection to data that have them."
            )
        return np.array([position[name] for name in wanted], dtype=np.intp)

    def transform(self, X: Any) -> Any:
        """Select the columns.

        Parameters
        ----------
        X : array-like, sparse or DataFrame of shape (n_samples, n_features)
            Columns of a DataFrame are matched by name, where names were saved; others
            by position, and then their number must match.

        Returns
        -------
        ndarray, sparse or DataFrame of shape (n_samples, n_selected)
            The same kind as X; columns in the order of ``get_feature_names_out``.
        """
        if hasattr(X, "columns"):
            places = self.columns([str(name) for name in X.columns])
            return X[[X.columns[i] for i in places]]
        X = X if hasattr(X, "shape") else np.asarray(X)
        if X.ndim != 2:
            raise ValueError(f"X must have two dimensions, got {X.ndim}.")
        self._check_count(X.shape[1])
        return X[:, np.sort(self.order)]

    def decision_function(self, X: Any) -> NDArray[Any]:
        """Scores of the labels, where the method predicts too.

        Parameters
        ----------
        X : array-like, sparse or DataFrame of shape (n_samples, n_features)
            As in ``transform``.

        Returns
        -------
        ndarray of shape (n_samples, n_labels)
            Larger means more likely; a label is predicted above its threshold.
        """
        if self.value_columns is not None:
            raise ValueError("The selection predicts values: use predict.")
        return self.scores_of(self.transform(X))

    def scores_of(self, chosen: Any) -> NDArray[Any]:
        """Scores of the labels, or values, from the selected columns alone."""
        if self.coef is None or self.intercept is None:
            raise ValueError(
                f"The selection by {self.method} has no weights: it selects and does "
                "not predict."
            )
        coef, intercept = self.coef, self.intercept
        if self.preparation is not None and sp.issparse(chosen):
            # Sparse columns are only divided: the weights are, in their place.
            columns = self.preparation.columns_
            coef = coef / np.array([column["scale"] for column in columns])
            intercept = intercept - coef @ [column["mean"] for column in columns]
        else:
            chosen = self.prepared(chosen)
        return np.asarray(chosen @ coef.T + intercept)

    def prepared(self, chosen: Any) -> Any:
        """The numbers that the weights belong to, from the selected columns alone."""
        if self.preparation is not None:
            if sp.issparse(chosen):
                chosen = chosen.toarray()
            return self.preparation.transform(chosen)
        return np.asarray(chosen) if hasattr(chosen, "columns") else chosen

    def cut(self, scores: NDArray[Any]) -> NDArray[Any]:
        """Labels as 0/1: 1 where a score is above the threshold; values as they are."""
        cut: Any = 0.0 if self.thresholds is None else self.thresholds
        labels = (scores > cut).astype(np.int8)
        if self.value_columns is None:
            return labels
        return np.where(self.value_columns, scores, labels)

    def predict(self, X: Any) -> NDArray[Any]:
        """Labels or values of rows, where the selection predicts too.

        Parameters
        ----------
        X : array-like, sparse or DataFrame of shape (n_samples, n_features)
            As in ``transform``.

        Returns
        -------
        ndarray of shape (n_samples, n_labels)
            1 where the score of a label is above its threshold, else 0; values in
            their own units.
        """
        return self.cut(self.scores_of(self.transform(X)))

    def _check_count(self, count: int) -> None:
        if count != self.n_features_in:
            raise ValueError(
                f"X has {count} features, but the selection is among "
                f"{self.n_features_in}: pass the same features in the same order, or a "
                "DataFrame with names."
            )


def save_selection(
    selector: BaseSelector,
    path: str | Path,
    *,
    feature_names: Sequence[str] | None = None,
    label_names: Sequence[str] | None = None,
    method: str | None = None,
    data: str = "",
    checksum: str = "",
) -> None:
    """Write a fitted selection as JSON: a plain, versioned format without pickle.

    Parameters
    ----------
    selector : BaseSelector
        The fitted selector.
    path : str or Path
        The file; an existing one is replaced only after a complete write.
    feature_names, label_names : sequence of str, optional
        Names of all features and labels; those that the selector saw by default.
    method : str, optional
        The name of the method; the class's by default.
    data, checksum : str, optional
        Name and checksum of the data it was fitted on.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.model_selection import load_selection, save_selection
    >>> from labelsift.selection import FisherScore
    >>> traits = load_dataset("traits")
    >>> selector = FisherScore(n_features_to_select=3).fit(traits.X, traits.Y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "selector.json"
    ...     save_selection(selector, path, feature_names=traits.feature_names)
    ...     saved = load_selection(path)
    >>> saved.transform(traits.X).shape
    (1797, 3)
    """
    check_is_fitted(selector)
    names = feature_names
    if names is None:
        names = getattr(selector, "feature_names_in_", None)
    n_features = int(selector.n_features_in_)
    if names is not None and len(names) != n_features:
        raise ValueError(
            f"feature_names has {len(names)} names for {n_features} features: pass one "
            "per feature."
        )
    labels = label_names
    if labels is None:
        labels = getattr(selector, "label_names_in_", None)
    order = selector.feature_order_[: selector.n_features_]
    document = selection_document(
        method=method or type(selector).__name__,
        parameters=selector.get_params(),
        n_features_in=n_features,
        order=order,
        scores=selector.scores_[order],
        feature_names=names,
        label_names=labels,
        readout=_weights(selector),
        data=data,
        checksum=checksum,
    )
    write_document(document, path)


def write_document(document: Mapping[str, Any], path: str | Path) -> None:
    """Write the document of a selection; an old file is replaced by a whole one."""
    text = json.dumps(document, indent=1, allow_nan=False)
    write_text(text + "\n", Path(path))


def load_selection(path: str | Path) -> SavedSelection:
    """Read a selection that ``save_selection`` wrote.

    Parameters
    ----------
    path : str or Path
        The file.

    Returns
    -------
    SavedSelection
        The selection; a file of another kind or version is a ValueError.
    """
    document = read_saved(Path(path))
    optional: dict[str, Any] = {
        key: None if document[key] is None else convert(document[key])
        for convert, keys in (
            (tuple, ("feature_names", "label_names", "labels_form")),
            (np.array, ("coef", "intercept", "thresholds", "costs", "value_columns")),
            (TablePreparation.from_document, ("preparation",)),
        )
        for key in keys
    }
    return SavedSelection(
        method=document["method"],
        parameters=document["parameters"],
        n_features_in=document["n_features_in"],
        order=np.array(document["order"], dtype=np.intp),
        scores=np.array(document["scores"], dtype=float),
        data=document["data"],
        checksum=document["checksum"],
        labelsift_version=document["labelsift"],
        **optional,
    )


def _weights(selector: BaseSelector) -> dict[str, Any]:
    """Weights of the selected features, where predictions use no others."""
    coef, intercept = (
        getattr(selector, "coef_", None),
        getattr(selector, "intercept_", None),
    )
    values = getattr(selector, "_value_columns", None)
    if coef is None or intercept is None or coef[:, ~selector.support_].any():
        return {"coef": None, "intercept": None}
    return {
        "coef": coef[:, selector.support_].tolist(),
        "intercept": np.ravel(intercept).tolist(),
        "value_columns": None if values is None else values.tolist(),
    }
