# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.datasets import make_planted
from labelsift.selection import PPT
from reference.information import coded_data
from reference.ppt import ppt


@pytest.mark.parametrize("strategy", ["prune", "reassign"])
@pytest.mark.parametrize("score", ["mi", "chi2"])
@pytest.mark.parametrize("n_bins", [2, 3, 5, 12])
@pytest.mark.filterwarnings("ignore:min_count")
def test_equals_the_reference(rng, n_bins, score, strategy):
    for label_density in (0.15, 0.6):
        codes, Y = coded_data(rng, n_bins, label_density)
        scores, share = ppt(codes, Y, score, 6, strategy)
        selector = PPT(score=score, strategy=strategy, discretize=None).fit(codes, Y)
        varied = np.delete(np.arange(codes.shape[1]), 4)
        np.testing.assert_allclose(
            selector.scores_[varied], scores[varied], rtol=1e-10, atol=1e-10
        )
        assert selector.kept_share_ == pytest.approx(share)
        order = sorted(varied, key=lambda f: (-round(scores[f], 8), f))
        assert selector.feature_order_.tolist() == [*order, 4]


@pytest.mark.parametrize("score", ["mi", "chi2"])
def test_planted_features_are_found(score):
    planted = make_planted(
        n_samples=1000, n_features=60, n_relevant=3, n_labels=4, random_state=1
    )
    selector = PPT(3, score=score).fit(planted.X, planted.Y)
    assert set(np.flatnonzero(selector.support_)) == set(planted.relevant)


@pytest.mark.parametrize("how", ["width", "quantile", "presence"])
@pytest.mark.parametrize("score", ["mi", "chi2"])
def test_sparse_and_dense_agree(score, how):
    planted = make_planted(n_features=40, density=0.1, random_state=0)
    planted.X.data -= 0.3
    ppt = PPT(score=score, discretize=how, strategy="reassign")
    expected = ppt.fit(planted.X.toarray(), planted.Y).scores_
    for X in (planted.X, sp.csc_array(planted.X)):
        scores = ppt.fit(X, planted.Y).scores_
        np.testing.assert_allclose(scores, expected, rtol=1e-12, atol=1e-15)


def test_copies_and_renamed_copies_tie(rng):
    codes, Y = coded_data(rng, 3, 0.3)
    for score in ("mi", "chi2"):
        selector = PPT(score=score, min_count=2, discretize=None).fit(codes, Y)
        assert selector.scores_[0] == selector.scores_[7]
        assert selector.scores_[1] == selector.scores_[8]


@pytest.mark.filterwarnings("ignore:1 of 53 labels")
def test_the_kept_share_is_that_of_the_papers_data(real):
    data = real("enron")
    with pytest.warns(UserWarning, match="keeps 38% of the samples"):
        selector = PPT().fit(data.X[data.train_idx], data.Y[data.train_idx])
    assert selector.kept_share_ == pytest.approx(0.38, abs=0.005)


def test_bad_input_is_told(rng):
    X, Y = rng.random((20, 3)), rng.integers(2, size=(20, 8))
    with pytest.raises(ValueError, match="that reach min_count=30: 0"):
        PPT(min_count=30).fit(X, Y)
    same = np.zeros((20, 2), int)
    same[:2] = [[0, 1], [1, 0]]
    with pytest.raises(ValueError, match="that reach min_count=3: 1"):
        PPT(min_count=3).fit(X, same)
    with pytest.raises(ValueError, match="discretize=None takes X as integer codes"):
        PPT(min_count=1, discretize=None).fit(X, Y)
    with pytest.raises(ValueError, match="but X holds -2"):
        PPT(min_count=1, discretize=None).fit(sp.csr_array([[-2.0], [0]] * 10), Y)
    with pytest.raises(ValueError, match="'n_bins' parameter of PPT"):
        PPT(n_bins=1).fit(X, Y)
