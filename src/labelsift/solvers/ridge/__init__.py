# SPDX-License-Identifier: BSD-3-Clause
"""Ridge regression of many targets: one decomposition, every penalty."""
