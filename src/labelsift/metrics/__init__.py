# SPDX-License-Identifier: BSD-3-Clause
"""The measures by which methods are judged."""

__all__: list[str] = []
