# SPDX-License-Identifier: BSD-3-Clause
"""The suites of the leaderboard: complete, frozen, and the same for everyone."""

from collections import Counter
from dataclasses import replace

import pytest

from labelsift.bench.plan import find_data, plan
from labelsift.bench.suite import count_settings
from labelsift.bench.suite_file import read_suite
from labelsift.experiment.catalogue import ALL_FEATURES, SELECTORS
from labelsift.experiment.inputs import digest_of
from labelsift.model_selection import read_splits

NAMES = ("leaderboard", "leaderboard-wide", "leaderboard-tuned")
BOARD = read_suite("leaderboard")
# Peers that may be installed or not.
PEERS = {"fastcan", "abess"}


@pytest.mark.parametrize("name", NAMES[:2])
def test_every_selector_is_in_it_and_all_features(name):
    methods = {method.name for method in read_suite(name).methods}
    assert methods == ({*SELECTORS} - PEERS) | {ALL_FEATURES}


@pytest.mark.parametrize("name", NAMES)
def test_every_split_is_frozen(name):
    for part in read_suite(name).data:
        splits = read_splits(part.splits)
        assert digest_of(splits) == part.digest
        assert len(splits) == 5
        tested = Counter(row for _, test in splits for row in test.tolist())
        assert set(tested.values()) == {1}
        assert sorted(tested) == list(range(len(tested)))
        for train, test in splits:
            assert len(train) + len(test) == len(tested)


def test_other_splits_are_refused():
    present, _ = find_data([BOARD], ["traits"])
    part = next(part for part in BOARD.data if part.name == "traits")
    other = replace(BOARD, data=(replace(part, digest="0" * 64),))
    with pytest.raises(ValueError, match=r"traits\.npz has other splits .* restore"):
        plan(other, present)


def test_the_forest_is_trained_at_three_budgets_and_fits_are_limited():
    present, _ = find_data([BOARD], ["traits"])
    task = plan(BOARD, present, ["fisher"])[0].task
    assert task.readout_budgets == {"forest": ("2%", "10%", "20%")}
    assert task.fit_limit == 120
    assert task.budgets == ("1%", "2%", "5%", "10%", "20%", "50%")


def test_everyone_may_try_four_settings():
    tuned = read_suite("leaderboard-tuned")
    sizes = {it.name: count_settings(it.spec.grid) for it in tuned.methods}
    assert max(sizes.values()) == 4
    fewer = {name for name, size in sizes.items() if size < 4}
    assert fewer == {
        "anova", "chi2", "mutual-info", "hsic", "fisher", "mt-lasso", "random",
        "all-features",
    }  # fmt: skip
    assert [part.name for part in tuned.data] == [part.name for part in BOARD.data]
