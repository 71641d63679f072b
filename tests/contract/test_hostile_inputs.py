# SPDX-License-Identifier: BSD-3-Clause
"""Every public estimator on hostile X and Y: a right answer or one clear error."""

import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from contract.cases import make, results
from contract.discovery import each, estimators
from labelsift.core.base import BaseSelector
from labelsift.selection import RandomRanking

N, D, T = 24, 8, 3
# Enough for an answer, and quick.
QUICK = {"max_iter": 30, "n_features_to_select": 3, "n_pairs": 2}
MOST_WARNINGS = 12


def plain():
    rng = np.random.default_rng(0)
    X = rng.uniform(0.0, 2.0, size=(N, D))
    X[rng.uniform(size=X.shape) < 0.3] = 0.0
    return X, (X[:, :T] + 0.5 * rng.uniform(size=(N, T)) > 1).astype(int)


def _with(entry, value, dtype=float):
    def change(X):
        X = X.astype(dtype)
        X[entry] = value
        return X

    return change


def _ragged(X):
    return [list(row) for row in X[:-1]] + [[1.0]]


def _explicit_zeros(X):
    X = sp.csr_array(X)
    X.data[:5] = 0.0
    return X


def _twice(X):
    n, d = X.shape
    data, columns = np.repeat(X / 2, 2, axis=1).ravel(), np.repeat(np.arange(d), 2)
    starts = np.arange(n + 1) * 2 * d
    return sp.csr_array((data, np.tile(columns, n), starts), shape=X.shape)


def _long(X):
    X = sp.csr_array(X)
    X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    return X


def _read_only(X):
    X = X.copy()
    X.flags.writeable = False
    return X


def _sparse_with(value):
    def change(X):
        X = sp.csr_array(X)
        X.data[3] = value
        return X

    return change


HOSTILE_X = {
    "a NaN": _with((3, 2), np.nan),
    "infinity": _with((3, 2), np.inf),
    "minus infinity": _with((3, 2), -np.inf),
    "all NaN": lambda X: np.full_like(X, np.nan),
    "zeros": np.zeros_like,
    "ones": np.ones_like,
    "minus zero": lambda X: np.where(X == 0, -0.0, X),
    "a constant column": _with((slice(None), 2), 3.0),
    "a row of zeros": _with(4, 0.0),
    "one column that varies": lambda X: X * (np.arange(D) == 3),
    "equal columns": lambda X: np.repeat(X[:, :1], D, axis=1),
    "equal rows": lambda X: np.repeat(X[:1], N, axis=0),
    "dependent columns": lambda X: X[:, :1] * np.arange(1.0, D + 1),
    "far from zero": lambda X: X + 1e8,
    "very far from zero": lambda X: X + 1e12,
    "large": lambda X: X * 1e74,
    "too large": lambda X: X * 1e76,
    "far too large": lambda X: X * 1e300,
    "small": lambda X: X * 1e-74,
    "too small": lambda X: X * 1e-77,
    "denormal": lambda X: (X > 1) * 5e-324,
    "one large column": lambda X: X * np.where(np.arange(D) == 2, 1e200, 1.0),
    "one small column": lambda X: X * np.where(np.arange(D) == 2, 1e-200, 1.0),
    "columns of all scales": lambda X: X * np.logspace(-30, 30, D),
    "negative": lambda X: X - 1.0,
    "float16": lambda X: X.astype(np.float16),
    "float32": lambda X: X.astype(np.float32),
    "float32, large": lambda X: (X * 1e30).astype(np.float32),
    "float32, small": lambda X: (X * 1e-37).astype(np.float32),
    "long double": lambda X: X.astype(np.longdouble),
    "other byte order": lambda X: X.astype(">f8"),
    "int8": lambda X: (X * 50).astype(np.int8),
    "int64, large": lambda X: (X * 2.0**60).astype(np.int64),
    "uint64": lambda X: (X * 2.0**62).astype(np.uint64),
    "bool": lambda X: X > 0,
    "complex": lambda X: X + 1j,
    "objects": lambda X: X.astype(object),
    "an object that is None": _with((3, 2), None, object),
    "text of numbers": lambda X: X.astype(str),
    "text": lambda X: np.full(X.shape, "a"),
    "bytes": lambda X: X.astype("S5"),
    "dates": lambda X: (X * 1e9).astype("M8[s]"),
    "records": lambda X: X.view([("a", "f8")]),
    "lists": lambda X: X.tolist(),
    "ragged lists": _ragged,
    "a vector": lambda X: X[:, 0],
    "three dimensions": lambda X: X[:, :, np.newaxis],
    "a number": lambda X: 3.0,
    "nothing": lambda X: None,
    "a mapping": lambda X: {"a": 1},
    "no rows": lambda X: X[:0],
    "no columns": lambda X: X[:, :0],
    "one column": lambda X: X[:, :1],
    "by columns": np.asfortranarray,
    "every second column": lambda X: np.repeat(X, 2, axis=1)[:, ::2],
    "backwards": lambda X: X[::-1, ::-1],
    "read-only": _read_only,
    "masked": lambda X: np.ma.masked_array(X, mask=X > 1.9),
    "matrix": lambda X: np.matrix(X),
    "csr": sp.csr_array,
    "csc": sp.csc_array,
    "coo": sp.coo_array,
    "lil": sp.lil_array,
    "dok": sp.dok_array,
    "dia": sp.dia_array,
    "csr_matrix": sp.csr_matrix,
    "csr, stored zeros": _explicit_zeros,
    "csr, entries twice": _twice,
    "csr, 64-bit indices": _long,
    "csr, empty": lambda X: sp.csr_array(X.shape),
    "csr, bool": lambda X: sp.csr_array(X > 0),
    "csr, NaN": _sparse_with(np.nan),
    "csr, infinity": _sparse_with(np.inf),
    "csr, too large": _sparse_with(1e100),
    "DataFrame": pd.DataFrame,
    "DataFrame, equal names": lambda X: pd.DataFrame(X, columns=["a"] * D),
    "DataFrame, numbers and names": lambda X: pd.DataFrame(X, columns=[1, *"bcdefgh"]),
    "DataFrame, text": lambda X: pd.DataFrame(X).assign(b="a"),
    "DataFrame, categories": lambda X: pd.DataFrame(X > 1).astype("category"),
}
HOSTILE_Y = {
    "no positives": np.zeros_like,
    "all positive": np.ones_like,
    "one constant label": _with((slice(None), 1), 1, int),
    "one label": lambda Y: Y[:, :1],
    "equal labels": lambda Y: np.repeat(Y[:, :1], T, axis=1),
    "classes": lambda Y: Y.sum(axis=1),
    "two classes": lambda Y: Y[:, 0],
    "names of classes": lambda Y: np.array(["a", "b"])[Y[:, 0]],
    "one class": lambda Y: np.zeros(N, int),
    "a class for each row": lambda Y: np.arange(N),
    "a label for each row": lambda Y: np.eye(N, dtype=int),
    "signs": lambda Y: 2 * Y - 1,
    "signs and zeros": lambda Y: Y - (np.arange(N) % 2)[:, np.newaxis],
    "bool": lambda Y: Y.astype(bool),
    "halves": lambda Y: Y / 2,
    "a two": _with((3, 1), 2, int),
    "a NaN": _with((3, 1), np.nan),
    "a row of NaN": _with(3, np.nan),
    "all NaN": lambda Y: np.full(Y.shape, np.nan),
    "infinity": _with((3, 1), np.inf),
    "large numbers": lambda Y: Y * 2**62,
    "text": lambda Y: Y.astype(str),
    "objects": lambda Y: Y.astype(object),
    "dates": lambda Y: Y.astype("M8[s]"),
    "complex": lambda Y: Y + 1j,
    "too short": lambda Y: Y[:-1],
    "no columns": lambda Y: Y[:, :0],
    "no rows": lambda Y: Y[:0],
    "three dimensions": lambda Y: Y[:, :, np.newaxis],
    "nothing": lambda Y: None,
    "lists": lambda Y: Y.tolist(),
    "csr": sp.csr_array,
    "DataFrame": pd.DataFrame,
}


