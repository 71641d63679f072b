# SPDX-License-Identifier: BSD-3-Clause
"""Ranking machines against a loop over pairs and against one machine per label.

    python perf/rank_svm.py [--shapes 0 1 2] [--repeat 3] [--growth] [--arts]

"pair loop" is the paper's Algorithm 1 with its gradient corrected: dual coordinate
descent that reads and writes the weights at every pair of labels, compiled the same
way, in a new random order each sweep, with the same duality gap checked as often.
scikit-learn's LinearSVC (one label against the rest, tol 1e-4) has another objective;
it is the usual alternative. Every step runs in a process of its own with one
thread: CPU seconds (the least of some repetitions) and how far memory rose above what
the data takes. --growth varies one size at a time; --arts needs LABELSIFT_DATA.
"""

import argparse
import multiprocessing
import resource
import time
import warnings

import numpy as np
import scipy.sparse as sp
from numba import njit
from sklearn.svm import LinearSVC
from threadpoolctl import threadpool_limits

from labelsift.classification import CLaRankSVM, LaRankSVM
from labelsift.datasets import load_dataset
from labelsift.datasets.text_preparation import prepare_text
from labelsift.kernels.rank_dcd import pair_loss, warm_up
from labelsift.selection import CMLFS, MLFS
from labelsift.solvers.ranking.design import Design, label_pairs, pair_counts

# n_samples, n_features, n_labels, entries of a row (all of them: dense)
SHAPES = ((1000, 20000, 19, 80), (5000, 20000, 30, 80), (20000, 500, 20, 500))
CARDINALITY = 1.7
SWEEPS = 3


def make(n, d, c, stored, seed=0):
    """Text-like rows of length 1 (or a dense Gaussian), labels from a linear model."""
    rng = np.random.default_rng(seed)
    if stored == d:
        X = rng.normal(size=(n, d)) / np.sqrt(d)
    else:
        chances = 1 / (np.arange(d) + 10.0)
        words = [
            np.unique(rng.choice(d, size=stored, p=chances / chances.sum()))
            for _ in range(n)
        ]
        indptr = np.concatenate([[0], np.cumsum([len(w) for w in words])])
        indices = np.concatenate(words)
        values = rng.uniform(0.5, 1.5, size=len(indices)) * -np.log(chances[indices])
        lengths = np.sqrt(np.add.reduceat(values**2, indptr[:-1]))
        values /= np.repeat(lengths, np.diff(indptr))
        X = sp.csr_array(
            (values, indices.astype(np.int32), indptr.astype(np.int32)), shape=(n, d)
        )
    scores = X @ (rng.normal(size=(d, c)) * (rng.uniform(size=(d, 1)) < 0.1))
    scores += scores.std() * 0.5 * rng.normal(size=scores.shape)
    cut = np.quantile(scores, 1 - CARDINALITY / c)
    return X, (scores > cut).astype(np.uint8)


@njit(nogil=True)
def sweep_pairs(
    data,
    indices,
    indptr,
    norms,
    order,
    labels,
    n_relevant,
    first,
    share,
    C,
    alpha,
    W,
    b,
):
    c = W.shape[1]
    sparse = indices.shape[0] > 0
    for i in order:
        p, t = n_relevant[i], first[i]
        begin, end = indptr[i], indptr[i + 1]
        for a in range(p):
            k = labels[i, a]
            for other in range(p, c):
                q = labels[i, other]
                gradient = b[k] - b[q] - 1.0
                for e in range(begin, end):
                    j = indices[e] if sparse else e - begin
                    gradient += data[e] * (W[j, k] - W[j, q])
                wanted = alpha[t] - gradient / (2.0 * norms[i])
                step = min(max(wanted, 0.0), C * share[i]) - alpha[t]
                if step != 0.0:
                    alpha[t] += step
                    b[k] += step
                    b[q] -= step
                    for e in range(begin, end):
                        j = indices[e] if sparse else e - begin
                        W[j, k] += step * data[e]
                        W[j, q] -= step * data[e]
                t += 1


def pair_loop(X, Y, C, tol):
    """Sweeps until the gap is closed."""
    design, pairs = Design.build(X, bias=True, standardize=False), label_pairs(Y, "")
    samples = design.samples(np.ones(X.shape[1]))
    alpha = np.zeros(pair_counts(pairs).sum())
    W, b = np.zeros((X.shape[1], Y.shape[1])), np.zeros(Y.shape[1])
    rng = np.random.default_rng(0)
    rows = (samples.data, samples.indices, samples.indptr, samples.norms)
    fixed = (pairs.labels, pairs.n_relevant, pairs.start, pairs.share, C)
    n_iter = 0
    while True:
        for _ in range(SWEEPS):
            sweep_pairs(*rows, rng.permutation(pairs.rows), *fixed, alpha, W, b)
        n_iter += SWEEPS
        penalty = (np.vdot(W, W) + b @ b) / 2
        upper = penalty + C * pair_loss(X @ W + b, pairs)
        if upper - (alpha.sum() - penalty) <= tol * upper:
            return n_iter


