# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.feature_selection import VarianceThreshold
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV, KFold, ParameterGrid, ShuffleSplit
from sklearn.pipeline import make_pipeline

from labelsift.classification import BinaryRidge, BinarySVM
from labelsift.datasets import make_planted
from labelsift.metrics import MEASURES, scorer
from labelsift.model_selection import PathSearchCV, ThresholdedClassifier
from labelsift.solvers.ridge import path as solver
from labelsift.subspace import MLLS
from reference.path import search

FOLDS = KFold(3, shuffle=True, random_state=0)
GRID = {"alpha": [0, 0.1, 2.0], "beta": [0.01, 0.5], "n_components": [1, 3, None]}


@pytest.fixture(params=[(60, 90), (90, 20)], ids=["wide", "tall"])
def data(request):
    return make_planted(
        *request.param, 5, n_relevant=8, label_rank=2, noise=0.5, random_state=0
    )


def found(results):
    splits = [results[f"split{k}_test_score"] for k in range(3)]
    return np.array(splits)


@pytest.mark.parametrize("scoring", MEASURES)
def test_every_measure_equals_single_fits(data, scoring):
    result = PathSearchCV(MLLS(), GRID, scoring=scoring, cv=FOLDS)
    result.fit(data.X, data.Y)
    folds, points = list(FOLDS.split(data.X)), list(ParameterGrid(GRID))
    expected = search(MLLS(), data.X, data.Y, points, folds, scoring)
    np.testing.assert_allclose(found(result.cv_results_), expected, atol=1e-9)
    assert result.best_index_ == np.argmax(expected.mean(axis=0).round(9))
    assert result.best_params_ == points[result.best_index_]
    assert result.best_score_ == pytest.approx(expected.mean(axis=0).max())


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("fit_intercept", [False, True])
def test_tables_are_those_of_grid_search(data, sparse, fit_intercept):
    X = sp.csr_array(data.X) if sparse else data.X
    grid = [GRID, {"fit_intercept": [not fit_intercept], "beta": [0.1]}]
    model = MLLS(2, fit_intercept=fit_intercept)
    ours = PathSearchCV(model, grid, cv=FOLDS).fit(X, data.Y)
    theirs = GridSearchCV(model, grid, cv=FOLDS, scoring=scorer("macro_auc"))
    theirs.fit(X, data.Y)
    for name in ("mean_test_score", "std_test_score", "split1_test_score"):
        np.testing.assert_allclose(
            ours.cv_results_[name], theirs.cv_results_[name], atol=1e-9
        )
    assert ours.cv_results_["params"] == theirs.cv_results_["params"]
    for name in ("param_alpha", "param_fit_intercept"):
        a, b = ours.cv_results_[name], theirs.cv_results_[name]
        np.testing.assert_array_equal(a.mask, b.mask)
        np.testing.assert_array_equal(a.compressed(), b.compressed())
    assert ours.best_params_ == theirs.best_params_
    np.testing.assert_allclose(
        ours.decision_function(X), theirs.decision_function(X), atol=1e-9
    )


def test_ranks_are_those_of_grid_search(data):
    grid = {"alpha": [0.1, 10.0, 10.0, 1e4]}
    ours = PathSearchCV(BinaryRidge(), grid, cv=FOLDS).fit(data.X, data.Y)
    theirs = GridSearchCV(BinaryRidge(), grid, cv=FOLDS, scoring=scorer("macro_auc"))
    theirs.fit(data.X, data.Y)
    np.testing.assert_array_equal(
        ours.cv_results_["rank_test_score"], theirs.cv_results_["rank_test_score"]
    )
    np.testing.assert_allclose(
        ours.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"]
    )


def test_one_decomposition_per_fold(data, monkeypatch):
    sizes = []
    eigh = solver.scipy.linalg.eigh

    def counting(matrix, **options):
        sizes.append(len(matrix))
        return eigh(matrix, **options)

    monkeypatch.setattr(solver.scipy.linalg, "eigh", counting)
    PathSearchCV(MLLS(), GRID, cv=FOLDS).fit(data.X, data.Y)
    assert sum(size > data.n_labels for size in sizes) == 3


