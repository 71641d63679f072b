# SPDX-License-Identifier: BSD-3-Clause
import warnings

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from labelsift.datasets import make_planted
from labelsift.solvers.ridge import path as solver
from labelsift.subspace import MLLS
from reference.mlls import centred, mlls, objective, subspace_given, weights_given

WIDE, TALL = (30, 50), (80, 20)


def problem(shape, n_labels=6, *, density=1.0, seed=0):
    return make_planted(
        *shape,
        n_labels,
        n_relevant=min(10, shape[1]),
        label_rank=3,
        density=density,
        random_state=seed,
    )


def same_span(A, B):
    """Whether the rows of A and B span the same space, as projectors."""
    A, B = (np.linalg.qr(rows.T)[0] for rows in (A, B))
    return np.abs(A @ A.T - B @ B.T).max()


@pytest.mark.parametrize("shape", [WIDE, TALL])
@pytest.mark.parametrize(("alpha", "beta"), [(1e-2, 1e-2), (1.0, 1e-3), (1e-4, 0.5)])
@pytest.mark.parametrize("size", [1, 3, 5])
def test_equals_the_generalised_eigenproblem(shape, alpha, beta, size):
    data = problem(shape)
    model = MLLS(size, alpha=alpha, beta=beta).fit(data.X, data.Y)
    X, Y = centred(data.X, data.Y)
    U, theta = mlls(X, Y, size, alpha, beta)
    np.testing.assert_allclose(model.coef_.T, U, rtol=0, atol=1e-8)
    signs = np.sign(np.sum(model.components_ * theta, axis=1, keepdims=True))
    np.testing.assert_allclose(model.components_, signs * theta, rtol=0, atol=1e-8)
    reached = objective(X, Y, U, theta, alpha, beta)
    assert model.objective_ == pytest.approx(reached, rel=1e-10)


@pytest.mark.parametrize("shape", [WIDE, TALL])
def test_without_intercept_nothing_is_centred(shape):
    data = problem(shape)
    model = MLLS(2, fit_intercept=False).fit(data.X, data.Y)
    codes = 2.0 * data.Y - 1
    U, theta = mlls(data.X, codes, 2, 1e-2, 1e-2)
    np.testing.assert_allclose(model.coef_.T, U, rtol=0, atol=1e-8)
    np.testing.assert_array_equal(model.intercept_, 0)
    np.testing.assert_allclose(
        model.transform(data.X), data.X @ model.components_.T, atol=1e-12
    )
    assert same_span(model.components_, theta) < 1e-8


@pytest.mark.parametrize("shape", [WIDE, TALL])
def test_no_perturbation_lowers_the_objective(shape, rng):
    data = problem(shape)
    model = MLLS(3, alpha=0.1, beta=0.01).fit(data.X, data.Y)
    X, Y = centred(data.X, data.Y)
    U, theta = model.coef_.T, model.components_
    best = objective(X, Y, U, theta, 0.1, 0.01)
    assert best == pytest.approx(model.objective_, rel=1e-12)
    for size in np.repeat([1e-3, 1e-2, 1e-1], 20):
        moved = U + size * np.abs(U).max() * rng.normal(size=U.shape)
        turned = np.linalg.qr((theta + size * rng.normal(size=theta.shape)).T)[0].T
        assert objective(X, Y, moved, theta, 0.1, 0.01) >= best
        assert objective(X, Y, U, turned, 0.1, 0.01) >= best
        again = weights_given(X, Y, turned, 0.1, 0.01)
        assert objective(X, Y, again, turned, 0.1, 0.01) >= best * (1 - 1e-12)


@pytest.mark.parametrize("shape", [WIDE, TALL])
def test_alternating_from_random_starts_never_gets_lower(shape, rng):
    data = problem(shape)
    model = MLLS(3, alpha=0.1, beta=0.01).fit(data.X, data.Y)
    X, Y = centred(data.X, data.Y)
    reached = []
    for _ in range(10):
        theta = np.linalg.qr(rng.normal(size=(shape[1], 3)))[0].T
        for _ in range(200):
            U = weights_given(X, Y, theta, 0.1, 0.01)
            theta = subspace_given(U, 3)
        reached.append(objective(X, Y, U, theta, 0.1, 0.01))
    assert min(reached) >= model.objective_ * (1 - 1e-10)
    assert min(reached) == pytest.approx(model.objective_, rel=1e-3)


