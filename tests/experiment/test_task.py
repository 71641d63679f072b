# SPDX-License-Identifier: BSD-3-Clause
import json
import pickle
from dataclasses import FrozenInstanceError, replace

import pytest

from labelsift.experiment.task import (
    DataSpec,
    MethodSpec,
    Planned,
    Protocol,
    Task,
    Tuning,
    canonical,
)

DATA = DataSpec("scene", checksum="abc", prepare=("text",))
METHOD = MethodSpec("rfs", {"max_iter": 5, "tol": 0.1}, {"gamma": [0.1, 1.0]})


def a_task(**parts):
    settings = {
        "data": DATA,
        "protocol": Protocol("folds", 10),
        "split": 3,
        "method": METHOD,
        "budgets": ("10%", "20"),
    }
    return Task(**(settings | parts))


def test_canonical_text_does_not_depend_on_the_order_of_names():
    assert canonical({"b": 1, "a": [1, 2]}) == canonical({"a": [1, 2], "b": 1})
    assert canonical({"a": 1}) == '{"a":1}'


def test_canonical_text_has_no_value_that_is_not_json():
    with pytest.raises(ValueError, match="Out of range"):
        canonical({"a": float("nan")})


def test_equal_tasks_have_equal_keys():
    assert a_task() == a_task()
    assert a_task().key == a_task().key
    assert len(a_task().key) == 64
    turned = replace(METHOD, params={"tol": 0.1, "max_iter": 5})
    assert a_task(method=turned).key == a_task().key


@pytest.mark.parametrize(
    "parts",
    [
        {"data": replace(DATA, checksum="abd")},
        {"data": replace(DATA, prepare=())},
        {"protocol": Protocol("folds", 5)},
        {"protocol": Protocol("folds", 10, seed=1)},
        {"protocol": Protocol("sample", 10)},
        {"protocol": Protocol("folds", 10, train_size=100)},
        {"split": 4},
        {"method": replace(METHOD, name="csfs")},
        {"method": replace(METHOD, grid={"gamma": [0.1, 2.0]})},
        {"method": replace(METHOD, params={"max_iter": 6, "tol": 0.1})},
        {"method": replace(METHOD, scale="minmax")},
        {"method": replace(METHOD, sweep=True)},
        {"method": replace(METHOD, code="2")},
        {"codes": {"ridge": "2"}},
        {"protocol": Protocol("rows", 10, digest="a")},
        {"tuning": Tuning(measure="macro_f1")},
        {"tuning": Tuning(folds=3)},
        {"tuning": Tuning(budgets=("5%",))},
        {"budgets": ("10%",)},
        {"readouts": ("svm",)},
        {"thresholds": ("oof",)},
        {"measures": ("micro_f1",)},
        {"artifacts": ("order",)},
    ],
)
def test_whatever_decides_the_result_decides_the_key(parts):
    assert a_task(**parts).key != a_task().key


@pytest.mark.parametrize(
    "parts",
    [
        {"data": replace(DATA, source="somewhere/else.npz")},
        {"data": replace(DATA, data_home="elsewhere")},
        {"data": replace(DATA, labels=("tag_*",), drop=("id",))},
    ],
)
def test_names_and_places_do_not_decide_the_key(parts):
    assert a_task(**parts).key == a_task().key
    assert a_task(**parts).content != a_task().content


def test_without_a_checksum_the_source_stands_for_itself():
    unread = [replace(DATA, checksum="", source=name) for name in ("scene", "yeast")]
    one, other = (a_task(data=spec).key for spec in unread)
    assert one != other


def test_the_content_tells_all_parts_of_a_task():
    content = json.loads(a_task(artifacts=("order",)).content)
    assert content["data"]["prepare"] == ["text"]
    assert content["method"]["grid"] == {"gamma": [0.1, 1.0]}
    assert content["protocol"] == {
        "kind": "folds",
        "splits": 10,
        "train_size": 0,
        "seed": 0,
        "digest": "",
    }
    assert content["tuning"]["measure"] == "macro_auc"
    assert content["artifacts"] == ["order"]


def test_a_task_travels_and_cannot_be_changed():
    task = a_task()
    assert pickle.loads(pickle.dumps(task)) == task
    with pytest.raises(FrozenInstanceError):
        task.split = 1
    assert replace(task, split=1).key != task.key  # a key in memory is not copied


def test_names_of_a_planned_task_are_not_part_of_it():
    one, other = Planned(a_task(), "scene", "rfs"), Planned(a_task(), "x", "y", draw=1)
    assert one.task.key == other.task.key
    assert (one.draw, other.draw) == (0, 1)
