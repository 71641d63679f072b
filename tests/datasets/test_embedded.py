# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
from sklearn.datasets import load_digits

from labelsift.datasets import load_dataset
from labelsift.datasets.embedded import EMBEDDED


@pytest.mark.parametrize(
    ("name", "sizes", "target"),
    [
        ("traits", (1797, 64, 6), "labels"),
        ("digit-halves", (1797, 32, 32), "values"),
        ("diabetes", (442, 10, 1), "values"),
    ],
)
def test_sets_that_need_no_file(name, sizes, target):
    data = load_dataset(name, offline=True)
    assert (data.n_samples, data.n_features, data.n_labels) == sizes
    assert (data.name, data.target, set(EMBEDDED)) == (
        name, target, {"traits", "digit-halves", "diabetes"}
    )  # fmt: skip


def test_the_halves_make_up_the_digits():
    data = load_dataset("digit-halves")
    np.testing.assert_array_equal(np.hstack([data.X, data.Y]), load_digits().data)
    assert data.feature_names[-1] == "pixel_3_7"
    assert data.label_names[0] == "pixel_4_0"
