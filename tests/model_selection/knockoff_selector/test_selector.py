# SPDX-License-Identifier: BSD-3-Clause
import warnings

import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.datasets import make_planted
from labelsift.model_selection import KnockoffSelector
from labelsift.selection import GreedyRLS
from reference.knockoff_selector import selected, threshold


@pytest.fixture(scope="module")
def planted():
    return make_planted(400, 60, 5, n_relevant=15, noise=0.5, random_state=0)


def test_several_draws_select_by_e_values(planted):
    model = KnockoffSelector(n_draws=5, random_state=0).fit(planted.X, planted.Y)
    assert model.statistic_.shape == (5, 60)
    expected = selected(model.statistic_, 0.2, 60)
    assert set(model.get_support(indices=True).tolist()) == expected
    assert [threshold(W, 0.1) for W in model.statistic_] == list(model.threshold_)
    assert model.n_needed_ == 10
    assert model.support_[planted.relevant].all()
    np.testing.assert_array_equal(model.scores_, model.e_value_)
    assert model.fdr_ <= 0.2


def test_one_draw_selects_by_its_threshold(planted):
    model = KnockoffSelector(n_draws=1, fdr=0.1, random_state=0)
    model.fit(planted.X, planted.Y)
    [W], [T] = model.statistic_, model.threshold_
    assert threshold(W, 0.1) == T
    np.testing.assert_array_equal(model.support_, T <= W)
    np.testing.assert_array_equal(model.scores_, W)
    assert model.n_needed_ == 10
    assert model.fdr_ == (1 + np.sum(-T >= W)) / model.n_features_ <= 0.1


@pytest.mark.parametrize("n_draws", [1, 4])
def test_too_few_features_give_an_empty_answer_and_one_warning(n_draws):
    data = make_planted(200, 20, 4, n_relevant=3, random_state=0)
    model = KnockoffSelector(n_draws=n_draws, fdr=0.1, random_state=0)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(data.X, data.Y)
    [told] = [str(warning.message) for warning in caught]
    needed = 10 if n_draws == 1 else 20
    assert f"needs at least {needed} features found at once, of 20" in told
    assert not model.support_.any()
    assert model.n_features_ == 0
    assert np.isnan(model.fdr_)
    # The order still tells who is best.
    assert set(model.feature_order_[:3]) == set(data.relevant)


def test_jobs_change_nothing_and_seeds_do(planted):
    X, Y = planted.X, planted.Y
    one = KnockoffSelector(n_draws=2, random_state=0).fit(X, Y)
    two = KnockoffSelector(n_draws=2, random_state=0, n_jobs=2).fit(X, Y)
    other = KnockoffSelector(n_draws=2, random_state=1).fit(X, Y)
    # Processes may have another number of BLAS threads: equal but for rounding.
    np.testing.assert_allclose(one.statistic_, two.statistic_, rtol=1e-10)
    assert (one.statistic_ != other.statistic_).any()


def test_constant_columns_are_left_out(planted):
    X = np.insert(planted.X, [0, 30], [3.0, 0.0], axis=1)
    plain = KnockoffSelector(n_draws=2, random_state=0).fit(planted.X, planted.Y)
    padded = KnockoffSelector(n_draws=2, random_state=0).fit(X, planted.Y)
    assert not padded.statistic_[:, [0, 31]].any()
    kept = np.delete(np.arange(62), [0, 31])
    np.testing.assert_array_equal(padded.statistic_[:, kept], plain.statistic_)
    np.testing.assert_array_equal(padded.support_[kept], plain.support_)


def test_columns_without_spread_give_an_empty_answer(planted):
    with pytest.warns(UserWarning, match="of 0 that are not constant"):
        model = KnockoffSelector().fit(np.ones((400, 3)), planted.Y)
    assert not model.support_.any()


def test_a_greedy_selector_competes_by_places(planted):
    selector = GreedyRLS(40, criterion="gcv")
    model = KnockoffSelector(
        selector, statistic="signed-max", n_draws=1, random_state=0
    ).fit(planted.X, planted.Y)
    assert model.support_[planted.relevant].sum() >= 14
    W = model.statistic_[0]
    # A place counts for one of the pair; what neither reached is 0.
    assert np.count_nonzero(W) <= 40
    assert set(np.abs(W)) <= set(range(121))


@pytest.mark.parametrize("construction", ["sdp", "equicorrelated"])
def test_other_constructions_find_the_same_strong_features(planted, construction):
    model = KnockoffSelector(construction=construction, n_draws=2, random_state=0)
    assert model.fit(planted.X, planted.Y).support_[planted.relevant].all()


def test_a_known_covariance_is_used(planted):
    model = KnockoffSelector(covariance=np.eye(60), n_draws=1, random_state=0)
    model.fit(planted.X, planted.Y)
    estimated = KnockoffSelector(n_draws=1, random_state=0).fit(planted.X, planted.Y)
    assert (model.statistic_ != estimated.statistic_).any()
    assert model.support_[planted.relevant].all()


def test_sparse_data_are_refused_with_their_size():
    X = sp.csr_array((1000, 50_000))
    sentence = r"copies are dense: they would take 0\.373 GiB, and .* 18\.6 GiB"
    with pytest.raises(ValueError, match=sentence):
        KnockoffSelector().fit(X, np.ones((1000, 2)))


def test_budgets_do_not_nest():
    assert not KnockoffSelector().nested_budgets


@pytest.mark.slow
@pytest.mark.parametrize("fdr", [0.1, 0.2])
def test_the_share_of_errors_keeps_to_the_level(fdr):
    """20 small seeds: within three standard errors of the level."""
    shares = []
    for seed in range(20):
        data = make_planted(300, 60, 5, n_relevant=15, noise=1.0, random_state=seed)
        model = KnockoffSelector(fdr=fdr, n_draws=1, random_state=seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.fit(data.X, data.Y)
        false = np.delete(model.support_, data.relevant).sum()
        shares.append(false / max(1, model.n_features_))
    assert np.mean(shares) <= fdr + 3 * np.std(shares) / np.sqrt(20)
