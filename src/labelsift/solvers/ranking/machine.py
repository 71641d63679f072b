# SPDX-License-Identifier: BSD-3-Clause
"""Ranking machines for a user's X and Y: constant labels, scaling, solver choice."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from labelsift.core.labels import constant_labels, signed_labels
from labelsift.core.result import SolverResult
from labelsift.solvers.fingerprint import fingerprints
from labelsift.solvers.ranking.cutting_plane import solve_rank_by_cuts
from labelsift.solvers.ranking.dcd import RankSolution, RankStart, solve_rank
from labelsift.solvers.ranking.design import Design, label_pairs
from labelsift.solvers.ranking.label_covariance import best_covariance

if TYPE_CHECKING:
    from labelsift.kernels.rank_dcd import Pairs

# A cut costs a pass over all columns and a new start. It pays off for many columns,
# most of which can be left out of the sweeps.
_MANY_COLUMNS = 1000
_CUT_FACTOR = 3


@dataclass(frozen=True)
class RankingWeights:
    """Linear scores of every label, for the user's X."""

    coef: NDArray[np.float64]  # (n_labels, n_features); 0 for a label with one value
    bias: NDArray[np.float64]  # scores at ``mean``; -1 or +1 for a label with one value
    mean: NDArray[np.float64]  # of the features; 0 where they are not standardised

    @property
    def intercept(self) -> NDArray[np.float64]:
        """Scores where the user's X is 0."""
        return self.bias - self.coef @ self.mean

    def only(self, features: NDArray[Any]) -> Self:
        """The same with the weights of all other features at 0."""
        coef = np.zeros_like(self.coef)
        coef[:, features] = self.coef[:, features]
        return replace(self, coef=coef)


@dataclass(frozen=True)
class RankingMachine:
    """Weights for every label, with their certificate."""

    weights: RankingWeights
    norms: NDArray[np.float64]  # sqrt(w^j R w^j') of each feature
    eta: NDArray[np.float64]  # weights of the features: min(1, norm / nu), of sum m
    bounds: NDArray[np.float64]  # of the optimum, lower and upper, after each round
    stop: RankStart  # for the next point of a path
    result: SolverResult  # gap relative to the upper bound, sweeps over the samples


@dataclass(frozen=True)
class RankingTask:
    """X and Y read once, for machines of any C, mu and m."""

    design: Design
    standardized: bool
    pairs: "Pairs"  # of the labels that have both values
    learnable: NDArray[np.bool_]  # which labels have both values
    constants: NDArray[np.float64]  # -1 or +1: the score of a label with one value

    @classmethod
    def read(
        cls,
        X: Any,
        Y: NDArray[Any],
        owner: str,
        *,
        fit_intercept: bool,
        standardize: bool,
    ) -> Self:
        """Read checked X and Y; an error where no sample has a pair of labels."""
        learnable = ~constant_labels(Y)
        pairs = label_pairs(Y[:, learnable], owner)
        # Sweeps draw from rows that are in a set order.
        keys, _ = fingerprints(X, Y[:, learnable])
        order = np.argsort(keys[pairs.rows], kind="stable")
        pairs = pairs._replace(rows=pairs.rows[order])
        design = Design.build(X, bias=fit_intercept, standardize=standardize)
        constants = signed_labels(Y[0])
        return cls(design, standardize, pairs, learnable, constants)

    def solve(
        self,
        *,
        C: float,
        mu: float = 0.0,
        m: int | None = None,
        tol: float,
        max_iter: int,
        start: RankStart | None = None,
    ) -> RankingMachine:
        """Solve as ``solve_rank`` does, from the last point of another machine."""
        d = self.design.n_features
        common: dict[str, Any] = {"C": C, "mu": mu, "tol": tol, "max_iter": max_iter}
        if m is not None and d >= max(_MANY_COLUMNS, _CUT_FACTOR * m):
            result = solve_rank_by_cuts(
                self.design, self.pairs, m=m, start=start, **common
            )
        else:
            if start is not None:
                start = start.reopened(d if m is None else m)
            result = solve_rank(self.design, self.pairs, m=m, start=start, **common)
        return self._machine(result)

    def columns(self, keep: NDArray[Any]) -> Self:
        """The same task on some of the features."""
        return replace(self, design=self.design.columns(keep))

    def covariance(self, machine: RankingMachine) -> NDArray[np.float64]:
        """The best D for a machine, of trace 1; 0 for constant labels."""
        used = machine.eta > 0
        coef = machine.weights.coef[np.ix_(self.learnable, used)]
        W = coef.T * self.design.scale[used, np.newaxis]
        products = W.T @ (W / machine.eta[used, np.newaxis])
        bias = machine.weights.bias[self.learnable]
        n_labels = len(self.learnable)
        covariance = np.zeros((n_labels, n_labels))
        block = np.ix_(self.learnable, self.learnable)
        covariance[block] = best_covariance(products + np.outer(bias, bias))
        return covariance

    def _machine(self, result: SolverResult) -> RankingMachine:
        solution: RankSolution = result.solution
        coef = solution.weights.T / self.design.scale
        if not self.learnable.all():
            known, coef = coef, np.zeros((len(self.learnable), coef.shape[1]))
            coef[self.learnable] = known
        bias = self.constants.copy()
        bias[self.learnable] = solution.bias
        scale = "" if self.standardized else "scale X (standardize=True), "
        return RankingMachine(
            weights=RankingWeights(coef, bias, self.design.mean),
            norms=solution.norms,
            eta=solution.eta,
            bounds=solution.bounds,
            stop=solution.stop,
            result=replace(result, remedy=f"{scale}lower C or raise max_iter or tol"),
        )


def ranking_tasks(
    X: Any, Y: NDArray[Any], models: Sequence[Any]
) -> Iterator[tuple[Any, RankingTask]]:
    """Each model with its task; X and Y are read once for each way of reading."""
    tasks: dict[tuple[bool, bool], RankingTask] = {}
    for model in models:
        reading = (model.fit_intercept, model.standardize)
        if reading not in tasks:
            tasks[reading] = RankingTask.read(
                X,
                Y,
                type(model).__name__,
                fit_intercept=model.fit_intercept,
                standardize=model.standardize,
            )
        yield model, tasks[reading]
