# SPDX-License-Identifier: BSD-3-Clause
"""The ground floor: contracts, labels, data and validation. Knows no other room."""
