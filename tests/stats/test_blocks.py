# SPDX-License-Identifier: BSD-3-Clause
"""Tests on results: a data set is a block, methods are compared at the same places."""

import math
from statistics import fmean

import numpy as np
import pytest
from scikit_posthocs import posthoc_nemenyi_friedman, posthoc_wilcoxon
from scipy.stats import friedmanchisquare, wilcoxon

from labelsift.experiment.results import VALUES, Results, frame
from labelsift.stats import compare_methods, method_blocks, rank_methods
from labelsift.stats.blocks import at_budget

N_FEATURES = {"scene": 100, "yeast": 20}


def row(data, method, value, *, split=0, draw=0, readout="svm", budget=10, **more):
    given = {
        "suite": "s", "data": data, "method": method, "draw": draw, "split": split,
        "n_train": 60, "n_features": N_FEATURES.get(data, 50), "params": "{}",
        "readout": readout, "threshold": "", "budget": budget, "measure": "macro_auc",
        "value": value,
    }  # fmt: skip
    return tuple((given | more).values())


def results(rows):
    return Results(frame(rows, VALUES))


def drawn(rng, n_data=7, n_splits=3, methods="abcd", spread=0.1):
    """Methods at the same places, the later the better."""
    return [
        row(f"set{d}", method, 0.5 + 0.05 * k + rng.normal(scale=spread), split=split)
        for d in range(n_data)
        for split in range(n_splits)
        for k, method in enumerate(methods)
    ]


def test_a_block_is_the_mean_of_a_data_set(rng):
    rows = drawn(rng)
    table = method_blocks(results(rows), "macro_auc").values
    assert table.shape == (7, 4)
    for data in table.index:
        for method in table:
            own = [r[-1] for r in rows if r[1] == data and r[2] == method]
            assert table.loc[data, method] == pytest.approx(fmean(own))


def test_tests_are_those_of_scipy_and_scikit_posthocs_on_data_sets(rng):
    rows = drawn(rng, n_data=12)
    ranks = rank_methods(results(rows), "macro_auc")
    table = method_blocks(results(rows), "macro_auc").values
    assert ranks.n_blocks == ranks.test.n_blocks == 12
    friedman = friedmanchisquare(*table.to_numpy().T)
    assert ranks.test.p_value == pytest.approx(friedman.pvalue)
    nemenyi = posthoc_nemenyi_friedman(table.to_numpy()).to_numpy()
    holm = posthoc_wilcoxon(list(table.to_numpy().T), p_adjust="holm").to_numpy()
    for test in compare_methods(results(rows), "macro_auc"):
        pair = test.first, test.second
        i, j = map("abcd".index, pair)
        assert test.n_blocks == 12
        assert ranks.test.p_values[pair] == pytest.approx(nemenyi[i, j], abs=1e-6)
        assert test.p_value == pytest.approx(wilcoxon(*table[[*pair]].T.values).pvalue)
        assert test.adjusted == pytest.approx(holm[i, j])


def test_splits_would_claim_what_data_sets_do_not():
    """Six sets of three splits: counted as 18 blocks the difference seems real."""
    gains = [0.06, 0.05, 0.04, 0.03, -0.02, -0.01]
    rows = [
        row(f"set{d}", method, 0.5 + (method == "a") * (gain + 0.001 * s), split=s)
        for d, gain in enumerate(gains)
        for s in range(3)
        for method in "ab"
    ]
    by_split = [r[-1] - 0.5 for r in rows if r[2] == "a"]
    assert wilcoxon(by_split).pvalue < 0.05
    [test] = compare_methods(results(rows), "macro_auc")
    assert test.n_blocks == 6
    assert test.p_value == wilcoxon(gains).pvalue > 0.15


def test_draws_are_one_value_of_their_split():
    rows = [row("scene", "random", value, draw=d) for d, value in enumerate([0, 0, 1])]
    rows += [row("scene", "random", 1, split=1), row("scene", "a", 1)]
    rows += [row("scene", "a", 1, split=1)]
    table = method_blocks(results(rows), "macro_auc").values
    assert table.loc["scene", "random"] == pytest.approx((1 / 3 + 1) / 2)


def test_only_methods_at_the_same_places_are_compared(rng):
    rows = [
        row(data, method, rng.normal(), budget=budget, readout=readout)
        for data in N_FEATURES
        for method in "ab"
        for budget in (2, 5)
        for readout in ("svm", "3nn")
    ]
    both = [r[8] for r in rows[:2]]
    for data, n_features in N_FEATURES.items():
        rows.append(row(data, "all", 0.9, budget=n_features))
        rows += [row(data, "own", 0.9, budget=b, readout="self") for b in (2, 5)]
        rows += [row(data, "half", 0.9, budget=2, readout=r) for r in both]
    rows += [
        row("scene", "late", 0.9, budget=b, readout=r) for b in (2, 5) for r in both
    ]
    blocks = method_blocks(results(rows), "macro_auc")
    assert list(blocks.values) == ["a", "b"]
    assert blocks.left_out == {
        "all": "all features",
        "own": "its own predictions",
        "late": "no values on yeast",
        "half": "no values at 5 features",
    }
    svm = method_blocks(results(rows), "macro_auc", readout="svm", budget=2)
    assert list(svm.values) == ["a", "b", "half"]
    assert svm.left_out["own"] == "its own predictions"
    own = method_blocks(results(rows), "macro_auc", readout="self")
    assert list(own.values) == ["own"]
    assert own.left_out["a"] == "no predictions of its own"
    three = method_blocks(results(rows), "macro_auc", readout="3nn")
    assert three.left_out["all"] == "no values with the read-out 3nn"


