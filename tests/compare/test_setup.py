# SPDX-License-Identifier: BSD-3-Clause
"""What is asked of a comparison: mistakes are one sentence, the rest is filled in."""

import math
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.compare import compare
from labelsift.compare import setup as module
from labelsift.compare.request import (
    FAST_SECONDS,
    as_data,
    choose_methods,
    make_setup,
)
from labelsift.compare.setup import built_in
from labelsift.core.budget import counts_of, default_budgets, read_budgets
from labelsift.core.data import MultiLabelData, numbered_names
from labelsift.datasets import load_dataset, make_planted
from labelsift.experiment.catalogue import CATALOGUE, GREEDY_GCV, RANDOM_DRAWS
from labelsift.experiment.ledger import Ledger
from labelsift.experiment.pool import run_tasks
from labelsift.experiment.task import DataSpec
from labelsift.metrics import Measure
from labelsift.prepare.array_scaling import default_scale
from labelsift.selection.estimates import Size

ASKED = {"methods": ["fisher", "greedy-rls"], "budgets": "3,10", "cv": 3}


@pytest.fixture(scope="module")
def traits():
    return load_dataset("traits")


def setup_of(data, **asked):
    defaults = {"readout": "ridge", "metric": "macro_auc", "costs": None, "seed": 0}
    spec = DataSpec("traits", checksum=data.checksum)
    return make_setup(spec, data, **(defaults | ASKED | asked))


def large_data():
    """Many features, of which next to nothing is stored."""
    X = sp.random(300, 40_000, density=1e-3, random_state=0, format="csr")
    Y = np.zeros((300, 60), dtype=np.int8)
    Y[::2] = 1
    return MultiLabelData(X, Y, numbered_names("f", 40_000), numbered_names("l", 60))


def test_tasks_cover_methods_controls_and_folds(traits):
    setup = setup_of(traits)
    tasks = setup.tasks()
    assert len(tasks) == 3 * (2 + 1 + RANDOM_DRAWS)
    assert len({planned.task.key for planned in tasks}) == len(tasks)
    assert [planned.task.split for planned in tasks] == sorted(
        planned.task.split for planned in tasks
    )
    draws = [(item.method, item.draw) for item in tasks if item.task.split == 1]
    assert draws == [
        ("fisher", 0),  # the cheapest: an answer at once
        ("all-features", 0),
        *(("random", draw) for draw in range(RANDOM_DRAWS)),
        ("greedy-rls", 0),
    ]
    final = setup.final_task("fisher", 7).task
    assert (final.protocol.kind, final.budgets) == ("all", ("7",))


def test_a_name_that_is_not_utf_8_is_clean_in_the_results(traits):
    """As of a file whose name holds a byte that does not decode."""
    tasks = setup_of(replace(traits, name="caf\udce9")).tasks()
    assert {item.data for item in tasks} == {"caf\\udce9"}


def by_name(traits, *costs):
    return dict(zip(traits.feature_names, np.resize(costs, 64), strict=True))


def test_costs_are_in_every_task_and_budgets_are_totals(traits):
    setup = setup_of(traits, costs=by_name(traits, 1.0, 2.0), budgets=None)
    assert all(item.task.costs == (1.0, 2.0) * 32 for item in setup.tasks())
    assert setup.sizes[0] == 3.0
    assert setup.sizes[-1] == 96.0
    assert 6 <= len(setup.sizes) <= 8
    capped = setup_of(traits, costs=by_name(traits, 1.0), budgets=None, max_cost=7.5)
    assert capped.sizes[-1] == 7.5
    told = setup_of(traits, costs=by_name(traits, 1.0), budgets="10%,8", max_cost=7)
    assert told.sizes == [6.4]


