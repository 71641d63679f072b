# SPDX-License-Identifier: BSD-3-Clause
"""How long a fit of each selector takes, from the size of its data.

Seconds of one core of a machine between the two on which fits were measured: one of
them is about 1.6 times as fast as the other.
"""

import math
from collections.abc import Callable
from typing import NamedTuple, Self

import scipy.sparse as sp

from labelsift.core.data import MultiLabelData


class Size(NamedTuple):
    """Size of a fit: rows, features, labels, stored values of X, largest budget."""

    n: int
    d: int
    t: int
    nnz: int
    k: int

    @classmethod
    def of(cls, data: MultiLabelData, k: int) -> Self:
        """Size of a fit on all rows; of a table as many numbers as it has cells."""
        n, d = data.n_samples, data.n_features
        nnz = data.X.nnz if sp.issparse(data.X) else n * d
        return cls(n, d, data.n_labels, nnz, k)

    @property
    def is_wide(self) -> bool:
        """Whether X is sparse with more features than rows, and these than k."""
        return self.k <= self.n < self.d and self.nnz < self.n * self.d

    def wide(self, factor: float) -> float:
        """The factor where X is wide, else 1."""
        return factor if self.is_wide else 1.0

    @property
    def square(self) -> int:
        """Multiplications of a Gram matrix of the smaller side."""
        return min(self.n, self.d) ** 2 * max(self.n, self.d)

    @property
    def trees(self) -> float:
        """Comparisons of a tree that looks at the root of the features."""
        return self.n * math.sqrt(self.d) * math.log2(2 + self.n)

    @property
    def distances(self) -> int:
        """Products of rows with each other, of at most 1000 features."""
        return self.n**2 * min(self.d, 1000)

    @property
    def cube(self) -> int:
        """The smaller side to the third power: a factorisation."""
        return min(self.n, self.d) ** 3


def _gcv_seconds(s: Size) -> float:
    """Of GreedyRLS by GCV; a pass over X a step where it is wide."""
    if s.is_wide:
        return s.k * (1.5e-9 * s.nnz + 2e-9 * s.n * s.t + 3e-10 * s.k**2)
    return 1.5e-9 * s.k**2 * s.d + 1.5e-7 * s.n * s.t + 2e-9 * s.nnz


def _mdmr_seconds(s: Size) -> float:
    """Of MDMR; features that share few rows need few labels each."""
    if s.is_wide and s.nnz**2 < s.n * s.d**2:
        return 1.2e-8 * s.k * s.d
    return s.k * (7e-9 * s.d * s.t + 3e-8 * s.n) + 0.002


def _mt_lasso_seconds(s: Size) -> float:
    """Of MTLasso; most features of wide X are left out along the path."""
    if s.is_wide:
        seconds = 4.5e-9 * s.nnz * s.k + 3e-7 * s.k**2 * s.t
        return seconds / (8 if s.d >= 2000 else 4) + 0.001
    return 1.3e-9 * s.nnz * s.k + 1.3e-7 * s.k**2 * s.t + 0.003


def _mifs_seconds(s: Size) -> float:
    """Of MIFS; distances of sparse rows take little."""
    distances = min(8e-11 * s.distances, 4.5e-10 * s.n * s.nnz) / s.wide(25)
    return (2.1e-6 if s.d > 4000 else 3e-6) * s.d * s.t + distances


def _csfs_seconds(s: Size) -> float:
    """Of CSFS; few Newton steps where X is wide."""
    if s.is_wide:
        seconds = 2.7e-9 * s.nnz * s.t + 6.8e-6 * s.d * s.t + 5.4e-12 * s.square
        return seconds / (3 if s.d >= 2000 else 2)
    return 5.5e-10 * s.cube + 5e-12 * s.square + 0.002


def _pair_seconds(s: Size, once: float) -> float:
    """Of D2F and PMU: pairs of features at every label; of sparse rows, few."""
    if s.is_wide:
        return 1.7e-10 * s.k * s.nnz * s.t
    return 6e-9 * s.k * s.d * s.t + once + 0.001


def _ranking_seconds(s: Size, dense: float) -> float:
    """Of MLFS and CMLFS, which take more sweeps over dense rows."""
    if s.nnz < s.n * s.d:
        return s.t * (1.5e-8 * s.nnz + 1.5e-7 * s.n) + 0.008
    return dense * s.nnz * s.t + 0.008


