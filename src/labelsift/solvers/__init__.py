# SPDX-License-Identifier: BSD-3-Clause
"""Algorithms shared by several methods: arrays in, SolverResult out."""
