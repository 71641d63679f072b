# SPDX-License-Identifier: BSD-3-Clause
from collections import Counter
from dataclasses import replace

import pytest

from bench.printed_results import everywhere
from experiment.tasks import data_spec, planted
from labelsift.bench.plan import find_data, plan
from labelsift.bench.suite import DataPart
from labelsift.bench.suite_file import list_suites, read_suite
from labelsift.experiment import inputs
from labelsift.experiment.catalogue import CONTROLS
from labelsift.experiment.task import Protocol

NAULA = read_suite("naula-table2")
DATA = everywhere(NAULA)


def test_a_task_for_every_split_of_every_method_on_every_set():
    planned = plan(NAULA, DATA)
    assert len(planned) == 10 * len(NAULA.data) * (len(NAULA.methods) + 7)
    places = {(i.data, i.method, i.task.split, i.draw) for i in planned}
    assert len(places) == len(planned)
    assert set(CONTROLS) <= {item.method for item in planned}


def test_the_random_control_has_eight_draws_and_no_seed_twice():
    planned = plan(NAULA, {"yeast": DATA["yeast"]}, ["random"])
    draws = Counter((item.task.split, item.draw) for item in planned)
    assert draws == {(split, draw): 1 for split in range(10) for draw in range(8)}
    seeds = [item.task.method.params["random_state"] for item in planned]
    assert len(set(seeds)) == len(seeds)
    assert len({item.task.key for item in planned}) == len(planned)
    others = plan(NAULA, DATA, ["greedy-rls", "rfs"])
    assert {item.draw for item in others} == {0}


def test_a_random_ranking_of_another_name_is_drawn_as_often():
    chance = replace(NAULA.methods[3], name="chance")
    assert chance.spec.name == "random"
    moved = replace(chance, spec=replace(chance.spec, params={"random_state": 50}))
    suite = replace(NAULA, methods=(moved,), claims=())
    planned = plan(suite, {"yeast": DATA["yeast"]})
    assert len(planned) == 80
    assert planned[0].task.method.params == {"random_state": 50}


def test_a_published_split_is_planned_once_however_often_it_is_asked_for():
    published = replace(NAULA, protocols=(Protocol("published", 5),), splits=5)
    planned = plan(published, {"yeast": DATA["yeast"]}, ["mlknn"])
    assert [item.task.split for item in planned] == [0]
    samples = replace(published, protocols=(Protocol("published", 5, train_size=90),))
    planned = plan(samples, {"yeast": DATA["yeast"]}, ["mlknn"])
    assert [item.task.split for item in planned] == [0, 1, 2, 3, 4]


def test_planning_reads_nothing_and_gives_the_same_again(monkeypatch):
    def forbidden(*_, **__):
        raise AssertionError("a plan reads no data")

    monkeypatch.setattr(inputs, "open_data", forbidden)
    monkeypatch.setattr(inputs, "prepared", forbidden)
    first, second = plan(NAULA, DATA), plan(NAULA, DATA)
    assert first == second
    assert [i.task.key for i in first] == [i.task.key for i in second]


def test_a_hundred_thousand_tasks_share_their_parts():
    many = tuple(Protocol("folds", 100, seed=seed) for seed in range(40))
    methods = [m.name for m in NAULA.methods if m.name != "random"]
    planned = plan(replace(NAULA, protocols=many, splits=100), DATA, methods)
    assert len(planned) == 40 * 100 * len(NAULA.data) * len(methods) > 1e5
    assert len({item.task.key for item in planned[::100]}) == len(planned) // 100
    assert len({id(item.task.data) for item in planned}) == 40 * len(NAULA.data)
    specs = {id(item.task.method) for item in planned}
    assert len(specs) == 40 * len(NAULA.data) * len(methods)


def test_early_tasks_cover_all_methods():
    first = plan(NAULA, DATA)[: len(NAULA.methods) + 7]
    assert {item.method for item in first} == {m.name for m in NAULA.methods}
    assert {(item.data, item.task.split) for item in first} == {("scene", 0)}


def test_only_data_that_is_present_and_methods_that_are_wanted():
    planned = plan(NAULA, {"yeast": DATA["yeast"]}, ["mlknn"])
    assert Counter((i.data, i.method) for i in planned) == {("yeast", "mlknn"): 10}
    with pytest.raises(ValueError, match="has no method 'svm': choose from greedy-rls"):
        plan(NAULA, DATA, ["svm"])


def test_budgets_are_for_what_selects():
    by_method = {item.method: item.task for item in plan(NAULA, DATA)}
    assert by_method["greedy-rls"].budgets == ("10%", "45%", "80%")
    assert by_method["mlknn"].budgets == by_method["all-features"].budgets == ()
    assert by_method["random"].readouts == ("ridge",)
    assert by_method["greedy-rls"].readouts == ("self",)


