# SPDX-License-Identifier: BSD-3-Clause
import json
from collections import Counter
from dataclasses import replace
from itertools import islice

import pytest

from bench.tasks import data_spec
from labelsift.bench import inputs
from labelsift.bench.plan import find_data, plan
from labelsift.bench.spec import DataSpec, Protocol
from labelsift.bench.suite import DataPart, read_suite

NAULA = read_suite("naula-table2")
DATA = {part.name: DataSpec(part.name, checksum=part.name) for part in NAULA.data}


def specs(suite):
    return {part.name: DataSpec(part.name, checksum=part.name) for part in suite.data}


def test_a_task_for_every_split_of_every_method_on_every_set():
    found = list(plan(NAULA, DATA))
    assert len(found) == 10 * len(NAULA.data) * len(NAULA.methods)
    places = {(item.data, item.method, item.task.split) for item in found}
    assert len(places) == len(found)
    assert {item.method for item in found if item.control} == {
        "random",
        "all-features",
        "ridge",
        "rfs",
    }


def test_planning_reads_nothing_and_gives_the_same_again(monkeypatch):
    def forbidden(*_, **__):
        raise AssertionError("a plan reads no data")

    monkeypatch.setattr(inputs, "open_data", forbidden)
    monkeypatch.setattr(inputs, "prepared", forbidden)
    first, second = list(plan(NAULA, DATA)), list(plan(NAULA, DATA))
    assert first == second
    assert [i.task.key for i in first] == [i.task.key for i in second]


def test_a_plan_of_a_hundred_thousand_tasks_comes_one_by_one():
    many = tuple(Protocol("folds", 1000, seed=seed) for seed in range(1000))
    suite = replace(NAULA, protocols=many, splits=1000)  # 35 million tasks
    planned = plan(suite, DATA)
    first = list(islice(planned, 1000))
    assert len({item.task.key for item in first}) == 1000
    assert all(item.task.data is DATA[item.data] for item in first)
    assert sum(1 for _ in islice(planned, 100_000)) == 100_000


def test_early_tasks_cover_all_methods():
    count = len(NAULA.methods)
    first = list(islice(plan(NAULA, DATA), count))
    assert {item.method for item in first} == {p.spec.name for p in NAULA.methods}
    assert {(item.data, item.task.split) for item in first} == {("scene", 0)}


def test_only_data_that_is_there_and_methods_that_are_wanted():
    found = list(plan(NAULA, {"yeast": DATA["yeast"]}, ["mlknn"]))
    assert Counter((i.data, i.method) for i in found) == {("yeast", "mlknn"): 10}
    with pytest.raises(ValueError, match="has no method 'svm': choose from greedy-rls"):
        list(plan(NAULA, DATA, ["svm"]))


def test_budgets_are_for_what_selects():
    by_method = {item.method: item.task for item in plan(NAULA, DATA)}
    assert by_method["greedy-rls"].budgets == ("10%", "45%", "80%")
    assert by_method["mlknn"].budgets == by_method["all-features"].budgets == ()
    assert by_method["random"].readouts == ("ridge",)
    assert by_method["greedy-rls"].readouts == ("self",)


def test_a_data_set_has_its_own_budgets_scale_and_grids():
    suite = read_suite("gu-table2")
    tasks = {(i.data, i.method): i.task for i in plan(suite, specs(suite))}
    scene, text = tasks["scene", "mlfs"], tasks["yahoo-arts-full", "mlfs"]
    assert (scene.method.scale, text.method.scale) == ("standardize-root", "none")
    assert json.loads(scene.method.grid) == {"C": [1.0, 10.0], "m": [10, 20]}
    assert json.loads(text.method.grid)["m"] == [1000, 4000]
    assert scene.budgets == ()  # the method predicts from all features
    naula = read_suite("naula-table3")
    sizes = {i.data: i.task.budgets for i in plan(naula, specs(naula), ["greedy-rls"])}
    assert (sizes["delicious"], sizes["tmc2007"]) == (("100",), ("50",))


def test_a_method_may_have_a_scale_of_its_own():
    scales = {i.method: i.task.method.scale for i in plan(NAULA, DATA)}
    assert (scales["mt-lasso"], scales["greedy-rls"]) == ("unit-columns", "none")


def test_parameters_of_a_data_set_are_laid_over_the_methods():
    part = DataPart("scene", params={"greedy-rls": {"loss": "squared"}})
    suite = replace(NAULA, data=(part,))
    [item, *_] = plan(suite, DATA, ["greedy-rls"])
    assert json.loads(item.task.method.params) == {"alpha": "loo", "loss": "squared"}


def test_a_quick_run_with_too_many_settings_is_refused():
    grids = {"greedy-rls": {"alpha": list(range(13))}}
    suite = replace(NAULA, data=(DataPart("scene", grids=grids),))
    sentence = "tries 13 settings of greedy-rls in a quick run: give it a quick_grid"
    with pytest.raises(ValueError, match=sentence):
        list(plan(suite, DATA))
    assert list(plan(replace(suite, effort="full"), DATA))


def test_suites_that_view_one_run_share_its_tasks():
    keys = {}
    for name in ("rlefs-table2", "rlefs-table5", "rlefs-figure2"):
        suite = read_suite(name)
        keys[name] = {item.task.key for item in plan(suite, specs(suite))}
    assert keys["rlefs-table2"] == keys["rlefs-table5"] == keys["rlefs-figure2"]


def test_data_is_found_or_named_as_absent(tmp_path):
    here = data_spec(tmp_path)
    parts = (DataPart(here.source), DataPart("mediamill"), DataPart("traits"))
    suite = replace(NAULA, data=parts)
    present, absent = find_data(suite)
    assert present[here.source] == here
    assert set(present) == {here.source, "traits"}
    assert set(absent) == {"mediamill"}
    assert absent["mediamill"]
    assert "\n" not in absent["mediamill"]
    assert find_data(suite, ["traits"])[1] == {}


def test_preparation_and_home_are_part_of_where_data_is():
    part = DataPart("traits", prepare=("min-label-rows:10",))
    present, _ = find_data(replace(NAULA, data=(part,)), data_home="elsewhere")
    spec = present["traits"]
    assert (spec.prepare, spec.data_home) == (("min-label-rows:10",), "elsewhere")
