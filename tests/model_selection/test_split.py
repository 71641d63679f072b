# SPDX-License-Identifier: BSD-3-Clause
from itertools import combinations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.model_selection import KFold, cross_val_score

from core.toys import ToyRanker
from labelsift.datasets import load_dataset
from labelsift.metrics import scorer
from labelsift.model_selection import IterativeStratifiedKFold, LabelCoverageSplit
from reference.split import is_covered, iterative_stratification, unmet

BOTH = pytest.mark.parametrize(
    "splitter",
    [
        LabelCoverageSplit(5, train_size=0.6, random_state=0),
        IterativeStratifiedKFold(5, random_state=0),
    ],
    ids=["coverage", "stratified"],
)


@st.composite
def label_matrices(draw, least=2):
    """Rare, common, missing and full labels; rows with no label and with all."""
    shape = draw(st.tuples(st.integers(least, 9), st.integers(1, 6)))
    values = st.sampled_from([0, 0, 1]) if draw(st.booleans()) else st.integers(0, 1)
    return draw(arrays(np.int8, shape, elements=values))


def _rare(rng, n_samples=200, n_labels=12):
    """Labels with 1, 2, 3, ... positives."""
    Y = np.zeros((n_samples, n_labels), dtype=int)
    for label in range(n_labels):
        Y[rng.choice(n_samples, label + 1, replace=False), label] = 1
    return Y


def _partitions(n, n_train):
    rows = set(range(n))
    for train in combinations(range(n), n_train):
        yield list(train), sorted(rows - set(train))


@BOTH
def test_the_manners_of_a_splitter(splitter, rng):
    Y = _rare(rng)
    parts = list(splitter.split(Y, Y))
    assert len(parts) == splitter.get_n_splits() == 5
    for train, test in parts:
        np.testing.assert_array_equal(np.sort(np.r_[train, test]), np.arange(len(Y)))
    assert "random_state=0" in repr(splitter)


@BOTH
@pytest.mark.parametrize(
    "form", [sp.csr_array, lambda Y: 2 * Y - 1, lambda Y: Y.astype(bool)]
)
def test_the_seed_decides_and_the_form_of_y_does_not(splitter, form, rng):
    Y = _rare(rng)
    again = splitter.split(Y, form(Y))
    for (train, test), (train_2, test_2) in zip(
        splitter.split(Y, Y), again, strict=True
    ):
        np.testing.assert_array_equal(train, train_2)
        np.testing.assert_array_equal(test, test_2)


@BOTH
def test_another_seed_gives_other_parts(splitter, rng):
    Y = _rare(rng)
    other = type(splitter)(**(vars(splitter) | {"random_state": 1}))
    first, second = next(splitter.split(Y, Y)), next(other.split(Y, Y))
    assert set(first[1]) != set(second[1])


@BOTH
def test_in_cross_validation(splitter):
    traits = load_dataset("traits")
    values = cross_val_score(
        ToyRanker(), traits.X, traits.Y, cv=splitter, scoring=scorer("macro_auc")
    )
    assert (values > 0.9).all()


@BOTH
@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda X, Y: (X[:-1], Y), "inconsistent numbers of samples"),
        (lambda X, Y: (X, Y + 1), "y must hold only 0/1"),
        (lambda X, Y: (X, Y[:, 0]), r"y must have shape \(n_samples, n_labels\)"),
        (lambda X, Y: (X, None), "y must have shape"),
        (lambda X, Y: (X, np.where(Y, np.nan, 0)), "y contains NaN"),
    ],
)
def test_bad_data(splitter, change, sentence, rng):
    Y = _rare(rng)
    with pytest.raises(ValueError, match=sentence):
        next(splitter.split(*change(Y, Y)))


# LabelCoverageSplit


def test_refused_exactly_when_impossible(rng):
    for seed in range(300):
        n, t = rng.integers(2, 9), rng.integers(1, 7)
        Y = (rng.random((n, t)) < rng.choice([0.1, 0.2, 0.3, 0.5])).astype(int)
        n_train = int(rng.integers(1, n))
        splits = LabelCoverageSplit(1, train_size=n_train, random_state=seed).split(
            Y, Y
        )
        if any(is_covered(Y, *parts) for parts in _partitions(n, n_train)):
            ((train, test),) = splits
            assert len(train) == n_train
            assert is_covered(Y, train, test)
        else:
            with pytest.raises(ValueError, match="swaps do not add one"):
                next(splits)


