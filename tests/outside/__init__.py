# SPDX-License-Identifier: BSD-3-Clause
"""A package of somebody else, with methods, a read-out and a measure of its own."""
