# SPDX-License-Identifier: BSD-3-Clause
"""MDFS: group lasso on pseudo labels that follow graphs of samples and labels."""

from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelsift.core.labels import constant_labels
from labelsift.core.result import Ranking, SolverResult
from labelsift.core.validation import Interval, StrOptions
from labelsift.selection.base import PathSelector, RowSparseSelector, Shared
from labelsift.solvers.graph.knn import knn_laplacian
from labelsift.solvers.ridge.centring import column_means
from labelsift.solvers.row_sparse.latent_labels import (
    LatentPoint,
    LatentProblem,
    solve_latent_labels,
)
from labelsift.solvers.row_sparse.least_squares import least_squares


class MDFS(PathSelector, RowSparseSelector):
    r"""Manifold regularised discriminative feature selection.

    With weights W and pseudo labels F it minimises

    .. math::

        \operatorname{tr}(F^T L F) + \alpha \bigl( \|H(XW - F)\|_F^2
            + \|F - Y\|_F^2 \bigr) + \beta \operatorname{tr}(F L_0 F^T)
            + \gamma \sum_j \|W_j\|_2,

    where L and L_0 are the Laplacians of a graph of nearest neighbours among the
    samples and of a graph of the labels, and H centres. The problem is convex in W and
    F together: there is one answer, wherever one starts.

    F can be eliminated: what remains is a group lasso on the labels, smoothed along
    both graphs, whose residuals weigh between alpha / 2 and alpha. Without graphs it is
    ``CSFS`` with gamma 2 / alpha; with beta = 0 it is ``MIFS`` with as many latent
    labels as labels, weights 1, 1 / alpha and gamma / alpha. On scene, emotions and
    yahoo-arts the graphs did not improve the selection.

    F is minimised exactly by conjugate gradients, in the eigenbasis of L_0 where labels
    are independent; W by the group lasso, with rows that are exactly zero. Cost of a
    round: O(nnz(X) n_labels + n_samples n_neighbors n_labels) and some sweeps of the
    group lasso; memory O((n_samples + n_features) n_labels + p^2) for p features with
    weight, beyond X (dense X is centred in a copy). Neither n x n nor d x d is formed;
    sparse X is centred implicitly. ``fit_path`` makes the graph and products of
    features once, and starts each point at the last.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features: a count, a share in (0, 1], or None for half of them.
    alpha : float, default=1.0
        Weight of the two residuals (the paper's alpha).
    beta : float, default=1.0
        Weight of the label graph (beta).
    gamma : float, default=1.0
        Weight of the row sparsity (gamma). A tenth of ``gamma_max_`` is a good start;
        for labels -1/+1, as in the paper, it would be twice as large.
    n_neighbors : int, default=5
        Neighbours of each sample in the graph; 0: no graph of samples.
    bandwidth : float, "auto" or None, default=None
        None: unit weights, half where only one row is a neighbour of the other
        (published). Otherwise weights are exp(-distance^2 / bandwidth), "auto": the
        median squared distance of neighbours.
    label_graph : {"cosine", "complete"}, default="cosine"
        "cosine": weights are the cosines of label columns. "complete": all 1, which is
        what the public program computes whatever the labels are.
    tol : float, default=1e-7
        Stop when five rounds lower the objective by less than this share of itself.
    max_iter : int, default=500
        Rounds at most.

    Attributes
    ----------
    feature_order_ : ndarray of shape (n_features_in_,)
        All features, best first; constant columns last.
    scores_ : ndarray of shape (n_features_in_,)
        Row norms of W; below 0 for features without weight.
    support_ : ndarray of bool of shape (n_features_in_,)
        Which features are selected.
    coef_ : ndarray of shape (n_labels, n_features_in_)
        The weights W, transposed; 0 for labels that hold one value only.
    pseudo_labels_ : ndarray of shape (n_samples, n_labels)
        F; labels that hold one value only keep it.
    n_weighted_ : int
        Features with weight.
    gamma_max_ : float
        The smallest gamma at which no feature has weight.
    kkt_residual_ : float
        Largest violation of the optimality of a row of W, as a share of gamma.
    objective_ : ndarray
        The objective after each round; it never rises.
    n_iter_ : int
        Rounds done.

    See Also
    --------
    MIFS : Latent labels in place of the label graph.
    CSFS : What remains without graphs.

    References
    ----------
    J. Zhang, Z. Luo, C. Li, C. Zhou, S. Li (2019), Manifold regularized discriminative
    feature selection for multi-label learning, Pattern Recognition 95.

    Examples
    --------
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.selection import MDFS
    >>> traits = load_dataset("traits")
    >>> selector = MDFS(10, gamma=30.0).fit(traits.X, traits.Y)
    >>> selector.transform(traits.X).shape
    (1797, 10)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **RowSparseSelector._parameter_constraints,
        "alpha": [Interval(Real, 0, None, closed="neither")],
        "beta": [Interval(Real, 0, None, closed="left")],
        "gamma": [Interval(Real, 0, None, closed="neither")],
        "n_neighbors": [Interval(Integral, 0, None, closed="left")],
        "bandwidth": [
            Interval(Real, 0, None, closed="neither"),
            StrOptions({"auto"}),
            None,
        ],
        "label_graph": [StrOptions({"cosine", "complete"})],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        alpha: float = 1.0,
        beta: float = 1.0,
        gamma: float = 1.0,
        n_neighbors: int = 5,
        bandwidth: float | str | None = None,
        label_graph: str = "cosine",
        tol: float = 1e-7,
        max_iter: int = 500,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.alpha = alpha
        self.beta = beta
        self.gamma = gamma
        self.n_neighbors = n_neighbors
        self.bandwidth = bandwidth
        self.label_graph = label_graph
        self.tol = tol
        self.max_iter = max_iter

    def _rank_sharing(self, X: Any, Y: NDArray[Any], shared: Shared) -> Ranking:
        learned = ~constant_labels(Y)
        labels = Y[:, learned].astype(np.float64)
        # In the basis of its eigenvectors the label graph only damps each column of F.
        values, basis = np.linalg.eigh(_label_laplacian(labels, self.label_graph))
        damping = self.beta / self.alpha * np.maximum(values, 0)
        mean = labels.mean(axis=0)
        problem = self._problem(X, (labels - mean) @ basis, damping, shared)
        result = self._minimise(problem, basis, shared)
        point: LatentPoint = result.solution
        # The mean of F does not meet W: it follows the label graph alone.
        kept = 1 / (1 + damping)
        self.pseudo_labels_ = Y.astype(np.float64)
        self.pseudo_labels_[:, learned] = (point.V + kept * (mean @ basis)) @ basis.T
        constant = len(Y) * np.sum((1 - kept) * (mean @ basis) ** 2)
        self.kkt_residual_ = result.gap
        pull = 2 * problem.loss.products(
            problem.best_V(np.zeros_like(point.V), point.B)
        )
        self.gamma_max_ = float(self.alpha * np.linalg.norm(pull, axis=1).max())
        result = replace(result, objective=self.alpha * (result.objective + constant))
        residual = (point.V - problem.fitted(point.W)) @ basis.T
        return self._rank_rows(X, point.W @ basis.T, residual, result, learned)

    def _problem(
        self, X: Any, Y: NDArray[Any], damping: NDArray[Any], shared: Shared
    ) -> LatentProblem:
        """The objective divided by alpha, without the mean of F."""
        graph = (self.n_neighbors, self.bandwidth)
        L: Any = sp.csr_array((len(Y), len(Y)))
        if self.n_neighbors > 0:
            L = shared.once("graph", graph, lambda: knn_laplacian(X, *graph))
        loss = shared.once(
            "loss",
            None,
            lambda: least_squares(X, Y, mean=column_means(X), form="residual"),
        )
        share = 1 / self.alpha
        return LatentProblem(
            loss, Y, L, 1.0, share, share * self.gamma, damping=damping
        )

    def _minimise(
        self, problem: LatentProblem, basis: NDArray[Any], shared: Shared
    ) -> SolverResult:
        start = shared.start(len(basis))
        result = solve_latent_labels(
            problem,
            np.eye(len(basis)),
            W_init=None if start is None else start @ basis,
            tol=self.tol,
            max_iter=self.max_iter,
        )
        shared.weights = result.solution.W @ basis.T
        return result


def _label_laplacian(Y: NDArray[Any], graph: str) -> NDArray[Any]:
    """Degrees minus weights of the graph of the labels."""
    unit = Y / np.linalg.norm(Y, axis=0)
    weights = unit.T @ unit if graph == "cosine" else np.ones((Y.shape[1], Y.shape[1]))
    return np.diag(weights.sum(axis=1)) - weights
