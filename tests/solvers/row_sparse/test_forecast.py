# SPDX-License-Identifier: BSD-3-Clause
import warnings

import pytest
import scipy.sparse as sp

from labelsift.datasets import make_planted
from labelsift.selection import CSFS, MTLasso
from labelsift.solvers.row_sparse import forecast


@pytest.mark.parametrize("cls", [CSFS, MTLasso])
def test_a_long_fit_is_told_before_it_starts(cls, monkeypatch):
    data = make_planted(60, 200, 4, n_relevant=8, random_state=0)
    X = sp.csr_array(data.X)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cls(5).fit(X, data.Y)
    monkeypatch.setattr(forecast, "_LONG", 1e-9)
    expected = f"{cls.__name__} will take about 0 minutes on 200 features and 4 labels"
    with pytest.warns(UserWarning, match=expected):
        cls(5).fit(X, data.Y)
