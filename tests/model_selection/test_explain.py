# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.feature_selection import SelectKBest, chi2

from labelsift.datasets import make_planted
from labelsift.model_selection import StabilitySelection, explain
from labelsift.selection import FisherScore, GreedyRLS, MTLasso
from reference.explain import errors, removals, swaps


@pytest.fixture
def small(rng):
    data = make_planted(30, 12, 3, n_relevant=4, noise=0.5, random_state=1)
    return data.X, data.Y, 2.0 * data.Y - 1


@pytest.mark.parametrize("selector", [GreedyRLS(4, alpha=2.0), FisherScore(4)])
def test_everything_equals_training_again(small, selector):
    X, Y, codes = small
    selector.fit(X, Y)
    alpha = 2.0 if isinstance(selector, GreedyRLS) else 1.0
    given = None if isinstance(selector, GreedyRLS) else alpha
    found = explain(selector, X, Y, alpha=given, n_substitutes=8)
    features = selector.feature_order_[:4]
    np.testing.assert_array_equal(found.features, features)
    by_label = errors(X, codes, features, alpha).mean(axis=0)
    np.testing.assert_allclose(found.label_error, by_label, rtol=1e-8)
    assert found.error == pytest.approx(by_label.mean(), rel=1e-8)
    rises, ses = removals(X, codes, features, alpha)
    np.testing.assert_allclose(found.contribution, rises, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(found.contribution_se, ses, rtol=1e-8, atol=1e-10)
    loss = rises.mean(axis=1) / by_label.mean()
    np.testing.assert_allclose(found.removal_loss, loss, rtol=1e-8, atol=1e-10)
    swapped = swaps(X, codes, features, alpha)
    for j, f in enumerate(features):
        every = {b: error for (g, b), error in swapped.items() if g == f}
        order = sorted(every, key=every.get)
        np.testing.assert_array_equal(found.substitutes[j], order)
        losses = [every[b] / by_label.mean() - 1 for b in order]
        np.testing.assert_allclose(found.substitution_loss[j], losses, atol=1e-8)
        without = by_label.mean() * (1 + loss[j])
        shares = [(without - every[b]) / (without - by_label.mean()) for b in order]
        if loss[j] > 0:
            np.testing.assert_allclose(found.recovered[j], shares, rtol=1e-6)
            group = [b for b, share in zip(order, shares, strict=True) if share >= 0.9]
            np.testing.assert_array_equal(found.groups[j], group)
        else:
            assert np.isnan(found.recovered[j]).all()
            assert not len(found.groups[j])


def test_a_feature_of_several_columns_is_removed_as_a_whole(small):
    X, Y, codes = small
    selector = GreedyRLS(4, alpha=2.0).fit(X, Y)
    a, b, c, d = selector.feature_order_[:4].tolist()
    rest = [[column] for column in range(12) if column not in (a, c)]
    pair, other = rest[-2][0], rest[-1][0]
    rest = [block for block in rest if block not in ([pair], [other])]
    found = explain(selector, X, Y, blocks=[[a, c], [pair, other], *rest])
    whole = errors(X, codes, [a, b, c, d], 2.0).mean(axis=0)
    for place, others in enumerate(([b, d], [a, c, d], [a, b, c])):
        rise = errors(X, codes, others, 2.0).mean(axis=0) - whole
        np.testing.assert_allclose(found.contribution[place], rise, atol=1e-10)
    np.testing.assert_array_equal(found.features, [a, b, d])
    assert (found.substitutes[0] == -1).all()
    assert not len(found.groups[0])
    assert not np.isin(found.substitutes, [pair, other]).any()
    alone = explain(selector, X, Y)
    assert found.removal_loss[1] == alone.removal_loss[1]
    left = {a: [d], d: [a, c]}[int(found.partner[1])]
    joint = errors(X, codes, left, 2.0).mean() / whole.mean() - 1
    assert found.joint_loss[1] == pytest.approx(joint, abs=1e-8)


@pytest.mark.parametrize("alpha", ["auto", 0.5, "loo"])
@pytest.mark.parametrize("bias", [0.0, 1.0, 3.0])
def test_the_error_is_that_of_greedy_selection(small, alpha, bias):
    X, Y, _ = small
    selector = GreedyRLS(5, alpha=alpha, bias=bias, label_weight=None).fit(X, Y)
    found = explain(selector, X, Y)
    assert found.error == pytest.approx(selector.loo_error_[-1], rel=1e-10)
    assert explain(selector, X, Y, alpha=70.0).error != found.error


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_other_selectors_get_the_penalty_of_a_greedy_one(small, form):
    """That of a lasso is no ridge penalty."""
    X, Y, _ = small
    lasso, greedy = MTLasso(1.0, alpha=1e-3).fit(X, Y), GreedyRLS(1.0).fit(X, Y)
    found, expected = explain(lasso, form(X), Y), explain(greedy, X, Y)
    assert found.error == pytest.approx(expected.error, rel=1e-10)
    # The scale of X does not matter.
    lasso.fit(1000 * X, Y)
    assert explain(lasso, form(1000 * X), Y).error == pytest.approx(expected.error)


def test_a_copy_is_named_as_substitute(rng):
    data = make_planted(200, 20, 5, n_relevant=6, noise=0.5, random_state=2)
    X = np.hstack([data.X, data.X + 0.2 * rng.normal(size=data.X.shape)])
    selector = GreedyRLS(6).fit(X, data.Y)
    found = explain(selector, X, data.Y)
    np.testing.assert_array_equal(found.substitutes[:, 0], (found.features + 20) % 40)
    assert (found.recovered[:, 0] > 0.7).all()
    strong = found.recovered[:, 0] >= 0.9
    for j in np.flatnonzero(strong):
        assert found.substitutes[j, 0] in found.groups[j]


def test_two_chosen_copies_are_partners(rng):
    data = make_planted(200, 20, 5, n_relevant=4, noise=0.5, random_state=2)
    best = data.relevant[0]
    X = np.column_stack([data.X, data.X[:, best] + 0.01 * rng.normal(size=200)])
    chosen = np.zeros(21, dtype=bool)
    chosen[[*data.relevant, 20]] = True
    selector = FisherScore(1.0).fit(X, data.Y)
    selector.support_, selector.n_features_ = chosen, 5
    found = explain(selector, X, data.Y, alpha=1.0)
    place = {feature: j for j, feature in enumerate(found.features)}
    j = place[best]
    assert found.partner[j] == 20
    assert found.partner[place[20]] == best
    assert found.removal_loss[j] < 0.01
    codes = 2.0 * data.Y - 1
    without = [f for f in found.features if f not in (best, 20)]
    joint = errors(X, codes, without, 1.0).mean() / found.error - 1
    assert found.joint_loss[j] == pytest.approx(joint, rel=1e-8)
    assert joint > 0.1


def test_features_serve_the_labels_they_were_planted_for(rng):
    """Each feature makes one label; the fifth says nothing."""
    X = rng.normal(size=(400, 5))
    Y = (X[:, :4] + 0.5 * rng.normal(size=(400, 4)) > 0).astype(int)
    selector = FisherScore(1.0).fit(X, Y)
    found = explain(selector, X, Y)
    for j, feature in enumerate(found.features):
        assert found.labels_served(j) == ([feature] if feature < 4 else [])
    np.testing.assert_array_equal(found.serves.sum(axis=0), 1)


def test_only_the_first_candidates_are_judged_by_errors():
    """Of many features the best by the objective are taken; the best is among them."""
    data = make_planted(100, 150, 4, n_relevant=5, noise=1.0, random_state=3)
    selector = GreedyRLS(5).fit(data.X, data.Y)
    found = explain(selector, data.X, data.Y, alpha=1.0, n_substitutes=100)
    assert found.substitutes.shape == (5, 50)
    best = []
    for j in range(5):
        others = np.setdiff1d(np.arange(150), selector.feature_order_)
        kept = np.delete(selector.feature_order_, j)
        columns = [data.X[:, [*kept, b]] for b in others]
        codes = 2.0 * data.Y - 1
        exact = [_loo(np.column_stack([Z, np.ones(100)]), codes) for Z in columns]
        best.append(others[np.argmin(exact)])
    np.testing.assert_array_equal(found.substitutes[:, 0], best)


def _loo(Z, Y):
    hat = Z @ np.linalg.solve(Z.T @ Z + np.eye(Z.shape[1]), Z.T)
    return np.mean(((Y - hat @ Y) / (1 - np.diag(hat))[:, np.newaxis]) ** 2)


@pytest.mark.parametrize("form", [sp.csr_array, sp.csc_array])
def test_sparse_and_dense_agree(form):
    data = make_planted(80, 30, 4, n_relevant=4, density=0.3, random_state=0)
    dense = data.X.toarray()
    selector = GreedyRLS(4).fit(dense, data.Y)
    expected = explain(selector, dense, data.Y)
    found = explain(selector, form(data.X), data.Y)
    np.testing.assert_array_equal(found.substitutes, expected.substitutes)
    np.testing.assert_allclose(found.contribution, expected.contribution)
    np.testing.assert_allclose(found.substitution_loss, expected.substitution_loss)


def test_constant_columns_and_labels_have_no_part(small):
    X, Y, _ = small
    selector = GreedyRLS(4).fit(X, Y)
    plain = explain(selector, X, Y, n_substitutes=8)
    X = np.column_stack([X, np.ones(30)])
    Y = np.column_stack([Y, np.ones(30, dtype=int)])
    with pytest.warns(UserWarning, match="1 of 4 labels hold one value only"):
        selector = GreedyRLS(4).fit(X, Y)
    with pytest.warns(UserWarning, match="1 of 4 labels hold one value only"):
        padded = explain(selector, X, Y, n_substitutes=9)
    assert padded.error == pytest.approx(plain.error)
    np.testing.assert_array_equal(padded.substitutes, plain.substitutes)
    np.testing.assert_allclose(padded.contribution[:, :3], plain.contribution)
    assert not padded.contribution[:, 3].any()
    assert not padded.serves[:, 3].any()


def test_any_selector_can_be_explained(small):
    X, Y, _ = small
    best = SelectKBest(chi2, k=3).fit(np.abs(X), Y)
    found = explain(best, np.abs(X), Y)
    np.testing.assert_array_equal(found.features, best.get_support(indices=True))
    stable = StabilitySelection(
        n_pairs=5, pfer=None, n_features_per_fit=4, random_state=0
    ).fit(X, Y)
    found = explain(stable, X, Y)
    np.testing.assert_array_equal(
        found.features, stable.feature_order_[: stable.n_features_]
    )


def test_one_feature_and_all_features(small):
    X, Y, _ = small
    one = explain(GreedyRLS(1).fit(X, Y), X, Y)
    assert one.partner.tolist() == [-1]
    assert np.isnan(one.joint_loss).all()
    every = explain(GreedyRLS(1.0).fit(X, Y), X, Y)
    assert every.substitutes.shape == (12, 0)
    assert every.groups == tuple(every.groups)
    assert not any(len(group) for group in every.groups)


def test_names_come_from_frames_classes_or_the_caller(small):
    X, Y, _ = small
    frame = pd.DataFrame(X, columns=[f"word {i}" for i in range(12)])
    labels = pd.DataFrame(Y, columns=["a", "b", "c"])
    named = explain(GreedyRLS(2).fit(frame, labels), frame, labels)
    assert named.feature_names[3] == "word 3"
    assert named.label_names == ("a", "b", "c")
    selector = GreedyRLS(2).fit(X, Y)
    plain = explain(selector, X, Y)
    assert plain.feature_names[:2] == ("x0", "x1")
    assert plain.label_names == ("y0", "y1", "y2")
    given = explain(selector, X, Y, label_names=["p", "q", "r"])
    assert given.label_names == ("p", "q", "r")
    classes = np.array(["no", "yes"])[Y[:, 0]]
    by_class = explain(GreedyRLS(2).fit(X, classes), X, classes)
    assert by_class.label_names == ("no", "yes")


def test_bad_input_is_refused_in_words(small):
    X, Y, _ = small
    selector = GreedyRLS(2).fit(X, Y)
    with pytest.raises(ValueError, match="alpha == 0, must be > 0"):
        explain(selector, X, Y, alpha=0)
    with pytest.raises(ValueError, match="n_substitutes == 0, must be >= 1"):
        explain(selector, X, Y, n_substitutes=0)
    with pytest.raises(ValueError, match="feature_names has 2 names for 12 columns"):
        explain(selector, X, Y, feature_names=["a", "b"])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        explain(selector, X, Y[:20])
    with pytest.raises(ValueError, match="X has 11 features"):
        explain(selector, X[:, 1:], Y)
    selector.support_ = np.zeros(12, dtype=bool)
    with pytest.raises(ValueError, match="has chosen no feature: there is nothing"):
        explain(selector, X, Y)
