# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.datasets import make_planted
from labelsift.selection import PPT
from labelsift.selection.ppt import label_powerset, pruned_powerset
from reference.information import coded_data
from reference.ppt import ppt


@pytest.mark.parametrize("strategy", ["prune", "reassign"])
@pytest.mark.parametrize("criterion", ["mi", "chi2"])
@pytest.mark.parametrize("n_bins", [2, 3, 5, 12])
@pytest.mark.filterwarnings("ignore:min_count")
def test_equals_the_reference(rng, n_bins, criterion, strategy):
    for label_density in (0.15, 0.6):
        codes, Y = coded_data(rng, n_bins, label_density)
        scores, share = ppt(codes, Y, criterion, 6, strategy)
        selector = PPT(criterion=criterion, strategy=strategy, discretize=None)
        selector.fit(codes, Y)
        varied = np.delete(np.arange(codes.shape[1]), 4)
        np.testing.assert_allclose(
            selector.scores_[varied], scores[varied], rtol=1e-10, atol=1e-10
        )
        assert selector.kept_share_ == pytest.approx(share)
        order = sorted(varied, key=lambda f: (-round(scores[f], 8), f))
        assert selector.feature_order_.tolist() == [*order, 4]


def test_planted_features_are_found_by_chi_square():
    planted = make_planted(
        n_samples=1000, n_features=60, n_relevant=3, n_labels=4, random_state=1
    )
    selector = PPT(3, criterion="chi2").fit(planted.X, planted.Y)
    assert set(np.flatnonzero(selector.support_)) == set(planted.relevant)


@pytest.mark.parametrize("how", ["width", "quantile", "presence"])
@pytest.mark.parametrize("criterion", ["mi", "chi2"])
def test_sparse_and_dense_agree(criterion, how):
    planted = make_planted(n_features=40, density=0.1, random_state=0)
    planted.X.data -= 0.3
    ppt = PPT(criterion=criterion, discretize=how, strategy="reassign")
    expected = ppt.fit(planted.X.toarray(), planted.Y).scores_
    for X in (planted.X, sp.csc_array(planted.X)):
        scores = ppt.fit(X, planted.Y).scores_
        np.testing.assert_allclose(scores, expected, rtol=1e-12, atol=1e-15)


def test_copies_and_renamed_copies_tie(rng):
    codes, Y = coded_data(rng, 3, 0.3)
    for criterion in ("mi", "chi2"):
        selector = PPT(criterion=criterion, min_count=2, discretize=None).fit(codes, Y)
        assert selector.scores_[0] == selector.scores_[7]
        assert selector.scores_[1] == selector.scores_[8]


@pytest.mark.filterwarnings("ignore:1 of 53 labels")
def test_the_kept_share_is_that_of_the_papers_data(real):
    data = real("enron")
    with pytest.warns(UserWarning, match="keeps 38% of the samples"):
        selector = PPT().fit(data.X[data.train_idx], data.Y[data.train_idx])
    assert selector.kept_share_ == pytest.approx(0.38, abs=0.005)


@pytest.mark.parametrize(("sets", "left"), [(range(20), 0), ([1, 7, 13, 19, 25], 1)])
@pytest.mark.parametrize("strategy", ["prune", "reassign"])
def test_where_pruning_leaves_nothing_to_tell_apart_none_is_pruned(
    rng, sets, left, strategy
):
    X, Y = rng.random((20, 3)), np.zeros((20, 5), int)
    Y[: len(sets)] = np.array(sets)[:, np.newaxis] >> np.arange(5) & 1
    sentence = f"that reach min_count=6: {left}. .* none is pruned: lower min_count"
    with pytest.warns(UserWarning, match=sentence):
        selector = PPT(strategy=strategy).fit(X, Y)
    assert selector.kept_share_ == 1
    expected = PPT(min_count=1).fit(X, Y)
    np.testing.assert_array_equal(selector.scores_, expected.scores_)


def test_the_old_name_of_the_criterion_is_refused():
    with pytest.raises(TypeError, match="no argument score='mi': pass criterion='mi'"):
        PPT(score="mi")
    with pytest.raises(ValueError, match=r"Invalid parameter 'score' .*'criterion'"):
        PPT().set_params(score="mi")


def test_bad_input_is_told(rng):
    X, Y = rng.random((20, 3)), rng.integers(2, size=(20, 8))
    with pytest.raises(ValueError, match="discretize=None takes X as integer codes"):
        PPT(min_count=1, discretize=None).fit(X, Y)
    with pytest.raises(ValueError, match="but X holds -2"):
        PPT(min_count=1, discretize=None).fit(sp.csr_array([[-2.0], [0]] * 10), Y)
    with pytest.raises(ValueError, match="'n_bins' parameter of PPT"):
        PPT(n_bins=1).fit(X, Y)


def test_each_distinct_label_set_is_a_class(rng):
    for Y in (rng.integers(2, size=(50, 3)), rng.integers(2, size=(11, 50)).T):
        sets, classes = label_powerset(Y)
        np.testing.assert_array_equal(sets[classes], Y)
        assert len(sets) == len({tuple(row) for row in Y})


def test_rare_sets_are_left_out_or_join_the_largest_set_within():
    frequent = [[1, 0, 0]] * 3 + [[0, 1, 0]] * 4 + [[0, 0, 0]] * 5
    rare = [[1, 1, 0], [1, 0, 1], [0, 0, 1]]
    Y = np.array(frequent + rare)
    pruned = pruned_powerset(Y, 3)
    assert pruned[-3:].tolist() == [-1, -1, -1]
    assert len(set(pruned[:-3])) == 3
    joined = pruned_powerset(Y, 3, reassign=True)
    np.testing.assert_array_equal(joined[:-3], pruned[:-3])
    # The more frequent of two single labels, the only one within, and none: the empty
    # set is within every set and takes nobody.
    assert joined[-3:].tolist() == [pruned[3], pruned[0], -1]


def test_nothing_may_be_left():
    Y = np.eye(4, dtype=int)
    for reassign in (False, True):
        assert np.all(pruned_powerset(Y, 2, reassign=reassign) == -1)
