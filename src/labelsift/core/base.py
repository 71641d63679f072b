# SPDX-License-Identifier: BSD-3-Clause
"""The base classes of selectors, subspaces and label rankers, to import from here.

A selector implements ``_rank(X, Y)``, a subspace and a ranker ``_fit(X, Y)``; the
base classes do the rest: validation, names, budgets, tags, scikit-learn's conventions.
X arrives checked (ndarray, csr_array or csc_array), Y as a 0/1 matrix of int8.
"""

from labelsift.core.ranker import BaseLabelRanker, LinearRankerMixin, RankerMixin
from labelsift.core.selector import BaseSelector
from labelsift.core.subspace import BaseSubspace

__all__ = [
    "BaseLabelRanker",
    "BaseSelector",
    "BaseSubspace",
    "LinearRankerMixin",
    "RankerMixin",
]
