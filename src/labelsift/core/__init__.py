# SPDX-License-Identifier: BSD-3-Clause
"""Base classes, labels, data and validation; imports no other subpackage."""
