# SPDX-License-Identifier: BSD-3-Clause
"""No estimator gathers a dask collection: it is refused, or answered lazily."""

import pickle

import numpy as np
import pytest
import scipy.sparse as sp

from contract.cases import OUTPUTS, assert_same, everything, make, results, samples
from contract.discovery import each, estimators
from labelsift.classification import LabelScorer, MLkNN
from labelsift.core.validation import FROM_BLOCKS
from labelsift.model_selection import (
    PathSearchCV,
    StabilitySelection,
    ThresholdedClassifier,
)
from labelsift.selection import FisherScore, GreedyRLS
from labelsift.subspace import MLLS

da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")
pd = pytest.importorskip("pandas")
dask = pytest.importorskip("dask")


def never(shape, dtype=float):
    """A dask array that must not be computed."""

    def compute():
        raise AssertionError("the collection was gathered")

    return da.from_delayed(dask.delayed(compute)(), shape, dtype)


FROM_SUMS = [cls for cls in estimators() if hasattr(cls, "fit_sums")]
FROM_COUNTS = [cls for cls in estimators() if hasattr(cls, "fit_counts")]
REFUSED = r"is a dask Array.*\.compute\(\) if they"


@each([cls for cls in estimators() if cls not in FROM_SUMS + FROM_COUNTS])
def test_fit_never_gathers(cls):
    X, Y = samples(cls)
    for there in [(never(X.shape), Y), (X, never(Y.shape, int))]:
        with pytest.raises(TypeError, match=REFUSED):
            cls().fit(*there)


@each(FROM_SUMS)
def test_fit_on_blocks_equals_fit(cls):
    X, Y = samples(cls)
    here = make(cls).fit(X, Y)
    rows = (20, 0, 39, 1)
    dX, dY = da.from_array(X, (rows, 11)), da.from_array(Y, (rows, 2))
    with dask.config.set(scheduler="sync"):
        there = make(cls).fit(dX, dY)
    assert_same(results(there, X), results(here, X), 1e-8)
    assert b"dask" not in pickle.dumps(there)
    assert there.n_samples_seen_ == 60


@each(FROM_COUNTS)
@pytest.mark.parametrize("how", ["width", "presence"])
@pytest.mark.parametrize("form", ["array", "sparse", "frame"])
def test_fit_on_counted_blocks_equals_fit_bit_for_bit(cls, how, form):
    X, Y = samples(cls)
    given, labels = pd.DataFrame(X).add_prefix("x"), pd.DataFrame(Y).add_prefix("y")
    if form == "frame":
        dX, dY = dd.from_pandas(given, npartitions=5), dd.from_pandas(labels, 5)
    else:
        given, labels, rows = X, Y, (20, 0, 19, 1, 5, 15)
        dX, dY = da.from_array(X, (rows, 11)), da.from_array(Y, (rows, 2))
    if form == "sparse":
        dX = dX.rechunk({1: -1}).map_blocks(sp.csr_array)
    here = make(cls, discretize=how).fit(given, labels)
    with dask.config.set(scheduler="sync"):
        there = make(cls, discretize=how).fit(dX, dY)
    expected = everything(here, given)
    assert_same(everything(there, given), expected | {"n_samples_seen_": 60}, 0)
    assert list(getattr(there, "feature_names_in_", ())) == list(
        getattr(here, "feature_names_in_", ())
    )
    assert b"dask" not in pickle.dumps(there)


@each(FROM_COUNTS)
def test_what_cannot_be_counted_is_refused(cls):
    X, Y = samples(cls)
    there = never(X.shape), never(Y.shape, int)
    for asked in ("quantile", None):
        with pytest.raises(ValueError, match=f"discretize={asked!r} needs all values"):
            cls(discretize=asked).fit(*there)
    with pytest.raises(ValueError, match="one column of 0/1 per class"):
        cls().fit(there[0], never((60,), int))


