# SPDX-License-Identifier: BSD-3-Clause
"""Sets that need no file: scikit-learn brings their numbers."""

from collections.abc import Callable

from sklearn.datasets import load_diabetes, load_digits

from labelsift.core.data import MultiLabelData
from labelsift.datasets.traits import load_traits


def load_digit_halves() -> MultiLabelData:
    """The lower half of each digit, 32 pixels, as values to predict from the upper."""
    digits = load_digits()
    names, half = tuple(digits.feature_names), digits.data.shape[1] // 2
    return MultiLabelData(
        X=digits.data[:, :half],
        Y=digits.data[:, half:],
        feature_names=names[:half],
        label_names=names[half:],
        name="digit-halves",
        target="values",
    )


def _load_diabetes() -> MultiLabelData:
    """The progress of diabetes in a year, from ten measurements."""
    bunch = load_diabetes(scaled=False)
    return MultiLabelData(
        X=bunch.data,
        Y=bunch.target[:, None],
        feature_names=tuple(bunch.feature_names),
        label_names=("progress",),
        name="diabetes",
        target="values",
    )


_DIGITS = "embedded: scikit-learn's digits, from the UCI repository"
# By name: how it is loaded, and where it comes from.
EMBEDDED: dict[str, tuple[Callable[[], MultiLabelData], str]] = {
    "traits": (load_traits, _DIGITS),
    "digit-halves": (load_digit_halves, f"{_DIGITS}; values"),
    "diabetes": (
        _load_diabetes,
        "embedded: scikit-learn's diabetes, Efron et al. 2004; values",
    ),
}
