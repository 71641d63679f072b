# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

from core.quiet import fit
from labelsift.datasets import make_planted
from labelsift.selection import RFS, SFUS
from labelsift.solvers.row_sparse.robust import _Descent, _place, _Problem
from reference.sfus import objective, reweighted


@pytest.fixture(params=[(80, 15), (20, 40)], ids=["tall", "wide"])
def data(request):
    n, d = request.param
    return make_planted(n, d, 5, n_relevant=4, random_state=0)


def test_a_round_is_that_of_the_reference(data, rng):
    W = rng.normal(size=(data.X.shape[1], 5))
    Y = data.Y.astype(float)
    problem = _Problem(Y, np.ones((len(Y), 1)), 0.7, 0.4, 2)
    point = _place(problem, data.X, W)
    assert point.objective == pytest.approx(objective(data.X, Y, W, 0.7, 0.4, 2))
    for _ in range(3):
        descent = _Descent(problem, data.X, 0.0, 1, [], None)
        norms = np.linalg.norm(point.W, axis=1)
        point = descent._step(point, norms, point.lengths)
    np.testing.assert_allclose(
        point.W, reweighted(data.X, Y, W, 0.7, 0.4, 2, 3), rtol=1e-6, atol=1e-9
    )


def test_the_objective_is_the_reference_s(data):
    selector = fit(SFUS(alpha=1.5, beta=2.0, n_latent=2), data.X, data.Y)
    value = objective(data.X, data.Y, selector.coef_.T, 1.5, 2.0, 2)
    assert selector.objective_[-1] == pytest.approx(value, rel=1e-9)


def test_the_reference_cannot_lower_the_objective(data):
    selector = fit(
        SFUS(alpha=0.5, beta=1.0, n_latent=2, tol=1e-10, max_iter=3000), data.X, data.Y
    )
    W = selector.coef_.T + 1e-9  # the reference divides by row norms
    W = reweighted(data.X, data.Y.astype(float), W, 0.5, 1.0, 2, 20)
    after = objective(data.X, data.Y, W, 0.5, 1.0, 2)
    assert after >= selector.objective_[-1] * (1 - 1e-4)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    alpha=st.sampled_from([1e-3, 0.1, 1.0, 10.0, 1e4]),
    beta=st.sampled_from([0.0, 1e-3, 1.0, 100.0, 1e4]),
    n_latent=st.integers(1, 4),
    n_samples=st.sampled_from([12, 40]),
    seed=st.integers(0, 100),
)
def test_the_objective_never_rises(alpha, beta, n_latent, n_samples, seed):
    data = make_planted(n_samples, 20, 4, n_relevant=3, random_state=seed)
    selector = fit(
        SFUS(alpha=alpha, beta=beta, n_latent=n_latent, max_iter=60), data.X, data.Y
    )
    trace = selector.objective_
    assert (np.diff(trace) <= 1e-9 * trace[:-1]).all()
    assert np.isfinite(selector.scores_).all()


def test_a_full_subspace_is_rfs(data):
    ours = fit(SFUS(alpha=2.0, beta=50.0, n_latent=5), data.X, data.Y)
    plain = fit(RFS(gamma=2.0), data.X, data.Y)
    np.testing.assert_array_equal(ours.scores_, plain.scores_)


def test_a_large_beta_gives_weights_of_low_rank(data):
    selector = fit(SFUS(alpha=0.5, beta=1e5, n_latent=2), data.X, data.Y)
    values = np.linalg.svd(selector.coef_, compute_uv=False)
    assert values[2] < 1e-3 * values[0]


def test_recovers_planted_features_of_labels_that_share_a_subspace():
    data = make_planted(
        500, 60, 6, n_relevant=6, label_rank=2, noise=0.1, random_state=3
    )
    selector = SFUS(6, alpha=20.0, beta=5.0, n_latent=2).fit(data.X, data.Y)
    assert selector.support_[data.relevant].all()


def test_labels_of_one_value_are_left_out(data):
    Y = np.column_stack([np.ones(len(data.Y)), data.Y])
    with pytest.warns(UserWarning, match="1 of 6 labels"):
        padded = SFUS(n_latent=2).fit(data.X, Y)
    plain = fit(SFUS(n_latent=2), data.X, data.Y)
    np.testing.assert_array_equal(padded.scores_, plain.scores_)
    assert padded.coef_.shape == (6, data.X.shape[1])
    assert not padded.coef_[0].any()


def test_more_dimensions_than_labels_are_refused(data):
    with pytest.raises(ValueError, match=r"n_latent=6 is more than the 5 labels"):
        SFUS(n_latent=6).fit(data.X, data.Y)


def test_too_few_rounds_are_told(data):
    with pytest.warns(ConvergenceWarning, match="max_iter=2 .* raise max_iter or tol"):
        SFUS(max_iter=2, tol=1e-12, n_latent=2).fit(data.X, data.Y)


@pytest.mark.parametrize("n_features", [8, 60])
def test_columns_far_from_zero_are_a_sentence(n_features):
    """At 1e8 the squares lose the differences: a bare LinAlgError, once."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, n_features))
    Y = (X[:, :2] > 0).astype(int)
    with pytest.raises(ValueError, match="subtract their means first") as error:
        SFUS().fit(X + 1e8, Y)
    assert "StandardScaler" in str(error.value)
    moved = X + 1e8
    far = SFUS(2).fit(moved - moved.mean(axis=0), Y)
    assert 0 in far.feature_order_[:2]
