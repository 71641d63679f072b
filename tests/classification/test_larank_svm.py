# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelsift.classification import CLaRankSVM, LaRankSVM
from labelsift.datasets import make_planted
from labelsift.metrics import macro_auc, macro_f1, ranking_loss
from labelsift.model_selection import PathSearchCV, ThresholdedClassifier
from reference.larank_svm import clarank, larank, with_ones
from reference.larank_svm import ranking_loss as mean_hinges

MACHINES = pytest.mark.parametrize("machine", [LaRankSVM, CLaRankSVM])
TIGHT = {"tol": 1e-8, "max_iter": 20000}


@pytest.fixture
def planted():
    return make_planted(120, 15, 5, n_relevant=6, label_rank=2, random_state=0)


@pytest.fixture
def few(planted):
    """As many samples as a general solver can do."""
    return planted.rows(slice(25))


def test_weights_are_those_of_the_formula(few):
    model = LaRankSVM(2.0, **TIGHT).fit(few.X, few.Y)
    value, W = larank(with_ones(few.X), few.Y, 2.0)
    np.testing.assert_allclose(model.coef_, W[:-1].T, atol=1e-4)
    np.testing.assert_allclose(model.intercept_, W[-1], atol=1e-4)
    np.testing.assert_allclose(model.bounds_[-1], value, rtol=1e-6)
    extended = np.vstack([model.coef_.T, model.intercept_])
    hinges = mean_hinges(with_ones(few.X), few.Y, extended)
    objective = 0.5 * np.sum(extended**2) + 2.0 * hinges
    assert objective == pytest.approx(value, rel=1e-6)


def test_correlated_weights_are_those_of_the_formula(few):
    model = CLaRankSVM(2.0, mu=0.5, **TIGHT).fit(few.X, few.Y)
    value, W = clarank(with_ones(few.X), few.Y, 2.0, 0.5)
    np.testing.assert_allclose(model.coef_, W[:-1].T, atol=1e-3)
    np.testing.assert_allclose(model.bounds_[-1], value, rtol=1e-6)
    assert np.trace(model.label_covariance_) == pytest.approx(1)
    assert np.linalg.eigvalsh(model.label_covariance_)[0] > -1e-12


def test_without_intercept_there_is_none(few):
    model = LaRankSVM(2.0, fit_intercept=False, **TIGHT).fit(few.X, few.Y)
    _, W = larank(few.X, few.Y, 2.0)
    np.testing.assert_allclose(model.coef_, W.T, atol=1e-4)
    np.testing.assert_array_equal(model.intercept_, 0)


def test_mu_zero_is_larank(planted):
    plain = LaRankSVM(**TIGHT).fit(planted.X, planted.Y)
    model = CLaRankSVM(mu=0, **TIGHT).fit(planted.X, planted.Y)
    np.testing.assert_array_equal(model.coef_, plain.coef_)


def test_a_large_mu_presses_labels_into_few_directions(planted):
    def rank(mu):
        model = CLaRankSVM(10.0, mu=mu).fit(planted.X, planted.Y)
        return np.sum(np.linalg.eigvalsh(model.label_covariance_) > 1e-3)

    assert rank(100.0) < rank(0.001) <= 4


@MACHINES
def test_sparse_standardised_features_give_the_dense_answer(machine):
    planted = make_planted(150, 40, 5, density=0.2, random_state=0)
    settings = {"standardize": True, "C": 0.5, **TIGHT}
    dense = machine(**settings).fit(planted.X.toarray(), planted.Y)
    sparse = machine(**settings).fit(planted.X, planted.Y)
    np.testing.assert_allclose(sparse.coef_, dense.coef_, atol=1e-5)
    np.testing.assert_allclose(sparse.intercept_, dense.intercept_, atol=1e-5)


@MACHINES
def test_standardize_is_a_scaler_before(machine, planted):
    X = planted.X * np.geomspace(0.1, 100, 15) + 7
    inside = machine(0.3, standardize=True, **TIGHT).fit(X, planted.Y)
    before = make_pipeline(StandardScaler(), machine(0.3, **TIGHT)).fit(X, planted.Y)
    np.testing.assert_allclose(
        inside.decision_function(X), before.decision_function(X), atol=1e-4
    )


def test_raw_features_leave_the_gap_open_and_it_says_so(planted):
    X = planted.X * np.geomspace(0.01, 1000, 15) + 50
    with pytest.warns(ConvergenceWarning, match=r"gap of .* scale X \(standardize=Tr"):
        raw = LaRankSVM(max_iter=50).fit(X, planted.Y)
    assert raw.dual_gap_ > 1e-3
    assert raw.n_iter_ == 50
    scaled = LaRankSVM(max_iter=500, standardize=True).fit(X, planted.Y)
    assert scaled.dual_gap_ <= 1e-3
    with pytest.warns(ConvergenceWarning, match=r"\): lower C"):
        LaRankSVM(max_iter=1, standardize=True).fit(X, planted.Y)


@MACHINES
def test_samples_without_pairs_play_no_part(machine, planted):
    Y = planted.Y.copy()
    Y[:10], Y[10:15] = 0, 1
    model = machine(**TIGHT).fit(planted.X, Y)
    other = machine(**TIGHT).fit(planted.X[15:], Y[15:])
    np.testing.assert_allclose(model.coef_, other.coef_, atol=1e-5)


