# SPDX-License-Identifier: BSD-3-Clause
"""GreedyRLS on dask collections: as on the rows in one memory."""

import numpy as np
import pytest

from labelsift.selection import GreedyRLS

da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")
pd = pytest.importorskip("pandas")
dask = pytest.importorskip("dask")


pytestmark = pytest.mark.usefixtures("dask_in_this_thread")


@pytest.fixture
def data(rng):
    X = rng.normal(size=(150, 12)) + 5
    Y = ((X[:, :4] - 5) @ rng.normal(size=(4, 3)) > 0.5).astype(int)
    return X, np.column_stack([Y, np.zeros(150, int)])  # one label has one value


def cut(*arrays, rows=(70, 0, 1, 79)):
    return [da.from_array(part, (rows, *part.shape[1:])) for part in arrays]


def assert_same(there, here):
    np.testing.assert_array_equal(there.feature_order_, here.feature_order_)
    error = "loo_error_" if here.criterion == "loo" else "gcv_error_"
    np.testing.assert_allclose(getattr(there, error), getattr(here, error), rtol=1e-9)
    np.testing.assert_allclose(there.coef_, here.coef_, atol=1e-9)
    np.testing.assert_allclose(there.intercept_, here.intercept_, atol=1e-8)
    np.testing.assert_allclose(there.label_error_, here.label_error_, rtol=1e-8)


OPTIONS = [
    {},
    {"alpha": 2.0, "bias": 0.0},
    {"label_weight": None},
    {"criterion": "gcv"},
    {"criterion": "gcv", "objective": "fair"},
    {"costs": np.arange(1.0, 13.0), "max_cost": 20.0},
]


@pytest.mark.filterwarnings("ignore:1 of 4 labels hold one value")
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_equals_fit(data, options):
    here = GreedyRLS(5, **options).fit(*data)
    there = GreedyRLS(5, **options).fit(*cut(*data))
    assert_same(there, here)
    assert_same(there.with_budget(2), here.with_budget(2))
    loo = here.criterion == "loo"
    assert (there.solver_, there.n_passes_) == (("blocks", 2) if loo else ("gram", 1))
    assert not hasattr(there, "_blocks") or there._blocks is None


@pytest.mark.filterwarnings("ignore:1 of 4 labels hold one value")
@pytest.mark.parametrize("coding", [lambda Y: 2 * Y - 1, lambda Y: Y == 1])
def test_codings(data, coding):
    X, Y = data[0], coding(data[1])
    there = GreedyRLS(4).fit(*cut(X, Y))
    here = GreedyRLS(4).fit(X, Y)
    assert_same(there, here)
    np.testing.assert_array_equal(there.predict(X), here.predict(X))


@pytest.mark.filterwarnings("ignore:1 of 4 labels hold one value")
@pytest.mark.parametrize("criterion", ["loo", "gcv"])
def test_weights(data, rng, criterion):
    weights = rng.choice([0.0, 0.5, 1.0, 3.0], size=150)
    *parts, w = cut(*data, weights)
    here = GreedyRLS(4, criterion=criterion).fit(*data, sample_weight=weights)
    there = GreedyRLS(4, criterion=criterion).fit(*parts, sample_weight=w)
    assert_same(there, here)


def test_values(data, rng):
    X = data[0]
    Y = X[:, :3] @ rng.normal(size=(3, 2)) + rng.normal(size=(150, 2))
    assert_same(GreedyRLS(4).fit(*cut(X, Y)), GreedyRLS(4).fit(X, Y))


@pytest.mark.filterwarnings("ignore:1 of 4 labels hold one value")
def test_frames_and_unknown_numbers_of_rows(data):
    X, Y = data
    features, labels = [f"x{i}" for i in range(12)], [f"y{i}" for i in range(4)]
    frame = pd.DataFrame(X, columns=features).join(pd.DataFrame(Y, columns=labels))
    parts = dd.from_pandas(frame, npartitions=4)
    parts = parts[parts["x0"] > 4]  # as many rows as there are
    there = GreedyRLS(4).fit(parts[features], parts[labels])
    kept = frame[frame["x0"] > 4]
    here = GreedyRLS(4).fit(kept[features], kept[labels])
    assert_same(there, here)
    assert list(there.feature_names_in_) == features
    assert list(there.label_names_in_) == labels
    arrays = parts[features].to_dask_array(), parts[labels].to_dask_array()
    assert np.isnan(arrays[0].shape[0])
    np.testing.assert_array_equal(
        GreedyRLS(4).fit(*arrays).feature_order_, here.feature_order_
    )


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"alpha": "loo"}, 'alpha="loo" is not possible with dask collections: pass'),
        ({"screen": 5}, 'pass criterion="gcv" or screen=None'),
        ({"groups": [[i] for i in range(12)]}, "groups is not possible with dask"),
        ({"solver": "dense"}, 'solver="dense" is not possible with dask collections'),
        ({"calibration": "sigmoid"}, "calibration='sigmoid' needs rows"),
    ],
)
def test_what_blocks_cannot_do(options, sentence):
    def read():
        raise AssertionError("blocks were read before the options")

    X = da.from_delayed(dask.delayed(read)(), (150, 12), float)
    with pytest.raises(ValueError, match=sentence):
        GreedyRLS(4, **options).fit(X, X)


def test_classes_need_columns(data):
    with pytest.raises(ValueError, match="pass one column of 0/1 per class"):
        GreedyRLS(4).fit(*cut(data[0], data[1][:, 0]))


def test_a_label_that_is_not_known(data):
    Y = data[1][:, :3].astype(float)
    Y[80, 1] = np.nan
    with pytest.raises(ValueError, match=r"Block 3 \(79 rows\).*NaN"):
        GreedyRLS(4).fit(*cut(data[0], Y))
