# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest

from labelsift.datasets import load_dataset
from labelsift.experiment.all_rows import AllRows
from labelsift.prepare.units import Units
from labelsift.selection import GreedyRLS
from labelsift.solvers.ridge.leave_one_out import leave_one_out_gains


@pytest.fixture(scope="module")
def rows():
    return AllRows(load_dataset("traits"), None)


def standardised(data):
    spread = data.X.std(axis=0)
    return (data.X - data.X.mean(axis=0)) / np.where(spread == 0, 1.0, spread)


def test_a_selection_is_that_of_the_class_on_scaled_columns(rows):
    X = standardised(rows.data)
    expected = GreedyRLS(5).fit(X, rows.data.Y).feature_order_
    found = rows.select(rows.method("greedy-rls", {}), 5)
    assert found.features == expected.tolist()
    np.testing.assert_allclose(
        found.gains, leave_one_out_gains(X[:, expected], rows.data.Y)
    )


def test_parameters_reach_the_method(rows):
    method = rows.method("greedy-rls", {"alpha": 7.0})
    assert method.estimator.alpha == 7.0
    with pytest.raises(ValueError, match="fisher has no parameter 'alpha'"):
        rows.method("fisher", {"alpha": 1})


def test_auto_has_the_largest_sum_of_gains(rows):
    method = rows.method("fisher", {})
    whole = rows.select(method, 64)
    found = rows.select(method, "auto")
    assert len(found.features) == int(np.argmax(np.cumsum(whole.gains))) + 1
    assert found.features == whole.features[: len(found.features)]


def test_auto_divides_no_group(rows):
    units = Units(tuple(i // 4 for i in range(64)))
    found = rows.select(rows.method("fisher", {}), "auto", units=units)
    owners = [units.owner[i] for i in found.features]
    assert all(owners.count(owner) == 4 for owner in set(owners))


def test_the_read_out_predicts(rows):
    found = rows.select(rows.method("fisher", {}), 3)
    readout = rows.readout(found.features)
    assert np.shape(readout["coef"]) == (6, 3)
    assert len(readout["thresholds"]) == 6
    names = [column["name"] for column in readout["preparation"]["columns"]]
    assert names == [rows.data.feature_names[i] for i in sorted(found.features)]


def test_limits(rows):
    method = rows.method("fisher", {})
    with pytest.raises(ValueError, match="max_cost=3 needs costs"):
        rows.select(method, 5, 3.0)
    units = Units(tuple(i // 2 for i in range(64)), (2.0,) * 32)
    with pytest.raises(ValueError, match="-k=1 features are fewer than the smallest"):
        rows.select(method, 1, 8.0, units)
    with pytest.raises(ValueError, match="max_cost=1 is below the cheapest"):
        rows.select(method, 4, 1.0, units)
