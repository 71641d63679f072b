# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest

from labelsift.selection import LRFS
from reference.information import coded_data
from reference.lrfs import lrfs


@pytest.mark.parametrize("weight", ["once", "labels"])
@pytest.mark.parametrize("label_density", [0.15, 0.6])
@pytest.mark.parametrize("n_bins", [2, 3, 4, 5])
def test_equals_the_reference(rng, n_bins, label_density, weight):
    codes, Y = coded_data(rng, n_bins, label_density)
    order, _ = lrfs(codes, Y, codes.shape[1], weight)
    selector = LRFS(1.0, redundancy_weight=weight, discretize=None).fit(codes, Y)
    np.testing.assert_array_equal(selector.feature_order_, order)


def test_the_weight_matters(rng):
    """A copy costs its entropy once or once per label."""
    codes, Y = coded_data(rng, 5, 0.3)
    orders = {
        tuple(
            LRFS(1.0, redundancy_weight=weight, discretize=None)
            .fit(codes, Y)
            .feature_order_
        )
        for weight in ("once", "labels")
    }
    assert len(orders) == 2


@pytest.mark.parametrize("n_copies", [0, 1])
def test_labels_that_determine_each_other_are_told(rng, n_copies):
    X = rng.random((50, 4))
    y = (X[:, :1] > 0.5).astype(int)
    Y = np.hstack([y] + [1 - y] * n_copies)
    with pytest.warns(UserWarning, match="only redundancy decides. Use MRMR."):
        LRFS().fit(X, Y)