@pytest.mark.parametrize("shape", [(40, 90), (90, 40)])
def test_sparse_equals_dense_without_intercept(shape):
    data = problem(shape, density=0.2)
    model = MLLS(2, fit_intercept=False).fit(data.X, data.Y)
    dense = MLLS(2, fit_intercept=False).fit(data.X.toarray(), data.Y)
    for name in ("coef_", "intercept_", "components_", "eigenvalues_"):
        expected = getattr(dense, name)
        np.testing.assert_allclose(getattr(model, name), expected, atol=1e-10)


def test_a_large_offset_of_the_features_changes_nothing():
    data = problem(TALL)
    model = MLLS(2).fit(data.X, data.Y)
    moved = MLLS(2).fit(data.X + 1e5, data.Y)
    np.testing.assert_allclose(moved.coef_, model.coef_, atol=1e-8)
    wide = problem(WIDE)
    np.testing.assert_allclose(
        MLLS(2).fit(wide.X + 1e5, wide.Y).coef_,
        MLLS(2).fit(wide.X, wide.Y).coef_,
        atol=1e-8,
    )


@pytest.mark.parametrize("shape", [WIDE, TALL])
def test_alpha_of_0_and_all_directions_are_plain_ridge(shape):
    data = problem(shape)
    ridge = Ridge(alpha=shape[0] * 0.02).fit(data.X, 2.0 * data.Y - 1)
    model = MLLS(2, alpha=0, beta=0.02).fit(data.X, data.Y)
    np.testing.assert_allclose(model.coef_, ridge.coef_, atol=1e-10)
    np.testing.assert_allclose(model.intercept_, ridge.intercept_, atol=1e-10)
    np.testing.assert_array_equal(model.eigenvalues_, 0)
    with pytest.warns(UserWarning, match="plain ridge regression and alpha"):
        model = MLLS(6, alpha=0.5, beta=0.02).fit(data.X, data.Y)
    np.testing.assert_allclose(model.coef_, ridge.coef_, atol=1e-10)


def test_the_subspace_at_alpha_0_is_the_limit():
    data = problem(WIDE)
    limit = MLLS(2, alpha=0).fit(data.X, data.Y)
    near = MLLS(2, alpha=1e-9).fit(data.X, data.Y)
    np.testing.assert_allclose(limit.components_, near.components_, atol=1e-6)


@pytest.mark.parametrize("shape", [WIDE, TALL])
def test_a_huge_beta_gives_the_eigenvectors_of_the_scatter_between_labels(shape):
    data = problem(shape)
    model = MLLS(3, alpha=1.0, beta=1e9).fit(data.X, data.Y)
    X, Y = centred(data.X, data.Y)
    _, vectors = np.linalg.eigh(X.T @ Y @ Y.T @ X)
    assert same_span(model.components_, vectors[:, -3:].T) < 1e-6
    assert np.abs(model.coef_).max() < 1e-6


def test_beta_of_0_leaves_out_what_x_lacks():
    data = problem(WIDE)
    model = MLLS(2, alpha=0, beta=0).fit(data.X, data.Y)
    np.testing.assert_allclose(
        model.decision_function(data.X), 2.0 * data.Y - 1, atol=1e-8
    )
    X, Y = centred(data.X, data.Y)
    np.testing.assert_allclose(model.coef_.T, np.linalg.pinv(X) @ Y, atol=1e-8)


def test_components_are_orthonormal_signed_and_nested():
    data = problem(WIDE)
    large, small = MLLS(4).fit(data.X, data.Y), MLLS(2).fit(data.X, data.Y)
    np.testing.assert_allclose(
        large.components_ @ large.components_.T, np.eye(4), atol=1e-12
    )
    np.testing.assert_allclose(large.components_[:2], small.components_, atol=1e-10)
    largest = np.argmax(np.abs(large.components_), axis=1)
    assert (large.components_[np.arange(4), largest] > 0).all()


def test_rotation_is_orthonormal_and_its_gains_fall():
    data = problem(TALL)
    model = MLLS(3).fit(data.X, data.Y)
    rotation = model.label_rotation_
    np.testing.assert_allclose(rotation @ rotation.T, np.eye(6), atol=1e-12)
    assert (np.diff(model.eigenvalues_) <= 0).all()
    assert (model.eigenvalues_ >= 0).all()
    # The first component is where the weights of the first rotated label lie.
    shared = model.components_ @ (rotation @ model.coef_).T
    assert shared[0, 0] > 0
    np.testing.assert_allclose(shared[1:, 0], 0, atol=1e-10)


