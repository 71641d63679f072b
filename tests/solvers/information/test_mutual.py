# SPDX-License-Identifier: BSD-3-Clause
from itertools import combinations

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.metrics import mutual_info_score

from labelsift.solvers.information.bins import Groups, make_bins
from labelsift.solvers.information.mutual import (
    Information,
    class_information,
    log_table,
)
from reference.information import (
    co_information,
    coded_data,
    conditional_information,
    entropy,
    mutual_information,
)

CLOSE = {"rtol": 0, "atol": 1e-10}


def test_the_reference_is_that_of_scikit_learn(rng):
    a, b = rng.integers(4, size=(2, 80))
    assert mutual_information(a, b) == pytest.approx(mutual_info_score(a, b))


@pytest.mark.parametrize("label_density", [0.1, 0.7])
@pytest.mark.parametrize("n_bins", [2, 3, 4, 5])
@pytest.mark.parametrize("form", [np.asarray, sp.csc_array])
def test_terms_equal_the_definitions(rng, n_bins, label_density, form):
    codes, Y = coded_data(rng, n_bins, label_density)
    information = Information(make_bins(form(codes)), Y)
    features, labels = codes.T, Y.T
    np.testing.assert_allclose(
        information.entropies(), [entropy(f) for f in features], **CLOSE
    )
    np.testing.assert_allclose(
        information.about_labels(),
        [sum(mutual_information(f, y) for y in labels) for f in features],
        **CLOSE,
    )
    np.testing.assert_allclose(
        information.about_each_label(),
        [[mutual_information(f, y) for y in labels] for f in features],
        **CLOSE,
    )
    pairs = information.about_each_feature()
    np.testing.assert_allclose(
        pairs, [[mutual_information(f, g) for g in features] for f in features], **CLOSE
    )
    np.testing.assert_array_equal(pairs, pairs.T)
    np.testing.assert_allclose(
        information.about_labels_given_labels(),
        [
            sum(conditional_information(f, y, z) for y in labels for z in labels)
            for f in features
        ],
        **CLOSE,
    )
    np.testing.assert_allclose(
        information.shared_by_labels(),
        [
            sum(co_information(f, y, z) for y, z in combinations(labels, 2))
            for f in features
        ],
        **CLOSE,
    )
    for s in (0, 4):
        np.testing.assert_allclose(
            information.shared_with_feature(s),
            [sum(co_information(f, codes[:, s], y) for y in labels) for f in features],
            **CLOSE,
        )
        np.testing.assert_allclose(
            information.about_feature(s),
            [mutual_information(f, codes[:, s]) for f in features],
            **CLOSE,
        )
        np.testing.assert_allclose(
            information.about_labels_given_feature(s),
            [
                sum(conditional_information(f, y, codes[:, s]) for y in labels)
                for f in features
            ],
            **CLOSE,
        )


def test_equal_counts_give_equal_numbers(rng):
    """A renamed copy has the same score to the last bit, in either form."""
    codes, Y = coded_data(rng, 5, 0.3)
    dense, sparse = (
        Information(make_bins(form(codes)), Y) for form in (np.asarray, sp.csc_array)
    )
    for information in (dense, sparse):
        scores = information.about_labels_given_labels()
        assert scores[1] == scores[8]
    np.testing.assert_array_equal(
        dense.about_labels_given_feature(2), sparse.about_labels_given_feature(2)
    )


def test_information_is_symmetric_and_bounded_by_entropy(rng):
    codes, Y = coded_data(rng, 4, 0.3)
    bins = make_bins(codes)
    about = np.array([Information(bins, Y).about_feature(s) for s in range(9)])
    np.testing.assert_allclose(about, about.T, atol=1e-13)
    assert np.all(about <= np.diag(about) + 1e-13)
    assert np.all(about >= -1e-13)


def test_classes_beyond_a_block_of_counts(rng, monkeypatch):
    monkeypatch.setattr("labelsift.solvers.information.mutual._BLOCK_BYTES", 64)
    codes, _ = coded_data(rng, 3, 0.3)
    classes = rng.integers(6, size=len(codes)) - 1
    kept = classes >= 0
    np.testing.assert_allclose(
        class_information(make_bins(codes), Groups.of_classes(classes)),
        [mutual_information(f[kept], classes[kept]) for f in codes.T],
        **CLOSE,
    )


@pytest.mark.parametrize(("n", "n_labels"), [(2, 1), (1000, 40), (10**6, 5000)])
def test_the_table_is_sharp_and_leaves_room(n, n_labels):
    table, unit = log_table(n, n_labels)
    x = np.arange(1, n + 1)
    assert np.max(np.abs(table[1:] * unit - x * np.log(x))) / n < 1e-14
    assert 4 * int(table[-1]) < 2**63
    assert n * n_labels / unit < 2**63
