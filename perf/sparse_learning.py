# SPDX-License-Identifier: BSD-3-Clause
r"""Speed of the sparse-learning methods, against the plain algorithms and peers.

Run: PYTHONPATH=tests LABELSIFT_DATA=FOLDER OMP_NUM_THREADS=1 \
    python perf/sparse_learning.py [PART ...]

mifs    exact blocks against Armijo's steps (cut after --seconds): when the exact solver
        passes the value that Armijo reaches, on 2407 x 294 x 6 and on rcv1-subset1
        (first 3000 rows, non-zero columns). The graph, which both need, is not counted.
rfs     against the plain algorithm with dense diagonal matrices, to its objective.
lasso   one alpha and a path of 50 against scikit-learn's MultiTaskLasso and skglm, if
        installed, where n > d, n < d and X is sparse.
rlefs   seconds per iteration at 5000 x 1047 x 39, dense and sparse.
rcv1    MIFS, CSFS and RFS on all of rcv1-subset1: seconds, peak memory.
growth  seconds of each method as samples, features and labels double.
"""

import argparse
import resource
import time
import warnings
from contextlib import suppress
from importlib.util import find_spec

import numpy as np
import scipy.sparse as sp
from sklearn.linear_model import MultiTaskLasso, lasso_path

from labelsift.datasets import load_dataset, make_planted
from labelsift.selection import CSFS, MIFS, RALMFS, RFS, RLEFS, SFUS
from labelsift.solvers.graph.knn import knn_laplacian
from labelsift.solvers.row_sparse.group_lasso import (
    largest_alpha,
    minimise_group_lasso,
)
from labelsift.solvers.row_sparse.latent_labels import (
    LatentPoint,
    LatentProblem,
    ReducedLatent,
    solve_latent_labels,
)
from labelsift.solvers.row_sparse.least_squares import least_squares
from labelsift.solvers.row_sparse.robust import solve_robust_rows
from reference.armijo import descend


class Clock:
    """When an objective was passed; stops a solver that has had its time."""

    class TimeIsUpError(Exception):
        pass

    def __init__(self, limit=np.inf):
        self.start, self.limit, self.trace = time.perf_counter(), limit, []

    def __call__(self, n_iter, objective, *_):
        now = time.perf_counter() - self.start
        self.trace.append((now, objective))
        if now > self.limit:
            raise self.TimeIsUpError

    def reached(self, value):
        """Seconds until the objective was at most this, or None."""
        return next((now for now, low in self.trace if low <= value), None)


def latent_problem(name, gamma=0.8):
    data = load_dataset(name)
    X, Y = data.X, data.Y
    if sp.issparse(X):
        X = X[:3000]
        X = X[:, np.flatnonzero(np.diff(X.tocsc().indptr))]
        Y = Y[:3000]
        Y = Y[:, Y.any(axis=0)]
    Y = Y - Y.mean(axis=0)
    start = time.perf_counter()
    L = knn_laplacian(X, 5)
    print(
        f"\n{name}: {X.shape} x {Y.shape[1]}, graph {time.perf_counter() - start:.2f} s"
    )
    mean = np.ravel(X.mean(axis=0))
    loss = least_squares(X, Y, mean=mean, form="residual")
    return lambda ridge: LatentProblem(loss, Y, L, 0.4, 1.0, gamma, ridge)


def start_of(problem, n_latent):
    B = np.linalg.svd(problem.Y, full_matrices=False)[2][:n_latent]
    W = np.zeros((problem.loss.cross.shape[0], n_latent))
    return LatentPoint(W, problem.Y @ B.T, B)


def show_mifs(seconds):
    for name, n_latent in (("scene", 4), ("rcv1-subset1", 30)):
        make = latent_problem(name)
        for gauge, ridge in (("orthonormal", 0.0), ("ridge", 1.0)):
            problem = make(ridge)
            start = start_of(problem, n_latent)
            solve_latent_labels(problem, start.B, max_iter=2)  # compiles
            slow = Clock(seconds)
            with suppress(Clock.TimeIsUpError):
                descend(
                    problem, start, orthonormal=ridge == 0, tol=0, max_iter=10**6,
                    on_iteration=slow,
                )  # fmt: skip
            (cut, value), rounds = slow.trace[-1], len(slow.trace)
            fast = Clock()
            solve_latent_labels(problem, start.B, tol=1e-8, on_iteration=fast)
            report = [("blocks", fast)]
            if ridge == 0 and start.W.shape[0] <= 4000:
                clock = Clock()
                ReducedLatent.of(problem).minimise(
                    problem.gamma, start.B, tol=1e-8, on_iteration=clock
                )
                report.append(("V eliminated", clock))
            print(f"{gauge}, c={n_latent}: Armijo {value:.4f} at {cut:.1f} s, {rounds}")
            for label, clock in report:
                end, low = clock.trace[-1]
                when = clock.reached(value)
                ratio = (
                    f"passes at {when:.2f} s, {cut / when:.0f}x" if when else "never"
                )
                print(f"  {label:13} {low:.4f} at {end:.2f} s, {ratio}")


