# SPDX-License-Identifier: BSD-3-Clause
"""Which form of greedy least squares to run, how long it takes, and the run itself."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import Any

import numpy as np
import scipy.sparse as sp
from joblib import Parallel, delayed, effective_n_jobs
from numpy.typing import NDArray

from labelsift.core.warning import warn
from labelsift.selection.greedy_rls.columns import Columns
from labelsift.selection.greedy_rls.dense import DenseModel, label_product, with_means
from labelsift.selection.greedy_rls.fair import FairModel
from labelsift.selection.greedy_rls.gcv import GcvModel
from labelsift.selection.greedy_rls.groups import GroupModel
from labelsift.selection.greedy_rls.problem import Moments, Problem
from labelsift.selection.greedy_rls.sparse import SparseModel
from labelsift.selection.greedy_rls.sparse_gcv import SparseGcvModel, suits
from labelsift.selection.greedy_rls.steps import Rule, Steps, grow

# Sparse X up to this many entries (2 arrays of 256 MiB) is as fast in the dense form.
_SMALL_ENTRIES = 2**25
# Beyond this many entries (2 arrays of 2 GiB) dense X is stored in float32.
_LARGE_ENTRIES = 2**28
# Above this density the low-rank form of sparse X has no advantage.
_SPARSE_DENSITY = 0.1
# Reading dense X in every step costs as much as a product X'X with this many columns.
_GRAM_COLUMNS = 512
# Seconds per entry and step, measured on one core; see perf/greedy.py.
_SECONDS_PER_ENTRY = 1e-9
# A warning is given for a run that is expected to take longer.
_LONG_SECONDS = 300.0
_STORAGE = {"dense": np.float64, "mixed": np.float32}


def choose_solver(X: Any, solver: str, grouped: bool) -> str:
    """The solver asked for; for "auto" the one that suits X.

    Dense, mixed or sparse, by the memory of the two n x d arrays and the density.
    """
    entries = X.shape[0] * X.shape[1]
    if solver == "auto":
        few_stored = sp.issparse(X) and X.nnz < _SPARSE_DENSITY * entries
        solver = "mixed" if entries > _LARGE_ENTRIES else "dense"
        if few_stored and entries > _SMALL_ENTRIES:
            solver = "sparse"
    if grouped and solver != "dense":
        raise ValueError(
            f"groups need dense arrays of {24 * entries / 2**30:.1f} GiB for this X: "
            'pass solver="dense" if that fits.'
        )
    return solver


def estimated_seconds(problem: Problem, solver: str, steps: int, runs: int) -> float:
    """How long ``runs`` selections take on one core, roughly."""
    n, d, t = problem.shape
    entries = n * d
    if solver == "sparse":
        # Two products with X, and some hundred exact errors.
        stored = problem.X.nnz if sp.issparse(problem.X) else entries
        entries = 4 * stored + 10 * (10 * n + d) * (t + steps)
    return _SECONDS_PER_ENTRY * runs * steps * entries


def warn_if_long(
    problem: Problem, solver: str, steps: int, runs: int, n_jobs: int | None
) -> None:
    """Warn about a run that will take long."""
    seconds = estimated_seconds(problem, solver, steps, runs)
    seconds /= min(runs, effective_n_jobs(n_jobs))
    if seconds > _LONG_SECONDS:
        n, d, _ = problem.shape
        warn(
            f"{runs} selection(s) of {steps} features over {n} x {d} samples will take "
            f"about {seconds / 60:.0f} minutes: lower n_features_to_select, or use "
            'criterion="gcv".'
        )


def warn_of_lost_digits(slack: float, solver: str, criterion: str) -> None:
    """Warn where 1 - leverage is so small that its squares are lost to rounding."""
    mixed = solver == "mixed"
    eps = np.finfo(np.float32 if mixed else np.float64).eps
    if slack < np.sqrt(eps / (1e-4 if mixed else 1e-8)):
        remedy = 'use solver="dense", ' if mixed else ""
        warn(
            f"A row is all but interpolated (1 - leverage = {slack:.1e}), so that the "
            f"{criterion} error has lost digits: {remedy}raise alpha or lower "
            "n_features_to_select."
        )


def select_by_loo(
    problem: Problem,
    alphas: NDArray[Any],
    rule: Rule,
    solver: str,
    groups: list[NDArray[Any]] | None = None,
    n_jobs: int | None = None,
) -> list[Steps]:
    """Select by leave-one-out error for each penalty, in any number of threads."""
    if groups is None and solver != "sparse":
        return _select_densely(problem, alphas, rule, solver, n_jobs)

    def select(alpha: float) -> Steps:
        if groups is not None:
            return grow(GroupModel(problem, alpha, groups), rule)
        return grow(SparseModel(problem, alpha, steps=rule.max_features), rule)

    return list(Parallel(n_jobs, prefer="threads")(delayed(select)(a) for a in alphas))


def _select_densely(
    problem: Problem,
    alphas: NDArray[Any],
    rule: Rule,
    solver: str,
    n_jobs: int | None,
) -> list[Steps]:
    """Threads share the penalties or, for one penalty, the columns."""
    n, d, _ = problem.shape
    few_columns = d <= min(n, _GRAM_COLUMNS * len(alphas))
    gram = problem.gram() if few_columns and not sp.issparse(problem.X) else None
    storage, steps = _STORAGE[solver], rule.max_features

    def select(alpha: float, Q: NDArray[Any], pool: ThreadPoolExecutor | None) -> Steps:
        model = DenseModel(problem, alpha, Q, steps=steps, gram=gram, pool=pool)
        return grow(model, rule)

    if len(alphas) == 1:
        Q = label_product(problem, problem.rho(alphas[0]), storage)
        jobs = effective_n_jobs(n_jobs)
        with ThreadPoolExecutor(jobs) if jobs > 1 else nullcontext() as pool:
            return [select(alphas[0], Q, pool)]
    shared = label_product(problem, 0.0, storage)

    def one_of_many(alpha: float) -> Steps:
        return select(alpha, with_means(shared, problem, problem.rho(alpha)), None)

    jobs_of = (delayed(one_of_many)(alpha) for alpha in alphas)
    return list(Parallel(n_jobs, prefer="threads")(jobs_of))


def select_by_gcv(
    problem: Problem, alpha: float, rule: Rule, objective: str
) -> tuple[Steps, str, int]:
    """Select by generalised cross-validation.

    Told as well: how X'X was had, and in how many passes over X. The whole X'X costs as
    much as d / 5 of its columns one at a time.
    """
    n, d, _ = problem.shape
    if not sp.issparse(problem.X) and d <= min(n, 5 * rule.max_features):
        gram = problem.gram()
        column: Callable[[int], NDArray[Any]] = gram.__getitem__
        return select_from_sums(problem, alpha, rule, objective, column), "gram", 1
    if d > n:  # a pass for the features of each step
        if objective == "sum" and suits(problem, alpha, rule.max_features):
            model = SparseGcvModel(problem, alpha, steps=rule.max_features)
            steps = grow(model, rule)
        else:
            steps = select_from_sums(problem, alpha, rule, objective, None)
        return steps, "columns", len(steps.order)
    columns = Columns(problem.gram_columns, steps=rule.max_features, n_samples=n)
    steps = select_from_sums(problem, alpha, rule, objective, columns)
    return steps, "columns", columns.passes


def select_from_sums(
    moments: Moments,
    alpha: float,
    rule: Rule,
    objective: str,
    gram_column: Callable[[int], NDArray[Any]] | None,
) -> Steps:
    """Select by generalised cross-validation, for all labels or for each."""
    steps = rule.max_features
    if objective == "fair":
        fair = FairModel(moments, alpha, gram_column, steps=steps)
        return grow(fair, rule, fair.merit)
    return grow(GcvModel(moments, alpha, gram_column, steps=steps), rule)
