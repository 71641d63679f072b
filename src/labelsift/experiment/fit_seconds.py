# SPDX-License-Identifier: BSD-3-Clause
"""How long a fit takes, estimated from its size."""

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
    def cube(self) -> int:
        """The smaller side to the third power: a factorisation."""
        return min(self.n, self.d) ** 3


def _gcv_seconds(s: Size) -> float:
    """Of GreedyRLS by GCV; a pass over X a step where it is wide."""
    if s.is_wide:
        return s.k * (1.5e-9 * s.nnz + 2e-9 * s.n * s.t + 3e-10 * s.k**2)
    return s.k * (9.8e-10 * s.d * s.k + 1.9e-7 * s.n) + 1e-8 * s.nnz


def _mdmr_seconds(s: Size) -> float:
    """Of MDMR; features that share few rows need few labels each."""
    if s.is_wide and s.nnz**2 < s.n * s.d**2:
        return 1.2e-8 * s.k * s.d
    return s.t * s.k * (1.1e-8 * s.d + 4.9e-9 * s.n) + 0.003


def _mt_lasso_seconds(s: Size) -> float:
    """Of MTLasso; most features of wide X are left out along the path."""
    seconds = 4.5e-9 * s.nnz * s.k + 3e-7 * s.k**2 * s.t + 0.007
    return seconds / (s.wide(8) if s.d >= 2000 else s.wide(5))


def _mifs_seconds(s: Size) -> float:
    """Of MIFS; distances of sparse rows take little."""
    distances = 3.2e-10 * s.n**2 * min(s.d, 1000) / s.wide(100)
    return 6.3e-6 * s.d * s.t / (s.wide(3) if s.d > 4000 else 1) + distances


def _csfs_seconds(s: Size) -> float:
    """Of CSFS; few Newton steps where X is wide."""
    seconds = 2.7e-9 * s.nnz * s.t + 6.8e-6 * s.d * s.t + 5.4e-12 * s.square
    return seconds / (s.wide(3) if s.d >= 2000 else 1)


def _steps(s: Size) -> float:
    """Of the steps of LRFS and MRMR, which look at twice as many features as taken."""
    return 2.6e-8 * min(s.d, 2 * s.k) * s.k + 0.001


# Estimated seconds of one fit of each selector; docs/results/perf/estimates.txt says on
# which data sets the constants were fitted.
SECONDS: dict[str, Callable[[Size], float]] = {
    "greedy-rls": lambda s: 1.2e-9 * s.n * s.d * (s.k + s.t) + 0.004,
    "greedy-rls-gcv": _gcv_seconds,
    "greedy-fair": lambda s: s.d * (s.k * (3.8e-10 * s.k + 2.5e-8 * s.t) + 6e-8 * s.n),
    "fisher": lambda s: s.t * (2.2e-7 * s.d + 6e-8 * s.n),
    "random": lambda s: 1e-8 * s.d,
    "rfs": lambda s: 3.1e-9 * s.cube + 4.4e-9 * s.nnz * s.t + 0.01,
    "csfs": _csfs_seconds,
    "sfus": lambda s: 3.8e-9 * s.cube + 1e-8 * s.nnz * s.t + 0.01,
    "mifs": _mifs_seconds,
    "rlefs": lambda s: s.n * (4.4e-6 * s.t + 1.7e-8 * s.d) / s.wide(2) + 0.07,
    "ralm": lambda s: 1e-9 * s.square + 2e-8 * s.nnz * s.t + 0.012,
    "mt-lasso": _mt_lasso_seconds,
    "ppt": lambda s: s.t * (2.2e-7 * s.d + 6e-8 * s.n) + 0.001,
    "mdmr": _mdmr_seconds,
    "lrfs": lambda s: s.t * (2.7e-7 * s.d + 1.2e-7 * s.n) + _steps(s),
    "mrmr": lambda s: 8e-8 * s.n * s.t + _steps(s),
    "d2f": lambda s: s.t * s.k * (9.8e-9 * s.d + 6.8e-9 * s.n) + 0.002,
    "pmu": lambda s: 1.2e-8 * s.d * s.t * s.k + 5.6e-7 * s.n * s.t + 0.001,
    "fimf": lambda s: s.t * (3.2e-7 * s.d + 1.6e-7 * s.n) + 0.001,
    "grro": lambda s: s.k * (1.4e-6 * s.d + 5.6e-8 * s.n) + 0.002,
    "mdfs": lambda s: s.nnz * (5.3e-8 * s.t + 3.7e-10 * s.n) + 6.5e-6 * s.d * s.t,
    "rfsfs": lambda s: 5.2e-8 * s.nnz * s.t + 0.001,
    "mfs-mcdm": lambda s: 3.2e-11 * s.d**2 * s.n + 0.002,
    "hsic": lambda s: s.t * (1.3e-7 * s.d + 4e-8 * s.n),
    "relief-ml": lambda s: 8.9e-11 * s.n**2 * min(s.d, 1000) + 0.002,
    "scls": lambda s: s.k * (1.2e-8 * s.d + 2e-10 * s.nnz) + 5e-8 * s.n * s.t,
    "mlfs": lambda s: 4.6e-8 * s.nnz * s.t + 0.012,
    "cmlfs": lambda s: 6.7e-8 * s.nnz * s.t + 0.008,
    "anova": lambda s: s.t * (8.1e-9 * s.nnz + 6.8e-7 * s.d + 6.2e-4),
    "chi2": lambda s: s.t * (9e-7 * s.d + 3e-7 * s.n + 0.0018),
    "mutual-info": lambda s: 4.9e-6 * s.n * s.d * s.t,
    "forest": lambda s: 2e-6 * s.trees + 4.9e-5 * s.n * s.t + 0.08,
    "extra-trees": lambda s: 2.2e-6 * s.trees + 2.2e-5 * s.n * s.t + 0.08,
    "rfe-ridge": lambda s: 2.5e-7 * s.d**2 + 8.6e-9 * s.n * s.d * s.t + 0.018,
    "l1-logistic": lambda s: 2e-7 * s.nnz * s.t + 0.006,
    "permutation": lambda s: s.n * s.d * (7.1e-8 * s.t + 3.5e-6) + 0.075,
    "fastcan": lambda s: 5e-9 * s.n * s.d * s.k * s.t,
    "abess": lambda s: 5e-9 * s.n * s.d * s.k,
}