def test_large_sparse_ridge_is_scored_without_a_gram_matrix(data, monkeypatch):
    grid, X = {"alpha": [0.1, 10.0]}, sp.csr_array(data.X)
    expected = PathSearchCV(BinaryRidge(), grid, cv=FOLDS).fit(X, data.Y)
    monkeypatch.setattr(solver, "_LARGEST_GRAM", 4)
    monkeypatch.setattr(solver.CentredGram, "of", None)
    result = PathSearchCV(BinaryRidge(), grid, cv=FOLDS).fit(X, data.Y)
    np.testing.assert_allclose(
        found(result.cv_results_), found(expected.cv_results_), atol=1e-3
    )


def test_an_estimator_without_a_path_is_fitted_point_by_point(data):
    pipeline = make_pipeline(VarianceThreshold(), BinarySVM(random_state=0))
    grid = {"binarysvm__C": [0.01, 1.0]}
    result = PathSearchCV(pipeline, grid, cv=FOLDS).fit(data.X, data.Y)
    folds, points = list(FOLDS.split(data.X)), list(ParameterGrid(grid))
    expected = search(pipeline, data.X, data.Y, points, folds, "macro_auc")
    np.testing.assert_allclose(found(result.cv_results_), expected)
    assert result.predict(data.X).shape == data.Y.shape


def test_an_estimator_with_fit_path_alone_is_fitted_by_it(data):
    class OnlyPath(BinaryRidge):
        fold_scores = property()  # reads as absent

    grid = {"alpha": [0.1, 10.0]}
    expected = PathSearchCV(BinaryRidge(), grid, cv=FOLDS).fit(data.X, data.Y)
    result = PathSearchCV(OnlyPath(), grid, cv=FOLDS).fit(data.X, data.Y)
    assert not hasattr(OnlyPath(), "fold_scores")
    np.testing.assert_allclose(found(result.cv_results_), found(expected.cv_results_))


def test_f1_is_cut_at_thresholds_that_reach_the_prediction(data):
    grid = {"beta": [0.01, 1.0]}
    search = PathSearchCV(MLLS(2), grid, scoring="macro_f1", cv=FOLDS)
    search.fit(data.X, data.Y)
    assert isinstance(search.best_estimator_, ThresholdedClassifier)
    assert (search.best_estimator_.thresholds_ != 0).all()
    alone = ThresholdedClassifier(MLLS(2, **search.best_params_), cv=FOLDS)
    np.testing.assert_array_equal(
        search.predict(data.X), alone.fit(data.X, data.Y).predict(data.X)
    )
    assert search.transform(data.X).shape == (len(data.X), 2)


def test_folds_may_overlap_unless_thresholds_are_tuned(data):
    cv = ShuffleSplit(3, random_state=0)
    search = PathSearchCV(BinaryRidge(), {"alpha": [1.0]}, cv=cv).fit(data.X, data.Y)
    assert search.n_splits_ == 3
    with pytest.raises(ValueError, match="exactly one test part"):
        PathSearchCV(BinaryRidge(), {"alpha": [1.0]}, scoring="micro_f1", cv=cv).fit(
            data.X, data.Y
        )


@pytest.mark.parametrize("scoring", ["macro_auc", "macro_f1", "hamming_loss"])
def test_classes_of_a_1d_y(rng, scoring):
    y = np.repeat(["a", "b", "c"], 30)
    X = rng.normal(size=(90, 6)) + 2 * np.eye(3, 6)[np.repeat([0, 1, 2], 30)]
    grid = {"alpha": [0.1, 10.0]}
    search = PathSearchCV(BinaryRidge(), grid, scoring=scoring, random_state=0)
    search.fit(X, y)
    assert set(search.predict(X)) == {"a", "b", "c"}
    assert search.score(X, y) > 0.8
    assert isinstance(search.best_estimator_, BinaryRidge)


