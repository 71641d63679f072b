# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pandas as pd
import pytest

from labelsift.datasets import from_frame, make_planted
from labelsift.experiment.all_rows import AllRows
from labelsift.model_selection import StabilitySelection, explain
from labelsift.model_selection.trust import (
    Bound,
    Fitted,
    examine,
    listed,
    named_features,
    stable_features,
)
from labelsift.prepare import TablePreparation
from labelsift.selection import GreedyRLS, MTLasso

PAIRS = 10


@pytest.fixture(scope="module")
def planted():
    return make_planted(200, 30, 4, n_relevant=5, noise=0.5, random_state=0)


@pytest.fixture(scope="module")
def fitted(planted):
    return Fitted(GreedyRLS(criterion="gcv"), planted.X, planted)


def test_shares_are_those_of_stability_selection(planted, fitted):
    features = GreedyRLS(6, criterion="gcv").fit(planted.X, planted.Y).feature_order_
    trust = examine(fitted, features.tolist(), n_pairs=PAIRS, seed=3)
    stable = StabilitySelection(
        GreedyRLS(criterion="gcv"),
        pfer=None,
        n_features_per_fit=6,
        n_pairs=PAIRS,
        random_state=3,
    ).fit(planted.X, planted.Y)
    assert trust.again == {
        f: stable.selection_probability_[f] for f in features.tolist()
    }
    assert trust.bound.expected == stable.pfer_bound_
    shares = np.array(list(trust.again.values()))
    assert trust.bound.n_stable == np.count_nonzero(shares >= 0.75) >= 5


def test_what_features_are_for_is_what_explain_says(planted, fitted):
    lasso = MTLasso(6).fit(planted.X, planted.Y)
    features = lasso.feature_order_[lasso.support_[lasso.feature_order_]]
    names, labels = planted.feature_names, planted.label_names
    expected = explain(
        lasso, planted.X, planted.Y, feature_names=names, label_names=labels
    ).to_frame()
    rows = examine(fitted, features.tolist(), n_pairs=2).rows
    assert [row["name"] for row in rows] == expected.index.tolist()
    for row, (_, told) in zip(rows, expected.iterrows(), strict=True):
        for name in ("removal_loss", "substitution_loss", "substitute"):
            assert row[name] == told[name]
        assert ", ".join(row["stands_for"]) == told["stands_for"]
        assert ", ".join(row["serves"]) == told["serves"]


def test_columns_made_of_one_feature_share_its_share():
    rng = np.random.default_rng(0)
    kind, x, z = rng.integers(0, 3, 240), *rng.normal(size=(2, 240))
    frame = pd.DataFrame(
        {"kind": np.array(["a", "b", "c"])[kind], "x": x, "z": z, "w": z + 1}
    )
    Y = pd.DataFrame({"y0": (kind == 1).astype(int), "y1": (x > 0).astype(int)})
    data = from_frame(pd.concat([frame, Y], axis=1), ["y0", "y1"])
    ready = AllRows(data, TablePreparation())
    fitted = ready.fitted(ready.method("greedy-rls", {}))
    trust = examine(fitted, [0, 1], n_pairs=PAIRS)
    assert set(trust.again) == {0, 1}
    assert trust.owners == [0, 1]
    assert [row["name"] for row in trust.rows] == ["kind", "x"]
    named = {
        name for row in trust.rows for name in (*row["stands_for"], row["substitute"])
    }
    assert named <= {"", "z", "w"}
    assert trust.rows[0]["removal_loss"] > 0.5
    features, _, _ = stable_features(fitted, 1.0, n_pairs=PAIRS)
    assert set(features) <= {0, 1, 2, 3}


def test_a_method_that_cannot_be_halved_is_explained_all_the_same(planted):
    class Odd(GreedyRLS):
        def fit(self, X, y):
            raise ValueError("no halves, please")

    chosen = planted.relevant.tolist()
    trust = examine(Fitted(Odd(), planted.X, planted), chosen, n_pairs=2)
    assert (trust.again, trust.bound) == ({}, None)
    assert trust.meaning.endswith("on halves of the rows: no halves, please")
    assert np.isnan(trust.rows[0]["again"])
    assert trust.rows[0]["removal_loss"] > 0


def test_stable_features(planted, fitted):
    features, shares, sentence = stable_features(fitted, 1.0, n_pairs=PAIRS)
    assert set(planted.relevant) <= set(features)
    assert min(shares) >= 0.75
    assert shares == sorted(shares, reverse=True)
    assert f"All {len(features)} features are chosen again on at least 75 %" in sentence
    assert "On each of 20 random halves of the rows" in sentence


def test_nothing_stable_is_said_in_words():
    rng = np.random.default_rng(1)
    noise = make_planted(60, 30, 2, n_relevant=2, random_state=0)
    noise.Y[:] = rng.integers(0, 2, size=noise.Y.shape)
    fitted = Fitted(GreedyRLS(criterion="gcv"), rng.normal(size=(60, 30)), noise)
    features, shares, sentence = stable_features(fitted, 1.0, n_pairs=PAIRS)
    assert (features, shares) == ([], [])
    assert sentence.endswith("None is chosen on most of the halves.")


def test_named_features():
    data = make_planted(400, 60, 5, n_relevant=15, noise=0.5, random_state=0)
    fitted = Fitted(GreedyRLS(), data.X, data)
    features, shares, sentence = named_features(fitted, 0.2)
    assert set(data.relevant) <= set(features)
    assert 0 < min(shares) <= max(shares) <= 1
    assert sentence.startswith(f"Of the {len(features)} features named, about 1 in 5")
    features, _, sentence = named_features(fitted, 0.01)
    assert features == []
    assert "a share of errors of 0.01 needs at least 200 features found" in sentence


@pytest.mark.parametrize(
    ("bound", "words"),
    [
        (Bound(0, 7, 1.0), "None of the 7 features is chosen again on 75 % of random"),
        (Bound(5, 7, 1.04), "5 of the 7 features are chosen again on at least 75 %"),
        (Bound(5, 7, 1.04), "Of these, at most about 1 should be expected to be there"),
        (Bound(5, 7, 2.26), "at most about 2.3 should be expected"),
        (Bound(5, 7, 0.31), "fewer than one (0.3) should be expected"),
        (Bound(7, 7, 0.3), "All 7 features are chosen again"),
        (Bound(1, 1, 0.3), "The feature is chosen again"),
        (Bound(5, 7, 5.0), "it cannot be said how many are there by luck"),
        (Bound(5, 7, 1.0, 0.9), "at least 90 % of random halves"),
    ],
)
def test_words_about_the_bound(bound, words):
    assert words in bound.sentence


def test_lists_are_short():
    assert listed([]) == ""
    assert listed(["a", "b", "c"]) == "a, b, c"
    assert listed(["a", "b", "c", "d"]) == "a, b, c and 1 more"
    assert len(listed(["x" * 1000])) == 40
