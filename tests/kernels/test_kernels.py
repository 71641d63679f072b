# SPDX-License-Identifier: BSD-3-Clause
import os
import re
import shutil
import stat
import tempfile
import warnings
from pathlib import Path

import pytest

import labelsift
from labelsift import kernels
from restricted import run_read_only

USE = """
import warnings
from importlib import import_module
from labelsift.kernels import kernel_modules, warm_up
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    for name in kernel_modules():
        import_module("labelsift.kernels." + name)
    for name in {modules}:
        warm_up(name)
for warning in caught:
    print(warning.message)
"""


@pytest.fixture
def read_only():
    """Run a script on a copy that the process cannot write, without a home."""
    top = Path(tempfile.mkdtemp())
    shutil.copytree(
        Path(labelsift.__file__).parent,
        top / "labelsift",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    (top / "cache").mkdir()
    for path in (top, *top.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("XDG_CACHE_HOME", "PYTHONPATH")
    } | {
        "PYTHONPATH": str(top),
        "PYTHONDONTWRITEBYTECODE": "1",
        "HOME": str(top / "cache"),
        "NUMBA_CACHE_DIR": str(top / "cache"),
    }

    def run(script, **others):
        return run_read_only(script, top, cwd=top, env=environment | others)

    yield run
    for path in (top, *top.rglob("*")):
        path.chmod(path.stat().st_mode | stat.S_IWUSR)
    shutil.rmtree(top)


def test_kernels_work_where_nothing_can_be_written(read_only):
    done = read_only(USE.format(modules=["auc", "sparse_gram"]))
    assert done.returncode == 0, done.stderr
    [said] = done.stdout.splitlines()
    assert said == (
        "Compiled code cannot be stored, so every process compiles it again: set "
        "NUMBA_CACHE_DIR to a folder that can be written."
    )


def test_a_read_only_package_stores_compiled_code_in_the_home_folder(
    read_only, tmp_path
):
    home = {"HOME": str(tmp_path), "NUMBA_CACHE_DIR": ""}
    count = """
from labelsift.kernels import sparse_gram
sparse_gram.warm_up()
stats = sparse_gram.add_outer_products.stats
print(sum(stats.cache_misses.values()), sum(stats.cache_hits.values()))
"""
    compiled, read = map(int, read_only(count, **home).stdout.split())
    assert (compiled > 0, read) == (True, 0)
    assert read_only(count, **home).stdout.split() == ["0", str(compiled)]
    assert list(tmp_path.rglob("*.nbi"))


@pytest.mark.slow
def test_every_kernel_works_where_nothing_can_be_written(read_only):
    done = read_only(USE.format(modules="kernel_modules()"))
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 1


def test_every_kernel_is_cached_where_that_is_possible():
    for name in kernels.kernel_modules():
        text = Path(kernels.__file__).with_name(f"{name}.py").read_text()
        assert "njit" not in text
        assert re.search(r"^@kernel\(", text, re.MULTILINE)
    from labelsift.kernels import auc

    found = [f for f in vars(auc).values() if hasattr(f, "py_func")]
    assert found
    assert all(function.stats.cache_path for function in found)


def test_another_error_of_numba_is_not_taken_for_a_missing_folder(monkeypatch):
    from numba.core.registry import CPUDispatcher

    def fails(self):
        raise RuntimeError("something else")

    monkeypatch.setattr(CPUDispatcher, "enable_caching", fails)
    with pytest.raises(RuntimeError, match="something else"):
        kernels.kernel()(lambda: 1)


def test_the_options_of_a_kernel_reach_numba():
    def divide(a, b):
        return a / b

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert kernels.kernel(error_model="numpy")(divide)(1.0, 0.0) == float("inf")
