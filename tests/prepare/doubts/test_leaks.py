# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.prepare.doubts.leaks import LEAK_AUC, LEAK_SHARE, leaks
from prepare.doubts.cases import N, array, noise, of, table
from reference.doubts import auc, precision_and_recall


def test_a_copy_of_a_label_is_a_leak_with_its_remedy(rng):
    X, Y = noise(rng)
    X[:, 4] = 5.0 - 2.0 * Y[:, 1] + 0.1 * rng.normal(size=N)
    doubt = of(leaks, array(X, Y))
    assert (doubt.code, doubt.columns, doubt.labels) == ("leak", ("x4",), ("y1",))
    assert doubt.number == pytest.approx(1 - auc(X[:, 4], Y[:, 1]))
    assert doubt.remedy == "--drop x4"
    assert doubt.sentence == (
        "'x4' alone tells y1 (AUC 1.000). If it is known only after the label, the "
        "answer is worthless: run again with --drop x4."
    )


def test_several_leaks_stand_in_one_sentence(rng):
    X, Y = noise(rng)
    X[:, 4], X[:, 2] = Y[:, 1], Y[:, 0] + 0.25 * rng.normal(size=N)
    doubt = of(leaks, array(X, Y))
    assert doubt.columns == ("x4", "x2")
    assert doubt.labels == ("y1", "y0")
    assert "; 'x2' tells a label alone too. If they are" in doubt.sentence
    assert doubt.remedy == "--drop x4,x2"
    X[:, [0, 1, 3, 5]] = Y[:, [1]]
    doubt = of(leaks, array(X, Y))
    assert "'x1', 'x3', 'x4', 'x5' and 'x2' tell a label alone too." in doubt.sentence
    assert doubt.sentence.endswith("worthless: run again without them.")


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_a_proxy_below_the_threshold_is_none(rng, form):
    X, Y = noise(rng)
    X[:, 0] = Y[:, 0] + 0.6 * rng.normal(size=N)
    assert 0.8 < auc(X[:, 0], Y[:, 0]) < LEAK_AUC
    assert of(leaks, array(form(X), Y)) is None


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_codes_that_tell_a_label_need_no_order(rng, form):
    X, Y = noise(rng)
    X[:, 3] = np.where(Y[:, 2], rng.choice([2, 7], N), rng.choice([0, 3, 9], N))
    assert 0.1 < auc(X[:, 3], Y[:, 2]) < 0.9
    doubt = of(leaks, array(form(X), Y))
    assert doubt.columns == ("x3",)
    assert "(precision 1.00, recall 1.00)" in doubt.sentence
    precision, recall = precision_and_recall(X[:, 3], Y[:, 2])
    assert doubt.number == min(precision, recall) == 1.0


@pytest.mark.parametrize("flips", [0, 4, 12, 40])
def test_categories_leak_from_95_percent_on(rng, flips):
    Y = (rng.random((N, 1)) < 0.4).astype(np.int8)
    told = Y[:, 0] ^ (np.arange(N) < flips)
    column = np.where(told, rng.choice(["a", "b"], N), rng.choice(["c", "d"], N))
    shares = precision_and_recall(column, Y[:, 0])
    doubt = of(leaks, table({"c": column, "x": rng.normal(size=N)}, Y))
    assert (doubt is not None) == (min(shares) >= LEAK_SHARE)
    assert doubt is None or doubt.number == pytest.approx(min(shares))


@pytest.mark.parametrize("rate", [0.02, 0.98])
def test_rare_and_frequent_labels_alarm_neither_by_luck_nor_by_most_rows(rng, rate):
    few = rng.integers(0, 3, size=(N, 8)).astype(float)
    Y = np.full((N, 2), int(rate > 0.5), dtype=np.int8)
    Y[:8] = 1 - Y[0, 0]  # of 8 rows anything can be told
    few[:8, 0] = 7.0
    assert of(leaks, array(few, Y)) is None
    Y[:12] = Y[0, 0]
    few[:12, 0] = 7.0
    assert of(leaks, array(few, Y)).columns == ("x0",)


def test_a_gap_may_be_the_value_that_tells(rng):
    Y = (rng.random((N, 1)) < 0.4).astype(np.int8)
    column = np.where(Y[:, 0], None, rng.choice(["c", "d", "e"], N))
    doubt = of(leaks, table({"c": column, "x": rng.normal(size=N)}, Y))
    assert doubt.columns == ("c",)
