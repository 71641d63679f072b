# SPDX-License-Identifier: BSD-3-Clause
"""MIFS: features for latent labels that follow a graph of the samples."""

from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from labelsift.core.labels import constant_labels
from labelsift.core.result import Ranking, SolverResult
from labelsift.core.targets import TARGET
from labelsift.core.validation import Interval, StrOptions
from labelsift.selection.base import (
    PathSelector,
    RowSparseSelector,
    Shared,
    latent_dimension,
)
from labelsift.solvers.graph.knn import knn_laplacian
from labelsift.solvers.ridge.centring import column_means
from labelsift.solvers.row_sparse.latent_labels import (
    LatentPoint,
    LatentProblem,
    ReducedLatent,
    polar,
    solve_latent_labels,
)
from labelsift.solvers.row_sparse.least_squares import SparseLoss, least_squares
from labelsift.solvers.row_sparse.wide_latent import WideRounds

# V is eliminated up to this many features (and twice the samples).
_MODERATE = 4000


class MIFS(PathSelector, RowSparseSelector):
    r"""Multi-label informed feature selection, made well posed.

    With weights W, latent labels V and label mixing B it minimises

    .. math::

        \Theta = \|X W - V\|_F^2 + \alpha \|Y - V B\|_F^2
            + \beta \operatorname{tr}(V^T L V) + \gamma \sum_j \|W_j\|_2,

    where L is the Laplacian of a graph of nearest neighbours among the samples.

    As printed, the objective has no minimiser: (tW, tV, B/t) with t to 0 drives all
    terms but the second to 0, whatever X is, so W vanishes and the ranking is that of a
    point where the algorithm happened to stop. ``gauge`` says what is done about it.
    "orthonormal": B B' = I; "ridge": ``|B|^2`` is added. X and Y are centred.

    With the gauge "orthonormal" and n_latent = n_labels, B may be taken as I: a group
    lasso smoothed by the graph, convex. With beta = 0 as well it is CSFS with
    gamma (1 + alpha) / alpha in place of gamma. On the scene data
    neither fewer latent labels nor the graph improved the selection.

    Each block is minimised exactly in turn: V by conjugate gradients, B by a polar
    factor or least squares, W by the group lasso, with rows that are exactly zero. (The
    paper takes a gradient step for each instead.)
    With the gauge "orthonormal" and n_features <= 4000 and 2 n_samples, V is
    eliminated: one n_features x n_features array is computed, after which n_samples
    does not matter, and ``fit_path`` uses it for every gamma and n_latent. Otherwise a
    round costs O(nnz(X) n_latent + n_samples n_neighbors n_latent), and neither n x n
    nor d x d is formed. Memory O((n_samples + n_features) n_latent) beyond X; sparse X
    stays sparse, and of more than 4000 features only those with weight cost more than
    one product a round.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features: a count, a share in (0, 1], or None for half of them.
    alpha : float, default=0.4
        Weight of the labels (the paper's alpha).
    beta : float, default=1.0
        Weight of the graph (beta); 0: no graph.
    gamma : float, default=0.8
        Weight of the row sparsity (gamma).
    n_latent : int or None, default=None
        Latent labels, at most the number of labels; None: as many.
    gauge : {"orthonormal", "ridge"}, default="orthonormal"
        What keeps B from growing; see above.
    bandwidth : float or "auto", default="auto"
        Weights of the graph are exp(-distance^2 / bandwidth); "auto": the median
        squared distance of neighbours (the paper: 1).
    n_neighbors : int, default=5
        Neighbours of each sample in the graph.
    tol : float, default=1e-7
        Stop when five rounds lower the objective by less than this share of itself.
        Where V is eliminated, the duality gap of W is below a tenth of it as well.
    max_iter : int, default=1000
        Rounds at most.
    random_state : int, RandomState instance or None, default=None
        None starts at the leading singular vectors of Y, so that the fit is
        deterministic. A seed draws B at random.
    target : {"auto", "labels", "values"}, default="auto"
        What Y holds: "auto" reads 0/1, bool and -1/+1 as labels and columns with a
        fraction as values; "values" takes any number as it is.

    Attributes
    ----------
    feature_order_ : ndarray of shape (n_features_in_,)
        All features, best first; constant columns last.
    scores_ : ndarray of shape (n_features_in_,)
        Row norms of W; below 0 for features without weight.
    support_ : ndarray of bool of shape (n_features_in_,)
        Which features are selected.
    coef_ : ndarray of shape (n_latent, n_features_in_)
        The weights W, transposed.
    latent_labels_ : ndarray of shape (n_samples, n_latent)
        V.
    mixing_ : ndarray of shape (n_latent, n_labels)
        B; 0 for constant labels.
    n_weighted_ : int
        Features with weight.
    kkt_residual_ : float
        Largest violation of the optimality of a row of W, as a share of gamma.
    objective_ : ndarray
        Theta after each round (each sweep where one group lasso is all); never rises.
    n_iter_ : int
        Rounds (sweeps) done.

    See Also
    --------
    CSFS : The same without graph and latent space.

    References
    ----------
    L. Jian, J. Li, K. Shu, H. Liu (2016), "Multi-label informed feature selection",
    IJCAI, eqs. (4)-(6) and Algorithm 1.

    Examples
    --------
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.selection import MIFS
    >>> traits = load_dataset("traits")
    >>> selector = MIFS(10, gamma=30.0).fit(traits.X, traits.Y)
    >>> selector.transform(traits.X).shape
    (1797, 10)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **RowSparseSelector._parameter_constraints,
        "alpha": [Interval(Real, 0, None, closed="neither")],
        "beta": [Interval(Real, 0, None, closed="left")],
        "gamma": [Interval(Real, 0, None, closed="neither")],
        "n_latent": [Interval(Integral, 1, None, closed="left"), None],
        "gauge": [StrOptions({"orthonormal", "ridge"})],
        "bandwidth": [Interval(Real, 0, None, closed="neither"), StrOptions({"auto"})],
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
        "target": TARGET,
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        alpha: float = 0.4,
        beta: float = 1.0,
        gamma: float = 0.8,
        n_latent: int | None = None,
        gauge: str = "orthonormal",
        bandwidth: float | str = "auto",
        n_neighbors: int = 5,
        tol: float = 1e-7,
        max_iter: int = 1000,
        random_state: Any = None,
        target: str = "auto",
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.alpha = alpha
        self.beta = beta
        self.gamma = gamma
        self.n_latent = n_latent
        self.gauge = gauge
        self.bandwidth = bandwidth
        self.n_neighbors = n_neighbors
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.target = target

    def _rank_sharing(self, X: Any, Y: NDArray[Any], shared: Shared) -> Ranking:
        learned = ~constant_labels(Y)
        n_learned = int(learned.sum())
        n_latent = latent_dimension(self.n_latent, n_learned, n_learned)
        problem = self._problem(X, Y[:, learned].astype(np.float64), shared)
        B = self._start(problem.Y, n_latent)
        if self.gauge == "orthonormal" and _is_moderate(X):
            result = self._minimise_reduced(problem, B, shared)
            self.kkt_residual_ = problem.kkt_residual(result.solution)
        else:
            result = solve_latent_labels(
                problem,
                B,
                tol=self.tol,
                max_iter=self.max_iter,
                rounds=_wide_rounds(problem),
            )
            self.kkt_residual_ = result.gap
        point: LatentPoint = result.solution
        self.latent_labels_ = point.V
        self.mixing_ = np.zeros((n_latent, len(learned)))
        self.mixing_[:, learned] = point.B
        residual = point.V - problem.fitted(point.W)
        return self._rank_rows(X, point.W, residual, result)

    def _problem(self, X: Any, Y: NDArray[Any], shared: Shared) -> LatentProblem:
        Y = Y - Y.mean(axis=0)
        L: Any = sp.csr_array((len(Y), len(Y)))
        if self.beta > 0:
            graph = (self.n_neighbors, self.bandwidth)
            L = shared.once("graph", graph, lambda: knn_laplacian(X, *graph))
        loss: Any = least_squares(X, Y, mean=column_means(X), form="residual")
        ridge = 1.0 if self.gauge == "ridge" else 0.0
        return LatentProblem(loss, Y, L, self.alpha, self.beta, self.gamma, ridge)

    def _start(self, Y: NDArray[Any], n_latent: int) -> NDArray[Any]:
        """Initial B, with orthonormal rows."""
        if self.random_state is not None:
            rng = check_random_state(self.random_state)
            return polar(rng.normal(size=(n_latent, Y.shape[1])))
        if n_latent == Y.shape[1] and self.gauge == "orthonormal":
            return np.eye(n_latent)
        return np.linalg.svd(Y, full_matrices=False)[2][:n_latent]

    def _minimise_reduced(
        self, problem: LatentProblem, B: NDArray[Any], shared: Shared
    ) -> SolverResult:
        key = (self.alpha, self.beta, self.n_neighbors, self.bandwidth)
        reduced = shared.once("quadratic", key, lambda: ReducedLatent.of(problem))
        convex = len(B) == B.shape[1]  # so that the start is free
        result = reduced.minimise(
            self.gamma,
            B,
            W_init=shared.start(len(B)) if convex else None,
            tol=self.tol,
            max_iter=self.max_iter,
        )
        W, B = result.solution
        shared.weights = W
        V = problem.best_V(problem.fitted(W), B)
        return replace(result, solution=LatentPoint(W, V, B))


def _is_moderate(X: Any) -> bool:
    return bool(X.shape[1] <= min(_MODERATE, 2 * X.shape[0]))


def _wide_rounds(problem: LatentProblem) -> WideRounds | None:
    """Rounds for sparse X of many features: as close, but not the same bits."""
    loss = problem.loss
    if isinstance(loss, SparseLoss) and len(loss.cross) > _MODERATE:
        return WideRounds(problem, loss)
    return None