@pytest.mark.parametrize("name", ["enron", "bibtex", "yeast"])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_each_swap_mends_a_label_where_there_is_room(real, name, share):
    """As near to the random draw as can be; a draw that covers is left alone."""
    Y = real(name).Y
    for seed in range(10):
        drawn = np.random.RandomState(seed).permutation(len(Y))
        drawn_train, drawn_test = np.split(drawn, [int(share * len(Y))])
        splitter = LabelCoverageSplit(1, train_size=share, random_state=seed)
        ((train, _),) = splitter.split(Y, Y)
        swapped = len(set(train) - set(drawn_train))
        assert swapped <= unmet(Y, drawn_train, drawn_test)


@pytest.mark.parametrize("name", ["enron", "bibtex", "CAL500", "yahoo-arts"])
@pytest.mark.parametrize("which", ["train", "test"])
def test_real_labels_are_covered_by_few_rows(real, name, which):
    Y = real(name).Y
    small = 3 * _greedy_cover(Y) // 2
    size = small if which == "train" else len(Y) - small
    for train, test in LabelCoverageSplit(5, train_size=size, random_state=0).split(
        Y, Y
    ):
        assert len(train) == size
        assert is_covered(Y, train, test)


def _greedy_cover(Y):
    """Rows that a greedy search needs to have every label once."""
    wanted, count = Y.any(axis=0), 0
    while wanted.any():
        wanted &= Y[np.argmax(Y[:, wanted].sum(axis=1))] == 0
        count += 1
    return count


def test_a_label_with_one_positive_has_it_in_train(rng):
    Y = _rare(rng)
    (only,) = np.flatnonzero(Y[:, 0])
    for train, _ in LabelCoverageSplit(20, train_size=20, random_state=0).split(Y, Y):
        assert only in train


def test_a_label_without_positives_asks_for_nothing(rng):
    Y = _rare(rng)
    with_empty = np.column_stack([np.zeros(len(Y), int), Y])
    splitter = LabelCoverageSplit(3, train_size=0.5, random_state=0)
    for (train, _), (train_2, _) in zip(
        splitter.split(Y, Y), splitter.split(Y, with_empty), strict=True
    ):
        np.testing.assert_array_equal(train, train_2)


def test_every_row_is_as_likely_as_by_chance(rng):
    """A rare label brings in each of its positives alike; other rows keep chance."""
    Y = np.zeros((60, 2), dtype=int)
    Y[:3, 0] = 1  # most draws of 10 rows miss these
    Y[::2, 1] = 1
    times = np.zeros(60)
    for train, _ in LabelCoverageSplit(3000, train_size=10, random_state=0).split(Y, Y):
        times[train] += 1
    missed = (50 * 49 * 48) / (60 * 59 * 58)  # chance that a draw has none of the 3
    each = (3 * 10 / 60 + missed) / 3
    assert times[:3] / 3000 == pytest.approx([each] * 3, abs=0.04)
    assert times[3:] / 3000 == pytest.approx([(10 - 3 * each) / 57] * 57, abs=0.04)


def test_float_sizes_are_shares():
    Y = np.eye(10, dtype=int)[:, :2]
    for size, count in [(0.3, 3), (0.39, 3), (4, 4)]:
        splitter = LabelCoverageSplit(1, train_size=size, random_state=0)
        assert len(next(splitter.split(Y, Y))[0]) == count


def test_impossible_demands_name_the_label_and_the_remedy():
    Y = np.eye(3, dtype=int)[[0, 0, 1, 1, 2, 2]]
    with pytest.raises(ValueError, match=r"label \d .* training part.* a larger "):
        next(LabelCoverageSplit(train_size=2, random_state=0).split(Y, Y))
    with pytest.raises(ValueError, match=r"label \d .* test part.* a smaller "):
        next(LabelCoverageSplit(train_size=5, random_state=0).split(Y, Y))


