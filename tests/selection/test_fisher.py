# SPDX-License-Identifier: BSD-3-Clause
import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.datasets import make_planted
from labelsift.selection import FisherScore
from reference.fisher import fisher_scores

FORMS = [np.asarray, sp.csr_array, sp.csc_array]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_equals_the_definition(form, offset, rng):
    X = np.round(rng.normal(size=(50, 12)), 1) * (rng.uniform(size=(50, 12)) < 0.6)
    X[:, 3] = offset
    X[:, 4] += offset
    Y = rng.integers(2, size=(50, 5))
    scores = FisherScore().fit(form(X), Y).scores_
    np.testing.assert_allclose(scores, fisher_scores(X, Y), rtol=1e-7)


def test_float32_input_is_summed_in_float64(rng):
    X = (1000 + rng.normal(size=(4000, 6))).astype(np.float32)
    Y = rng.integers(2, size=(4000, 3))
    scores = FisherScore().fit(X, Y).scores_
    np.testing.assert_allclose(scores, fisher_scores(X.astype(float), Y), rtol=1e-7)


def test_shift_scale_and_order_do_not_matter(rng):
    data = make_planted(100, 20, 5, n_relevant=5, random_state=3)
    scores = FisherScore().fit(data.X, data.Y).scores_
    moved = data.X * rng.uniform(0.1, 10, size=20) + rng.normal(size=20)
    np.testing.assert_allclose(FisherScore().fit(moved, data.Y).scores_, scores)
    labels = rng.permutation(5)
    features = rng.permutation(20)
    shuffled = FisherScore().fit(data.X[:, features], data.Y[:, labels]).scores_
    np.testing.assert_allclose(shuffled, scores[features])


def test_equals_a_function_of_the_correlation(rng):
    x = rng.normal(size=60)
    y = (x + rng.normal(size=60) > 0).astype(int)
    r2 = np.corrcoef(x, y)[0, 1] ** 2
    scores = FisherScore(1).fit(np.column_stack([x, -x]), y[:, np.newaxis]).scores_
    np.testing.assert_allclose(scores, r2 / (1 - r2))


def test_a_perfect_feature_scores_highest_and_finitely(rng):
    y = rng.integers(2, size=40)
    X = np.column_stack([rng.normal(size=40), 3.0 * y, rng.normal(size=40)])
    selector = FisherScore(1).fit(X, y)
    assert selector.feature_order_[0] == 1
    assert np.isfinite(selector.scores_).all()


def test_large_sparse_real_data_stays_sparse(real):
    data = real("rcv1-subset1")
    tracemalloc.start()
    selector = FisherScore(200).fit(data.X, data.Y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1e9  # a dense copy would take 2.3e9
    constant = np.asarray((data.X != 0).sum(axis=0)).ravel() == 0
    assert constant.sum() > 27_000
    assert constant[selector.feature_order_[-constant.sum() :]].all()
    columns = np.flatnonzero(~constant)[::200]
    dense = data.X[:, columns].toarray()
    slice_scores = FisherScore().fit(dense, data.Y).scores_
    np.testing.assert_allclose(selector.scores_[columns], slice_scores, rtol=1e-9)
