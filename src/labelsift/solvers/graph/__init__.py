# SPDX-License-Identifier: BSD-3-Clause
"""Graphs of near rows, and systems with their Laplacians."""