def test_positives_that_are_all_needed_in_train():
    """Both positives of label 0 are the only ones of another label: never in test."""
    Y = np.array([[1, 1, 0], [1, 0, 1], [0, 0, 0], [0, 0, 0]])
    with pytest.raises(ValueError, match="leave out rare labels"):
        next(LabelCoverageSplit(train_size=2, random_state=0).split(Y, Y))


@pytest.mark.parametrize("size", [0, 1.0, 0.0, -3, 1.5, "half", None])
def test_bad_sizes(size):
    with pytest.raises((ValueError, TypeError), match="train_size"):
        LabelCoverageSplit(train_size=size)


@pytest.mark.parametrize("size", [4, 9, 0.1])
def test_sizes_that_leave_a_part_empty(size):
    Y = np.ones((4, 1), dtype=int)
    with pytest.raises(ValueError, match=f"train_size={size} leaves one part of the 4"):
        next(LabelCoverageSplit(train_size=size).split(Y, Y))


# IterativeStratifiedKFold


def _fold(splitter, Y):
    fold = np.empty(len(Y), dtype=int)
    for k, (_, test) in enumerate(splitter.split(Y, Y)):
        fold[test] = k
    return fold


@settings(deadline=None)
@given(Y=label_matrices(least=4), k=st.integers(2, 4), seed=st.integers(0, 99))
def test_equal_to_the_papers_algorithm(Y, k, seed):
    expected = iterative_stratification(Y, k, np.random.RandomState(seed))
    found = _fold(IterativeStratifiedKFold(k, random_state=seed), Y)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("name", ["enron", "emotions"])
def test_equal_to_the_papers_algorithm_on_real_labels(real, name):
    Y = real(name).Y[:600]
    expected = iterative_stratification(Y, 5, np.random.RandomState(7))
    found = _fold(IterativeStratifiedKFold(5, random_state=7), Y)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    ("name", "share"), [("enron", 0.5), ("yeast", 0.5), ("CAL500", 1)]
)
@pytest.mark.parametrize("k", [3, 10])
def test_labels_are_spread_better_than_at_random(real, name, share, k):
    Y = real(name).Y

    def distance(splitter):
        """Mean difference of a label's share in a fold and in all rows."""
        return np.mean(
            [
                np.abs(Y[test].mean(axis=0) - Y.mean(axis=0)).mean()
                for _, test in splitter.split(Y, Y)
            ]
        )

    for seed in range(3):
        by_chance = distance(KFold(k, shuffle=True, random_state=seed))
        stratified = distance(IterativeStratifiedKFold(k, random_state=seed))
        assert stratified < share * by_chance


@pytest.mark.parametrize("name", ["enron", "yeast"])
def test_folds_are_of_nearly_equal_size(real, name):
    Y = real(name).Y
    sizes = np.bincount(_fold(IterativeStratifiedKFold(10, random_state=0), Y))
    assert np.abs(sizes / (len(Y) / 10) - 1).max() < 0.1


@settings(deadline=None)
@given(Y=label_matrices(least=3), seed=st.integers(0, 9))
def test_no_fold_is_empty(Y, seed):
    fold = _fold(IterativeStratifiedKFold(3, random_state=seed), Y)
    assert set(fold) == {0, 1, 2}


def test_one_label_per_row_is_plain_stratification(rng):
    classes = rng.integers(4, size=203)
    fold = _fold(
        IterativeStratifiedKFold(5, random_state=0), np.eye(4, dtype=int)[classes]
    )
    for value in range(4):
        assert np.ptp(np.bincount(fold[classes == value], minlength=5)) <= 1
    assert np.ptp(np.bincount(fold)) <= 1


def test_rows_without_labels_even_out_the_sizes():
    Y = np.zeros((20, 2), dtype=int)
    Y[:4] = 1
    assert (
        np.bincount(_fold(IterativeStratifiedKFold(4, random_state=0), Y)) == 5
    ).all()


def test_fewer_samples_than_folds():
    Y = np.ones((3, 2), dtype=int)
    with pytest.raises(ValueError, match="n_splits=4 is more than the 3 samples"):
        next(IterativeStratifiedKFold(4).split(Y, Y))


@pytest.mark.parametrize("n_splits", [1, 2.5, "5"])
def test_bad_numbers_of_folds(n_splits):
    with pytest.raises((ValueError, TypeError), match="n_splits"):
        IterativeStratifiedKFold(n_splits)
