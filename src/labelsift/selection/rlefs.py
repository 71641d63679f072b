# SPDX-License-Identifier: BSD-3-Clause
"""RLEFS: robust selection with label enhancement, with corrected updates."""

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from labelsift.core.base import BaseSelector
from labelsift.core.labels import constant_labels
from labelsift.core.result import Ranking
from labelsift.core.validation import Interval, StrOptions
from labelsift.core.warning import warn
from labelsift.selection.rlefs_updates import Problem, solve, start

_N_NEIGHBORS = 5


class RLEFS(BaseSelector):
    r"""Robust multi-label feature selection with shared label enhancement.

    With non-negative weights W, enhanced labels F and label mixing B it reduces

    .. math::

        J = \|XW - F\|_{2,1} + \alpha \operatorname{tr}(W L W^T)
          + \beta \|F - YB\|_{2,1} + \gamma \|W\|_{2,1}
          + \tfrac{\lambda}{2} \|F^T F - I\|_F^2,

    where L is the Laplacian of a graph of the labels, by multiplicative updates

    .. math::

        W &\leftarrow W \circ \frac{X^T D_1 F + \alpha W S}
            {X^T D_1 X W + \alpha W A + \gamma D_3 W}, \\
        F &\leftarrow F \circ \Bigl(\frac{D_1 X W + \beta D_2 Y B + \lambda F}
            {(D_1 + \beta D_2) F + \lambda F F^T F}\Bigr)^e, \\
        B &\leftarrow B \circ \frac{Y^T D_2 F}{Y^T D_2 Y B}

    with the diagonal matrices D of 1 / (2 row norm) updated before each block. A
    feature is scored by the norm of its row of W.

    What differs from the paper, and why: eqs. (12) and (14) carry a factor 2 too many,
    (15)-(17), (20), (23) and (29) lack a matrix; the F-step is of fourth order, and
    with the printed exponent e = 1 J rises for large weights, so e is the first of
    1, 1/2, 1/4 that does not raise it; S gets self-loops, without which the W-step is
    not covered by the paper's proof; and the printed start is random, which leaves the
    ranking at chance (``init="random"``), so by default F starts at Y with unit
    columns. With the paper's weight on the orthogonality of F that term does nothing;
    here it is lam * n_samples, unless ``label_graph="printed"``.

    W >= 0 cannot use a feature whose absence is informative and picks near copies of a
    good feature: the method suits non-negative sparse data such as text.

    Cost of an iteration: three products of X with n_labels columns, O(nnz(X) n_labels);
    memory O((n_samples + n_features) n_labels) beyond X, in float64. Neither n x n nor
    d x d is formed, and sparse X stays sparse; with more than two features for a sample
    it is stored by rows and by columns.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features: a count, a share in (0, 1], or None for half of them.
    alpha : float, default=0.5
        Weight of the label graph (the paper's alpha).
    beta : float, default=0.5
        How closely the enhanced labels follow the given ones (beta).
    gamma : float, default=0.5
        Weight of the row sparsity of W (gamma).
    lam : float, default=0.5
        Weight of the orthogonality of F (lambda), per sample.
    init : {"labels", "random"}, default="labels"
        Start at the labels, or at random as printed.
    label_graph : {"cosine", "printed"}, default="cosine"
        Heat kernel on the distances of the label columns, 5 neighbours. "cosine":
        columns of unit norm, bandwidth the median distance. "printed": raw columns,
        bandwidth 1, where nearly every weight is 0, and lam not times n_samples.
    tol : float, default=1e-3
        Stop when J falls by less than this share in an iteration. The updates slow
        down long before they end: 1e-4 can take thousands.
    max_iter : int, default=300
        Iterations at most.
    random_state : int, RandomState instance or None, default=None
        Seed of the start. With ``init="labels"``, None starts with equal weights, so
        that the fit is deterministic; a seed draws W at random, from the values of a
        feature and not from its position.

    Attributes
    ----------
    feature_order_ : ndarray of shape (n_features_in_,)
        All features, best first; constant columns last.
    scores_ : ndarray of shape (n_features_in_,)
        Row norms of W.
    support_ : ndarray of bool of shape (n_features_in_,)
        Which features are selected.
    label_distribution_ : ndarray of shape (n_samples, n_labels)
        Enhanced labels F; 0 for constant labels.
    label_graph_ : ndarray of shape (n_labels, n_labels)
        Weights of the label graph, without self-loops.
    objective_ : ndarray
        J after each iteration; it never rises.
    n_iter_ : int
        Iterations done.

    See Also
    --------
    FisherScore : A filter that ranks as well on text, in one pass.

    References
    ----------
    Y. Li, J. Hu, W. Gao, "Robust multi-label feature selection with shared label
    enhancement", eqs. (11)-(29) and Algorithm 1.

    Examples
    --------
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.selection import RLEFS
    >>> traits = load_dataset("traits")
    >>> RLEFS(5).fit_transform(traits.X, traits.Y).shape
    (1797, 5)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseSelector._parameter_constraints,
        "alpha": [Interval(Real, 0, None, closed="left")],
        "beta": [Interval(Real, 0, None, closed="left")],
        "gamma": [Interval(Real, 0, None, closed="left")],
        "lam": [Interval(Real, 0, None, closed="left")],
        "init": [StrOptions({"labels", "random"})],
        "label_graph": [StrOptions({"cosine", "printed"})],
        "tol": [Interval(Real, 0, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        alpha: float = 0.5,
        beta: float = 0.5,
        gamma: float = 0.5,
        lam: float = 0.5,
        init: str = "labels",
        label_graph: str = "cosine",
        tol: float = 1e-3,
        max_iter: int = 300,
        random_state: Any = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.alpha = alpha
        self.beta = beta
        self.gamma = gamma
        self.lam = lam
        self.init = init
        self.label_graph = label_graph
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def _rank(self, X: Any, Y: NDArray[Any]) -> Ranking:
        _check_non_negative(X)
        X = X.astype(np.float64, copy=False)
        learned = ~constant_labels(Y)
        Y_learned = Y[:, learned].astype(np.float64)
        S = label_affinity(Y_learned, self.label_graph)
        problem = Problem.of(
            X,
            Y_learned,
            S + np.diag(S.sum(axis=1)),
            self.alpha,
            self.beta,
            self.gamma,
            self.lam * (len(Y) if self.label_graph == "cosine" else 1),
        )
        point = start(problem, self.init, self.random_state)
        result = solve(problem, point, self.tol, self.max_iter)
        self.label_distribution_ = np.zeros(Y.shape)
        self.label_distribution_[:, learned] = result.solution.F
        self.label_graph_ = np.zeros((Y.shape[1], Y.shape[1]))
        self.label_graph_[np.ix_(learned, learned)] = S
        return Ranking.from_scores(np.linalg.norm(result.solution.W, axis=1), result)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags


def _check_non_negative(X: Any) -> None:
    smallest = X.min()
    if smallest < 0:
        raise ValueError(
            f"Negative values in data passed to RLEFS (X holds {smallest:g}): its "
            "weights are products of non-negative numbers; scale X with "
            "sklearn.preprocessing.MinMaxScaler."
        )


def label_affinity(Y: NDArray[Any], kind: str) -> NDArray[Any]:
    """Heat kernel weights of the graph that joins a label to its 5 nearest."""
    if kind == "cosine":
        Y = Y / np.linalg.norm(Y, axis=0)
    products = Y.T @ Y
    squares = np.diag(products)
    distances = np.maximum(squares + squares[:, np.newaxis] - 2 * products, 0)
    np.fill_diagonal(distances, np.inf)
    nearest = np.argsort(distances, axis=1, kind="stable")[:, :_N_NEIGHBORS]
    joined = np.zeros(distances.shape, dtype=bool)
    np.put_along_axis(joined, nearest, True, axis=1)
    np.fill_diagonal(joined, False)
    joined |= joined.T
    if not joined.any():
        warn(
            "The label graph is empty, since only one label can be learned: alpha "
            "does nothing."
        )
        return np.zeros(distances.shape)
    bandwidth = 1.0 if kind == "printed" else np.median(distances[joined]) or 1.0
    return np.where(joined, np.exp(-distances / bandwidth), 0.0)