def test_a_task_without_costs_keeps_its_key(traits):
    task = setup_of(traits).tasks()[0].task
    assert '"costs"' not in task.content
    assert '"groups"' not in task.content


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"methods": ["magic"]}, "no method 'magic'"),
        ({"methods": "magic"}, "no method 'magic'"),
        ({"budgets": "0%"}, "'0%' is .* budget"),
        ({"budgets": "few"}, "'few' is .* budget"),
        ({"readout": "oracle"}, "readout='oracle' is not known"),
        ({"metric": "auc"}, "measure 'auc' is not known"),
        ({"cv": 1}, "cv=1 folds cannot be formed from 1797 rows"),
        ({"cv": 9999}, "cv=9999 folds cannot be formed"),
        ({"cv": "often"}, "cv='often' is not known: use a number of folds"),
        ({"methods": ["ridge"]}, "'ridge' predicts and selects nothing"),
        ({"methods": ["no.such.module:Class"]}, "cannot be imported"),
        ({"methods": ["math:Nothing"]}, "has no 'Nothing'"),
        ({"readout": {}}, "names none"),
        ({"readout": {"mine": 3}}, "pass a classifier or a regressor"),
        ({"max_cost": 3.0}, "max_cost=3.0 needs costs"),
        ({"costs": {"pixel": 1.0}}, "names the feature 'pixel', which the data do not"),
        ({"costs": {"pixel_0_0": 1.0}}, "no cost for 'pixel_0_1' and 62 more"),
    ],
)
def test_bad_arguments(traits, wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        compare(traits, **(ASKED | wrong))


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (
            {"max_cost": 0.5},
            "max_cost=0.5 is below the cheapest feature, .* 1:",
        ),
        ({"budgets": "0.5"}, "budgets=0.5 is below the cheapest"),
        ({"budgets": "few"}, "'few' is no total cost"),
        ({"budgets": "-3"}, "'-3' is no total cost"),
    ],
)
def test_bad_totals(traits, wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        setup_of(traits, **({"costs": by_name(traits, 1.0), "budgets": None} | wrong))


def test_costs_by_position_are_refused(traits):
    for wrong in ([1.0] * 64, np.ones(64)):
        with pytest.raises(TypeError, match="positions are not taken"):
            setup_of(traits, costs=wrong)


def test_bad_data(traits):
    with pytest.raises(ValueError, match="Y is missing"):
        as_data(traits.X, None)
    with pytest.raises(ValueError, match="there twice"):
        compare(traits, traits.Y)
    with pytest.raises(ValueError, match="No label has both values"):
        compare(traits.X, np.ones((1797, 2), dtype=int), **ASKED)
    X = traits.X.copy()
    X[0, 5] = np.nan
    for values in (X, sp.csr_array(X)):
        with pytest.raises(ValueError, match=r"1 features hold NaN .*'feature5'"):
            compare(values, traits.Y, **ASKED)


def test_data_that_is_not_numbers_in_rows_and_columns():
    with pytest.raises(ValueError, match="numeric values"):
        as_data([["1", "red"]], [[1]])
    with pytest.raises(ValueError, match="Expected 2D array, got 1D array"):
        as_data([1.0, 2.0], [[1], [0]])


def test_data_of_lists_arrays_and_frames():
    pandas = pytest.importorskip("pandas")
    X, Y = [[1.0, 2.0], [3.0, 5.0], [0.0, 1.0]], [[1], [0], [1]]
    frames = pandas.DataFrame(X, columns=["a", "b"]), pandas.DataFrame(Y, columns=["t"])
    for given in ((X, Y), (np.array(X), np.array(Y)), (sp.csr_array(X), np.array(Y))):
        data = as_data(*given)
        assert data.feature_names == ("feature0", "feature1")
        assert data.label_names == ("label0",)
        assert data.X[1, 1] == 5
    data = as_data(*frames)
    assert (data.feature_names, data.label_names) == (("a", "b"), ("t",))
    named = as_data(*frames, feature_names=["c", "d"], label_names=["u"])
    assert (named.feature_names, named.label_names) == (("c", "d"), ("u",))
    assert as_data(data, None) is data


def test_budgets_of_few_features_are_counts_up_to_half():
    budgets = [int(budget) for budget in default_budgets(64)]
    assert budgets[0] == 1
    assert budgets[-1] == 32
    assert budgets == sorted(set(budgets))
    assert 8 <= len(budgets) <= 16
    assert np.diff(budgets)[0] < np.diff(budgets)[-1]
    assert default_budgets(1) == default_budgets(2) == ("1",)


def test_budgets_of_many_features_are_shares_up_to_a_fifth():
    budgets = default_budgets(101)
    assert (budgets[0], budgets[-1], len(budgets)) == ("1%", "20%", 12)


def test_budgets_of_very_many_features_end_at_a_thousand():
    budgets = default_budgets(5001)
    assert (budgets[0], budgets[-1]) == ("10", "1000")


def test_counts_are_told_once_in_order():
    assert counts_of(("20%", "3", "1%", "30%", "500"), 10) == [1, 2, 3, 10]


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("1%:3%", ("1%", "2%", "3%")),
        ("5, 10,20", ("5", "10", "20")),
        (["5", "1:3"], ("5", "1", "2", "3")),
        ([5, 10], ("5", "10")),
        (None, default_budgets(64)),
    ],
)
def test_budgets_are_read_as_users_write_them(given, wanted):
    assert read_budgets(given, 64) == wanted


