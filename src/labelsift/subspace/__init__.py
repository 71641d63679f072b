# SPDX-License-Identifier: BSD-3-Clause
"""Low-dimensional subspaces that all labels share."""

__all__: list[str] = []
