# SPDX-License-Identifier: BSD-3-Clause
"""Text preparation of the papers: frequent labels, frequent words, TF-IDF."""

from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.utils import check_scalar

from labelsift.core.data import MultiLabelData
from labelsift.datasets.columns import keep_features


def _keep_rows(data: MultiLabelData, mask: NDArray[np.bool_]) -> MultiLabelData:
    """Select some rows; the published split is reduced to them."""
    place = np.cumsum(mask) - 1
    train, test = (
        None if rows is None else place[rows[mask[rows]]]
        for rows in (data.train_idx, data.test_idx)
    )
    return replace(data.rows(mask), train_idx=train, test_idx=test)


def keep_frequent_labels(data: MultiLabelData, min_rows: int = 100) -> MultiLabelData:
    """Drop rare labels, then rows without a label.

    Parameters
    ----------
    data : MultiLabelData
        The data.
    min_rows : int, default=100
        Labels in fewer rows are dropped.

    Returns
    -------
    MultiLabelData
        Every row has a label and every label ``min_rows`` rows.
    """
    check_scalar(min_rows, "min_rows", Integral, min_val=1)
    frequent = np.flatnonzero(data.Y.sum(axis=0, dtype=np.int64) >= min_rows)
    if not len(frequent):
        raise ValueError(
            f"No label of {data.name} has {min_rows} rows: lower min_rows."
        )
    names = tuple(data.label_names[i] for i in frequent)
    data = replace(data, Y=data.Y[:, frequent], label_names=names)
    return _keep_rows(data, np.asarray(data.Y.any(axis=1)))


def keep_frequent_words(data: MultiLabelData, min_rows: int = 5) -> MultiLabelData:
    """Drop features that are nonzero in few rows.

    What counts is the number of rows (documents), not the number of occurrences.

    Parameters
    ----------
    data : MultiLabelData
        The data, after any dropping of rows.
    min_rows : int, default=5
        Features in fewer rows are dropped.

    Returns
    -------
    MultiLabelData
        The same rows and labels with fewer features.
    """
    check_scalar(min_rows, "min_rows", Integral, min_val=1)
    frequent = _document_counts(data.X) >= min_rows
    if not frequent.any():
        raise ValueError(
            f"No feature of {data.name} is in {min_rows} rows: lower min_rows."
        )
    return keep_features(data, frequent)


def _document_counts(X: Any) -> NDArray[np.int64]:
    if not sp.issparse(X):
        return np.count_nonzero(X, axis=0)
    X = X.tocsr()
    return np.bincount(X.indices[X.data != 0], minlength=X.shape[1])


def tfidf_rows(data: MultiLabelData, fit_rows: Any = None) -> MultiLabelData:
    """Weight counts by TF-IDF and scale each row to unit length.

    A count c of a word that df of n documents have becomes
    c (1 + ln((1 + n) / (1 + df))), scikit-learn's form; rows of zeros stay zero.

    Parameters
    ----------
    data : MultiLabelData
        Raw counts.
    fit_rows : array of int or bool, optional
        The rows that n and df are counted on, such as the training part; None: all, as
        the papers do (labels are not used).

    Returns
    -------
    MultiLabelData
        The same rows, labels and features; X sparse.
    """
    counted = data.X if fit_rows is None else data.X[fit_rows]
    weights = TfidfTransformer().fit(counted)
    return replace(data, X=sp.csr_array(weights.transform(data.X)))


def prepare_text(
    data: MultiLabelData, *, min_label_rows: int = 100, min_word_rows: int = 5
) -> MultiLabelData:
    """Prepare raw counts as in the papers on the Yahoo web pages.

    Drops labels of fewer than 100 pages, then pages without a label, then words in
    fewer than 5 of the remaining pages; then TF-IDF over all rows and unit length. With
    this, the full-vocabulary sets have exactly the sizes of Table 2 of the paper, which
    says "words occurring less than 5 times" and means documents.

    Parameters
    ----------
    data : MultiLabelData
        Raw counts.
    min_label_rows, min_word_rows : int
        The two cut-offs.

    Returns
    -------
    MultiLabelData
        The prepared data.

    References
    ----------
    S. Ji, L. Tang, S. Yu, J. Ye (2008), Extracting shared subspace for multi-label
    classification, KDD, section 5.1 and Table 2.
    """
    data = keep_frequent_labels(data, min_label_rows)
    return tfidf_rows(keep_frequent_words(data, min_word_rows))
