# SPDX-License-Identifier: BSD-3-Clause
"""Comparisons where Y holds values."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_diabetes
from sklearn.linear_model import Ridge
from sklearn.metrics import r2_score
from sklearn.model_selection import KFold
from sklearn.preprocessing import StandardScaler

from labelsift.compare import compare
from labelsift.model_selection import load_selection
from labelsift.selection import FisherScore, GreedyRLS

ASKED = {"methods": ["fisher", "greedy-rls"], "budgets": "2,5", "cv": 3}


def targets():
    """The progress of diabetes, and what other columns make of it."""
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    rng = np.random.default_rng(0)
    other = 3 * X["bmi"] + X["s5"] + 0.1 * rng.normal(size=len(X))
    return X, pd.DataFrame({"progress": y, "other": other})


@pytest.fixture(scope="module")
def data():
    return targets()


@pytest.fixture(scope="module")
def result(data):
    return compare(*data, target="values", **ASKED)


def test_values_are_those_of_scikit_learn(data, result):
    X, Y = (part.to_numpy() for part in data)
    folds = KFold(3, shuffle=True, random_state=0)
    expected = []
    for train, test in folds.split(X):
        scaler = StandardScaler().fit(X[train])
        seen, new = scaler.transform(X[train]), scaler.transform(X[test])
        selector = FisherScore(5, target="values").fit(seen, Y[train])
        ridge = Ridge(1.0).fit(selector.transform(seen), Y[train])
        expected.append(r2_score(Y[test], ridge.predict(selector.transform(new))))
    rows = result.frame().query("method == 'fisher' and budget == 5")
    found = rows.query("measure == 'r2'").sort_values("split")["value"]
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    assert set(result.setup.measures) == {"r2", "rmse", "mae", "spearman"}
    controls = rows.query("measure == 'r2'")
    assert len(controls) == 3
    assert result.measured == ["fisher", "greedy-rls", "random", "all-features"]
    assert (result.results.tasks["status"] == "done").all()


def test_the_answer_speaks_of_r2_and_targets(result):
    answer = result.recommend()
    assert answer.measure == "r2"
    assert "of the R² of all features" in answer.sentence
    assert result.worst_label.name in ("progress", "other")
    assert result.worst_label.sentence.startswith("The target that is served worst is")
    assert result.recommend("rmse").value > 1
    assert " an RMSE of " in result.recommend("rmse").sentence


def test_features_are_those_of_a_fit_on_all_rows(data, result):
    X, Y = data
    scaled = StandardScaler().fit_transform(X.to_numpy())
    count = result.recommend().budget
    greedy = GreedyRLS(count, target="values").fit(scaled, Y.to_numpy())
    expected = [X.columns[i] for i in greedy.feature_order_]
    assert result.features("greedy-rls") == expected


def test_the_page_says_targets(result, tmp_path):
    result.report(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    body = page[: page.index("<script>")]
    for words in (
        "10 features, 2 targets",
        "Weight per target",
        "worst target",
        "R², all features",
        "standard deviation",
        "Targets that go together",
    ):
        assert words in body
    for words in ("AUC", " labels ", " labels<", "occur together"):
        assert words not in body


def test_a_selection_file_predicts_values_in_their_units(data, result, tmp_path):
    X, Y = data
    result.save(tmp_path / "s.json")
    saved = load_selection(tmp_path / "s.json")
    assert sorted(saved.get_feature_names_out()) == sorted(result.features())
    chosen = StandardScaler().fit_transform(X[saved.get_feature_names_out()])
    expected = Ridge(1.0).fit(chosen, Y).predict(chosen)
    shuffled = X[X.columns[::-1]]
    np.testing.assert_allclose(saved.predict(shuffled), expected, rtol=0.02)
    assert r2_score(Y, saved.predict(shuffled)) == pytest.approx(
        r2_score(Y, expected), abs=0.01
    )  # of a table outliers are clipped


def test_fractions_are_values_and_whole_numbers_are_not(data):
    X, Y = data
    quick = {"methods": ["fisher"], "budgets": "2", "cv": 2}
    assert compare(X, Y[["other"]], **quick).setup.data.target == "values"
    with pytest.raises(ValueError, match="Y holds labels and values, and compare"):
        compare(X, Y, **quick)  # progress is whole
    with pytest.raises(ValueError, match="must hold only 0/1"):
        compare(X, Y[["progress"]], **quick)
    with pytest.raises(ValueError, match="target='numbers' is not known"):
        compare(X, Y, target="numbers", **quick)
    with pytest.raises(ValueError, match='target="labels", but y is continuous'):
        compare(X, Y, target="labels", **quick)


def test_zeros_and_ones_may_be_values(data):
    X, Y = data
    result = compare(
        X, Y.median() < Y, target="values", methods=["fisher"], budgets="2", cv=2
    )
    assert result.recommend().measure == "r2"


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"methods": "scls"}, "scls learns from labels, and Y holds values: choose fr"),
        ({"metric": "macro_auc"}, "'macro_auc' judges labels, but Y holds values"),
        ({"measures": ["hamming_loss"]}, "'hamming_loss' judges labels"),
        ({"readout": "svm"}, "readout='svm' is not known: use ridge, knn, 3nn, forest"),
        (
            {"readout": "sklearn.linear_model:LogisticRegression"},
            "LogisticRegression is a classifier, and Y holds values",
        ),
    ],
)
def test_what_is_for_labels_is_refused_in_a_sentence(data, asked, sentence):
    with pytest.raises(ValueError, match=sentence):
        compare(*data, target="values", **(ASKED | asked))


def test_a_measure_of_values_is_refused_for_labels():
    with pytest.raises(ValueError, match="'r2' judges values, but Y holds labels"):
        compare(np.eye(4), [[0], [1], [0], [1]], metric="r2", cv=2)


def test_constant_targets_are_told(data):
    with pytest.raises(ValueError, match="one value"):
        compare(data[0], np.full((442, 1), 0.5), target="values", **ASKED)


def test_other_read_outs_and_repeated_folds(data):
    X, Y = data
    result = compare(
        X.to_numpy()[:150], Y.to_numpy()[:150], target="values", methods=["fisher"],
        budgets="3", cv="2x2", readout={"ridge": None, "lasso": Ridge(10.0)},
    )  # fmt: skip
    assert result.setup.cv == 4
    assert set(result.frame()["readout"]) >= {"ridge", "lasso"}


def test_a_column_that_is_the_target_is_a_leak(data):
    X, Y = data
    X = X.assign(copy=np.exp(Y["progress"] / 100))
    result = compare(X, Y, target="values", methods=["fisher"], budgets="1", cv=2)
    [leak] = [doubt for doubt in result.doubts if doubt.code == "leak"]
    assert leak.columns == ("copy",)
    assert "'copy' alone tells progress (rank correlation 1.000)" in leak.sentence
    assert "known only after the target" in leak.sentence