def test_sharing_a_direction_lowers_the_objective_by_its_eigenvalue():
    data = problem(TALL)
    two, three = MLLS(2).fit(data.X, data.Y), MLLS(3).fit(data.X, data.Y)
    fallen = two.objective_ - three.objective_
    assert fallen == pytest.approx(three.eigenvalues_[2], rel=1e-9)


def test_labels_of_rank_three_share_three_directions():
    data = make_planted(
        400, 30, 8, n_relevant=10, label_rank=3, noise=0, random_state=0
    )
    model = MLLS(7).fit(data.X, data.Y)
    assert model.eigenvalues_[2] > 5 * model.eigenvalues_[3]
    inside = np.linalg.norm(model.components_[:3][:, data.relevant])
    assert inside > 0.98 * np.sqrt(3)


def test_none_is_one_less_than_the_labels():
    data = problem(TALL)
    assert MLLS().fit(data.X, data.Y).n_components_ == 5


def test_classes_of_a_1d_y(rng):
    y = np.repeat(["a", "b", "c"], 20)
    X = rng.normal(size=(60, 5)) + 3 * np.eye(3, 5)[np.repeat([0, 1, 2], 20)]
    model = MLLS(1).fit(X, y)
    assert model.components_.shape == (1, 5)
    assert model.score(X, y) > 0.6


def test_more_labels_than_samples(rng):
    X, Y = rng.normal(size=(8, 20)), rng.integers(2, size=(8, 12))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = MLLS().fit(X, Y)
    assert any("plain ridge" in str(warning.message) for warning in caught)
    assert model.n_components_ <= 7
    assert np.isfinite(model.decision_function(X)).all()
    U, _ = mlls(*centred(X, Y), 3, 1e-2, 1e-2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fewer = MLLS(3).fit(X, Y)
    np.testing.assert_allclose(fewer.coef_.T, U, atol=1e-8)


@pytest.mark.parametrize("shape", [WIDE, TALL])
def test_path_equals_single_fits(shape):
    data = problem(shape)
    grid = {
        "alpha": [0, 0.1, 3.0],
        "beta": [0, 1e-3, 0.5],
        "n_components": [1, 4],
        "fit_intercept": [True, False],
    }
    base = MLLS()
    points = list(base.fit_path(data.X, data.Y, grid))
    assert len(points) == 36
    assert not hasattr(base, "coef_")
    for point, fitted in points:
        alone = MLLS(**point).fit(data.X, data.Y)
        assert fitted.get_params() == point | {"target": "auto"}
        for name in ("coef_", "intercept_", "eigenvalues_", "objective_", "mean_"):
            np.testing.assert_allclose(
                getattr(fitted, name), getattr(alone, name), atol=1e-7
            )
        np.testing.assert_allclose(
            fitted.transform(data.X), alone.transform(data.X), atol=1e-6
        )


def test_large_sparse_x_needs_no_gram_matrix(monkeypatch):
    data = problem((40, 90), density=0.2)
    expected = MLLS(2).fit(data.X, data.Y)
    monkeypatch.setattr(solver, "_LARGEST_GRAM", 4)
    monkeypatch.setattr(solver.CentredGram, "of", None)
    model = MLLS(2).fit(data.X, data.Y)
    np.testing.assert_allclose(model.coef_, expected.coef_, atol=1e-6)
    np.testing.assert_allclose(model.components_, expected.components_, atol=1e-5)


def test_features_that_have_nothing_to_do_with_the_labels_are_refused():
    X = np.array([[1.0], [-1.0], [1.0], [-1.0]])
    with pytest.raises(ValueError, match="are uncorrelated"):
        MLLS(1).fit(X, np.array([[1], [1], [0], [0]]))


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"alpha": -1}, "'alpha' parameter"),
        ({"beta": -1e-9}, "'beta' parameter"),
        ({"n_components": 0}, "'n_components' parameter"),
        ({"n_components": 1.5}, "'n_components' parameter"),
    ],
)
def test_bad_parameters(parameters, sentence):
    data = problem(TALL)
    with pytest.raises(ValueError, match=sentence):
        MLLS(**parameters).fit(data.X, data.Y)
