# SPDX-License-Identifier: BSD-3-Clause
"""MLLS against the paper's own route, and against scikit-learn where comparable.

    python perf/mlls.py [--shapes 0 1 2] [--repeat 3]

Every step runs in a process of its own with one thread: CPU seconds (the least of some
repetitions) and how far memory rose above what the data takes. "tune" is the complete
5-fold search over 8 x 8 penalties and every number of components, with macro AUC and
the final fit. The paper's route is one fit by its section 3.3: dense singular value
decomposition, QR, Sherman-Woodbury-Morrison.
"""

import argparse
import multiprocessing
import resource
import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import numpy as np
import scipy.linalg
import scipy.sparse as sp
from sklearn.cross_decomposition import PLSRegression
from sklearn.linear_model import RidgeCV
from threadpoolctl import threadpool_limits

from labelsift.core.labels import signed_labels
from labelsift.datasets import make_planted
from labelsift.kernels.auc import warm_up
from labelsift.model_selection import PathSearchCV
from labelsift.solvers.ridge.path import CentredGram
from labelsift.subspace import MLLS

# n_samples, n_features, n_labels, density of X
SHAPES = ((1000, 20000, 19, 0.004), (10000, 500, 50, 1.0), (5000, 40000, 40, 0.002))
PENALTIES = [0.0, *(10.0**i for i in range(-6, 1))]
ALPHA, BETA = 1e-2, 1e-2


def components(data):
    return 5 * ((data.n_labels - 1) // 5)


def decompose(data):
    CentredGram.of(data.X).path(signed_labels(data.Y))


def fit(data):
    return MLLS(components(data), alpha=ALPHA, beta=BETA).fit(data.X, data.Y).coef_.T


def tune(data):
    sizes = list(range(1, data.n_labels + 1))
    grid = {"alpha": PENALTIES, "beta": PENALTIES, "n_components": sizes}
    PathSearchCV(MLLS(), grid, random_state=0).fit(data.X, data.Y)


def paper_route(data):
    """Sections 3.1 to 3.3, with eq. (9), (17), (19) and (20) for the weights."""
    X = data.X.toarray() if sp.issparse(data.X) else data.X
    codes = signed_labels(data.Y)
    X, Y, n = X - X.mean(axis=0), codes - codes.mean(axis=0), len(X)
    left, s, right = scipy.linalg.svd(X, full_matrices=False)
    nonzero = s > 1e-10 * s[0]
    left, s, right = left[:, nonzero], s[nonzero], right[nonzero]
    low, high = s**2 / n + BETA, s**2 / n + ALPHA + BETA
    C = Y.T @ left * (s / np.sqrt(low * high))
    rotation = scipy.linalg.svd(C)[2]
    basis = scipy.linalg.qr(right.T * np.sqrt(high / low) @ rotation.T, mode="economic")
    theta = basis[0][:, : components(data)].T
    return weights(X, Y, theta)


def weights(X, Y, theta):
    n, total = len(X), ALPHA + BETA
    factor = scipy.linalg.cho_factor(X @ X.T + n * total * np.eye(n))

    def inverse_m(V):  # eq. (19)
        return (V - X.T @ scipy.linalg.cho_solve(factor, X @ V)) / total

    cross, across = inverse_m(X.T @ Y / n), inverse_m(theta.T)
    middle = np.eye(len(theta)) - ALPHA * theta @ across
    return cross + ALPHA * across @ np.linalg.solve(middle, theta @ cross)  # eq. (17)


def ridge_cv(data):
    """Plain ridge, 7 penalties, by scikit-learn's leave-one-out formula."""
    penalties = [data.n_samples * penalty for penalty in PENALTIES[1:]]
    RidgeCV(penalties).fit(data.X, signed_labels(data.Y))


def pls(data):
    PLSRegression(components(data)).fit(data.X, signed_labels(data.Y))


STEPS = {
    "Gram + eigendecomposition": decompose,
    "MLLS, one fit": fit,
    "MLLS, tune": tune,
    "paper's route, one fit": paper_route,
    "scikit-learn RidgeCV": ridge_cv,
    "scikit-learn PLSRegression": pls,
}


def make(shape):
    n, d, n_labels, density = SHAPES[shape]
    return make_planted(
        n, d, n_labels, n_relevant=200, label_rank=8, density=density, random_state=0
    )


def peak():
    """Peak memory of this process in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(step, shape, repeat):
    """CPU seconds and MiB of one step."""
    warnings.simplefilter("ignore")
    data = make(shape)
    warm_up()
    with threadpool_limits(1):
        before, seconds = peak(), []
        for _ in range(repeat):
            start = time.process_time()
            STEPS[step](data)
            seconds.append(time.process_time() - start)
        return min(seconds), peak() - before


def agreement(shape):
    """Largest difference of our weights from the paper's route."""
    data = make(shape)
    with threadpool_limits(1):
        return np.abs(fit(data) - paper_route(data)).max()


def alone(function, *arguments):
    """Call in a fresh process, so that memory is its own."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        return pool.submit(function, *arguments).result()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shapes", type=int, nargs="+", default=range(len(SHAPES)))
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--steps", nargs="+", choices=STEPS, default=STEPS)
    arguments = parser.parse_args()
    for shape in arguments.shapes:
        n, d, n_labels, density = SHAPES[shape]
        form = "sparse" if density < 1 else "dense"
        print(f"\n{n} x {d} {form}, {n_labels} labels")
        base = None
        for step in arguments.steps:
            if step.endswith("PLSRegression") and density < 1:
                continue  # takes dense X only
            try:
                seconds, memory = alone(measure, step, shape, arguments.repeat)
            except BrokenProcessPool:
                print(f"{step:28} was killed: not enough memory", flush=True)
                continue
            base = base or seconds
            line = f"{step:28} {seconds:9.3f} s {seconds / base:8.2f} x"
            print(f"{line} {memory:8.0f} MiB", flush=True)
        if shape == 0:
            print(f"weights differ by {alone(agreement, shape):.1e}")


if __name__ == "__main__":
    main()
