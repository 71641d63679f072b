# SPDX-License-Identifier: BSD-3-Clause
"""Multi-label classifiers that score labels: the read-outs of every comparison."""

__all__: list[str] = []
