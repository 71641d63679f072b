# SPDX-License-Identifier: BSD-3-Clause
"""Ranking machines: labels of a sample in order, with bounds of the optimum."""
