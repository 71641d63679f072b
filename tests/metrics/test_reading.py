# SPDX-License-Identifier: BSD-3-Clause
import tracemalloc

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from labelsift.metrics import MEASURES

ALL = pytest.mark.parametrize("measure", MEASURES.values(), ids=lambda m: m.name)
OF_SCORES = [measure for measure in MEASURES.values() if measure.needs == "scores"]

Y = np.array([[1, 0, 1], [0, 1, 0], [1, 0, 0], [0, 0, 1]])
SCORES = np.array([[0.5, -1, 2], [3, 0.1, -0.2], [0.4, 0.5, -2], [-1, 0.3, 0.2]])


def _given(measure, scores):
    return scores if measure.needs == "scores" else scores > 0


@ALL
@pytest.mark.parametrize(
    "form",
    [
        np.ndarray.tolist,
        lambda Y: Y.astype(bool),
        lambda Y: 2 * Y - 1,
        lambda Y: Y.astype(np.float32),
        pd.DataFrame,
        sp.csr_array,
        sp.csc_matrix,
        sp.coo_array,
        sp.lil_array,
        lambda Y: sp.csr_array(2 * Y - 1),
    ],
)
def test_every_form_of_labels_gives_the_same(measure, form):
    expected = measure.function(Y, _given(measure, SCORES))
    assert measure.function(form(Y), _given(measure, SCORES)) == expected
    if measure.needs == "labels":
        assert measure.function(Y, form((SCORES > 0).astype(int))) == expected


@ALL
@pytest.mark.parametrize(
    ("Y_true", "sentence"),
    [
        (Y[:, 0], r"Y_true must have shape \(n_samples, n_labels\)"),
        (np.empty((0, 3)), "at least one sample"),
        (Y + 1, "Y_true must hold only 0/1, bool or -1/.1 .* got 1, 2"),
        (Y * 0.5, "got 0, 0.5"),
        (np.full(Y.shape, np.nan), "Y_true has no known label"),
        (sp.csr_array(np.where(Y, np.nan, 0)), "Y_true contains NaN"),
        (Y.astype(str), "Y_true must hold numbers"),
        (Y[:3], r"Y_true has shape \(3, 3\) and .* has shape \(4, 3\)"),
        (Y[:, :2], r"Y_true has shape \(4, 2\) and .* has shape \(4, 3\)"),
    ],
)
def test_bad_true_labels(measure, Y_true, sentence):
    with pytest.raises(ValueError, match=sentence):
        measure.function(Y_true, _given(measure, SCORES))


@pytest.mark.parametrize("measure", OF_SCORES, ids=lambda m: m.name)
@pytest.mark.parametrize(
    ("scores", "sentence"),
    [
        (np.where(Y, np.nan, 0.5), "contains NaN, first at row 0, label 0"),
        (SCORES[:, 0], r"scores has shape \(4,\): both must be"),
        ([SCORES, SCORES], r"scores has shape \(2, 4, 3\)"),
        (SCORES.astype(str), "scores must hold real numbers"),
        (SCORES + 1j, "scores must hold real numbers"),
        (sp.csr_array(SCORES), r"scores must be dense.*scores.toarray\(\)"),
    ],
)
def test_bad_scores(measure, scores, sentence):
    with pytest.raises(ValueError, match=sentence):
        measure.function(Y, scores)


@pytest.mark.parametrize(
    ("Y_pred", "sentence"),
    [
        (SCORES, "Y_pred must hold only 0/1"),
        (Y[:3], r"Y_pred has shape \(3, 3\)"),
        (Y[:, 0], r"Y_pred must have shape \(n_samples, n_labels\)"),
    ],
)
def test_bad_predictions(Y_pred, sentence):
    for measure in MEASURES.values():
        if measure.needs == "labels":
            with pytest.raises(ValueError, match=sentence):
                measure.function(Y, Y_pred)


@ALL
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_no_second_copy_of_the_scores(measure, form, rng):
    if measure.name == "micro_average_precision":
        pytest.skip("it sorts all scores at once, and says so")
    scores = rng.normal(size=(20_000, 50))
    Y_true = form((rng.random(scores.shape) < 0.1).astype(float))
    second = _given(measure, scores)
    measure.function(Y_true, second)
    tracemalloc.start()
    measure.function(Y_true, second)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 0.75 * scores.nbytes
