# SPDX-License-Identifier: BSD-3-Clause
import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from labelsift.classification import CLaRankSVM, LaRankSVM
from labelsift.datasets import make_planted
from labelsift.selection import (
    CMLFS,
    CSFS,
    MIFS,
    MLFS,
    RALMFS,
    RFS,
    RLEFS,
    SFUS,
    MTLasso,
)
from labelsift.subspace import ASO

# Every estimator that iterates until a tolerance is met, stopped long before that.
UNFINISHED = [
    ASO(2, alpha=1e-2, tol=1e-5, max_iter=2, random_state=0),
    CLaRankSVM(max_iter=1),
    CMLFS(5, max_iter=1),
    CSFS(5, gamma=0.01, max_iter=1),
    LaRankSVM(max_iter=1),
    MIFS(5, gamma=0.01, gauge="ridge", max_iter=2),
    MLFS(5, max_iter=1),
    MTLasso(5, alpha=0.01, max_iter=1),
    RALMFS(5, max_iter=2),
    RFS(5, gamma=0.01, max_iter=2),
    RLEFS(5, tol=1e-9, max_iter=2),
    SFUS(5, alpha=0.01, max_iter=2),
]


def fit_and_listen(estimator, X, Y):
    """The line that fits, and what was told of convergence."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        estimator.fit(X, Y)
    return [w for w in caught if w.category is ConvergenceWarning]


@pytest.fixture(scope="module")
def data():
    return make_planted(60, 25, 4, n_relevant=4, random_state=0)


@pytest.mark.parametrize("estimator", UNFINISHED, ids=lambda e: type(e).__name__)
def test_an_early_stop_is_told_once_at_the_line_that_called_fit(estimator, data):
    [warning] = fit_and_listen(estimator, np.abs(data.X), data.Y)
    assert warning.filename == __file__
    assert warning.lineno == fit_and_listen.__code__.co_firstlineno + 4
    sentence = str(warning.message)
    begin = f"{type(estimator).__name__} did not converge in "
    assert sentence.startswith(f"{begin}max_iter={estimator.max_iter} iterations")
    assert "stopped at a gap of " in sentence
    assert f"(tol={estimator.tol:g}): " in sentence
    assert sentence.endswith(".")
    assert "raise max_iter" in sentence


@pytest.mark.parametrize(
    "estimator", [RFS(5), CSFS(5), MTLasso(5, alpha=1.0), LaRankSVM(C=0.01)], ids=repr
)
def test_a_fit_that_converges_is_silent(estimator, data):
    assert fit_and_listen(estimator, data.X, data.Y) == []


def test_unlabelled_rows_have_a_tolerance_of_their_own(data):
    Y = data.Y.astype(float)
    Y[::2] = np.nan
    [warning] = fit_and_listen(CSFS(5, max_iter=1), data.X, Y)
    assert "raise max_iter, tol or gamma" in str(warning.message)
