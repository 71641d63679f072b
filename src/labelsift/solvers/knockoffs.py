# SPDX-License-Identifier: BSD-3-Clause
r"""Second-order Gaussian knockoffs: copies that are exchangeable with their features.

For rows of X with mean 0 and correlation Sigma, and S = diag(s) with 0 <= s <= 1 and
2 Sigma - S positive semidefinite,

    X~ = X - X Sigma^-1 S + E V^(1/2),    V = 2 S - S Sigma^-1 S,    E standard normal,

has cov(X~) = Sigma and cov(X, X~) = Sigma - S: the first two moments of (X, X~) do not
change when some columns of X are exchanged with their copies. The larger s_j, the less
a copy resembles its feature. With D = 2 Sigma - S three choices of s are

    mvr             minimises tr D^-1 + sum 1/s, that is, the trace of the inverse of
                    the correlation of (X, X~)
    sdp             maximises sum s
    equicorrelated  s = min(1, 2 lambda_min(Sigma)), the same for all features.

The first two go through the coordinates in turn: s_j changes by x, and D^-1 by
x / (1 - x c) (D^-1 e_j)(D^-1 e_j)' with c = (D^-1)_jj, O(d^2). Everything here is dense
and holds a few d x d arrays.

References: E. Candes, Y. Fan, L. Janson, J. Lv (2018), Panning for gold: model-X
knockoffs, JRSS B 80, 551-577; A. Spector, L. Janson (2022), Powerful knockoffs via
minimizing reconstructability, Annals of Statistics 50, 252-276.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve, eigh
from scipy.linalg.blas import dger

# Where the descent starts, as a share of the equicorrelated s: inside the cone.
_INSIDE = 0.99
# The descent ends when no s_j has changed by more, or after so many sweeps.
_TOL, _SWEEPS = 1e-6, 200
# The barrier of sdp falls by this factor a sweep until it is this small.
_FALL, _BARRIER = 0.9, 1e-7


@dataclass(frozen=True)
class GaussianKnockoffs:
    """What draws copies of rows with mean 0, unit variance and a given correlation."""

    shift: NDArray[np.float64]  # Sigma^-1 S
    root: NDArray[np.float64]  # V^(1/2)

    @classmethod
    def build(
        cls, correlation: NDArray[np.float64], construction: str
    ) -> "GaussianKnockoffs":
        """Choose s by a construction, "mvr", "sdp" or "equicorrelated"."""
        s = CONSTRUCTIONS[construction](correlation)
        shift = cho_solve(cho_factor(correlation, lower=True), np.diag(s))
        V = 2 * np.diag(s) - s[:, np.newaxis] * shift
        values, vectors = eigh((V + V.T) / 2)
        root = (vectors * np.sqrt(np.maximum(values, 0))) @ vectors.T
        return cls(shift, root)

    def draw(
        self, X: NDArray[np.float64], rng: np.random.RandomState
    ) -> NDArray[np.float64]:
        """Copies of the rows of X."""
        noise = rng.standard_normal(X.shape)
        return np.asarray(X - X @ self.shift + noise @ self.root)


def equicorrelated(correlation: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same s for all features, as large as it can be."""
    least = float(eigh(correlation, eigvals_only=True, subset_by_index=[0, 0])[0])
    return np.full(len(correlation), min(1.0, 2 * max(least, 0.0)))


def minimum_variance(correlation: NDArray[np.float64]) -> NDArray[np.float64]:
    """The s of least tr D^-1 + sum 1/s.

    With r = |D^-1 e_j| the best change of s_j is (1 - s_j r) / (c + r); it stays
    inside the cone, and s below 1, by itself.
    """
    s = _INSIDE * equicorrelated(correlation)
    for _ in range(_SWEEPS):
        inverse, largest = _inverse(correlation, s), 0.0
        for j in range(len(s)):
            r = float(np.linalg.norm(inverse[:, j]))
            x = (1 - s[j] * r) / (inverse[j, j] + r)
            _move(s, inverse, j, x)
            largest = max(largest, abs(x))
        if largest < _TOL:
            break
    return s


def semidefinite(correlation: NDArray[np.float64]) -> NDArray[np.float64]:
    """The s of largest sum, to a few thousandths: a barrier b log det D falls.

    The best change of s_j is that to s_j + 1/c - b, as far as 0 <= s_j <= 1.
    """
    s, barrier = _INSIDE * equicorrelated(correlation), 1.0
    while barrier > _BARRIER:
        inverse = _inverse(correlation, s)
        for j in range(len(s)):
            best = s[j] + 1 / inverse[j, j] - barrier
            _move(s, inverse, j, min(max(best, 0.0), 1.0) - s[j])
        barrier *= _FALL
    return s


CONSTRUCTIONS = {
    "mvr": minimum_variance,
    "sdp": semidefinite,
    "equicorrelated": equicorrelated,
}


def _inverse(correlation: NDArray[Any], s: NDArray[Any]) -> NDArray[np.float64]:
    """(2 Sigma - S)^-1, afresh, column by column in memory."""
    factor = cho_factor(2 * correlation - np.diag(s), lower=True)
    return np.asfortranarray(cho_solve(factor, np.eye(len(s))))


def _move(s: NDArray[Any], inverse: NDArray[Any], j: int, x: float) -> None:
    """Change s_j by x, and the inverse with it, in place."""
    column = inverse[:, j].copy()
    s[j] += x
    dger(x / (1 - x * column[j]), column, column, a=inverse, overwrite_a=1)