def test_transform_exists_where_the_estimator_has_it(data):
    assert not hasattr(PathSearchCV(BinaryRidge(), {}), "transform")
    search = PathSearchCV(MLLS(), {"n_components": [2]}, cv=FOLDS).fit(data.X, data.Y)
    np.testing.assert_array_equal(
        search.transform(data.X), search.best_estimator_.transform(data.X)
    )


def test_a_number_of_folds_is_stratified_and_seeded(data):
    grid = {"alpha": [0.1, 10.0]}
    first, second = (
        PathSearchCV(BinaryRidge(), grid, random_state=3).fit(data.X, data.Y)
        for _ in range(2)
    )
    assert first.n_splits_ == 5
    assert first.best_score_ == second.best_score_


def test_a_label_missing_from_a_training_part_does_not_matter(data):
    Y = data.Y.copy()
    Y[:, 0] = 0
    Y[0, 0] = 1
    for scoring in ("macro_auc", "macro_f1"):
        search = PathSearchCV(MLLS(), GRID, scoring=scoring, cv=FOLDS).fit(data.X, Y)
        assert np.isfinite(search.cv_results_["mean_test_score"]).all()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"scoring": "auc"}, "'scoring' parameter"),
        ({"param_grid": {"alpha": [-1.0]}}, "'alpha' parameter of MLLS"),
        ({"param_grid": {"gamma": [1.0]}}, "Invalid parameter 'gamma'"),
        ({"param_grid": {"n_components": [2, 0]}}, "'n_components' parameter"),
        ({"estimator": LinearRegression()}, "has no decision_function"),
        ({"param_grid": None}, r"param_grid=None with estimator=MLLS\(\): pass"),
        ({"cv": 200}, "more than the"),
    ],
)
def test_bad_input(data, arguments, sentence):
    arguments = {"estimator": MLLS(), "param_grid": {"beta": [1.0]}} | arguments
    with pytest.raises(ValueError, match=sentence):
        PathSearchCV(**arguments).fit(data.X, data.Y)


def test_folds_that_cannot_be_judged_are_refused(data):
    Y = np.zeros_like(data.Y)
    Y[: len(Y) // 2] = 1
    grid, blocks = {"alpha": [1.0]}, list(KFold(10).split(data.X))
    apart = [fold for fold in blocks if np.ptp(Y[fold[1]]) == 0]
    with pytest.raises(ValueError, match=r"macro_auc is not defined .*: use fewer fol"):
        PathSearchCV(BinaryRidge(), grid, cv=apart).fit(data.X, Y)
    with pytest.raises(ValueError, match="training part no label has both"):
        PathSearchCV(BinaryRidge(), grid, cv=KFold(2)).fit(data.X, Y)


def test_a_fold_that_cannot_be_judged_is_left_out_of_the_mean(data):
    rows = np.arange(len(data.X))
    alike = rows[data.Y.sum(axis=1) == 0][:4]
    others = np.setdiff1d(rows, alike)
    halves = [np.setdiff1d(rows, half) for half in (others[::2], others[1::2])]
    judged = [(half, np.setdiff1d(rows, half)) for half in halves]
    folds = [(others, alike), *judged]
    grid = {"alpha": [0.1, 1.0, 10.0]}
    with pytest.warns(UserWarning, match="not defined on the test part of 1 of 3 fol"):
        search = PathSearchCV(BinaryRidge(), grid, cv=folds).fit(data.X, data.Y)
    expected = PathSearchCV(BinaryRidge(), grid, cv=judged).fit(data.X, data.Y)
    assert np.isnan(search.cv_results_["split0_test_score"]).all()
    for name in ("mean_test_score", "std_test_score", "rank_test_score"):
        np.testing.assert_array_equal(
            search.cv_results_[name], expected.cv_results_[name]
        )


def test_without_an_estimator_the_penalty_of_a_ridge_is_searched(data):
    search = PathSearchCV(cv=FOLDS).fit(data.X, data.Y)
    assert isinstance(search.best_estimator_, BinaryRidge)
    alphas = search.cv_results_["param_alpha"].astype(float)
    np.testing.assert_allclose(np.log10(alphas), range(-3, 4))
