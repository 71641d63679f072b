# SPDX-License-Identifier: BSD-3-Clause
"""Warnings attributed to the user's line of code."""

import sys
import warnings

# Calls inside these packages are not the user's: scikit-learn and joblib are called
# between a user's pipeline and our fit.
_BETWEEN = ("labelsift", "sklearn", "joblib")


def warn(sentence: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the line that called the library, however deep the call stack is."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and _is_between(frame.f_globals.get("__name__", "")):
        level, frame = level + 1, frame.f_back
    warnings.warn(sentence, category, stacklevel=level)


def _is_between(module: str) -> bool:
    return module.partition(".")[0] in _BETWEEN
