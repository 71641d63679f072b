# SPDX-License-Identifier: BSD-3-Clause
"""Public names that are imported when they are first used."""

import importlib
import subprocess
import sys

import pytest

ROOMS = ("labelsift.stats", "labelsift.plots")


def _run(code):
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    return done.stdout.split()


@pytest.mark.parametrize(
    ("module", "others"),
    [
        ("labelsift.stats.resampled_t", {"friedman_nemenyi", "wilcoxon_holm"}),
        ("labelsift.plots.curves", {"critical_difference", "label_space", "pixels"}),
    ],
)
def test_a_module_does_not_import_the_others(module, others):
    loaded = _run(f"import {module}, sys; print(*sys.modules)")
    room = module.rpartition(".")[0]
    assert module in loaded
    assert not {f"{room}.{other}" for other in others} & set(loaded)


@pytest.mark.parametrize("room", ROOMS)
def test_a_module_never_hides_the_function_of_its_name(room):
    """Neither where the module is imported first nor where it is imported last."""
    clashes = _run(
        f"""
import importlib, pkgutil
import {room} as room
names = [info.name for info in pkgutil.iter_modules(room.__path__)]
clashes = [name for name in names if name in room.__all__]
for name in clashes[::2]:
    assert callable(getattr(room, name))
for name in names:
    module = importlib.import_module(room.__name__ + "." + name)
    assert module.__name__.endswith(name)
for name in clashes:
    assert callable(getattr(room, name))
print(*clashes)
"""
    )
    assert len(clashes) >= 2


@pytest.mark.parametrize("room", ROOMS)
def test_all_names_are_listed_and_others_are_not_there(room):
    module = importlib.import_module(room)
    assert dir(module) == sorted(module.__all__)
    for name in module.__all__:
        assert getattr(module, name).__name__ == name
    with pytest.raises(AttributeError, match=f"module '{room}' has no attribute 'x'"):
        module.x  # noqa: B018
