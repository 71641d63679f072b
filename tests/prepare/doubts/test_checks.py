# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from labelsift.compare.request import as_data
from labelsift.core.data import MultiLabelData
from labelsift.prepare import TablePreparation
from labelsift.prepare.doubts import checks, doubts
from labelsift.prepare.doubts.evidence import gather
from reference.doubts import (
    auc,
    gap_z,
    precision_and_recall,
    spread_ratio,
)

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


@pytest.mark.parametrize("seed", range(5))
def test_noise_gives_no_doubts(seed):
    rng = np.random.default_rng(seed)
    assert doubts(array(*noise(rng))) == ()


def test_a_copy_of_a_label_is_a_leak_with_its_remedy(rng):
    X, Y = noise(rng)
    X[:, 4] = 5.0 - 2.0 * Y[:, 1] + 0.1 * rng.normal(size=N)
    doubt = of(checks.leaks, array(X, Y))
    assert (doubt.code, doubt.columns, doubt.labels) == ("leak", ("x4",), ("y1",))
    assert doubt.number == pytest.approx(1 - auc(X[:, 4], Y[:, 1]))
    assert doubt.remedy == "--drop x4"
    assert doubt.sentence == (
        "'x4' alone tells y1 (AUC 1.000). If it is known only after the label, the "
        "answer is worthless: run again with --drop x4."
    )


def test_several_leaks_stand_in_one_sentence(rng):
    X, Y = noise(rng)
    X[:, 4], X[:, 2] = Y[:, 1], Y[:, 0] + 0.25 * rng.normal(size=N)
    doubt = of(checks.leaks, array(X, Y))
    assert doubt.columns == ("x4", "x2")
    assert doubt.labels == ("y1", "y0")
    assert "; 'x2' tells a label alone too. If they are" in doubt.sentence
    assert doubt.remedy == "--drop x4,x2"
    X[:, [0, 1, 3, 5]] = Y[:, [1]]
    doubt = of(checks.leaks, array(X, Y))
    assert "'x1', 'x3', 'x4', 'x5' and 'x2' tell a label alone too." in doubt.sentence
    assert doubt.sentence.endswith("worthless: run again without them.")


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_a_proxy_below_the_threshold_is_none(rng, form):
    X, Y = noise(rng)
    X[:, 0] = Y[:, 0] + 0.6 * rng.normal(size=N)
    assert 0.8 < auc(X[:, 0], Y[:, 0]) < checks.LEAK_AUC
    assert of(checks.leaks, array(form(X), Y)) is None


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_codes_that_tell_a_label_need_no_order(rng, form):
    X, Y = noise(rng)
    X[:, 3] = np.where(Y[:, 2], rng.choice([2, 7], N), rng.choice([0, 3, 9], N))
    assert 0.1 < auc(X[:, 3], Y[:, 2]) < 0.9
    doubt = of(checks.leaks, array(form(X), Y))
    assert doubt.columns == ("x3",)
    assert "(precision 1.00, recall 1.00)" in doubt.sentence
    precision, recall = precision_and_recall(X[:, 3], Y[:, 2])
    assert doubt.number == min(precision, recall) == 1.0


@pytest.mark.parametrize("flips", [0, 4, 12, 40])
def test_categories_leak_from_95_percent_on(rng, flips):
    Y = (rng.random((N, 1)) < 0.4).astype(np.int8)
    told = Y[:, 0] ^ (np.arange(N) < flips)
    column = np.where(told, rng.choice(["a", "b"], N), rng.choice(["c", "d"], N))
    shares = precision_and_recall(column, Y[:, 0])
    doubt = of(checks.leaks, table({"c": column, "x": rng.normal(size=N)}, Y))
    assert (doubt is not None) == (min(shares) >= checks.LEAK_SHARE)
    assert doubt is None or doubt.number == pytest.approx(min(shares))


@pytest.mark.parametrize("rate", [0.02, 0.98])
def test_rare_and_frequent_labels_alarm_neither_by_luck_nor_by_most_rows(rng, rate):
    few = rng.integers(0, 3, size=(N, 8)).astype(float)
    Y = np.full((N, 2), int(rate > 0.5), dtype=np.int8)
    Y[:8] = 1 - Y[0, 0]  # of 8 rows anything can be told
    few[:8, 0] = 7.0
    assert of(checks.leaks, array(few, Y)) is None
    Y[:12] = Y[0, 0]
    few[:12, 0] = 7.0
    assert of(checks.leaks, array(few, Y)).columns == ("x0",)