def dense_diagonal(X, Y, gamma, rounds):
    """The printed algorithm of RFS, diagonal matrices and all."""
    n, d = X.shape
    A = np.hstack([X, gamma * np.eye(n)])
    inverse = np.eye(d + n)
    for _ in range(rounds):
        U = inverse @ A.T @ np.linalg.solve(A @ inverse @ A.T, Y)
        inverse = np.diag(2 * np.sqrt((U**2).sum(axis=1) + 1e-12))
    W = U[:d]
    loss = np.linalg.norm(Y - X @ W, axis=1).sum()
    return loss + gamma * np.linalg.norm(W, axis=1).sum()


def show_rfs(_seconds):
    data = make_planted(1000, 500, 10, n_relevant=30, random_state=0)
    Y = data.Y.astype(float)
    print("\nRFS at 1000 x 500 x 10")
    for gamma in (1.0, 10.0):
        start = time.perf_counter()
        value = dense_diagonal(data.X, Y, gamma, 30)
        plain = time.perf_counter() - start
        clock = Clock()
        result = solve_robust_rows(
            data.X, Y, alpha=gamma, tol=1e-9, max_iter=200, on_iteration=clock
        )
        when = clock.reached(value * (1 + 1e-6))
        print(
            f"gamma {gamma:g}: plain, 30 rounds: {value:.4f} in {plain:.1f} s; ours "
            f"there at {when:.2f} s ({plain / when:.0f}x), ends at "
            f"{result.objective[-1]:.4f} in {clock.trace[-1][0]:.2f} s"
        )


def lasso_objective(X, Y, W, alpha):
    penalty = alpha * np.linalg.norm(W, axis=1).sum()
    return 0.5 * np.linalg.norm(Y - X @ W) ** 2 + penalty


def our_lasso(X, Y, alphas):
    loss = least_squares(X, Y, n_solves=len(alphas))
    path = [None]
    for alpha in alphas:
        result = minimise_group_lasso(loss, alpha=alpha, W_init=path[-1], tol=1e-6)
        path.append(result.solution)
    return path[1:]


def scikit_lasso(X, Y, alphas):
    """MultiTaskLasso at one alpha, its path function at many."""
    options = {"tol": 1e-6, "max_iter": 10**5}
    if len(alphas) == 1:
        model = MultiTaskLasso(alphas[0] / len(Y), fit_intercept=False, **options)
        return [model.fit(X, Y).coef_.T]
    path = lasso_path(X, Y, alphas=np.array(alphas) / len(Y), **options)[1]
    return list(path.transpose(2, 1, 0))


def skglm_lasso(X, Y, alphas):
    """Its tolerance is on the optimality conditions; 1e-5 gives the same objective."""
    import skglm

    model = skglm.MultiTaskLasso(fit_intercept=False, tol=1e-5, warm_start=True)
    model.coef_ = np.zeros((Y.shape[1], X.shape[1]))
    return [
        model.set_params(alpha=alpha / len(Y)).fit(X, Y).coef_.T.copy()
        for alpha in alphas
    ]


def best_time(solve, *arguments, limit=30.0):
    """Seconds of the best of 5 runs (fewer where they pass the limit), the result."""
    took = []
    while len(took) < 5 and sum(took) < limit:
        start = time.perf_counter()
        results = solve(*arguments)
        took.append(time.perf_counter() - start)
    return min(took), len(took), results


def lasso_problems():
    """Samples as we and skglm get them, as scikit-learn does, labels, a name."""
    for n, d, t in ((1000, 500, 10), (300, 3000, 20)):
        data = make_planted(n, d, t, n_relevant=30, random_state=0)
        X = np.asfortranarray(data.X - data.X.mean(axis=0))
        yield X, X, data.Y - data.Y.mean(axis=0), f"{n} x {d} x {t}"
    data = make_planted(3000, 2000, 10, n_relevant=30, density=0.02, random_state=0)
    X, Y = data.X.tocsc(), data.Y - data.Y.mean(axis=0)
    dense = X.toarray(order="F")  # scikit-learn's takes no sparse X
    yield X, dense, Y, "3000 x 2000 x 10, 2 % (scikit-learn: dense)"


