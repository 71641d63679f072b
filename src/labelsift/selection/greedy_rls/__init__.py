# SPDX-License-Identifier: BSD-3-Clause
"""Greedy regularised least squares: the selector and its own modules."""

from labelsift.selection.greedy_rls.selector import GreedyRLS

__all__ = ["GreedyRLS"]