def test_a_gap_may_be_the_value_that_tells(rng):
    Y = (rng.random((N, 1)) < 0.4).astype(np.int8)
    column = np.where(Y[:, 0], None, rng.choice(["c", "d", "e"], N))
    doubt = of(checks.leaks, table({"c": column, "x": rng.normal(size=N)}, Y))
    assert doubt.columns == ("c",)


@given(st.data())
@settings(max_examples=50, deadline=None)
def test_the_ratio_of_outliers_is_that_of_the_definition(data):
    cells = st.sampled_from([0.0, 1.0, -2.5, 3.25, 40.0, -9999.0, 1e6])
    values = np.array(data.draw(st.lists(cells, min_size=2, max_size=60)))
    found = checks.spread_ratio(np.sort(values))
    expected = spread_ratio(values)
    assert_allclose(found, expected, rtol=1e-9)


def test_outliers_name_the_code_that_comes_often(rng):
    X, Y = noise(rng)
    X[::50, 1] = -9999.0
    X[7, 4] = 1e7
    data = table({f"x{j}": X[:, j] for j in range(6)}, Y)
    doubt = of(checks.outliers, data)
    assert doubt.columns == ("x1", "x4")
    assert doubt.remedy == "--missing -9999"
    assert doubt.sentence == (
        "2 columns hold values so far out that they hide the rest ('x1' and 'x4'); "
        "they were clipped at 5 robust scales. Look for error codes such as -9999."
    )
    assert of(checks.outliers, data, TablePreparation(missing=["-9999", "1e7"])
              .fit(data.frame)) is None  # fmt: skip
    unclipped = TablePreparation(clip=None).fit(data.frame)
    assert "they were not clipped" in of(checks.outliers, data, unclipped).sentence


def test_outliers_of_an_array_are_not_clipped_and_cannot_be_called_missing(rng):
    X, Y = noise(rng)
    X[::50, 1] = -9999.0
    doubt = of(checks.outliers, array(X, Y))
    assert doubt.sentence.startswith("'x1' holds values so far out that they hide the ")
    assert "it was not clipped" in doubt.sentence
    assert doubt.remedy == ""


def test_counts_of_text_are_no_outliers(rng):
    X = rng.poisson(0.2, size=(N, 3)).astype(float)
    X[5, 0] = 1000.0  # most are 0
    Y = noise(rng)[1]
    for form in (np.asarray, sp.csr_array):
        assert of(checks.outliers, array(form(X), Y)) is None


def test_sparse_outliers_are_those_of_dense_columns(rng):
    X, Y = noise(rng)
    X[:, 2] *= rng.random(N) < 0.8
    X[3, 2] = 1e5
    found = [
        of(checks.outliers, array(form(X), Y)) for form in (np.array, sp.csr_array)
    ]
    assert found[0] == found[1]
    assert found[0].columns == ("x2",)


@pytest.mark.parametrize("name", ["row", "Patienten-Nr."])
def test_ids_are_left_out_and_can_be_kept(rng, name):
    X, Y = noise(rng)
    data = table({name: np.arange(N) + 500, "x": X[:, 0]}, Y)
    doubt = of(checks.ids, data)
    option = "row=number" if name == "row" else "'Patienten-Nr.=number'"
    assert doubt.sentence == (
        f"'{name}' counts the rows and was left out; --kind {option} keeps it."
    )
    assert doubt.remedy == f"--kind {option}"
    kept = TablePreparation(kinds={name: "number"}).fit(data.frame)
    assert of(checks.ids, data, kept) is None


def test_ids_of_an_array_are_named(rng):
    X, Y = noise(rng)
    X[:, 2] = rng.permutation(N)
    doubt = of(checks.ids, array(X, Y))
    assert doubt.sentence == "'x2' counts the rows: leave it out."
    assert doubt.remedy == "--drop x2"


def test_duplicates_are_groups_by_ranks_whatever_the_outliers(rng):
    X, Y = noise(rng, d=9)
    X[:, 3], X[:, 5] = np.exp(X[:, 0]), -X[:, 0]
    X[:, 8] = X[:, 1] + 1e-3 * rng.normal(size=N)
    X[17, 8] = 1e9
    doubt = of(checks.duplicates, array(X, Y))
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
    assert of(checks.duplicates, table(columns, noise(rng)[1])).columns == (
        "vip",
        "code",
    )


def test_constants(rng):
    X, Y = noise(rng)
    X[:, 1] = 3.0
    assert of(checks.constants, array(X, Y)).sentence == "'x1' holds one value."
    columns = {"a": 1.0, "b": "same", "x": X[:, 0]}
    doubt = of(checks.constants, table(columns, Y))
    assert doubt.sentence == (
        "2 columns hold one value and were left out ('a' and 'b')."
    )


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
    doubt = of(checks.rare_labels, array(X, Y))
    assert (doubt and doubt.sentence) == sentence


