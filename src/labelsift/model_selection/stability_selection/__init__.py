# SPDX-License-Identifier: BSD-3-Clause
"""Stability selection: the features that are chosen again on random halves."""

from labelsift.model_selection.stability_selection.selector import StabilitySelection

__all__ = ["StabilitySelection"]
