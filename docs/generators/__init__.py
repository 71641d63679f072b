# SPDX-License-Identifier: BSD-3-Clause
"""Generators of documentation pages; conf.py calls them."""
