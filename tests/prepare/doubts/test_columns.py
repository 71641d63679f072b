# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from labelsift.prepare import TablePreparation
from labelsift.prepare.doubts import columns as module
from labelsift.prepare.doubts.columns import constants, duplicates, ids, outliers
from prepare.doubts.cases import N, array, noise, of, table
from reference.doubts import spread_ratio


@given(st.data())
@settings(max_examples=50, deadline=None)
def test_the_ratio_of_outliers_is_that_of_the_definition(data):
    cells = st.sampled_from([0.0, 1.0, -2.5, 3.25, 40.0, -9999.0, 1e6])
    values = np.array(data.draw(st.lists(cells, min_size=2, max_size=60)))
    found = module.spread_ratio(np.sort(values))
    expected = spread_ratio(values)
    assert_allclose(found, expected, rtol=1e-9)


def test_outliers_name_the_code_that_comes_often(rng):
    X, Y = noise(rng)
    X[::50, 1] = -9999.0
    X[7, 4] = 1e7
    data = table({f"x{j}": X[:, j] for j in range(6)}, Y)
    doubt = of(outliers, data)
    assert doubt.columns == ("x1", "x4")
    assert doubt.remedy == "--missing -9999"
    assert doubt.sentence == (
        "2 columns hold values so far out that they hide the rest ('x1' and 'x4'); "
        "they were clipped at 5 robust scales. Look for error codes such as -9999."
    )
    assert of(outliers, data, TablePreparation(missing=["-9999", "1e7"])
              .fit(data.frame)) is None  # fmt: skip
    unclipped = TablePreparation(clip=None).fit(data.frame)
    assert "they were not clipped" in of(outliers, data, unclipped).sentence


def test_outliers_of_an_array_are_not_clipped_and_cannot_be_called_missing(rng):
    X, Y = noise(rng)
    X[::50, 1] = -9999.0
    doubt = of(outliers, array(X, Y))
    assert doubt.sentence.startswith("'x1' holds values so far out that they hide the ")
    assert "it was not clipped" in doubt.sentence
    assert doubt.remedy == ""


def test_counts_of_text_are_no_outliers(rng):
    X = rng.poisson(0.2, size=(N, 3)).astype(float)
    X[5, 0] = 1000.0  # most are 0
    Y = noise(rng)[1]
    for form in (np.asarray, sp.csr_array):
        assert of(outliers, array(form(X), Y)) is None


def test_sparse_outliers_are_those_of_dense_columns(rng):
    X, Y = noise(rng)
    X[:, 2] *= rng.random(N) < 0.8
    X[3, 2] = 1e5
    found = [of(outliers, array(form(X), Y)) for form in (np.array, sp.csr_array)]
    assert found[0] == found[1]
    assert found[0].columns == ("x2",)


@pytest.mark.parametrize("name", ["row", "Patienten-Nr."])
def test_ids_are_left_out_and_can_be_kept(rng, name):
    X, Y = noise(rng)
    data = table({name: np.arange(N) + 500, "x": X[:, 0]}, Y)
    doubt = of(ids, data)
    option = "row=number" if name == "row" else "'Patienten-Nr.=number'"
    assert doubt.sentence == (
        f"'{name}' counts the rows and was left out; --kind {option} keeps it."
    )
    assert doubt.remedy == f"--kind {option}"
    kept = TablePreparation(kinds={name: "number"}).fit(data.frame)
    assert of(ids, data, kept) is None


def test_ids_of_an_array_are_named(rng):
    X, Y = noise(rng)
    X[:, 2] = rng.permutation(N)
    doubt = of(ids, array(X, Y))
    assert doubt.sentence == "'x2' counts the rows: leave it out."
    assert doubt.remedy == "--drop x2"


def test_duplicates_are_groups_by_ranks_whatever_the_outliers(rng):
    X, Y = noise(rng, d=9)
    X[:, 3], X[:, 5] = np.exp(X[:, 0]), -X[:, 0]
    X[:, 8] = X[:, 1] + 1e-3 * rng.normal(size=N)
    X[17, 8] = 1e9
    doubt = of(duplicates, array(X, Y))
    assert doubt.columns == ("x0", "x3", "x5", "x1", "x8")
    assert doubt.number == 2
    assert doubt.remedy == "--drop x3,x5,x8"
    assert doubt.sentence.startswith(
        "2 groups of columns say the same ('x0', 'x3' and 'x5'; 'x1' and 'x8'): one of "
    )


def test_categories_of_two_values_can_be_duplicates(rng):
    vip = rng.choice(["yes", "no"], N)
    columns = {
        "vip": vip,
        "code": np.where(vip == "yes", 7, 3),
        "x": rng.normal(size=N),
    }
    assert of(duplicates, table(columns, noise(rng)[1])).columns == (
        "vip",
        "code",
    )


def test_constants(rng):
    X, Y = noise(rng)
    X[:, 1] = 3.0
    assert of(constants, array(X, Y)).sentence == "'x1' holds one value."
    columns = {"a": 1.0, "b": "same", "x": X[:, 0]}
    doubt = of(constants, table(columns, Y))
    assert doubt.sentence == (
        "2 columns hold one value and were left out ('a' and 'b')."
    )
