# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
from sklearn.linear_model import Ridge

from labelsift.solvers.ridge.leave_one_out import leave_one_out_gains


def test_gains_are_leave_one_out_errors_of_ridge(rng):
    X, Y = rng.normal(size=(12, 3)), rng.integers(0, 2, (12, 2))
    codes = 2.0 * Y - 1

    def error(columns):
        design = np.hstack([np.ones((12, 1)), X[:, :columns]])
        total = 0.0
        for row in range(12):
            rest = np.delete(np.arange(12), row)
            ridge = Ridge(1.0, fit_intercept=False).fit(design[rest], codes[rest])
            total += ((ridge.predict(design[[row]]) - codes[row]) ** 2).sum()
        return total

    errors = [error(k) for k in range(4)]
    wanted = -np.diff(errors) / errors[0]
    assert np.allclose(leave_one_out_gains(X, Y), wanted)
