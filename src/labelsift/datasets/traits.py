# SPDX-License-Identifier: BSD-3-Clause
"""The embedded data set: handwritten digits with six traits as labels."""

import numpy as np
from sklearn.datasets import load_digits

from labelsift.core.data import MultiLabelData

TRAITS = {
    "even": {0, 2, 4, 6, 8},
    "prime": {2, 3, 5, 7},
    "at_least_five": {5, 6, 7, 8, 9},
    "closed_loop": {0, 6, 8, 9},
    "straight_stroke": {1, 4, 7},
    "power_of_two": {1, 2, 4, 8},
}


def load_traits() -> MultiLabelData:
    """Scikit-learn's 1797 digits of 8 x 8 pixels, labelled by shared traits.

    Real pixels, correlated labels, and a selection that can be plotted as an image. A
    feature is called pixel_ROW_COLUMN.
    """
    digits = load_digits()
    columns = [np.isin(digits.target, list(which)) for which in TRAITS.values()]
    return MultiLabelData(
        X=digits.data,
        Y=np.column_stack(columns),
        feature_names=tuple(name for name in digits.feature_names),
        label_names=tuple(TRAITS),
        name="traits",
    )
