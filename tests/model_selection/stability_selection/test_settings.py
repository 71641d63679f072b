# SPDX-License-Identifier: BSD-3-Clause
import pytest

from labelsift.model_selection.stability_selection.settings import Settings

REST = {"d": 200, "n_pairs": 50, "assumption": "r-concave"}


def test_two_decide_the_third():
    settings = Settings.complete(1.0, 0.75, None, **REST)
    assert (settings.q, settings.count, settings.threshold) == (25, 75, 0.75)
    assert settings.bound() <= 1
    settings = Settings.complete(1.0, None, 25, **REST)
    assert settings.bound() <= 1
    assert settings.count <= 75
    settings = Settings.complete(None, 0.9, 44, **REST)
    assert settings.bound() == settings.bounds()["r-concave"] <= 1
    assert set(settings.bounds()) == {"none", "unimodal", "r-concave"}


@pytest.mark.parametrize("threshold", [0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.9, 0.95])
@pytest.mark.parametrize("n_pairs", [10, 50, 100])
def test_rounding_does_not_raise_a_threshold(threshold, n_pairs):
    rest = REST | {"n_pairs": n_pairs}
    settings = Settings.complete(None, threshold, 5, **rest)
    assert settings.threshold == pytest.approx(threshold)


def test_a_threshold_between_two_shares_is_rounded_up():
    assert Settings.complete(None, 0.75, 5, **REST | {"n_pairs": 25}).count == 38


@pytest.mark.parametrize(
    "given", [(None, None, 3), (1.0, 0.75, 3), (None, None, None), (None, 0.75, None)]
)
def test_one_and_only_one_is_computed(given):
    with pytest.raises(ValueError, match="give two of them, and None for the one"):
        Settings.complete(*given, **REST)


def test_what_cannot_be_had_is_refused_with_the_least_that_can():
    with pytest.raises(ValueError, match="even with one feature per fit: raise pfer"):
        Settings.complete(1e-6, 0.75, None, **REST)
    with pytest.raises(ValueError, match=r"n_features_per_fit=150 of 200") as caught:
        Settings.complete(0.1, None, 150, **REST)
    least = float(str(caught.value).partition("raise pfer to ")[2].split()[0])
    assert Settings.complete(least * 1.01, None, 150, **REST).count == 100
    with pytest.raises(ValueError, match="more than the 200 features"):
        Settings.complete(1.0, None, 201, **REST)
