# SPDX-License-Identifier: BSD-3-Clause
"""Fits whose warnings are not what a test is about."""

import warnings


def fit(selector, X, Y):
    """Fit without warnings of few weights or few iterations."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return selector.fit(X, Y)
