# SPDX-License-Identifier: BSD-3-Clause
"""Dual coordinate descent over (sample, relevant label, irrelevant label) pairs.

The scores of a sample are read once, its pairs are swept in the space of scores, and
the weights are updated once: the iterates are those of a loop that
touches the weights at every pair, at a fraction of its cost.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labelsift.kernels import kernel


class Samples(NamedTuple):
    """Rows of X under column weights eta, as one flat array of stored entries.

    With a ``shift`` a_i = sum_j eta_j mu_j x_ij and ``offset`` = sum_j eta_j mu_j^2
    the rows behave as if mu had been subtracted; 1 more in ``offset`` is a column of
    ones (the bias).
    """

    data: NDArray[Any]
    indices: NDArray[Any]  # empty for dense rows: entry t of a row is column t
    indptr: NDArray[Any]
    eta: NDArray[Any]
    shift: NDArray[Any]
    offset: float
    norms: NDArray[Any]  # squared, weighted, centred, with the bias


class Pairs(NamedTuple):
    """Which labels of which samples are compared."""

    rows: NDArray[Any]  # samples that have pairs
    labels: NDArray[Any]  # (n, c): relevant labels first
    n_relevant: NDArray[Any]
    start: NDArray[Any]  # first pair of each sample in alpha
    share: NDArray[Any]  # 1 / (number of pairs), 0 without pairs


class Weights(NamedTuple):
    """X'B times a c x c matrix, and the same of the ones and of the shift."""

    columns: NDArray[Any]  # (d, c)
    total: NDArray[Any]  # (c,)
    moment: NDArray[Any]  # (c,)


@kernel()
def sweep(
    samples: Samples,
    pairs: Pairs,
    order: NDArray[Any],
    C: float,
    n_inner: int,
    alpha: NDArray[Any],
    weights: Weights,
) -> None:
    """Visit the samples ``order`` once, ``n_inner`` rounds over the pairs of each.

    Each step maximises sum(alpha) - 1/2 |U|^2 over one alpha, where U = X'B, the
    columns of ``weights``, is kept up to date.
    """
    c = pairs.labels.shape[1]
    z, own, change = np.empty(c), np.empty(c), np.empty(c)
    for i in order:
        _read_scores(samples, weights, i, z)
        for a in range(c):
            own[a] = z[pairs.labels[i, a]]
            change[a] = 0.0
        scale = samples.norms[i]
        box = C * pairs.share[i]
        first, p = pairs.start[i], pairs.n_relevant[i]
        moved = False
        for _ in range(n_inner):
            if not _sweep_pairs(p, scale, box, alpha, first, own, change):
                break
            moved = True
        if moved:
            for a in range(c):
                z[pairs.labels[i, a]] = change[a]
            _add_row(samples, weights, i, z)


@kernel()
def sweep_correlated(
    samples: Samples,
    pairs: Pairs,
    order: NDArray[Any],
    C: float,
    metric: NDArray[Any],
    n_inner: int,
    alpha: NDArray[Any],
    weights: Weights,
) -> None:
    """The same for sum(alpha) - 1/2 tr(U metric U'); ``weights`` are U metric."""
    c = pairs.labels.shape[1]
    z, change = np.empty(c), np.empty(c)
    for i in order:
        _read_scores(samples, weights, i, z)
        for k in range(c):
            change[k] = 0.0
        box = C * pairs.share[i]
        moved = False
        for _ in range(n_inner):
            if not _sweep_correlated_pairs(
                pairs, i, samples.norms[i], box, metric, alpha, z, change
            ):
                break
            moved = True
        if moved:
            for k in range(c):
                z[k] = 0.0
            for j in range(c):
                for k in range(c):
                    z[k] += change[j] * metric[j, k]
            _add_row(samples, weights, i, z)


@kernel()
def _read_scores(samples: Samples, weights: Weights, i: int, z: NDArray[Any]) -> None:
    """z = scores of sample i."""
    c = z.shape[0]
    pull = samples.offset - samples.shift[i]
    for k in range(c):
        z[k] = pull * weights.total[k] - weights.moment[k]
    begin = samples.indptr[i]
    sparse = samples.indices.shape[0] > 0
    for t in range(begin, samples.indptr[i + 1]):
        j = samples.indices[t] if sparse else t - begin
        x = samples.data[t] * samples.eta[j]
        if x != 0.0:
            for k in range(c):
                z[k] += x * weights.columns[j, k]


@kernel()
def _sweep_pairs(
    p: int,
    scale: float,
    box: float,
    alpha: NDArray[Any],
    first: int,
    z: NDArray[Any],
    change: NDArray[Any],
) -> bool:
    """One round over the pairs of a sample; whether any alpha moved.

    Scores ``z`` and ``change`` have the p relevant labels first; alpha[first] is the
    first pair.
    """
    # Without length the scores do not answer, and alpha goes to one of its ends.
    reach = 0.5 / scale if scale > 0.0 else 1e300
    t = first
    moved = False
    for a in range(p):
        mine, total = z[a], 0.0
        for b in range(p, z.shape[0]):
            old = alpha[t]
            new = min(max(old - (mine - z[b] - 1.0) * reach, 0.0), box)
            if new != old:
                step = new - old
                alpha[t] = new
                total += step
                change[b] -= step
                mine += step * scale
                z[b] -= step * scale
                moved = True
            t += 1
        z[a] = mine
        change[a] += total
    return moved


