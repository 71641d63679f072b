# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest

from labelsift.prepare.doubts.labels import rare_labels, telling_gaps
from prepare.doubts.cases import N, array, noise, of, table
from reference.doubts import gap_z


@pytest.mark.parametrize(
    ("count", "sentence"),
    [
        (20, "y0 has 20 positive rows: its AUC is known to about +-0.12 only."),
        (1, "y0 has 1 positive row: its AUC is known to about +-0.50 only."),
        (0, "y0 has no positive rows: its AUC is not defined."),
        (N - 20, "y0 has 20 negative rows: its AUC is known to about +-0.12 only."),
        (30, None),
        (N - 30, None),
    ],
)
def test_rare_labels(rng, count, sentence):
    X, Y = noise(rng)
    Y[:, 0] = np.arange(N) < count
    doubt = of(rare_labels, array(X, Y))
    assert (doubt and doubt.sentence) == sentence


def test_many_rare_labels_are_counted_and_the_rarest_named_first(rng):
    X, Y = noise(rng, t=8, rate=0.0)
    for j in range(8):
        Y[: 3 + 3 * j, j] = 1
    doubt = of(rare_labels, table({"x": X[:, 0]}, Y))
    assert doubt.labels == tuple(f"label{j}" for j in range(8))
    assert doubt.number == 3
    assert doubt.sentence.startswith(
        "8 labels have fewer than 30 positive or negative rows ("
    )
    assert "and 3 more): their AUCs" in doubt.sentence
    assert doubt.sentence.endswith("that of the rarest (3 positive rows) to +-0.32.")


def test_gaps_that_tell_a_label(rng):
    X, Y = noise(rng)
    gone = rng.random(N) < np.where(Y[:, 1], 0.6, 0.05)
    X[gone, 3] = np.nan
    X[rng.random(N) < 0.2, 0] = np.nan
    doubt = of(telling_gaps, array(X, Y))
    assert (doubt.columns, doubt.labels) == (("x3",), ("y1",))
    z = gap_z(gone, Y[:, 1])
    assert doubt.number == pytest.approx(z)
    assert doubt.sentence == (
        f"Where 'x3' is missing, y1 is more frequent (z = {z:.0f}): is it missing "
        "because of the label?"
    )
    assert doubt.remedy == "--drop x3"


def test_fewer_gaps_than_ten_and_categories_with_gaps(rng):
    Y = (rng.random((N, 1)) < 0.1).astype(np.int8)
    columns = {"plan": rng.choice(["a", "b", "c"], N).astype(object)}
    few = np.flatnonzero(Y[:, 0])[:9]
    columns["plan"][few] = None
    assert of(telling_gaps, table(columns, Y)) is None
    columns["plan"][Y[:, 0] == 1] = None
    doubt = of(telling_gaps, table(columns, Y))
    assert doubt.columns == ("plan",)


def test_few_rows_of_many_labels_are_judged_exactly():
    """sqrt(n) corr is far from normal where 3 of 500 rows have a label."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 40))
    X[rng.random(X.shape) < 0.05] = np.nan
    Y = np.zeros((500, 60), dtype=np.int8)
    for j in range(60):
        Y[rng.choice(500, 3, replace=False), j] = 1
    z = [gap_z(np.isnan(x), y) for x in X.T for y in Y.T]
    assert max(z) > 5.5  # beyond 1 % of 2400 pairs if z were normal
    assert of(telling_gaps, array(X, Y)) is None
    X[:, 7] = np.where(rng.random(500) < 0.05 + 0.9 * Y[:, 3], np.nan, 0.0)
    Y[:, 3] = np.arange(500) < 12
    X[:12, 7] = np.nan
    assert of(telling_gaps, array(X, Y)).columns == ("x7",)
