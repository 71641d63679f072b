# SPDX-License-Identifier: BSD-3-Clause
import pickle
from dataclasses import FrozenInstanceError, replace

import pytest

from bench.tasks import method
from labelsift.bench.spec import DataSpec, Protocol, Task, Tuning, canonical, read_task

DATA = DataSpec("scene", checksum="abc", prepare=("text",))


def a_task(**parts):
    settings = {
        "data": DATA,
        "protocol": Protocol("folds", 10),
        "split": 3,
        "method": method("rfs", {"gamma": [0.1, 1.0]}, params={"max_iter": 5}),
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
        {"method": method("csfs", {"gamma": [0.1, 1.0]}, params={"max_iter": 5})},
        {"method": method("rfs", {"gamma": [0.1, 2.0]}, params={"max_iter": 5})},
        {"method": method("rfs", {"gamma": [0.1, 1.0]}, params={"max_iter": 6})},
        {"method": replace(a_task().method, scale="minmax")},
        {"method": replace(a_task().method, sweep=True)},
        {"method": replace(a_task().method, version=2)},
        {"tuning": Tuning(measure="macro_f1")},
        {"tuning": Tuning(folds=3)},
        {"tuning": Tuning(budgets=("5%",))},
        {"budgets": ("10%",)},
        {"readouts": ("svm",)},
        {"thresholds": ("oof",)},
        {"measures": ("micro_f1",)},
        {"keep": ("order",)},
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
        {"method": replace(a_task().method, name="plain-rfs", entry="rfs")},
        {"method": replace(a_task().method, entry="rfs")},
    ],
)
def test_names_and_places_do_not_decide_the_key(parts):
    assert a_task(**parts).key == a_task().key
    assert a_task(**parts).content != a_task().content


def test_without_a_checksum_the_source_stands_for_itself():
    unread = [replace(DATA, checksum="", source=name) for name in ("scene", "yeast")]
    one, other = (a_task(data=spec).key for spec in unread)
    assert one != other


def test_a_task_is_read_again_from_its_content():
    written = a_task(readouts=("svm", "3nn"), keep=("order",))
    read = read_task(written.content)
    assert read == written
    assert (read.key, read.content) == (written.key, written.content)


def test_a_task_travels_and_cannot_be_changed():
    task = a_task()
    assert pickle.loads(pickle.dumps(task)) == task
    with pytest.raises(FrozenInstanceError):
        task.split = 1
    assert replace(task, split=1).key != task.key  # the kept key is not copied


def test_a_method_has_its_own_name_in_the_catalogue_unless_it_says_otherwise():
    assert method("rfs").catalogue_name == "rfs"
    assert method("ppt-mi", entry="ppt").catalogue_name == "ppt"
