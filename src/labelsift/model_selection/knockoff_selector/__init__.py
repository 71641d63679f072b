# SPDX-License-Identifier: BSD-3-Clause
"""Knockoffs: features that beat copies of themselves made without the labels."""

from labelsift.model_selection.knockoff_selector.selector import KnockoffSelector

__all__ = ["KnockoffSelector"]