# Estimated seconds of one fit of each selector; docs/results/perf/estimates.txt says on
# which data sets the constants were fitted.
SECONDS: dict[str, Callable[[Size], float]] = {
    "greedy-rls": lambda s: 8.5e-10 * s.n * s.d * (s.k + s.t) + 0.003,
    "greedy-rls-gcv": _gcv_seconds,
    "greedy-fair": lambda s: s.d * (2e-8 * s.k * s.t + 1.8e-8 * s.n),
    "fisher": lambda s: 2.4e-8 * s.n * s.t + 2e-6 * s.d + 0.001,
    "random": lambda s: 1e-8 * s.d,
    "rfs": lambda s: 1.1e-9 * s.cube + 1e-9 * s.nnz * s.t + 0.008,
    "csfs": _csfs_seconds,
    "sfus": lambda s: 1.1e-9 * s.cube + 2e-9 * s.nnz * s.t + 0.02,
    "mifs": _mifs_seconds,
    "rlefs": lambda s: s.n * (2e-6 * s.t + 8.5e-9 * s.d) + 0.04,
    "ralm": lambda s: 5.4e-10 * s.square + 1.4e-8 * s.nnz * s.t + 0.006,
    "mt-lasso": _mt_lasso_seconds,
    "ppt": lambda s: 1e-8 * s.n * s.t + 1.5e-8 * s.nnz + 1.2e-6 * s.d + 0.001,
    "mdmr": _mdmr_seconds,
    "lrfs": lambda s: s.t * (2.7e-7 * s.d + 1.2e-7 * s.n) + 5.2e-8 * s.k**2,
    "mrmr": lambda s: 6e-8 * s.n * s.t + 5.2e-8 * s.k**2 + 0.001,
    "d2f": lambda s: _pair_seconds(s, s.k * (4.3e-8 * s.n + 7.4e-10 * s.nnz)),
    "pmu": lambda s: _pair_seconds(s, 7.1e-9 * s.nnz * s.t),
    "fimf": lambda s: 4e-8 * s.n * s.t + 2e-8 * s.nnz + 2e-6 * s.d + 0.001,
    "grro": lambda s: s.k * (8.9e-7 * s.d + 3e-8 * s.n) + 0.002,
    "mdfs": lambda s: (
        (s.t * (3.7e-8 * s.nnz + 2.7e-6 * s.d) + 1.1e-11 * s.distances) / s.wide(2.5)
    ),
    "rfsfs": lambda s: s.nnz * (2.5e-8 * s.t + 6.5e-12 * s.n) + 6.6e-7 * s.d * s.t,
    "mfs-mcdm": lambda s: (
        5e-12 * s.cube
        if s.is_wide
        else s.d**2 * (4.8e-12 * s.n + 1.5e-8) + 1.3e-8 * s.nnz
    ),
    "hsic": lambda s: 4e-8 * s.n * s.t + 5e-7 * s.d,
    "relief-ml": lambda s: 2.1e-11 * s.distances + 4.6e-11 * s.n * s.nnz + 0.001,
    "scls": lambda s: (
        s.k * (1.2e-8 * s.d + 2e-10 * s.nnz if s.is_wide else 5.7e-8 * s.n)
    ),
    "mlfs": lambda s: _ranking_seconds(s, 3e-8),
    "cmlfs": lambda s: _ranking_seconds(s, 4e-8),
    "anova": lambda s: s.t * (5.4e-9 * s.nnz + 4.2e-4) + 8.4e-6 * s.d,
    "chi2": lambda s: s.t * (6.7e-9 * s.nnz + 9.3e-4) + 9.9e-6 * s.d,
    "mutual-info": lambda s: 2.5e-6 * s.n * s.d * s.t,
    "forest": lambda s: 6e-7 * s.trees + 3.8e-5 * s.n * s.t + 0.05,
    "extra-trees": lambda s: 8e-7 * s.trees + 2.4e-5 * s.n * s.t + 0.03,
    "rfe-ridge": lambda s: 3e-9 * s.cube + 8.8e-9 * s.n * s.d * s.t + 0.01,
    "l1-logistic": lambda s: 8e-8 * s.nnz * s.t + 0.006,
    "permutation": lambda s: s.n * s.d * (3.6e-8 * s.t + 2e-6) + 0.055,
    "fastcan": lambda s: 5e-9 * s.n * s.d * s.k * s.t,
    "abess": lambda s: 5e-9 * s.n * s.d * s.k,
}
