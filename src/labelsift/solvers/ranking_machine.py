# SPDX-License-Identifier: BSD-3-Clause
"""Ranking machines for a user's X and Y: labels of one value, scales, which solver."""

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from labelsift.core.labels import constant_labels, signed_labels
from labelsift.core.result import SolverResult
from labelsift.solvers.cutting_plane import solve_rank_by_cuts
from labelsift.solvers.label_covariance import best_covariance
from labelsift.solvers.rank_dcd import RankSolution, RankStart, solve_rank
from labelsift.solvers.rank_design import Design, label_pairs

if TYPE_CHECKING:
    from labelsift.kernels.rank_dcd import Pairs

# A cut costs a look at all columns and a new start. It pays where there are many
# columns, most of which can be left out of the sweeps.
_MANY_COLUMNS = 1000
_CUT_FACTOR = 3


@dataclass(frozen=True)
class RankingWeights:
    """Linear scores of every label.

    Parameters
    ----------
    coef : ndarray of shape (n_labels, n_features)
        Weights for the user's X; 0 for a label with one value only.
    bias : ndarray of shape (n_labels,)
        Scores at ``mean``; -1 or +1 for a label with one value only.
    mean : ndarray of shape (n_features,)
        Means of the user's features where they are standardised, else 0.
    """

    coef: NDArray[np.float64]
    bias: NDArray[np.float64]
    mean: NDArray[np.float64]

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
    """Weights for every label and the certificate that comes with them.

    Parameters
    ----------
    weights : RankingWeights
        For the user's X.
    norms : ndarray of shape (n_features,)
        Size of the weights of each feature: sqrt(w^j R w^j').
    eta : ndarray of shape (n_features,)
        Weights of the features: min(1, norm / nu), of sum m.
    bounds : ndarray of shape (n_rounds, 2)
        Lower and upper bound of the optimum after each round.
    gap : float
        At the end, relative to the upper bound.
    n_iter : int
        Sweeps over the samples.
    stop : RankStart
        For the next point of a path.
    """

    weights: RankingWeights
    norms: NDArray[np.float64]
    eta: NDArray[np.float64]
    bounds: NDArray[np.float64]
    gap: float
    n_iter: int
    stop: RankStart


@dataclass(frozen=True)
class RankingTask:
    """X and Y read once, for machines of any C, mu and m.

    Parameters
    ----------
    owner : str
        Who asks; begins the sentences of errors and warnings.
    design : Design
        The rows.
    standardized : bool
        Whether they were standardised.
    pairs : Pairs
        The pairs of those labels that have both values.
    learnable : ndarray of bool of shape (n_labels,)
        Which labels these are.
    constants : ndarray of shape (n_labels,)
        -1 or +1: the score of a label that has one value only.
    """

    owner: str
    design: Design
    standardized: bool
    pairs: "Pairs"
    learnable: NDArray[np.bool_]
    constants: NDArray[np.float64]

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
        design = Design.build(X, bias=fit_intercept, standardize=standardize)
        constants = signed_labels(Y[0])
        return cls(owner, design, standardize, pairs, learnable, constants)

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
        """Solve; a ConvergenceWarning where the gap stays open.

        Parameters
        ----------
        C, mu, m, tol, max_iter
            As in ``solve_rank``.
        start : RankStart or None
            The end of another machine of this task.

        Returns
        -------
        RankingMachine
            For all labels and the user's X.
        """
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
        self._warn(result, tol, max_iter)
        return self._machine(result)

    def columns(self, keep: NDArray[Any]) -> Self:
        """The same task on some of the features."""
        return replace(self, design=self.design.columns(keep))

    def _warn(self, result: SolverResult, tol: float, max_iter: int) -> None:
        if not result.converged:
            scale = "" if self.standardized else "scale X (standardize=True), "
            warnings.warn(
                f"{self.owner} stopped after max_iter={max_iter} sweeps at a relative "
                f"duality gap of {result.gap:.1e} (tol={tol:g}): {scale}lower C or "
                "raise max_iter.",
                ConvergenceWarning,
                stacklevel=6,
            )

    def covariance(self, machine: RankingMachine) -> NDArray[np.float64]:
        """The best D for a machine, of trace 1; 0 for labels with one value only."""
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
        found: RankSolution = result.solution
        coef = found.weights.T / self.design.scale
        if not self.learnable.all():
            known, coef = coef, np.zeros((len(self.learnable), coef.shape[1]))
            coef[self.learnable] = known
        bias = self.constants.copy()
        bias[self.learnable] = found.bias
        return RankingMachine(
            weights=RankingWeights(coef, bias, self.design.mean),
            norms=found.norms,
            eta=found.eta,
            bounds=found.bounds,
            gap=result.gap,
            n_iter=result.n_iter,
            stop=found.stop,
        )


def ranking_tasks(
    X: Any, Y: NDArray[Any], models: Sequence[Any]
) -> Iterator[tuple[Any, RankingTask]]:
    """Each model with its task; X and Y are read once for each way of reading.

    Parameters
    ----------
    X : ndarray, csr_array or csc_array
        Checked samples.
    Y : ndarray of shape (n_samples, n_labels)
        0/1.
    models : sequence of estimator
        With ``fit_intercept`` and ``standardize``.

    Yields
    ------
    model, task
        In the order of models.
    """
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
