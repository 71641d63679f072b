# SPDX-License-Identifier: BSD-3-Clause
"""Algorithms that serve two or more methods: arrays in, SolverResult out."""