def test_a_data_set_has_its_own_budgets_scale_and_grids():
    suite = read_suite("gu-table2")
    tasks = {(i.data, i.method): i.task for i in plan(suite, everywhere(suite))}
    scene, text = tasks["scene", "mlfs"], tasks["yahoo-arts-full", "mlfs"]
    assert (scene.method.scale, text.method.scale) == ("standardize-root", "none")
    assert scene.method.grid == {"C": [1.0, 10.0], "m": [10, 20]}
    assert text.method.grid["m"] == [1000, 4000]
    assert scene.budgets == ()  # the method predicts from all features
    naula = read_suite("naula-table3")
    sizes = {
        i.data: i.task.budgets for i in plan(naula, everywhere(naula), ["greedy-rls"])
    }
    assert (sizes["delicious"], sizes["tmc2007"]) == (("100",), ("50",))


def test_a_method_may_have_a_scale_of_its_own():
    scales = {i.method: i.task.method.scale for i in plan(NAULA, DATA)}
    assert (scales["mt-lasso"], scales["greedy-rls"]) == ("unit-columns", "none")


def test_parameters_of_a_data_set_are_laid_over_the_methods():
    part = DataPart("scene", params={"greedy-rls": {"loss": "squared"}})
    suite = replace(NAULA, data=(part,))
    [item, *_] = plan(suite, DATA, ["greedy-rls"])
    plain = {"alpha": "loo", "label_weight": "none"}
    assert item.task.method.params == {**plain, "loss": "squared"}


def test_a_quick_run_with_too_many_settings_is_refused():
    grids = {"greedy-rls": {"alpha": list(range(13))}}
    suite = replace(NAULA, data=(DataPart("scene", grids=grids),))
    sentence = "tries 13 settings of greedy-rls in a quick run: give it a quick_grid"
    with pytest.raises(ValueError, match=sentence):
        plan(suite, DATA)
    assert plan(replace(suite, effort="full"), DATA)


def test_suites_that_view_one_run_share_its_tasks():
    keys = {}
    for name in ("rlefs-table2", "rlefs-table5", "rlefs-figure2"):
        suite = read_suite(name)
        keys[name] = {item.task.key for item in plan(suite, everywhere(suite))}
    assert keys["rlefs-table2"] == keys["rlefs-table5"] == keys["rlefs-figure2"]


def test_a_method_keeps_the_name_of_the_suite_and_of_the_catalogue():
    suite = read_suite("rlefs-table2")
    names = {(i.method, i.task.method.name) for i in plan(suite, everywhere(suite))}
    assert {("ppt-mi", "ppt"), ("ppt-chi2", "ppt"), ("mdmr", "mdmr")} <= names


def test_data_is_present_or_named_as_absent(tmp_path):
    here = data_spec(tmp_path)
    parts = (DataPart(here.source), DataPart("mediamill"), DataPart("traits"))
    suite = replace(NAULA, data=parts)
    present, absent = find_data([suite])
    assert present[here.source] == here
    assert set(present) == {here.source, "traits"}
    assert set(absent) == {"mediamill"}
    assert absent["mediamill"]
    assert "\n" not in absent["mediamill"]
    assert find_data([suite], ["traits"])[1] == {}


def test_preparation_and_home_are_part_of_where_data_is():
    part = DataPart("traits", prepare=("min-label-rows:10",))
    suite = replace(NAULA, data=(part,))
    present, _ = find_data([suite], data_home="elsewhere")
    assert present["traits"].data_home == "elsewhere"
    [item, *_] = plan(suite, present)
    assert item.task.data.prepare == ("min-label-rows:10",)
    assert item.task.data.checksum == present["traits"].checksum != ""


def test_every_set_is_opened_once_however_many_suites_name_it(monkeypatch):
    opens = []

    def counted(source, **_):
        opens.append(source)
        if source == "mediamill":
            raise ValueError("mediamill is absent.")
        return planted()

    monkeypatch.setattr(inputs, "open_data", counted)
    for cached in (inputs._opened, inputs._checksum):
        cached.cache_clear()
    suites = [read_suite(name) for name in list_suites()]
    named = [part.name for suite in suites for part in suite.data]
    present, absent = find_data(suites)
    print(f"{len(named)} data sets of {len(suites)} suites: {len(opens)} opens")
    assert sorted(opens) == sorted(set(named))
    assert len(opens) < len(named) / 2
    assert (set(present), set(absent)) == (set(named) - {"mediamill"}, {"mediamill"})
    find_data(suites)
    assert Counter(opens)["scene"] == 1  # the next command in this process, too
    for cached in (inputs._opened, inputs._checksum):
        cached.cache_clear()
