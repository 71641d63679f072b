# SPDX-License-Identifier: BSD-3-Clause
"""Splits that use all labels: coverage of every label, and stratified folds."""

from abc import abstractmethod
from collections.abc import Iterator
from numbers import Integral, Real
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.model_selection import BaseCrossValidator
from sklearn.utils import check_consistent_length, check_random_state, check_scalar

from labelsift.core.labels import read_label_matrix

_TEST, _TRAIN = 0, 1

# Swaps after which a repair gives up, times the number of labels. Mostly fewer than one
# per label are needed.
_SWAPS_PER_LABEL = 10
# Positives of a missing label that are tried before the one with the least loss is
# taken. Mostly the first loses no other label.
_TRIALS = 32


class LabelSplitter(BaseCrossValidator):
    """A splitter that uses all labels; subclasses implement ``_test_masks``."""

    n_splits: int
    random_state: Any

    @abstractmethod
    def _test_masks(self, Y: NDArray[Any], rng: Any) -> Iterator[NDArray[np.bool_]]:
        """Mark the test rows of each split of a 0/1 label matrix."""

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of splits; the arguments are ignored."""
        return self.n_splits

    def split(
        self, X: Any, y: Any, groups: Any = None
    ) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
        """Yield the rows of the training and the test part, both in ascending order.

        Parameters
        ----------
        X : array-like, sparse or DataFrame of shape (n_samples, n_features)
            Only its length is used.
        y : array-like, sparse or DataFrame of shape (n_samples, n_labels)
            Labels as 0/1, bool or -1/+1.
        groups : None
            Not used.

        Yields
        ------
        train, test : ndarray
            Row indices.
        """
        Y = read_label_matrix(y, "y")
        check_consistent_length(X, Y)
        for in_test in self._test_masks(Y, check_random_state(self.random_state)):
            yield np.flatnonzero(~in_test), np.flatnonzero(in_test)


class LabelCoverageSplit(LabelSplitter):
    """Random train and test parts in which no label is missing.

    Every label has a positive in the training part and, where it has two or more, one
    in the test part. A label with a single positive has it in the training part.

    Each split is a uniform random draw of ``train_size`` rows, repaired by swaps: for
    a random label that a part lacks, a random positive of the other part is
    exchanged with a random row of this part, among those whose swap removes the last
    positive of the fewest other labels; mostly of none, so that the repair is final. A
    draw that covers all labels is unchanged. After 10 n_labels swaps a ValueError names
    a label that is still missing: such parts do not exist, or hardly.

    Cost: O(n_samples n_labels) for a draw and for each positive tried in a swap; Y is
    read into one byte an entry.

    Parameters
    ----------
    n_splits : int, default=10
        Number of splits.
    train_size : int or float
        Rows in the training part: a count, or a share in (0, 1), rounded down. The
        others are the test part.
    random_state : int, RandomState instance or None, default=None
        Seed of the draws and swaps.

    See Also
    --------
    IterativeStratifiedKFold : Folds with nearly equal shares of every label.

    References
    ----------
    S. Ji, L. Tang, S. Yu, J. Ye (2008), Extracting Shared Subspace for Multi-label
    Classification, KDD 2008, section 5.2, and Q. Gu, Z. Li, J. Han (2011), Correlated
    Multi-Label Feature Selection, CIKM 2011, section 4, ask for such parts.

    Examples
    --------
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.model_selection import LabelCoverageSplit
    >>> traits = load_dataset("traits")
    >>> splitter = LabelCoverageSplit(3, train_size=20, random_state=0)
    >>> [len(train) for train, test in splitter.split(traits.X, traits.Y)]
    [20, 20, 20]
    """

    def __init__(
        self,
        n_splits: int = 10,
        *,
        train_size: int | float,
        random_state: Any = None,
    ) -> None:
        check_scalar(n_splits, "n_splits", Integral, min_val=1)
        if isinstance(train_size, Integral):
            check_scalar(train_size, "train_size", Integral, min_val=1)
        else:
            check_scalar(
                train_size,
                "train_size",
                Real,
                min_val=0,
                max_val=1,
                include_boundaries="neither",
            )
        self.n_splits = n_splits
        self.train_size = train_size
        self.random_state = random_state

    def _test_masks(self, Y: NDArray[Any], rng: Any) -> Iterator[NDArray[np.bool_]]:
        n_train = self._n_train(len(Y))
        for _ in range(self.n_splits):
            part = np.full(len(Y), _TEST)
            part[rng.permutation(len(Y))[:n_train]] = _TRAIN
            _Cover(Y, part).repair(rng)
            yield part == _TEST

    def _n_train(self, n_samples: int) -> int:
        size = self.train_size
        count = int(size if isinstance(size, Integral) else size * n_samples)
        if not 0 < count < n_samples:
            raise ValueError(
                f"train_size={size} leaves one part of the {n_samples} samples empty: "
                "choose another size."
            )
        return count


class _Cover:
    """The labels that a training and a test part have, and swaps that repair them."""

    def __init__(self, Y: NDArray[Any], part: NDArray[Any]) -> None:
        self.Y, self.part = Y, part
        self.total = Y.sum(axis=0, dtype=np.intp)
        in_train = Y[part == _TRAIN].sum(axis=0, dtype=np.intp)
        self.have = np.stack([self.total - in_train, in_train])
        self.needed = np.stack([self.total >= 2, self.total >= 1])

    def repair(self, rng: Any) -> None:
        """Swap rows until no part lacks a label that it needs."""
        swaps_left = _SWAPS_PER_LABEL * len(self.total)
        while len(lacking := np.argwhere(self.needed & (self.have == 0))):
            side, label = lacking[rng.randint(len(lacking))]
            if not swaps_left:
                self._give_up(label, side)
            self._swap_in(label, side, rng)
            swaps_left -= 1

    def _swap_in(self, label: int, side: int, rng: Any) -> None:
        """Swap a positive of the label into a part, losing the fewest other labels."""
        candidates = (self.Y[:, label] == 1) & (self.part != side)
        rows = np.flatnonzero(self.part == side)
        least = len(self.total) + 1
        for candidate in rng.permutation(np.flatnonzero(candidates))[:_TRIALS]:
            losses = self._losses(rows, side, self.Y[candidate])
            if losses.min() < least:
                least = losses.min()
                entering, leaving = candidate, rows[losses == least]
            if least == 0:
                break
        self._exchange(entering, leaving[rng.randint(len(leaving))], side)

    def _losses(
        self, rows: NDArray[Any], side: int, arriving: NDArray[Any]
    ) -> NDArray[Any]:
        """Labels that lose their last positive in a part when a row leaves this side.

        The row with the labels ``arriving`` comes from the other side in exchange.
        """
        own, other = self.have[side], self.have[1 - side]
        last_own = self.needed[side] & (own + arriving == 1)
        last_other = self.needed[1 - side] & (other == 1) & (arriving == 1)
        taken = self.Y[np.ix_(rows, np.flatnonzero(last_own))]
        restored = self.Y[np.ix_(rows, np.flatnonzero(last_other))]
        return (
            taken.sum(axis=1, dtype=np.intp)
            + np.count_nonzero(last_other)
            - restored.sum(axis=1, dtype=np.intp)
        )

    def _exchange(self, entering: int, leaving: int, side: int) -> None:
        self.part[entering], self.part[leaving] = side, 1 - side
        change = self.Y[entering].astype(np.intp) - self.Y[leaving]
        self.have[side] += change
        self.have[1 - side] -= change

    def _give_up(self, label: int, side: int) -> None:
        name, other = ("training", "larger") if side == _TRAIN else ("test", "smaller")
        n_train = np.count_nonzero(self.part == _TRAIN)
        raise ValueError(
            f"A training part of {n_train} of {len(self.part)} samples leaves label "
            f"{label} without a positive in the {name} part, and swaps do not add one: "
            f"choose a {other} train_size or leave out rare labels."
        )


class IterativeStratifiedKFold(LabelSplitter):
    """Folds in which every label has nearly its share of positives.

    Iterative stratification: the label with the fewest positives left is distributed
    first, because it is the hardest to spread evenly. Each of its positives goes to
    the fold that has the fewest positives of this label so far, on a tie to the one
    with the fewest rows, on a further tie to a random one. Then comes the label
    with the fewest positives left among the rows not yet assigned. Rows without
    labels go to the smallest fold at the end. With folds of equal share, "fewest
    so far" is the same as the paper's "most desired".

    Fold sizes are close to equal, not exactly so: labels come first. No fold is
    empty. A label with fewer positives than folds is missing in some test parts.

    Cost: O(nnz(Y) + n_samples n_splits + n_labels^2); Y is read into one byte an entry.

    Parameters
    ----------
    n_splits : int, default=5
        Number of folds, at least 2.
    random_state : int, RandomState instance or None, default=None
        Seed of the order of rows and of ties; the folds differ from call to call with
        None.

    See Also
    --------
    LabelCoverageSplit : Random parts in which no label is missing.

    References
    ----------
    K. Sechidis, G. Tsoumakas, I. Vlahavas (2011), On the Stratification of Multi-label
    Data, ECML PKDD 2011, LNCS 6913:145-158, algorithm 1.

    Examples
    --------
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.model_selection import IterativeStratifiedKFold
    >>> traits = load_dataset("traits")
    >>> folds = IterativeStratifiedKFold(3, random_state=0)
    >>> for train, test in folds.split(traits.X, traits.Y):
    ...     print(traits.Y[test].sum(axis=0))
    [297 241 299 237 181 238]
    [297 240 299 238 180 238]
    [297 240 298 238 181 238]
    """

    def __init__(self, n_splits: int = 5, *, random_state: Any = None) -> None:
        check_scalar(n_splits, "n_splits", Integral, min_val=2)
        self.n_splits = n_splits
        self.random_state = random_state

    def _test_masks(self, Y: NDArray[Any], rng: Any) -> Iterator[NDArray[np.bool_]]:
        if len(Y) < self.n_splits:
            raise ValueError(
                f"n_splits={self.n_splits} is more than the {len(Y)} samples: choose "
                "fewer folds."
            )
        fold = _assign_folds(Y, self.n_splits, rng)
        for k in range(self.n_splits):
            yield fold == k


def _assign_folds(Y: NDArray[Any], n_folds: int, rng: Any) -> NDArray[np.intp]:
    """Fold of each row, by iterative stratification."""
    n_samples, n_labels = Y.shape
    order, priority = rng.permutation(n_samples), rng.permutation(n_labels)
    chance = rng.uniform(size=n_samples)  # picks among tied folds
    fold = np.full(n_samples, -1)
    size = [0] * n_folds
    assigned = [[0] * n_folds for _ in range(n_labels)]  # positives in each fold
    left = Y.sum(axis=0).tolist()  # positives not yet assigned
    rows, columns = sp.csr_array(Y), sp.csc_array(Y[order])
    while any(left):
        label = min(filter(left.__getitem__, priority), key=left.__getitem__)
        start, stop = columns.indptr[label : label + 2]
        for row in order[columns.indices[start:stop]]:
            if fold[row] >= 0:
                continue
            k = fold[row] = _neediest(assigned[label], size, chance[row])
            size[k] += 1
            for other in rows.indices[rows.indptr[row] : rows.indptr[row + 1]].tolist():
                assigned[other][k] += 1
                left[other] -= 1
    for row in order[fold[order] < 0]:  # no labels at all
        k = fold[row] = _neediest(size, size, chance[row])
        size[k] += 1
    return fold


def _neediest(assigned: list[int], size: list[int], chance: float) -> int:
    """The fold with the fewest positives, then the fewest rows, then by chance."""
    needs = list(zip(assigned, size, strict=True))
    least = min(needs)
    best = [k for k, need in enumerate(needs) if need == least]
    return best[int(chance * len(best))]
