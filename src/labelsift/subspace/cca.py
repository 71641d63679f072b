# SPDX-License-Identifier: BSD-3-Clause
"""Canonical correlation analysis of samples and labels, with a ridge penalty."""

from typing import Any

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from labelsift.subspace.base import RidgeSubspace


class RegularizedCCA(RidgeSubspace):
    r"""Canonical correlation analysis of X with the labels, ridge penalty on X.

    The directions w of X whose projections correlate most with some combination of the
    labels Y, X and Y centred:

    .. math::

        X'Y (Y'Y)^{-1} Y'X w = \rho^2 (X'X + n \beta I) w, \qquad
        w' (\tfrac1n X'X + \beta I) w = 1.

    Labels that follow from others count once (pseudo-inverse). It is the limit of
    ``MLLS`` for alpha -> infinity with labels whitened to :math:`Y (Y'Y)^{-1/2}`. For
    the classes of a 1-D y and beta -> 0 the directions are those of linear
    discriminant analysis.

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
    correlations_ : ndarray of shape (n_components_,)
        Canonical correlations, lowered by the penalty.
    mean_ : ndarray of shape (n_features_in_,)
        Subtracted before projecting.

    See Also
    --------
    OPLS : The same without whitening the labels.
    MLLS : Labels that may also leave the subspace, at a price.
    sklearn.cross_decomposition.CCA : Dense, iterative, without a penalty.

    References
    ----------
    H. Hotelling (1936), Relations between two sets of variates, Biometrika 28.
    S. Ji, L. Tang, S. Yu, J. Ye (2008), Extracting shared subspace for multi-label
    classification, KDD, section 4.2.

    Examples
    --------
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.subspace import RegularizedCCA
    >>> traits = load_dataset("traits")
    >>> RegularizedCCA(3).fit(traits.X, traits.Y).correlations_.round(2)
    array([0.94, 0.9 , 0.86])
    """

    _products = (True, True)

    def _targets(
        self, codes: NDArray[Any], weights: NDArray[Any] | None
    ) -> NDArray[Any]:
        """Orthonormal columns that span the targets: Y (Y'Y)^-1/2, rotated."""
        root = 1.0 if weights is None else np.sqrt(weights)[:, np.newaxis]
        basis, size, _ = scipy.linalg.svd(root * codes, full_matrices=False)
        spanned = size > len(codes) * np.finfo(np.float64).eps * size[0]
        return np.asarray(basis[:, spanned] / root)

    def _target_rotation(self, yy: NDArray[Any]) -> NDArray[Any]:
        """V S^-1 of Y = U S V'; what labels repeat of each other is left out."""
        squares, axes = scipy.linalg.eigh(yy)
        spanned = squares > 64 * len(yy) * np.finfo(np.float64).eps * squares[-1]
        return np.asarray(axes[:, spanned] / np.sqrt(squares[spanned]))

    def _set_explained(self, explained: NDArray[Any], n_samples: float) -> None:
        self.correlations_ = np.sqrt(explained)