def test_a_wrong_budget_is_an_error_of_one_sentence():
    with pytest.raises(ValueError, match=r"'5 percent' is .* budget: write a count"):
        read_budgets("5 percent", 64)


def test_scales_follow_the_data_and_the_method(traits):
    dense, sparse = default_scale(traits), default_scale(large_data())
    assert (dense, sparse) == ("standardize", "minmax")
    assert built_in("rfs", dense).spec.scale == "standardize"
    assert built_in("rlefs", dense).spec.scale == "minmax"
    assert built_in("chi2", dense).spec.scale == "minmax"
    scales = {item.method: item.task.method.scale for item in setup_of(traits).tasks()}
    assert set(scales.values()) == {"standardize"}


@pytest.mark.parametrize("name", [n for n in CATALOGUE if CATALOGUE[n].selects])
def test_every_selector_has_an_estimate_that_grows_with_the_data(name):
    seconds = CATALOGUE[name].seconds
    small = seconds(Size(100, 50, 5, 5_000, 10))
    large = seconds(Size(10_000, 5_000, 50, 50_000_000, 100))
    assert 0 < small < FAST_SECONDS
    assert small < large


def test_small_data_leaves_no_method_out(traits):
    methods, left_out = choose_methods("fast", traits, 32)
    selectors = {n for n, method in CATALOGUE.items() if method.selects and method.fast}
    assert set(methods) == selectors - {"random", GREEDY_GCV}
    assert {"anova", "chi2", "extra-trees"} < set(methods)
    assert left_out == []


def test_slow_methods_are_left_out_with_a_reason_unless_asked_for():
    data = large_data()
    dense = MultiLabelData(
        np.zeros((3000, 6000), dtype=np.float32),
        np.tile(data.Y, (10, 1)),
        numbered_names("f", 6000),
        data.label_names,
    )
    methods, left_out = choose_methods("fast", dense, 600)
    known = {name for name, method in CATALOGUE.items() if method.selects}
    fast = {name for name in known if CATALOGUE[name].fast}
    assert GREEDY_GCV not in methods  # only in place of the leave-one-out form
    assert "ralm" not in methods
    shown = {*methods, *(left.method for left in left_out)}
    assert {*shown, "random", GREEDY_GCV} == fast
    why = {left.method: left.why for left in left_out}["ralm"]
    assert why.startswith("One fit would take about ")
    assert "--methods all" in why
    everything, none = choose_methods("all", dense, 600)
    assert {*everything, "random"} == known
    assert none == []
    assert GREEDY_GCV in choose_methods("fast", dense, 1000)[0]
    methods, none = choose_methods(["cmlfs", "random", "cmlfs"], dense, 600)
    assert (list(methods), none) == (["cmlfs"], [])


