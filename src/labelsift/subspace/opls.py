# SPDX-License-Identifier: BSD-3-Clause
"""Orthonormalised partial least squares."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelsift.subspace.base import RidgeSubspace


class OPLS(RidgeSubspace):
    r"""Orthonormalised partial least squares with a ridge penalty.

    The directions w of X whose projections explain most of the targets Y (labels
    coded -1/+1 or real values, X and Y centred) by least squares:

    .. math::

        \tfrac1n X'YY'X w = \mu (\tfrac1n X'X + \beta I) w, \qquad
        w' (\tfrac1n X'X + \beta I) w = 1.

    It is the limit of ``MLLS`` for alpha -> infinity, where labels may use nothing but
    the shared subspace: the two subspaces are the same there, though not their bases.

    Cost: that of one ridge regression: a Gram matrix on the smaller side of X and its
    Cholesky factor; see ``MLLS``. X is never densified.

    Parameters
    ----------
    n_components : int or None, default=None
        How many directions; None for all that the labels span, at most n_labels.
    beta : float, default=1e-2
        Ridge penalty on the scale of the mean of squares, as in ``MLLS``.
    target : {"auto", "labels", "values"}, default="auto"
        What Y holds: "auto" reads 0/1, bool and -1/+1 as labels and columns with a
        fraction as values; "values" takes any number as it is.

    Attributes
    ----------
    components_ : ndarray of shape (n_components_, n_features_in_)
        The directions, best first, each signed so that its largest entry is positive.
        Projections are uncorrelated and have variance 1, up to the penalty.
    n_components_ : int
        Directions that exist, at most ``n_components``.
    eigenvalues_ : ndarray of shape (n_components_,)
        What each direction explains of the labels' squares, mean over the samples and
        summed over the labels.
    mean_ : ndarray of shape (n_features_in_,)
        Subtracted before projecting.

    See Also
    --------
    RegularizedCCA : The same with whitened labels.
    MLLS : Labels that may also leave the subspace, at a price.

    References
    ----------
    J. Arenas-García, K. B. Petersen, L. K. Hansen (2007), Sparse kernel orthonormalized
    PLS for feature extraction in large data sets, NIPS 19.
    S. Ji, L. Tang, S. Yu, J. Ye (2008), Extracting shared subspace for multi-label
    classification, KDD, eq. (30).

    Examples
    --------
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.subspace import OPLS
    >>> traits = load_dataset("traits")
    >>> OPLS(2).fit_transform(traits.X, traits.Y).std(axis=0).round(2)
    array([1., 1.])
    """

    def _targets(
        self, codes: NDArray[Any], weights: NDArray[Any] | None
    ) -> NDArray[Any]:
        return codes

    def _target_rotation(self, yy: NDArray[Any]) -> NDArray[Any]:
        return np.eye(len(yy))

    def _set_explained(self, explained: NDArray[Any], n_samples: float) -> None:
        self.eigenvalues_ = explained / n_samples