def test_many_rare_labels_are_counted_and_the_rarest_named_first(rng):
    X, Y = noise(rng, t=8, rate=0.0)
    for j in range(8):
        Y[: 3 + 3 * j, j] = 1
    doubt = of(checks.rare_labels, table({"x": X[:, 0]}, Y))
    assert doubt.labels == tuple(f"label{j}" for j in range(8))
    assert doubt.number == 3
    assert doubt.sentence.startswith(
        "8 labels have fewer than 30 positive or negative rows ("
    )
    assert "and 3 more): their AUCs" in doubt.sentence
    assert doubt.sentence.endswith("that of the rarest (3 positive rows) to +-0.32.")


def test_rows_in_an_order(rng):
    X, Y = noise(rng)
    X[:, 2] += np.linspace(0, 2, N)
    Y[:, 1] = rng.random(N) < np.linspace(0.1, 0.6, N)
    doubt = of(checks.row_order, array(X, Y))
    assert (doubt.columns, doubt.labels) == (("x2",), ("y1",))
    late = np.arange(N) >= N // 2
    assert doubt.number == pytest.approx(auc(X[:, 2], late))
    assert doubt.remedy == "--cv blocks"
    assert "('x2' and 'y1' drift)" in doubt.sentence


def test_a_small_drift_of_many_rows_is_none():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 2)) + np.linspace(0, 0.3, 20_000)[:, np.newaxis]
    Y = (rng.random((20_000, 1)) < 0.3).astype(np.int8)
    assert of(checks.row_order, array(X, Y)) is None  # AUC off by less than .1


def test_gaps_that_tell_a_label(rng):
    X, Y = noise(rng)
    gone = rng.random(N) < np.where(Y[:, 1], 0.6, 0.05)
    X[gone, 3] = np.nan
    X[rng.random(N) < 0.2, 0] = np.nan
    doubt = of(checks.telling_gaps, array(X, Y))
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
    assert of(checks.telling_gaps, table(columns, Y)) is None
    columns["plan"][Y[:, 0] == 1] = None
    doubt = of(checks.telling_gaps, table(columns, Y))
    assert doubt.columns == ("plan",)


@given(st.integers(0, 10**6), st.sampled_from([np.asarray, sp.csr_array]))
@settings(max_examples=40, deadline=None)
def test_any_numbers_whatsoever_give_sentences(seed, form):
    rng = np.random.default_rng(seed)
    n, d, t = rng.integers(1, 40), rng.integers(1, 6), rng.integers(1, 4)
    pool = np.array([0.0, 1.0, -1.0, 1e308, -1e308, 5e-324, 1e-300, 2.0**53, 0.5])
    X = rng.choice(pool[: rng.integers(1, 10)], size=(n, d))
    Y = rng.integers(0, 2, size=(n, t))
    for doubt in doubts(array(form(X), Y)):
        assert doubt.sentence.endswith(".") or doubt.sentence.endswith("?")


def test_every_doubt_of_a_wrong_table_at_once_leaks_first():
    rng = np.random.default_rng(3)
    Y = (rng.random((N, 2)) < [0.3, 0.05]).astype(np.int8)
    size = rng.normal(size=N)
    frame = pd.DataFrame(
        {
            "code": 3 * Y[:, 0],
            "far": np.where(np.arange(N) % 40, size, 1e6),
            "row": np.arange(N),
            "a": size,
            "b": 2 * size,
            "same": 1,
            "late": np.linspace(0, 1, N) + rng.normal(size=N) * 0.1,
            "gap": np.where(Y[:, 1], np.nan, rng.normal(size=N)),
        }
    )
    codes = [doubt.code for doubt in doubts(as_data(frame, Y))]
    assert codes == [
        "leak", "outliers", "id", "duplicates", "constant", "rare-label", "row-order",
        "gaps",
    ]  # fmt: skip


def test_a_frame_is_not_changed(rng):
    X, Y = noise(rng)
    frame = pd.DataFrame(X)
    frame.iloc[::7, 2] = None
    before = frame.copy()
    doubts(as_data(frame, Y))
    pd.testing.assert_frame_equal(frame, before)


@pytest.mark.parametrize("name", ["emotions", "scene", "yeast", "flags", "CAL500"])
def test_real_sets_have_neither_leaks_nor_outliers_nor_ids_nor_duplicates(real, name):
    codes = {doubt.code for doubt in doubts(real(name))}
    assert not codes & {"leak", "outliers", "id", "duplicates", "gaps"}
