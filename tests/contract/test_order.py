# SPDX-License-Identifier: BSD-3-Clause
"""The order of rows and columns does not matter, beyond rounding."""

import numpy as np
import pytest

from contract.cases import make, samples
from core.quiet import fit
from labelsift.selection import CMLFS, MLFS, RALMFS, RLEFS

# Solvers that start at random numbers, or draw an order of the samples.
CASES = [
    RALMFS(4, random_state=0),
    RALMFS(4),
    RLEFS(4, random_state=0),
    RLEFS(4, init="random", random_state=0),
    RLEFS(4),
    CMLFS(4),
    MLFS(4),
]


@pytest.mark.parametrize("selector", CASES, ids=repr)
@pytest.mark.parametrize("form", ["tall", "wide"])
@pytest.mark.parametrize("binary", [False, True], ids=["numbers", "binary"])
def test_permuted_rows_and_columns_give_the_same_scores(selector, form, binary):
    X, Y = samples(type(selector), form)
    X = (X != 0).astype(float) if binary else X
    rng = np.random.default_rng(1)
    i, j = rng.permutation(len(X)), rng.permutation(X.shape[1])
    before = fit(selector, X, Y).scores_
    after = fit(selector, X[i][:, j], Y[i]).scores_
    np.testing.assert_allclose(after, before[j], rtol=0, atol=1e-7 * before.max())


def test_the_seed_still_matters():
    X, Y = samples(RLEFS)
    one, two = (
        fit(RLEFS(4, random_state=seed, max_iter=3), X, Y).scores_ for seed in (0, 1)
    )
    assert not np.allclose(one, two)


def test_nothing_to_learn_from_is_no_storm_of_warnings(recwarn):
    """X of zeros: 1204 warnings, once."""
    X, Y = samples(RLEFS)
    selector = make(RLEFS).fit(np.zeros_like(X), Y)
    assert (selector.scores_ == 0).all()
    assert len(recwarn) <= 1
