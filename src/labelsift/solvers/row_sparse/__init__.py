# SPDX-License-Identifier: BSD-3-Clause
"""Regression of many targets with a penalty on whole rows of weights."""