def show_lasso(_seconds):
    solvers = {"ours": our_lasso, "scikit-learn": scikit_lasso}
    if find_spec("skglm"):
        solvers["skglm"] = skglm_lasso
    for X, dense, Y, shape in lasso_problems():
        top = largest_alpha(least_squares(X, Y), "2")
        for label, alphas in (
            ("one alpha", [top / 20]),
            ("path of 50", list(np.geomspace(top, top / 100, 50))),
        ):
            print(f"\ngroup lasso, {shape}, {label}")
            show_lasso_times(solvers, X, dense, Y, alphas)


def show_lasso_times(solvers, X, dense, Y, alphas):
    ours = {}
    for name, solve in solvers.items():
        samples = dense if name == "scikit-learn" else X
        if name != "scikit-learn":
            solve(samples, Y, alphas[:1])  # compiles
        seconds, runs, results = best_time(solve, samples, Y, alphas)
        values = np.array(
            [lasso_objective(X, Y, *pair) for pair in zip(results, alphas, strict=True)]
        )
        ours = ours or {"seconds": seconds, "values": values}
        above = (values / ours["values"] - 1).max()
        print(
            f"  {name:13} {seconds:8.3f} s, {seconds / ours['seconds']:6.2f} of ours "
            f"(best of {runs}), objective above ours by {above:.1e} at most"
        )


def show_rlefs(_seconds):
    data = make_planted(5000, 1047, 39, n_relevant=50, density=0.07, random_state=0)
    print("\nRLEFS at 5000 x 1047 x 39, seconds per iteration")
    for label, X in (("dense", data.X.toarray()), ("sparse, 7 %", data.X)):
        start = time.perf_counter()
        fit_quietly(RLEFS(tol=0, max_iter=10), X, data.Y)
        print(f"  {label:12} {(time.perf_counter() - start) / 10:.3f}")


def fit_quietly(selector, X, Y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return selector.fit(X, Y)


def show_rcv1(_seconds):
    data = load_dataset("rcv1-subset1")
    constant = np.diff(data.X.tocsc().indptr) == 0
    print(f"\nrcv1-subset1 {data.X.shape} x {data.Y.shape[1]}, 200 features")
    for selector in (MIFS(200, gamma=1.0), CSFS(200, gamma=8.0), RFS(200, gamma=2.0)):
        start = time.perf_counter()
        fit_quietly(selector, data.X, data.Y)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"  {selector}: {time.perf_counter() - start:.1f} s, "
            f"{selector.n_weighted_} with weight, peak so far {peak:.0f} MiB, "
            f"{constant[selector.support_].sum()} of {constant.sum()} constant columns"
        )


def show_growth(_seconds):
    selectors = {
        "MIFS": MIFS(gamma=5.0),
        "CSFS": CSFS(gamma=20.0),
        "RFS": RFS(gamma=10.0),
        "SFUS": SFUS(alpha=10.0),
        "RALMFS": RALMFS(0.1),
    }
    print("\nseconds, samples x features x labels")
    print(f"{'':18}" + "".join(f"{name:>9}" for name in selectors))
    for n, d, t in ((500, 200, 5), (1000, 200, 5), (2000, 200, 5), (500, 400, 5),
                    (500, 800, 5), (500, 200, 10), (500, 200, 20)):  # fmt: skip
        data = make_planted(n, d, t, n_relevant=20, random_state=0)
        row = f"{n:5} x {d:4} x {t:3} "
        for selector in selectors.values():
            start = time.perf_counter()
            fit_quietly(selector, data.X, data.Y)
            row += f"{time.perf_counter() - start:9.2f}"
        print(row)


def main():
    shows = {
        "mifs": show_mifs,
        "rfs": show_rfs,
        "lasso": show_lasso,
        "rlefs": show_rlefs,
        "rcv1": show_rcv1,
        "growth": show_growth,
    }
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", choices=[[], *shows], default=[])
    parser.add_argument("--seconds", type=float, default=25.0)
    arguments = parser.parse_args()
    for part in arguments.parts or shows:
        shows[part](arguments.seconds)


if __name__ == "__main__":
    main()