@kernel()
def _sweep_correlated_pairs(
    pairs: Pairs,
    i: int,
    norm: float,
    box: float,
    metric: NDArray[Any],
    alpha: NDArray[Any],
    z: NDArray[Any],
    change: NDArray[Any],
) -> bool:
    """One round over the pairs of sample i, whose scores all move with a pair."""
    c, p = z.shape[0], pairs.n_relevant[i]
    t = pairs.start[i]
    moved = False
    for a in range(p):
        own = pairs.labels[i, a]
        for b in range(p, c):
            other = pairs.labels[i, b]
            old = alpha[t]
            slack = 1.0 - z[own] + z[other]
            scale = norm * (
                metric[own, own] + metric[other, other] - 2.0 * metric[own, other]
            )
            # Where the scores do not answer, alpha goes to one of its ends.
            reach = slack / scale if scale > 1e-300 else slack * 1e300
            new = min(max(old + reach, 0.0), box)
            if new != old:
                step = new - old
                alpha[t] = new
                change[own] += step
                change[other] -= step
                for k in range(c):
                    z[k] += step * norm * (metric[own, k] - metric[other, k])
                moved = True
            t += 1
    return moved


@kernel()
def _add_row(samples: Samples, weights: Weights, i: int, change: NDArray[Any]) -> None:
    """Add x_i change' to the weights."""
    c = change.shape[0]
    for k in range(c):
        weights.total[k] += change[k]
        weights.moment[k] += samples.shift[i] * change[k]
    begin = samples.indptr[i]
    sparse = samples.indices.shape[0] > 0
    for t in range(begin, samples.indptr[i + 1]):
        j = samples.indices[t] if sparse else t - begin
        x = samples.data[t]
        for k in range(c):
            weights.columns[j, k] += x * change[k]


@kernel()
def pair_loss(scores: NDArray[Any], pairs: Pairs) -> float:
    """Sum over samples of the mean hinge max(0, 1 - z_k + z_l) over its pairs."""
    c = scores.shape[1]
    loss = 0.0
    for i in pairs.rows:
        p = pairs.n_relevant[i]
        own = 0.0
        for a in range(p):
            reach = 1.0 - scores[i, pairs.labels[i, a]]
            for b in range(p, c):
                own += max(0.0, reach + scores[i, pairs.labels[i, b]])
        loss += own * pairs.share[i]
    return loss


@kernel()
def label_forces(alpha: NDArray[Any], pairs: Pairs) -> NDArray[Any]:
    """B, eq. (8): for each sample, the sum of its alphas per label, signed."""
    n, c = pairs.labels.shape
    forces = np.zeros((n, c))
    for i in pairs.rows:
        p = pairs.n_relevant[i]
        t = pairs.start[i]
        for a in range(p):
            for b in range(p, c):
                forces[i, pairs.labels[i, a]] += alpha[t]
                forces[i, pairs.labels[i, b]] -= alpha[t]
                t += 1
    return forces


@kernel()
def squared_norms(
    data: NDArray[Any],
    indices: NDArray[Any],
    indptr: NDArray[Any],
    eta: NDArray[Any],
) -> NDArray[Any]:
    """sum_j eta_j x_ij^2 of every row."""
    n = indptr.shape[0] - 1
    norms = np.zeros(n)
    sparse = indices.shape[0] > 0
    for i in range(n):
        for t in range(indptr[i], indptr[i + 1]):
            j = indices[t] if sparse else t - indptr[i]
            norms[i] += eta[j] * data[t] * data[t]
    return norms


def warm_up() -> None:
    """Compile the kernels of this module, for dense and sparse rows."""
    labels = np.array([[0, 1]], dtype=np.int32)
    first, one = np.array([0]), np.array([1])
    pairs = Pairs(first, labels, one, first, np.ones(1))
    column = np.ones(1)
    for dtype in (np.float64, np.float32):
        for size, indptr in ((0, np.array([0, 1])), (1, np.array([0, 1], np.int32))):
            stored = (np.ones(1, dtype), np.zeros(size, np.int32), indptr)
            norms = squared_norms(*stored, column)
            samples = Samples(*stored, column, np.zeros(1), 1.0, norms)
            weights = Weights(np.zeros((1, 2)), np.zeros(2), np.zeros(2))
            sweep(samples, pairs, first, 1.0, 1, np.zeros(1), weights)
            rest = (1, np.zeros(1), weights)
            sweep_correlated(samples, pairs, first, 1.0, np.eye(2), *rest)
    pair_loss(np.zeros((1, 2)), pairs)
    label_forces(np.zeros(1), pairs)
