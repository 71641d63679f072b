# SPDX-License-Identifier: BSD-3-Clause
"""Compiled scalar loops: free numba functions on arrays, cached, no classes.

Importing this package is free; numba is loaded with the first kernel module.
"""
