# SPDX-License-Identifier: BSD-3-Clause
"""Targets that are partly unknown: one model for each set of known rows.

A target is fitted to the rows where it is known, so that leverage, and with it the
leave-one-out error, is that of those rows: targets with the same known rows (a pattern)
share a model, others do not. All models take the same feature, and what is minimised is
the sum of their squared errors over all known entries. A step costs one pass for each
pattern over its rows: with one pattern what it costs without unknown entries, with as
many patterns as targets the number of targets times as much.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from labelsift.core.warning import warn
from labelsift.selection.greedy_rls.dense import DenseModel, label_product
from labelsift.selection.greedy_rls.gcv import GcvModel
from labelsift.selection.greedy_rls.groups import GroupModel
from labelsift.selection.greedy_rls.problem import Problem
from labelsift.selection.greedy_rls.refit import Factor, PatternFactor
from labelsift.selection.greedy_rls.steps import Model, Rule, Steps, grow

# More patterns than this are worth a warning.
_MANY = 32


class SummedModel:
    """Models that grow by the same candidates; their errors add up."""

    def __init__(self, models: Sequence[Model], sizes: NDArray[Any]) -> None:
        self._models, self._shares = models, sizes / sizes.sum()

    @property
    def error(self) -> float:
        """Mean error over all known entries."""
        errors = [model.error for model in self._models]
        return float(self._shares @ np.array(errors))

    @property
    def slack(self) -> float:
        """Smallest 1 - leverage of a row."""
        return min(model.slack for model in self._models)

    def errors(self, candidates: NDArray[Any], rule: Rule) -> NDArray[Any]:
        """Mean error with each candidate added."""
        parts = [model.errors(candidates, rule) for model in self._models]
        return np.asarray(self._shares @ np.array(parts))

    def add(self, candidate: int) -> None:
        """Add a candidate to every model."""
        for model in self._models:
            model.add(candidate)


def check_unknown(objective: str, solver: str) -> None:
    """Raise where a form of the selection needs every target to be known."""
    if objective == "fair":
        raise ValueError(
            'objective="fair" needs every label, but Y contains NaN: fill them in, or '
            'pass objective="sum".'
        )
    if solver == "sparse":
        raise ValueError(
            'solver="sparse" needs every label, but Y contains NaN: pass '
            'criterion="gcv", or solver="dense" if two n x d arrays fit.'
        )


def warn_if_many(patterns: int, n_targets: int) -> None:
    """Warn where labels share few rows, so that the step cost is no longer theirs."""
    if patterns > _MANY:
        warn(
            f"The {n_targets} labels are known in {patterns} different sets of rows: "
            f"a step costs about {patterns} times as much as with all labels known. "
            'Drop labels or rows with few known entries, or use criterion="gcv".'
        )


def select_by_patterns(
    problems: Sequence[Problem],
    alphas: NDArray[Any],
    rule: Rule,
    solver: str,
    groups: list[NDArray[Any]] | None,
    n_jobs: int | None,
) -> list[Steps]:
    """Select for each penalty; ``solver`` is "dense", "mixed" or "gcv"."""
    sizes = np.array([problem.n * problem.shape[2] for problem in problems])

    def model(problem: Problem, alpha: float) -> Model:
        steps = rule.max_features
        if solver == "gcv":
            return GcvModel(problem, alpha, problem.gram_column, steps=steps)
        if groups is not None:
            return GroupModel(problem, alpha, groups)
        storage = np.float32 if solver == "mixed" else np.float64
        Q = label_product(problem, problem.rho(alpha), storage)
        return DenseModel(problem, alpha, Q, steps=steps)

    def select(alpha: float) -> Steps:
        models = [model(problem, alpha) for problem in problems]
        return grow(SummedModel(models, sizes), rule)

    return list(Parallel(n_jobs, prefer="threads")(delayed(select)(a) for a in alphas))


def pattern_factor(
    X: Any,
    patterns: Sequence[tuple[NDArray[Any], NDArray[Any]]],
    features: NDArray[Any],
    codes: NDArray[Any],
    alpha: float,
    bias: float,
    weights: NDArray[Any] | None,
) -> PatternFactor:
    """Factors of the selected features, each on the rows of its pattern."""
    parts = []
    for rows, columns in patterns:
        own = None if weights is None else weights[rows]
        known = codes[np.ix_(rows, columns)]
        factor = Factor.from_rows(X[rows], features, known, alpha, bias, own)
        parts.append((factor, columns, len(known) if own is None else own.sum()))
    return PatternFactor(parts)
