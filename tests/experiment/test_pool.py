# SPDX-License-Identifier: BSD-3-Clause
"""The runner: nothing is lost, nothing is done twice, one answer on any backend."""

import functools
import os
import pickle
import signal
import subprocess
import sys
import time
import warnings
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from experiment.tasks import quick_tasks, untimed
from labelsift.core import scratch
from labelsift.core.scratch import scratch_zeros
from labelsift.datasets import load_dataset, write_npz
from labelsift.experiment import pool
from labelsift.experiment.inputs import with_checksum
from labelsift.experiment.ledger import Ledger
from labelsift.experiment.pool import run_tasks
from labelsift.experiment.results import Outcome
from labelsift.experiment.task import DataSpec, Planned

DRIVER = """
import sys, time
from experiment.tasks import quick_tasks
from labelsift.experiment.ledger import Ledger
from labelsift.experiment.pool import run_tasks

def slowly(done, total, outcome):
    print(done, flush=True)
    time.sleep(0.2)

if __name__ == "__main__":
    with Ledger(sys.argv[1]) as ledger:
        run_tasks(quick_tasks(), ledger, jobs=int(sys.argv[2]), on_done=slowly)
"""


def results(ledger, tasks):
    planned = [Planned(task, "traits", task.method.name) for task in tasks]
    return ledger.results(planned)


