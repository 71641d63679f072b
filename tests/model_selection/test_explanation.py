# SPDX-License-Identifier: BSD-3-Clause
import sys

import numpy as np
import pytest

from labelsift.datasets import load_dataset
from labelsift.model_selection import explain
from labelsift.selection import GreedyRLS


@pytest.fixture(scope="module")
def traits():
    return load_dataset("traits")


@pytest.fixture(scope="module")
def why(traits):
    selector = GreedyRLS(10, alpha=1.0, label_weight=None).fit(traits.X, traits.Y)
    names = {"feature_names": traits.feature_names, "label_names": traits.label_names}
    return explain(selector, traits.X, traits.Y, **names)


def test_the_table_says_what_the_arrays_say(why, traits):
    frame = why.to_frame()
    assert list(frame.index) == [traits.feature_names[i] for i in why.features]
    pixel = frame.loc["pixel_5_4"]
    assert f"{pixel['removal_loss']:.1%}" == "13.5%"
    assert pixel["substitute"] == pixel["stands_for"] == "pixel_5_6"
    assert pixel["substitution_loss"] < 0
    assert pixel["serves"].startswith("power_of_two, straight_stroke, closed_loop")
    other = frame.loc["pixel_5_2"]
    assert other["substitute"] == "pixel_6_2"
    assert f"{other['removal_loss']:.1%}" == "9.5%"
    assert f"{other['recovered']:.0%}" == "66%"
    columns = [f"contribution: {name}" for name in traits.label_names]
    np.testing.assert_array_equal(frame[columns], why.contribution)
    assert other["partner"] in traits.feature_names
    np.testing.assert_array_equal(frame["joint_loss"], why.joint_loss)


def test_labels_served_come_by_their_share_of_error(why):
    for j in range(10):
        served = why.labels_served(j)
        shares = why.contribution[j] / why.label_error
        assert served == sorted(served, key=lambda label: -shares[label])
        assert set(served) == set(np.flatnonzero(why.serves[j]))


def test_names_twice_do_not_lose_columns(traits):
    selector = GreedyRLS(2).fit(traits.X, traits.Y)
    why = explain(selector, traits.X, traits.Y, label_names=["same"] * 6)
    assert list(why.to_frame().columns).count("contribution: same") == 6


def test_all_features_have_no_substitutes(traits):
    selector = GreedyRLS(4).fit(traits.X[:, 18:22], traits.Y)
    frame = explain(selector, traits.X[:, 18:22], traits.Y).to_frame()
    assert (frame["substitute"] == "").all()
    assert frame["recovered"].isna().all()


def test_the_table_needs_pandas(why, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"Explanation\.to_frame needs the package"):
        why.to_frame()
