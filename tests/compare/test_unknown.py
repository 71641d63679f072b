# SPDX-License-Identifier: BSD-3-Clause
"""Comparisons where some entries of Y are unknown."""

import numpy as np
import pytest
from sklearn.metrics import r2_score, roc_auc_score
from sklearn.model_selection import KFold
from sklearn.preprocessing import StandardScaler

from labelsift.classification import BinaryRidge, MultiTargetRidge
from labelsift.compare import compare
from labelsift.datasets import load_dataset
from labelsift.model_selection import IterativeStratifiedKFold
from labelsift.model_selection.target_kind import LABELS
from labelsift.selection import FisherScore

ASKED = {"methods": ["fisher", "greedy-rls-gcv"], "budgets": "2,6", "cv": 2}
N = 240


@pytest.fixture(scope="module")
def labels():
    traits = load_dataset("traits")
    Y = traits.Y[:N, :3].astype(float)
    Y[:80, 0] = np.nan
    Y[60:140, 2] = np.nan
    return traits.X[:N], Y


@pytest.fixture(scope="module")
def values():
    pixels = load_dataset("traits").X[:N]
    Y = pixels[:, [34, 35, 36]].copy()
    Y[:50, 1] = np.nan
    return pixels[:, :32], Y


def _expected(X, Y, folds, selector, readout, judge):
    """The mean of each column's quality on its known rows, fold by fold."""
    for train, test in folds:
        scaler = StandardScaler().fit(X[train])
        seen, new = scaler.transform(X[train]), scaler.transform(X[test])
        selector.fit(seen, Y[train])
        readout.fit(selector.transform(seen), Y[train])
        scores = getattr(readout, "decision_function", None) or readout.predict
        found = scores(selector.transform(new))
        yield np.mean([
            judge(Y[test][known, j], found[known, j])
            for j, known in enumerate(~np.isnan(Y[test].T))
        ])  # fmt: skip


def _found(result, measure):
    rows = result.frame().query("method == 'fisher' and budget == 6")
    return rows[rows["measure"] == measure].sort_values("split")["value"]


def test_labels_are_judged_where_they_are_known(labels, tmp_path):
    X, Y = labels
    result = compare(X, Y, **ASKED)
    folds = IterativeStratifiedKFold(2, random_state=0).split(X, Y == 1)
    parts = (FisherScore(6), BinaryRidge(), roc_auc_score)
    expected = list(_expected(X, Y, folds, *parts))
    np.testing.assert_allclose(_found(result, "macro_auc"), expected, rtol=1e-6)
    values = result.frame().query("method == 'fisher' and budget == 6")
    assert set(LABELS.measures) <= set(values["measure"])
    assert values["value"].notna().all()
    assert (result.results.tasks["status"] == "done").all()
    assert result.measured == [*ASKED["methods"], "random", "all-features"]
    result.report(tmp_path / "page.html")
    assert "3 labels" in (tmp_path / "page.html").read_text("utf-8")


def test_values_are_judged_where_they_are_known(values, tmp_path):
    X, Y = values
    result = compare(X, Y, target="values", **ASKED)
    folds = KFold(2, shuffle=True, random_state=0).split(X)
    parts = (FisherScore(6, target="values"), MultiTargetRidge(), r2_score)
    expected = list(_expected(X, Y, folds, *parts))
    np.testing.assert_allclose(_found(result, "r2"), expected, rtol=1e-6)
    result.report(tmp_path / "page.html")
    result.save(tmp_path / "selection.json")


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"methods": "rfs"}, "rfs needs every label, and some are unknown: choose fro"),
        ({"methods": "greedy-fair"}, "greedy-fair needs every label"),
        ({"readout": "knn"}, "readout='knn' is not known: use ridge"),
    ],
)
def test_what_needs_every_label_is_refused(labels, asked, sentence):
    with pytest.raises(ValueError, match=sentence):
        compare(*labels, **(ASKED | asked))


def test_fast_takes_those_that_can(labels):
    from labelsift.compare.request import as_data, choose_methods

    chosen, _ = choose_methods("fast", as_data(*labels), 6)
    assert {"greedy-rls", "mt-lasso", "fisher", "scls"} <= set(chosen)
    assert not {"rfs", "greedy-fair", "hsic", "anova"} & set(chosen)


def test_infinity_is_not_unknown(labels):
    X, Y = labels
    with pytest.raises(ValueError, match="inf"):
        compare(X, np.where(np.isnan(Y), np.inf, Y), **ASKED)