def larank(X, Y, C, tol):
    return LaRankSVM(C, tol=tol, max_iter=10**5).fit(X, Y).n_iter_


def clarank(X, Y, C, tol):
    return CLaRankSVM(C, mu=0.1, tol=tol, max_iter=10**5).fit(X, Y).n_iter_


def one_against_rest(X, Y, C, tol):
    for label in range(Y.shape[1]):
        LinearSVC(C=C, dual="auto").fit(X, Y[:, label])
    return 0


STEPS = {
    "LaRankSVM": larank,
    "pair loop": pair_loop,
    "CLaRankSVM": clarank,
    "LinearSVC one vs rest": one_against_rest,
}


def peak():
    """Peak memory of this process in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(step, shape, C, tol, repeat):
    """CPU seconds, sweeps and MiB of one step."""
    warnings.simplefilter("ignore")
    X, Y = make(*shape)
    warm_up()
    if step == "pair loop":
        pair_loop(X[:50], Y[:50], C, 0.5)
    with threadpool_limits(1):
        before, seconds = peak(), []
        for _ in range(repeat):
            start = time.process_time()
            sweeps = STEPS[step](X, Y, C, tol)
            seconds.append(time.process_time() - start)
        return min(seconds), sweeps, peak() - before


def alone(function, *arguments):
    """Call in a fresh process, so that memory is its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(function, arguments)


def compare(number, repeat):
    shape = SHAPES[number]
    n, d, c, stored = shape
    Y = make(*shape)[1]
    n_pairs = pair_counts(label_pairs(Y, "")).sum()
    form = "dense" if stored == d else f"{stored} entries a row"
    print(f"\n{n} x {d} ({form}), {c} labels, {n_pairs} pairs")
    for tol in (1e-3, 1e-4) if number == 0 else (1e-3,):
        for C in (1.0, 10.0):
            base = None
            for step in STEPS:
                seconds, sweeps, memory = alone(measure, step, shape, C, tol, repeat)
                base = base or seconds
                line = f"gap {tol:g}, C {C:g}  {step:22} {seconds:8.3f} s"
                line += f" {seconds / base:7.2f} x {sweeps:5} sweeps"
                print(f"{line} {memory:6.0f} MiB", flush=True)


def growth(repeat):
    """Cost of a sweep and of a fit as one size grows."""
    sizes = {
        "n": [(n, 20000, 19, 80) for n in (1000, 2000, 4000, 8000)],
        "c": [(1000, 20000, c, 80) for c in (10, 20, 40, 80)],
        "s": [(1000, 20000, 19, s) for s in (40, 80, 160, 320)],
    }
    for name, shapes in sizes.items():
        print(f"\ngrowth in {name}, gap 1e-3, C 10")
        for shape in shapes:
            for step in ("LaRankSVM", "CLaRankSVM"):
                seconds, sweeps, _ = alone(measure, step, shape, 10.0, 1e-3, repeat)
                each = 1e3 * seconds / sweeps
                print(
                    f"{shape}: {step:10} {seconds:7.3f} s, {sweeps:4} sweeps, "
                    f"{each:7.2f} ms a sweep",
                    flush=True,
                )


def arts(repeat):
    """MLFS and CMLFS on 1000 documents of Arts."""
    data = prepare_text(load_dataset("yahoo-arts-full"))
    rows = np.random.default_rng(0).permutation(data.n_samples)[:1000]
    data = data.rows(rows)
    print(f"\nArts, {data.X.shape[0]} x {data.X.shape[1]}, {data.n_labels} labels")
    warm_up()
    for model in (
        MLFS(4000, C=10.0, m=4000, refit=False),
        MLFS(4000, C=10.0, m=4000, refit=False, tol=1e-3),
        CMLFS(4000, C=10.0, m=4000, mu=0.1, refit=False),
    ):
        with threadpool_limits(1):
            seconds = []
            for _ in range(repeat):
                start = time.process_time()
                model.fit(data.X, data.Y)
                seconds.append(time.process_time() - start)
        open_weights = np.count_nonzero(model.feature_weights_)
        print(
            f"{type(model).__name__} m=4000 C=10 to a gap of {model.tol:g}: "
            f"{min(seconds):.2f} s, {model.n_iter_} sweeps, gap {model.dual_gap_:.1e}, "
            f"{open_weights} features above 0"
        )
        for number, (lower, upper) in enumerate(model.bounds_, start=1):
            print(f"  cut {number}: {lower:10.3f} <= optimum <= {upper:10.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shapes", type=int, nargs="*", default=range(len(SHAPES)))
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--growth", action="store_true")
    parser.add_argument("--arts", action="store_true")
    arguments = parser.parse_args()
    for number in arguments.shapes:
        compare(number, arguments.repeat)
    if arguments.growth:
        growth(arguments.repeat)
    if arguments.arts:
        arts(arguments.repeat)


if __name__ == "__main__":
    main()
