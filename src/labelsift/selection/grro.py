# SPDX-License-Identifier: BSD-3-Clause
"""GRRO: relevance against all pairwise redundancies at once, in closed form."""

from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from labelsift.core.labels import constant_labels
from labelsift.core.result import Ranking
from labelsift.core.validation import Interval
from labelsift.core.warning import warn
from labelsift.selection.base import PathSelector, Shared, put_below
from labelsift.solvers.information.bins import bin_features
from labelsift.solvers.information.discretize import BINNING
from labelsift.solvers.information.mutual import DECIMALS, Information

# The smallest curvature that a minimum may have.
_LOWEST = 1e-3
# More features than this are compared with each other only if n_candidates asks.
_MOST = 8000
# Scores closer than this share of the largest are equal: a tie.
_SAME = 1e-12


class GRRO(PathSelector):
    r"""Global relevance and redundancy optimisation.

    With P the information of each feature about each label (n_features x n_labels), Q
    that of each feature about each other (1 on the diagonal), both in bits, and
    D = 1 - cosine of each pair of labels, it minimises

    .. math::

        \tfrac12 \|W\|_F^2 + \tfrac{\alpha}{2} \operatorname{tr}(W^T Q W)
        + \tfrac{\beta}{2} \operatorname{tr}(W D W^T) - \operatorname{tr}(W^T P),

    that is, solves (I + alpha Q) W + beta W D = P, and scores a feature by the sum of
    its row of W. alpha weighs the redundancy of features, beta the dissimilarity of
    labels that share a feature. (The letters of the public program: P is FL, Q is FF,
    D is LL.)

    What the labels do: D has one positive eigenvalue, near n_labels - 1, whose vector
    is nearly constant. Hence the score is, very nearly,
    ((1 + beta (n_labels - 1)) I + alpha Q)^-1 R with R the row sums of P: beta divides
    alpha, and how labels are correlated hardly enters. What works is the closed form:
    each feature's relevance, less that of all features that repeat it, at once.

    For large beta the problem has no minimum: D has eigenvalues down to about -2.5.
    Where the smallest curvature 1 + alpha q + beta d is below 0.001, what is missing is
    added to I (``shift_``) and a warning says so.

    Cost: n_features passes over the counts, O(n_features^2 n_samples / 64) for dense X
    and less for sparse X, and two eigendecompositions, O(n_features^3 + n_labels^3);
    then O(n_features^2 n_labels) for each (alpha, beta): ``fit_path`` serves a whole
    grid from them. **Memory: two arrays n_features x n_features**; above 8000 features
    only the most relevant take part, see ``n_candidates``.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features: a count, a share in (0, 1], or None for half of them.
    alpha : float, default=100.0
        Weight of the redundancy of features.
    beta : float, default=0.1
        Weight of the dissimilarity of labels.
    n_candidates : int or None, default=None
        Only so many features, those with the largest R, are compared with each other;
        the rest follow by R. None: all, or 8000 with a warning where there are more.
    discretize : {"width", "quantile", "presence"} or None, default="quantile"
        How features are binned: into bins of equal width or of about equally many
        samples, or zero against the rest (good for text). None takes X as integer
        codes from 0. The bins are those of the samples given to fit.
    n_bins : int, default=2
        Number of bins of "width" and "quantile".

    Attributes
    ----------
    feature_order_ : ndarray of shape (n_features_in_,)
        All features, best first; ties go to the lowest index. Features that are no
        candidates, or have all samples in one bin, come last.
    scores_ : ndarray of shape (n_features_in_,)
        Row sums of W; for features that are no candidates 1 below the lowest, or less.
    support_ : ndarray of bool of shape (n_features_in_,)
        Which features are selected.
    coef_ : ndarray of shape (n_labels, n_features_in_)
        W, transposed; 0 for constant labels.
    shift_ : float
        What was added to I so that there is a minimum; usually 0.

    See Also
    --------
    SCLS : Relevance against redundancy, one feature after the other.
    MRMR : The same with the mean redundancy.

    References
    ----------
    J. Zhang, Y. Lin, M. Jiang, S. Li, Y. Tang, K. C. Tan (2020), Multi-label feature
    selection via global relevance and redundancy optimization, IJCAI.

    Examples
    --------
    >>> from labelsift.datasets import load_dataset
    >>> from labelsift.selection import GRRO
    >>> traits = load_dataset("traits")
    >>> selector = GRRO(3).fit(traits.X, traits.Y)
    >>> [traits.feature_names[i] for i in selector.feature_order_[:3]]
    ['pixel_5_2', 'pixel_6_2', 'pixel_5_4']
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **PathSelector._parameter_constraints,
        "alpha": [Interval(Real, 0, None, closed="left")],
        "beta": [Interval(Real, 0, None, closed="left")],
        "n_candidates": [Interval(Integral, 1, None, closed="left"), None],
        **BINNING,
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        alpha: float = 100.0,
        beta: float = 0.1,
        n_candidates: int | None = None,
        discretize: str | None = "quantile",
        n_bins: int = 2,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.alpha = alpha
        self.beta = beta
        self.n_candidates = n_candidates
        self.discretize = discretize
        self.n_bins = n_bins

    def _rank_sharing(self, X: Any, Y: NDArray[Any], shared: Shared) -> Ranking:
        learned = ~constant_labels(Y)
        key = (self.n_candidates, self.discretize, self.n_bins)
        problem = shared.once("problem", key, lambda: self._problem(X, Y[:, learned]))
        W, self.shift_ = problem.solve(self.alpha, self.beta)
        if self.shift_ > 0:
            self._warn_of_shift(problem)
        self.coef_ = np.zeros((len(learned), X.shape[1]))
        self.coef_[np.ix_(learned, problem.candidates)] = W.T
        scores = self.coef_.sum(axis=0)
        unit = _SAME * np.abs(scores).max(initial=0.0) or 1.0
        scores = unit * np.round(scores / unit)
        put_below(scores, problem.outside, problem.relevance)
        return Ranking.from_scores(scores)

    def _warn_of_shift(self, problem: "_Problem") -> None:
        by_labels = 1 + self.alpha * problem.Q_values[0] >= _LOWEST
        warn(
            f"GRRO has no minimum at alpha={self.alpha:g} and beta={self.beta:g}: "
            f"{self.shift_:.2g} was added to the weight of |W|^2, which is 1. Lower "
            f"{'beta' if by_labels else 'alpha or n_bins'}."
        )

    def _problem(self, X: Any, Y: NDArray[Any]) -> "_Problem":
        """Choose the features that take part, and compare them with each other."""
        bins = bin_features(X, self.discretize, self.n_bins)
        information = Information(bins, Y)
        relevance = np.round(information.about_labels(), DECIMALS)
        n_candidates = self._most_candidates(len(relevance))
        candidates = np.argsort(-relevance, kind="stable")[:n_candidates]
        candidates = np.sort(candidates)
        outside = bins.is_constant  # and so irrelevant: they come last
        if n_candidates < len(relevance):
            outside[np.delete(np.arange(len(relevance)), candidates)] = True
            some = bin_features(X[:, candidates], self.discretize, self.n_bins)
            information = Information(some, Y)
        return _Problem.of(
            information, Y, candidates=candidates, outside=outside, relevance=relevance
        )

    def _most_candidates(self, available: int) -> int:
        if self.n_candidates is None and available > _MOST:
            warn(
                f"GRRO compares the {_MOST} most relevant features with each other; "
                f"the other {available - _MOST} follow by relevance. Pass n_candidates "
                "to choose how many."
            )
            return _MOST
        return available if self.n_candidates is None else self.n_candidates


@dataclass(frozen=True)
class _Problem:
    """The equation in the eigenbases of Q and D, where every entry is a division."""

    Q_values: NDArray[Any]
    Q_vectors: NDArray[Any]
    D_values: NDArray[Any]
    D_vectors: NDArray[Any]
    P: NDArray[Any]
    candidates: NDArray[np.intp]  # features that take part
    outside: NDArray[np.bool_]  # features that follow the others
    relevance: NDArray[Any]  # of all features

    @classmethod
    def of(cls, information: Information, Y: NDArray[Any], **others: Any) -> Self:
        """Count, and decompose once."""
        bits = 1 / np.log(2)
        Q = bits * information.about_each_feature()
        np.fill_diagonal(Q, 1.0)
        Q_values, Q_vectors = scipy.linalg.eigh(Q, overwrite_a=True, driver="evd")
        unit = Y / np.linalg.norm(Y, axis=0)
        D = 1 - unit.T @ unit
        np.fill_diagonal(D, 0.0)
        D_values, D_vectors = scipy.linalg.eigh(D)
        P = Q_vectors.T @ (bits * information.about_each_label()) @ D_vectors
        return cls(Q_values, Q_vectors, D_values, D_vectors, P, **others)

    def solve(self, alpha: float, beta: float) -> tuple[NDArray[Any], float]:
        """W, and what had to be added to I."""
        curvature = 1 + alpha * self.Q_values[:, np.newaxis] + beta * self.D_values
        shift = max(_LOWEST - float(curvature.min()), 0.0)
        rotated = self.P / (curvature + shift)
        return self.Q_vectors @ rotated @ self.D_vectors.T, shift