def test_there_are_many_hostile_inputs():
    assert len(HOSTILE_X) + len(HOSTILE_Y) >= 60


@each(estimators())
def test_hostile_inputs_have_a_right_answer_or_one_clear_error(cls):
    X, Y = plain()
    wrong = []
    for name, change in HOSTILE_X.items():
        wrong += [f"X, {name}: {fault}" for fault in faults(cls, change(X), Y)]
    for name, change in HOSTILE_Y.items():
        wrong += [f"Y, {name}: {fault}" for fault in faults(cls, X, change(Y))]
    assert not wrong, "\n".join(wrong)


def faults(cls, X, Y):
    """What is neither an answer nor a clear error, in words."""
    model = make(cls)
    own = model.get_params(deep=False)
    model.set_params(**{name: value for name, value in QUICK.items() if name in own})
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            model.fit(X, Y)
            answers = results(model, X)
        except (ValueError, TypeError) as error:
            return _unclear(error)
        except Exception as error:
            return [f"{type(error).__name__}: {error}"]
    return [*_noise(told), *_not_right(model, answers)]


def _unclear(error):
    sentence = str(error)
    if type(error).__name__ == "LinAlgError" or len(sentence) < 20:
        return [f"not clear: {type(error).__name__}: {sentence}"]
    return [f"{len(sentence)} characters"] if len(sentence) > 1500 else []


def _noise(told):
    numeric = {str(w.message) for w in told if issubclass(w.category, RuntimeWarning)}
    if numeric:
        return [f"warnings of numpy: {sorted(numeric)}"]
    return [f"{len(told)} warnings"] if len(told) > MOST_WARNINGS else []


def _not_right(model, answers):
    for name, value in answers.items():
        value = np.asarray(value)
        if value.dtype.kind == "f" and not np.isfinite(value).all():
            yield f"{name} is not finite"
    if isinstance(model, BaseSelector):
        order = model.feature_order_
        if len(set(order.tolist())) != len(order) or not model.support_.any():
            yield "no order of features"


def test_inputs_stay_as_they_were():
    X, Y = plain()
    before = X.copy(), Y.copy()
    for cls in estimators():
        list(faults(cls, X, Y))
    np.testing.assert_array_equal(X, before[0])
    np.testing.assert_array_equal(Y, before[1])


@pytest.mark.parametrize("kind", ["X", "Y"])
def test_the_judge_sees_faults(kind):
    """A judge that is always content would prove nothing."""

    class Broken(RandomRanking):
        def fit(self, X, y):
            raise KeyError("x") if kind == "X" else ValueError("no")

    assert faults(Broken, *plain())
