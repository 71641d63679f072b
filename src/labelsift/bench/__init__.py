# SPDX-License-Identifier: BSD-3-Clause
"""The benchmark: suites are planned, run once and kept."""