def assert_same(ledger, whole):
    """The ledger has the values of an undisturbed run, bit by bit."""
    values = untimed(results(ledger, quick_tasks()).values)
    pd.testing.assert_frame_equal(values, whole, check_exact=True)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Values of an undisturbed run."""
    with Ledger(tmp_path_factory.mktemp("whole") / "runs.sqlite") as ledger:
        assert run_tasks(quick_tasks(), ledger) == len(quick_tasks())
        values = untimed(results(ledger, quick_tasks()).values)
    assert len(values) == len(quick_tasks()) * 2 * 2  # budgets, measures
    return values


@pytest.fixture
def path(tmp_path):
    return tmp_path / "runs.sqlite"


def start_driver(path, jobs):
    tests = str(Path(__file__).parents[1])
    before = os.environ.get("PYTHONPATH")
    paths = os.pathsep.join([tests, before] if before else [tests])
    script = path.with_suffix(".py")
    script.write_text(DRIVER)
    return subprocess.Popen(
        [sys.executable, str(script), str(path), str(jobs)],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": paths},
        start_new_session=True,
    )


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_driver_that_is_ended_is_taken_up_again(path, whole, jobs, end):
    driver = start_driver(path, jobs)
    while driver.stdout.readline().strip() != "3":
        assert driver.poll() is None
    os.killpg(driver.pid, end)
    driver.wait()
    with Ledger(path) as ledger:
        before = len(ledger.statuses())
        assert 3 <= before < len(quick_tasks())
        assert run_tasks(quick_tasks(), ledger) == len(quick_tasks()) - before
        assert_same(ledger, whole)


def test_the_same_plan_twice_runs_nothing(path):
    with Ledger(path) as ledger:
        assert run_tasks(quick_tasks(splits=2), ledger) == 6
        assert run_tasks(quick_tasks(splits=2), ledger) == 0


def test_large_memory_is_given_back(path):
    with scratch_zeros(3):
        pass
    with Ledger(path) as ledger:
        run_tasks(quick_tasks(), ledger)
    assert scratch._free == []


def test_a_task_that_is_planned_twice_is_run_once(path):
    tasks = quick_tasks(methods=("fisher",), splits=2)
    with Ledger(path) as ledger:
        assert run_tasks([*tasks, *tasks], ledger) == 2


def test_processes_give_the_same_values(path, whole):
    with Ledger(path) as ledger:
        run_tasks(quick_tasks(), ledger, jobs=2)
        assert_same(ledger, whole)


def test_paths_of_data_start_from_the_folder_of_the_driver(tmp_path, monkeypatch):
    task = quick_tasks()[0]
    for name in ("first", "second"):  # workers of the first would look there
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        write_npz(load_dataset("traits").rows(slice(300)), f"{name}.npz")
        spec = with_checksum(DataSpec(f"{name}.npz"))
        tasks = [replace(task, data=spec, split=split) for split in (0, 1)]
        with Ledger("runs.sqlite") as ledger:
            run_tasks(tasks, ledger, jobs=2)
            assert list(results(ledger, tasks).tasks["status"]) == ["done", "done"]


def test_nothing_is_said_of_a_worker_that_is_replaced(path):
    text = "A worker stopped while some jobs were given to the executor. This can be"

    def warn(done, total, outcome):
        warnings.warn(text, UserWarning, stacklevel=1)
        warnings.warn("Something else.", UserWarning, stacklevel=1)

    with Ledger(path) as ledger, pytest.warns(UserWarning, match="else") as said:
        run_tasks(quick_tasks()[:1], ledger, on_done=warn)
    assert {str(one.message) for one in said} == {"Something else."}


def test_a_dask_cluster_gives_the_same_values(path, whole):
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            dashboard_address=None,
            worker_dashboard_address=None,
        ) as cluster,
        Ledger(path) as ledger,
    ):
        address = cluster.scheduler_address
        run_tasks(quick_tasks(), ledger, backend="dask", scheduler=address)
        assert_same(ledger, whole)


def test_tasks_name_data_from_the_root_and_never_hold_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_npz(load_dataset("traits"), "traits.npz")
    spec = with_checksum(DataSpec("traits.npz"))
    here = replace(quick_tasks()[0], data=spec)
    there = pool._by_full_path(here)
    assert there.key == here.key
    assert there.data.source == str(tmp_path / "traits.npz")
    assert len(pickle.dumps(there)) < 5000 < (tmp_path / "traits.npz").stat().st_size
    registered = replace(here, data=with_checksum(DataSpec("traits")))
    assert pool._by_full_path(registered) == registered


run_task = pool.run_task


def die_once(mark, task, *limits):
    """Runs a task, but the first worker that comes by is killed."""
    try:
        mark.touch(exist_ok=False)
    except FileExistsError:
        return run_task(task, *limits)
    os.kill(os.getpid(), signal.SIGKILL)


def die_on_greedy(task, *limits):
    """A task that takes its worker with it, every time."""
    if task.method.name == "greedy-rls" and task.split == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return run_task(task, *limits)


def test_a_killed_worker_is_survived(path, whole, tmp_path, monkeypatch):
    mark = tmp_path / "mark"
    monkeypatch.setattr(pool, "run_task", functools.partial(die_once, mark))
    with Ledger(path) as ledger:
        run_tasks(quick_tasks(), ledger, jobs=2)
        assert mark.exists()
        assert_same(ledger, whole)


def test_a_task_that_kills_every_worker_fails_and_the_others_do_not(path, monkeypatch):
    monkeypatch.setattr(pool, "run_task", die_on_greedy)
    tasks = quick_tasks(splits=2)
    with Ledger(path) as ledger:
        assert run_tasks(tasks, ledger, jobs=2) == len(tasks)
        stored = results(ledger, tasks).tasks
    [failed] = stored[stored["status"] != "done"].itertuples()
    assert (failed.method, failed.split, failed.status) == ("greedy-rls", 0, "failed")
    assert "worker died" in failed.error
    assert len(stored) == len(tasks)


def fails(task, *limits):
    return Outcome(task.key, task.content, "failed", error="No luck.")


def test_failed_tasks_stay_and_run_again_when_asked(path, monkeypatch):
    tasks = quick_tasks(methods=("fisher",), splits=2)
    with Ledger(path) as ledger:
        with monkeypatch.context() as patch:
            patch.setattr(pool, "run_task", fails)
            run_tasks(tasks, ledger)
        assert run_tasks(tasks, ledger) == 0
        assert set(ledger.statuses().values()) == {"failed"}
        assert run_tasks(tasks, ledger, retry_failed=True) == 2
        assert set(ledger.statuses().values()) == {"done"}
        assert set(results(ledger, tasks).tasks["error"]) == {""}


def test_progress_is_told_and_noted(path):
    told = []
    with Ledger(path) as ledger:
        run_tasks(
            quick_tasks(methods=("fisher",)),
            ledger,
            on_done=lambda done, total, outcome: told.append((done, total)),
        )
        assert told == [(1, 3), (2, 3), (3, 3)]
        notes = ledger.notes()
    assert (notes["done"], notes["total"]) == (3, 3)
    assert notes["driver"] == os.getpid()
    assert notes["started"] <= notes["at"]


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"backend": "slurm"}, "use 'loky' or 'dask'"),
        ({"backend": "dask"}, "needs the address"),
    ],
)
def test_bad_backends(path, more, sentence):
    with Ledger(path) as ledger, pytest.raises(ValueError, match=sentence):
        run_tasks(quick_tasks(), ledger, **more)


def alive(pid):
    """Whether a process runs; one that waits to be counted does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def children(pid):
    """Processes that a process has started, and theirs."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rpartition(")")[2].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
        parents.setdefault(parent, []).append(int(path.parent.name))
    found, new = [], [pid]
    while new:
        new = [child for parent in new for child in parents.get(parent, [])]
        found += new
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
@pytest.mark.parametrize("moment", ["workers start", "a task is done"])
def test_workers_end_with_their_driver(path, end, moment):
    """Only the driver is hit: nobody tells the workers."""
    driver = start_driver(path, 2)
    workers = []
    if moment == "a task is done":
        driver.stdout.readline()
    while len(workers := children(driver.pid)) < 2:
        assert driver.poll() is None
        time.sleep(0.01)
    driver.send_signal(end)
    driver.wait()
    limit = time.monotonic() + 20
    while any(map(alive, workers)):
        assert time.monotonic() < limit, f"{sum(map(alive, workers))} orphans"
        time.sleep(0.1)
    assert driver.stdout.read() is not None  # ends: nobody holds the pipe


def test_after_one_time_out_the_other_splits_are_not_run(tmp_path, monkeypatch):
    """They are written as ended by the limit, and a later run believes it."""
    asked = []

    def ends(task, *_):
        asked.append((task.method.name, task.split))
        slow = task.method.name == "fisher" and task.split > 0
        return Outcome(task.key, task.content, "timeout" if slow else "done")

    monkeypatch.setattr(pool, "run_task", ends)
    tasks = quick_tasks(splits=4, fit_limit=5.0)
    with Ledger(tmp_path / "runs.sqlite") as ledger:
        assert run_tasks(tasks[:-6], ledger) == 6
        assert asked[-3:] == [("fisher", 1), ("random", 1), ("greedy-rls", 1)]
        assert run_tasks(tasks, ledger) == 6
        assert asked[6:] == [(m, s) for s in (2, 3) for m in ("random", "greedy-rls")]
        ended = results(ledger, tasks).tasks
        ended = ended[ended["method"] == "fisher"].sort_values("split")
        assert list(ended["status"]) == ["done", *["timeout"] * 3]
        assert set(ended["error"][2:]) == {"Not run: another split ran out of time."}
        assert run_tasks(tasks, ledger) == 0
        asked.clear()
        assert run_tasks(tasks, ledger, retry_failed=True) == 3
        assert asked == [("fisher", 1)]  # tried again, and again the others are not


def test_without_a_limit_of_the_fit_every_split_is_tried(tmp_path, monkeypatch):
    monkeypatch.setattr(pool, "run_task", lambda t, *_: Outcome(t.key, "", "timeout"))
    with Ledger(tmp_path / "runs.sqlite") as ledger:
        assert run_tasks(quick_tasks(("fisher",)), ledger) == 3
        assert "" in set(results(ledger, quick_tasks(("fisher",))).tasks["error"])
