# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
from sklearn.datasets import load_digits

from labelsift.datasets import load_dataset


def test_traits_are_properties_of_the_digit():
    data = load_dataset("traits")
    assert (data.n_samples, data.n_features, data.n_labels) == (1797, 64, 6)
    digits = load_digits().target
    row = {int(digit): data.Y[digits == digit] for digit in range(10)}
    assert all((rows == rows[0]).all() for rows in row.values())
    traits = {digit: set(np.flatnonzero(rows[0])) for digit, rows in row.items()}
    names = dict(enumerate(data.label_names))
    assert {names[j] for j in traits[7]} == {
        "prime",
        "at_least_five",
        "straight_stroke",
    }
    assert {names[j] for j in traits[8]} == {
        "even",
        "at_least_five",
        "closed_loop",
        "power_of_two",
    }


def test_features_are_named_by_place():
    data = load_dataset("traits")
    assert data.feature_names[:2] == ("pixel_0_0", "pixel_0_1")
    np.testing.assert_array_equal(data.X[3].reshape(8, 8), load_digits().images[3])