@each([cls for cls in FROM_COUNTS if hasattr(cls(), "target")])
def test_weights_and_values_are_not_counted(cls):
    there = never((60, 20)), never((60, 4), int)
    with pytest.raises(ValueError, match='target="values" needs all values of y'):
        cls(target="values").fit(*there)
    with pytest.raises(ValueError, match="pass sample_weight=None, or repeat rows"):
        cls().fit(*there, sample_weight=never((60,)))


@each(FROM_SUMS + FROM_COUNTS)
def test_both_or_none_are_collections(cls):
    X, Y = samples(cls)
    with pytest.raises(TypeError, match="pass y as a dask collection in blocks"):
        cls().fit(never(X.shape), Y)
    with pytest.raises(TypeError, match=REFUSED):
        cls().fit(X, never(Y.shape, int))


def test_the_sentence_names_who_takes_blocks():
    names = sorted(
        {cls.__name__ for cls in FROM_SUMS + FROM_COUNTS} - {"MultiTargetRidge"}
    )
    assert f"{', '.join(names[:-1])} or {names[-1]}" == FROM_BLOCKS


# One of each base class, and each class with methods of its own.
LAZY = [FisherScore, GreedyRLS, MLLS, MLkNN, LabelScorer, StabilitySelection]
LAZY += [ThresholdedClassifier, PathSearchCV]


@each(LAZY)
def test_outputs_are_lazy(cls):
    X, Y = samples(cls)
    asked = {"calibration": "sigmoid"} if cls is GreedyRLS else {}
    model = make(cls, **asked).fit(X, Y)
    for name in filter(lambda name: hasattr(model, name), (*OUTPUTS, "predict_proba")):
        here = np.asarray(getattr(model, name)(X))
        lazy = getattr(model, name)(never(X.shape))
        assert (lazy.shape, lazy.dtype) == (here.shape, here.dtype)
        blocks = getattr(model, name)(da.from_array(X, chunks=((20, 0, 39, 1), 11)))
        assert blocks.chunks[0] == (20, 0, 39, 1)
        there = blocks.compute(scheduler="sync")
        np.testing.assert_allclose(there, here, rtol=1e-9, atol=1e-12)


@each([FisherScore, MLLS])
def test_frames_are_transformed_to_frames(cls):
    X, Y = samples(cls)
    names = [f"x{i}" for i in range(X.shape[1])]
    frame = pd.DataFrame(X, columns=names)
    model = make(cls).fit(frame, Y)
    parts = dd.from_pandas(frame, npartitions=3)
    lazy = model.transform(parts)
    there = lazy.compute(scheduler="sync")
    np.testing.assert_allclose(there, model.transform(frame), rtol=1e-9, atol=1e-12)
    assert list(lazy.columns) == list(there.columns)
    assert list(lazy.columns) == list(model.get_feature_names_out())
    with pytest.raises(ValueError, match="names"):
        model.transform(parts.rename(columns={"x0": "y"}))
    with pytest.raises(ValueError, match=r'set_output\(transform="default"\)'):
        model.set_output(transform="pandas").transform(parts)


def test_predictions_of_a_frame_are_an_array():
    X, Y = samples(GreedyRLS)
    frame = pd.DataFrame(X, columns=[f"x{i}" for i in range(X.shape[1])])
    model = GreedyRLS(3).fit(frame, Y)
    lazy = model.predict(dd.from_pandas(frame, npartitions=2))
    assert lazy.dtype == Y.dtype
    assert np.isnan(lazy.shape[0])
    np.testing.assert_array_equal(lazy.compute(scheduler="sync"), model.predict(frame))


def test_bad_columns_and_kinds():
    X, Y = samples(FisherScore)
    model = FisherScore(3).fit(X, Y)
    with pytest.raises(ValueError, match="fitted to 20 features: pass the same"):
        model.transform(never((60, 19)))
    with pytest.raises(TypeError, match="pass a dask array or dataframe to transform"):
        model.transform(dask.delayed(X))
