# SPDX-License-Identifier: BSD-3-Clause
"""Splits, thresholds and grids that share work."""

__all__: list[str] = []
