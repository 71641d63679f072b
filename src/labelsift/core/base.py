# SPDX-License-Identifier: BSD-3-Clause
"""The contracts of selectors, subspaces and label rankers, in one place to import.

A selector writes ``_rank(X, Y)``, a subspace and a ranker write ``_fit(X, Y)``; the
base classes do the rest: validation, names, budgets, tags, scikit-learn's manners. X
arrives checked (ndarray, csr_array or csc_array), Y as a 0/1 matrix of int8.
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
