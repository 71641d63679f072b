# SPDX-License-Identifier: BSD-3-Clause
"""From values to bins, counts and exact mutual information."""
