# SPDX-License-Identifier: BSD-3-Clause
"""Frames in, frames out: names are kept, numbers are those of arrays."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from contract.cases import assert_same, make, results, samples
from contract.discovery import each, estimators, selectors
from core.quiet import fit

LIBRARIES = pytest.mark.parametrize("library", [pd, pl], ids=lambda it: it.__name__)
TRANSFORMERS = [cls for cls in estimators() if hasattr(cls(), "transform")]
FEATURES = [f"word {i}" for i in range(20)]
LABELS = [f"tag {i}" for i in range(4)]


def frames(library, X, Y):
    """X and Y as frames with names."""
    return (
        library.DataFrame(dict(zip(FEATURES, X.T, strict=True))),
        library.DataFrame(dict(zip(LABELS, Y.T.astype(int), strict=True))),
    )


@each(estimators())
@LIBRARIES
def test_names_are_kept_until_the_next_fit(cls, library):
    X, Y = samples(cls)
    model = fit(make(cls), *frames(library, X, Y))
    np.testing.assert_array_equal(model.feature_names_in_, FEATURES)
    np.testing.assert_array_equal(model.label_names_in_, LABELS)
    fit(model, X, Y)
    assert not hasattr(model, "feature_names_in_")
    assert not hasattr(model, "label_names_in_")


@each(estimators())
@LIBRARIES
def test_frames_give_the_numbers_of_arrays(cls, library):
    X, Y = samples(cls)
    frame, labels = frames(library, X, Y)
    expected = results(fit(make(cls), X, Y.astype(int)), X)
    # Frames lie column by column in memory: sums may end in other digits.
    assert_same(results(fit(make(cls), frame, labels), frame), expected, rtol=1e-9)


@each(TRANSFORMERS)
@LIBRARIES
def test_frames_come_out_where_they_are_asked_for(cls, library):
    X, Y = samples(cls)
    frame, labels = frames(library, X, Y)
    model = fit(make(cls).set_output(transform=library.__name__), frame, labels)
    output = model.transform(frame)
    assert isinstance(output, library.DataFrame)
    assert list(output.columns) == list(model.get_feature_names_out())
    plain = model.set_output(transform="default").transform(frame)
    np.testing.assert_array_equal(output.to_numpy(), plain)


@each(selectors())
def test_columns_keep_their_names(cls):
    frame, labels = frames(pd, *samples(cls))
    model = fit(make(cls, n_features_to_select=5), frame, labels)
    pd.testing.assert_frame_equal(
        model.set_output(transform="pandas").transform(frame),
        frame[[FEATURES[i] for i in sorted(model.feature_order_[:5])]],
    )
