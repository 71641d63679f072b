# SPDX-License-Identifier: BSD-3-Clause
"""Real values, weights of samples and unknown labels mean the same everywhere."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn import config_context
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks
from sklearn.utils.validation import has_fit_parameter

from contract.cases import assert_same, everything, make, results, samples
from contract.discovery import each, estimators
from core.quiet import fit
from labelsift.classification import MultiTargetRidge
from labelsift.core.estimator import LabelEstimator
from labelsift.core.targets import TAKE_BOTH, TAKE_VALUES
from labelsift.selection import FisherScore, GreedyRLS
from reference.targets import repeated

OWN = [cls for cls in estimators() if issubclass(cls, LabelEstimator)]
# Methods that were promised to take them, so that none is lost from the lists below.
VALUES = {
    "GreedyRLS", "MTLasso", "RFS", "CSFS", "SFUS", "RALMFS", "MIFS", "OPLS",
    "RegularizedCCA", "MLLS", "MultiTargetRidge", "MRMR", "MDMR", "LRFS", "FisherScore",
}  # fmt: skip
WEIGHTED = (VALUES - {"MIFS"}) | {
    "BinaryRidge", "MDDM", "SCLS", "D2F", "PMU", "FIMF", "HSICRanking", "MFSMCDM",
    "LabelScorer", "RandomRanking",
}  # fmt: skip
UNKNOWN = {
    "GreedyRLS", "MTLasso", "BinaryRidge", "MultiTargetRidge", "FisherScore", "MRMR",
    "MDMR", "LRFS", "SCLS", "D2F", "PMU",
}  # fmt: skip
TAKES_VALUES = [cls for cls in OWN if hasattr(cls(), "target")]
HAVE_TARGET = [cls for cls in TAKES_VALUES if "target" in cls().get_params()]
TAKES_WEIGHTS = [cls for cls in OWN if has_fit_parameter(cls(), "sample_weight")]
TAKES_UNKNOWN = [cls for cls in OWN if cls.takes_unknown]


def values(cls):
    """X and three real-valued targets."""
    X, _ = samples(cls)
    rng = np.random.default_rng(1)
    Y = X[:, :3] @ rng.normal(size=(3, 3)) + 0.3 * rng.normal(size=(len(X), 3))
    return X, Y * [1.0, 20.0, 0.1] + 3.0


def names(classes):
    return {cls.__name__ for cls in classes}


def test_the_sentences_name_the_methods_that_can():
    said = TAKE_VALUES.replace(" and ", ", ").split(", ")
    assert said == sorted(names(TAKES_VALUES))
    both = TAKE_BOTH.replace(" and ", ", ").split(", ")
    assert both == sorted(names(cls for cls in TAKES_VALUES if cls.takes_mixed))
    assert names(TAKES_VALUES) == VALUES
    assert names(TAKES_WEIGHTS) == WEIGHTED
    assert names(TAKES_UNKNOWN) == UNKNOWN


@parametrize_with_checks([cls(target="values") for cls in HAVE_TARGET])
def test_scikit_learn_checks_with_values(estimator, check):
    check(estimator)


@each(HAVE_TARGET)
def test_fractions_are_values_and_plain_labels_are_labels(cls):
    X, Y = values(cls)
    _, labels = samples(cls)
    for given in (Y, pd.DataFrame(Y, columns=list("abc")), sp.csr_array(Y)):
        assert fit(make(cls), X, given).target_ == "values"
    for given in (labels, labels.astype(float), 2.0 * labels - 1):
        assert fit(make(cls), X, given).target_ == "labels"
    assert fit(make(cls, target="values"), X, labels).target_ == "values"


@each(HAVE_TARGET)
def test_a_1d_y_of_values_is_one_column(cls):
    X, Y = values(cls)
    flat = fit(make(cls, target="values"), X, Y[:, 0])
    column = fit(make(cls, target="values"), X, Y[:, :1])
    if hasattr(flat, "predict"):
        assert flat.predict(X).shape == (len(X),)
        np.testing.assert_array_equal(flat.predict(X), column.predict(X)[:, 0])
        assert flat.score(X, Y[:, 0]) == pytest.approx(column.score(X, Y[:, :1]))
        assert not hasattr(flat, "decision_function")
    if hasattr(flat, "scores_"):
        np.testing.assert_array_equal(flat.scores_, column.scores_)


@each(HAVE_TARGET)
def test_other_whole_numbers_need_a_word(cls):
    X, Y = values(cls)
    whole = np.round(Y)
    with pytest.raises(ValueError, match=r'pass target="values" .* indicator column'):
        make(cls).fit(X, whole)
    as_values = fit(make(cls, target="values"), X, whole)
    assert_same(
        results(as_values, X),
        results(fit(make(cls, target="values"), X, whole.astype(int)), X),
        rtol=0,
    )
    with pytest.raises(ValueError, match='target="labels", but y is continuous'):
        make(cls, target="labels").fit(X, Y)


@each([cls for cls in OWN if cls not in TAKES_VALUES])
def test_methods_for_labels_refuse_values_and_name_those_that_can(cls):
    X, Y = values(cls)
    for given in (Y, Y[:, 0]):
        with pytest.raises(ValueError, match=r"y is continuous .* CSFS, FisherScore"):
            make(cls).fit(X, given)


@each(HAVE_TARGET)
def test_labels_beside_values_are_taken_or_refused(cls):
    X, Y = values(cls)
    Y = np.column_stack([Y, samples(cls)[1]])
    if cls.takes_mixed:
        assert fit(make(cls), X, Y).target_ == "mixed"
    else:
        with pytest.raises(ValueError, match=r"labels and values, .* GreedyRLS, LRFS"):
            make(cls).fit(X, Y)


@each(TAKES_WEIGHTS)
@pytest.mark.parametrize("kind", ["labels", "values"])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_whole_weights_equal_repeated_rows(cls, kind, form):
    if kind == "values" and cls not in TAKES_VALUES:
        pytest.skip("learns from labels")
    if kind == "labels" and cls is MultiTargetRidge:
        pytest.skip("learns from values")
    X, Y = samples(cls) if kind == "labels" else values(cls)
    weights = np.random.default_rng(0).integers(0, 4, len(X))
    X_many, Y_many = repeated(weights, X, Y)
    weighted = make(cls)
    with np.errstate(all="raise"):
        weighted.fit(form(X), Y, sample_weight=weights)
    expected = fit(make(cls), form(X_many), Y_many)
    assert_same(results(weighted, X), results(expected, X), rtol=1e-8)


@each(TAKES_WEIGHTS)
def test_weights_of_one_and_of_zero(cls):
    X, Y = values(cls) if cls is MultiTargetRidge else samples(cls)
    plain = fit(make(cls), X, Y)
    ones = fit_weighted(make(cls), X, Y, np.ones(len(X)))
    assert_same(everything(ones, X), everything(plain, X), rtol=0)
    kept = np.arange(len(X)) % 4 > 0
    absent = fit(make(cls), X[kept], Y[kept])
    assert_same(
        results(fit_weighted(make(cls), X, Y, kept.astype(int)), X),
        results(absent, X),
        rtol=0,
    )


def fit_weighted(model, X, Y, weights):
    return fit(_Weighted(model, weights), X, Y)


class _Weighted:
    """Fits with weights, as ``fit`` of the tests fits without."""

    def __init__(self, model, weights):
        self.model, self.weights = model, weights

    def fit(self, X, Y):
        return self.model.fit(X, Y, sample_weight=self.weights)


@pytest.mark.parametrize(
    ("weights", "sentence"),
    [
        (-np.ones(60), "Negative values in data passed to `sample_weight`"),
        (np.ones(59), "sample_weight"),
        (np.eye(60)[0], r"positive for 1 sample\(s\)"),
        (np.full(60, np.nan), "sample_weight contains NaN"),
    ],
    ids=["negative", "short", "one", "nan"],
)
def test_bad_weights_are_refused_in_words(weights, sentence):
    X, Y = samples(GreedyRLS)
    with pytest.raises(ValueError, match=sentence):
        GreedyRLS().fit(X, Y, sample_weight=weights)


def test_weights_without_targets_are_refused_as_ever():
    X, _ = samples(GreedyRLS)
    with pytest.raises(ValueError, match="requires y to be passed"):
        GreedyRLS().fit(X, None, sample_weight=np.arange(len(X)))


@each([cls for cls in OWN if cls not in TAKES_WEIGHTS])
def test_methods_without_weights_have_no_such_argument(cls):
    X, Y = samples(cls)
    with pytest.raises(TypeError, match="sample_weight"):
        make(cls).fit(X, Y, sample_weight=np.ones(len(X)))


@each(TAKES_UNKNOWN)
def test_one_label_with_gaps_is_fitted_to_its_known_rows(cls):
    X, Y = values(cls) if cls is MultiTargetRidge else samples(cls)
    Y = Y[:, :1].astype(float)
    Y[::3] = np.nan
    known = ~np.isnan(Y[:, 0])
    if cls.__name__ == "LRFS":
        pytest.skip("needs two labels")
    assert_same(
        results(fit(make(cls), X, Y), X),
        results(fit(make(cls), X[known], Y[known]), X),
        rtol=1e-12,
    )


@each(TAKES_UNKNOWN)
def test_unknown_entries_count_as_in_a_matrix_without_them(cls):
    """All labels unknown in the same rows: these rows are absent."""
    X, Y = values(cls) if cls is MultiTargetRidge else samples(cls)
    gaps = Y.astype(float)
    gaps[::5] = np.nan
    known = ~np.isnan(gaps[:, 0])
    assert_same(
        results(fit(make(cls), X, gaps), X),
        results(fit(make(cls), X[known], Y[known]), X),
        rtol=1e-8,
    )


@each([cls for cls in OWN if not cls.takes_unknown and not cls.allow_unlabelled])
def test_methods_that_need_every_label_refuse_gaps(cls):
    X, Y = samples(cls)
    Y = Y.astype(float)
    Y[0, 0] = np.nan
    with pytest.raises(ValueError, match=f"NaN and {cls.__name__} needs every label"):
        make(cls).fit(X, Y)


def test_weights_are_routed_through_pipeline_and_grid_search():
    X, Y = values(GreedyRLS)
    weights = np.random.default_rng(0).integers(1, 4, len(X))
    with config_context(enable_metadata_routing=True):
        selector = FisherScore(5, target="values").set_fit_request(sample_weight=True)
        readout = MultiTargetRidge().set_fit_request(sample_weight=True)
        readout.set_score_request(sample_weight=True)
        pipeline = make_pipeline(selector, readout)
        pipeline.fit(X, Y, sample_weight=weights)
        by_hand = FisherScore(5).fit(X, Y, sample_weight=weights)
        np.testing.assert_array_equal(pipeline[0].scores_, by_hand.scores_)
        search = GridSearchCV(pipeline, {"fisherscore__n_features_to_select": [2, 8]})
        search.fit(X, Y, sample_weight=weights)
        refit = pipeline.set_params(**search.best_params_)
        refit.fit(X, Y, sample_weight=weights)
        np.testing.assert_allclose(search.predict(X), refit.predict(X))


def test_the_regressor_is_scikit_learns_ridge():
    X, Y = values(MultiTargetRidge)
    weights = np.linspace(0.2, 3, len(X))
    ours = MultiTargetRidge(2.0).fit(X, Y, sample_weight=weights)
    theirs = Ridge(2.0).fit(X, Y, sample_weight=weights)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-8)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-8)
    assert ours.score(X, Y) == pytest.approx(theirs.score(X, Y))