def test_a_split_that_a_method_lacks_leaves_it_out_or_all_without_the_split():
    rows = [row("scene", m, 0.5, split=s) for m in "abc" for s in range(5)]
    lacking = results(rows[:-1])
    blocks = method_blocks(lacking, "macro_auc")
    assert blocks.left_out == {}  # 3 methods on 4 splits are more than 2 on 5
    few = [row("scene", m, 0.5, split=s) for m in "abcde" for s in range(3)]
    blocks = method_blocks(results(few[:-1]), "macro_auc")
    assert blocks.left_out == {"e": "lacks values, as on split 2 of scene"}


def test_two_methods_that_lack_different_places_are_compared_at_the_others():
    rows = [row(f"set{d}", m, 0.1 * d, budget=5) for m in "ab" for d in range(5)]
    part = results(
        [r for r in rows if (r[1], r[2]) not in {("set0", "a"), ("set1", "b")}]
    )
    assert list(method_blocks(part, "macro_auc").values.index) == [
        "set2",
        "set3",
        "set4",
    ]


def test_a_control_is_among_those_that_are_compared():
    rows = [row(d, m, 0.5) for m in "abc" for d in N_FEATURES]
    rows += [row(d, m, 0.5, readout="self") for m in "xy" for d in N_FEATURES]
    found = results(rows)
    assert list(method_blocks(found, "macro_auc").values) == ["a", "b", "c"]
    blocks = method_blocks(found, "macro_auc", control="y")
    assert list(blocks.values) == ["x", "y"]
    [test] = compare_methods(found, "macro_auc", control="y")
    assert (test.first, test.second, test.p_value) == ("y", "x", 1)
    with pytest.raises(ValueError, match="control 'z' has no values of macro_auc here"):
        compare_methods(found, "macro_auc", control="z")


def test_less_is_better_for_a_loss_and_for_seconds(rng):
    for measure, best in (
        ("macro_auc", "d"),
        ("hamming_loss", "a"),
        ("fit_seconds", "a"),
    ):
        rows = drawn(rng, spread=0.001)
        values = results(rows).values.assign(measure=measure)
        ranks = rank_methods(Results(values), measure).ranks
        assert min(ranks, key=ranks.get) == best
        test = compare_methods(Results(values), measure, control=best)[0]
        assert test.wins == 7
        assert test.mean_difference > 0


def test_ranks_without_a_test(rng):
    two = rank_methods(results(drawn(rng, methods="ab")), "macro_auc")
    assert two.test is None
    assert set(two.ranks) == {"a", "b"}
    one = rank_methods(results(drawn(rng, n_data=1, spread=0)), "macro_auc")
    assert (one.n_blocks, one.test) == (1, None)
    assert one.ranks == {"d": 1, "c": 2, "b": 3, "a": 4}
    same = [row(data, m, 0.5) for data in N_FEATURES for m in "abc"]
    assert rank_methods(results(same), "macro_auc").test is None
    nothing = rank_methods(results([]), "macro_auc")
    assert (nothing.ranks, nothing.n_blocks, nothing.test) == ({}, 0, None)
    assert compare_methods(results([]), "macro_auc") == []


def test_a_budget_is_that_of_each_data_set():
    rows = [row(d, "a", b, budget=b) for d, n in N_FEATURES.items() for b in (2, 10, n)]
    rows += [row(d, "all", 0.9, budget=n) for d, n in N_FEATURES.items()]
    part = at_budget(results(rows), "10%").values
    assert part[part["method"] == "a"]["budget"].tolist() == [10, 2]
    assert (part["method"] == "all").sum() == 2  # it chooses none, and stays
    assert len(at_budget(results(rows), 10).values) == 4
    assert len(at_budget(results(rows), None).values) == len(rows)


def test_values_that_are_not_defined_are_no_values():
    rows = [row(d, m, 0.5) for d in N_FEATURES for m in "abc"]
    rows[0] = row("scene", "a", math.nan)
    assert method_blocks(results(rows), "macro_auc").left_out == {
        "a": "no values on scene"
    }


def test_several_thresholds_are_not_mixed():
    rows = [row("scene", "a", 0.5, threshold=cut) for cut in ("train", "oof")]
    with pytest.raises(ValueError, match=r"several thresholds \(oof, train\): choose"):
        method_blocks(results(rows), "macro_auc")


def test_most_values_are_used(rng):
    """Against all subsets of methods, at the places that all of a subset have."""
    for _ in range(20):
        rows = [
            row(f"set{d}", m, 0.5)
            for d in range(5)
            for m in "abc"
            if rng.random() < 0.7
        ]
        if not rows:
            continue
        table = method_blocks(results(rows), "macro_auc").values
        places = {m: {r[1] for r in rows if r[2] == m} for m in "abc"}
        best = max(
            len(group) * len(set.intersection(*(places[m] for m in group)))
            for group in ("a", "b", "c", "ab", "ac", "bc")
        )
        assert table.size >= best
        assert not np.isnan(table.to_numpy()).any()