@pytest.mark.filterwarnings("ignore:.*hold one value only")
def test_a_label_with_one_value_has_no_covariance(planted):
    Y = np.insert(planted.Y, [1, 3], [[0, 1]] * 120, axis=1)
    assert not CLaRankSVM().fit(planted.X, Y).label_covariance_[[1, 4]].any()


@MACHINES
@pytest.mark.parametrize(
    ("Y", "sentence"),
    [
        ([[1], [0], [1]], "no sample has one label present and another absent"),
        ([[1, 1], [0, 0], [1, 1]], "no sample has one label present"),
        ([[1, 1], [1, 0], [1, 1]], "no sample has one label present"),
    ],
)
@pytest.mark.filterwarnings("ignore:.*hold one value only")
def test_labels_that_cannot_be_ranked_are_an_error(machine, Y, sentence):
    with pytest.raises(ValueError, match=sentence):
        machine().fit(np.eye(3), np.array(Y))


@MACHINES
@pytest.mark.parametrize(
    "parameters", [{"C": 0}, {"C": -1.0}, {"tol": 0}, {"max_iter": 0}]
)
def test_bad_parameters_are_named(machine, parameters, planted):
    [name] = parameters
    with pytest.raises(ValueError, match=f"'{name}' parameter of {machine.__name__}"):
        machine(**parameters).fit(planted.X, planted.Y)


def test_a_negative_mu_is_named(planted):
    with pytest.raises(ValueError, match="'mu' parameter of CLaRankSVM"):
        CLaRankSVM(mu=-0.1).fit(planted.X, planted.Y)


@MACHINES
def test_float32_is_kept_and_close(machine, planted):
    double = machine(**TIGHT).fit(planted.X, planted.Y)
    single = machine(**TIGHT).fit(planted.X.astype(np.float32), planted.Y)
    assert single.coef_.dtype == single.intercept_.dtype == np.float32
    np.testing.assert_allclose(single.coef_, double.coef_, atol=1e-3)


@MACHINES
def test_classes_are_told_apart(machine, rng):
    centres = 4 * rng.normal(size=(3, 4))
    y = rng.integers(3, size=90)
    X = centres[y] + rng.normal(size=(90, 4))
    model = machine().fit(X, np.array(["a", "b", "c"])[y])
    assert model.score(X, np.array(["a", "b", "c"])[y]) > 0.95
    two = machine().fit(X[y < 2], y[y < 2])
    assert two.decision_function(X).shape == (90,)


@MACHINES
def test_a_path_ends_where_single_fits_do(machine, planted):
    grid = {"C": [0.1, 1.0, 10.0]}
    if machine is CLaRankSVM:
        grid["mu"] = [0.01, 1.0]
    base = machine(tol=1e-6, max_iter=20000)
    for point, warm in base.fit_path(planted.X, planted.Y, grid):
        cold = machine(tol=1e-6, max_iter=20000, **point).fit(planted.X, planted.Y)
        assert warm.get_params() == cold.get_params()
        # Both objectives are within 1e-6 of one optimum, so the weights are near.
        np.testing.assert_allclose(warm.coef_, cold.coef_, atol=5e-3)
        assert warm.bounds_[-1, 1] == pytest.approx(cold.bounds_[-1, 1], rel=2e-6)
    assert not hasattr(base, "coef_")


def test_a_path_may_change_how_x_is_read(planted):
    grid = {"fit_intercept": [True, False], "standardize": [True, False]}
    base = LaRankSVM(tol=1e-7, max_iter=20000)
    for point, warm in base.fit_path(planted.X, planted.Y, grid):
        cold = LaRankSVM(tol=1e-7, max_iter=20000, **point).fit(planted.X, planted.Y)
        np.testing.assert_allclose(warm.coef_, cold.coef_, atol=2e-3)


def test_the_path_serves_a_search(planted):
    grid = {"C": [0.01, 1.0], "mu": [0.01, 0.1]}
    search = PathSearchCV(CLaRankSVM(), grid, cv=3, random_state=0)
    search.fit(planted.X, planted.Y)
    assert len(search.cv_results_["mean_test_score"]) == 4
    assert macro_auc(planted.Y, search.decision_function(planted.X)) > 0.8


@pytest.mark.parametrize(
    "thresholds",
    [
        {"strategy": "scut"},
        {"strategy": "regression", "features": "scores"},
        {"strategy": "regression", "features": "x"},
        {"strategy": "regression", "features": "x", "scores_from": "train"},
    ],
)
def test_label_sets_come_from_thresholds(planted, thresholds):
    tuned = ThresholdedClassifier(LaRankSVM(), random_state=0, **thresholds)
    predicted = tuned.fit(planted.X, planted.Y).predict(planted.X)
    assert macro_f1(planted.Y, predicted) > 0.6


def test_music_is_ranked_better_than_by_frequency(real):
    emotions = real("emotions")
    train, test = emotions.rows(emotions.train_idx), emotions.rows(emotions.test_idx)
    model = LaRankSVM(0.01, standardize=True).fit(train.X, train.Y)
    by_frequency = np.tile(train.Y.mean(axis=0), (test.n_samples, 1))
    lost = ranking_loss(test.Y, model.decision_function(test.X))
    assert lost < 0.2 < ranking_loss(test.Y, by_frequency)
    assert macro_auc(test.Y, model.decision_function(test.X)) > 0.8