def test_methods_are_named_in_a_list_or_with_commas():
    data = make_planted(90, 12, 4, n_relevant=4, random_state=0)
    methods, left_out = choose_methods("rfs, fisher", data, 5)
    assert (list(methods), left_out) == (["rfs", "fisher"], [])
    with pytest.raises(ValueError, match=r"There is no method 'rsf': choose from"):
        choose_methods(["rfs", "rsf"], data, 5)


def test_classes_of_one_target_become_labels():
    data = as_data([[1.0], [2.0], [3.0], [4.0]], ["red", "blue", "red", "green"])
    assert data.label_names == ("blue", "green", "red")
    assert data.Y.tolist() == [[0, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 0]]


def test_splits_of_any_kind_travel_with_the_tasks(traits):
    setup = setup_of(traits, cv="3x2")
    assert (setup.protocol.kind, setup.cv) == ("rows", 6)
    assert setup.test_over_train == pytest.approx(0.5, abs=0.01)
    tasks = setup.tasks()
    for item in tasks:
        train, test = item.task.own["rows"]
        assert len(train) + len(test) == 1797
    again = setup_of(traits, cv=setup.splits)
    assert [item.task.key for item in again.tasks()] == [i.task.key for i in tasks]
    other = setup_of(traits, cv="3x2", seed=1)
    assert {i.task.key for i in other.tasks()}.isdisjoint(i.task.key for i in tasks)


def test_rows_that_belong_together_stay_together(traits):
    customers = np.arange(1797) // 7
    for train, test in setup_of(traits, groups=customers).splits:
        assert set(customers[train]).isdisjoint(customers[test])


def test_two_measures_of_one_name_are_refused(traits):
    one, other = (
        Measure("mine", title, lambda truth, labels: 1.0, True, "labels")
        for title in ("one", "other")
    )
    assert setup_of(traits, metric=one, measures=[one]).measures == ("mine",)
    with pytest.raises(ValueError, match="Two measures have the name 'mine': rename"):
        setup_of(traits, metric=one, measures=[other])


def test_no_two_splits_share_a_random_ranking(traits):
    seeds = [
        planned.task.method.params["random_state"]
        for planned in setup_of(traits).tasks()
        if planned.method == "random"
    ]
    assert len(set(seeds)) == len(seeds) == 3 * RANDOM_DRAWS


def test_an_answer_improves_while_tasks_are_done(traits, tmp_path):
    setup = setup_of(traits)
    tasks = [planned.task for planned in setup.tasks()]
    with Ledger(tmp_path / "runs.sqlite") as ledger:
        assert setup.so_far(ledger) == ""
        run_tasks(tasks[: len(tasks) // 3 - 1], ledger)
        early = setup.so_far(ledger)
        assert early.startswith("So far (1 of 2 methods, 1 of 3 splits), by fisher: ")
        run_tasks(tasks, ledger)
        assert "(2 of 2 methods, 3 of 3 splits)" in setup.so_far(ledger)


def test_the_first_answer_waits_for_one_fit_only(traits, tmp_path, monkeypatch):
    looked = []
    monkeypatch.setattr(module, "code_of", lambda name: looked.append(name) or name)
    setup = setup_of(traits)
    setup = replace(setup, find_doubts=lambda: looked.append("doubts") or ())
    with Ledger(tmp_path / "runs.sqlite") as ledger:
        first = setup.first_answer(ledger, {"jobs": 2}, math.inf)
        assert first.startswith("So far (1 of 2 methods, 1 of 3 splits), by fisher: ")
        assert looked == ["fisher"]
        assert list(ledger.statuses()) == [setup.tasks()[0].task.key]
        assert setup.first_answer(ledger, {}, math.inf) == first
    assert setup.doubts == setup.doubts == ()
    assert looked.count("doubts") == 1


def test_cheap_methods_come_first(traits):
    setup = setup_of(traits, methods=["permutation", "mt-lasso", "fisher"])
    order = [planned.method for planned in setup.tasks()]
    assert order.index("fisher") < order.index("mt-lasso") < order.index("permutation")
