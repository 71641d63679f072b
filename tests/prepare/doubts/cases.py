# SPDX-License-Identifier: BSD-3-Clause
"""Small data with a fault, and what a check says of it."""

import numpy as np
import pandas as pd

from labelsift.compare.request import as_data
from labelsift.core.data import MultiLabelData
from labelsift.prepare import TablePreparation
from labelsift.prepare.doubts.evidence import gather

N = 400


def array(X, Y):
    names = (f"x{j}" for j in range(X.shape[1])), (f"y{j}" for j in range(Y.shape[1]))
    return MultiLabelData(X, np.asarray(Y, dtype=np.int8), *map(tuple, names))


def noise(rng, d=6, t=3, rate=0.3):
    return rng.normal(size=(N, d)), (rng.random((N, t)) < rate).astype(np.int8)


def of(check, data, preparation=None):
    """The only doubt of a check, or None."""
    if data.frame is not None and preparation is None:
        preparation = TablePreparation().fit(data.frame)
    found = list(check(gather(data, preparation)))
    assert len(found) <= 1
    return found[0] if found else None


def table(columns, Y):
    return as_data(pd.DataFrame(columns), Y)
