# SPDX-License-Identifier: BSD-3-Clause
"""The runner: nothing is lost, nothing is done twice, one answer on any backend."""

import functools
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bench.stand_ins import tasks, values
from labelsift.bench import schedule
from labelsift.bench.schedule import run_tasks, time_left
from labelsift.results import ResultStore

DRIVER = """
import sys, time
from bench.stand_ins import tasks
from labelsift.bench.schedule import run_tasks
from labelsift.results import ResultStore

def slowly(done, total, outcome):
    print(done, flush=True)
    time.sleep(0.2)

if __name__ == "__main__":
    with ResultStore(sys.argv[1]) as store:
        run_tasks(tasks(), store, jobs=int(sys.argv[2]), on_done=slowly)
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Values of an undisturbed run."""
    with ResultStore(tmp_path_factory.mktemp("whole") / "runs.sqlite") as store:
        assert run_tasks(tasks(), store) == len(tasks())
        return values(store, tasks())


@pytest.fixture
def path(tmp_path):
    return tmp_path / "runs.sqlite"


def start_driver(path, jobs):
    tests = str(Path(__file__).parents[1])
    found = os.environ.get("PYTHONPATH")
    paths = os.pathsep.join([tests, found] if found else [tests])
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
    with ResultStore(path) as store:
        before = len(store.statuses())
        assert 3 <= before < len(tasks())
        assert run_tasks(tasks(), store) == len(tasks()) - before
        assert values(store, tasks()) == whole


def test_the_same_plan_twice_runs_nothing(path):
    with ResultStore(path) as store:
        run_tasks(tasks(splits=2), store)
        assert run_tasks(tasks(splits=2), store) == 0


def test_processes_give_the_same_rows(path, whole):
    with ResultStore(path) as store:
        run_tasks(tasks(), store, jobs=2)
        assert values(store, tasks()) == whole


def test_a_dask_cluster_gives_the_same_rows(path, whole):
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            dashboard_address=None,
            worker_dashboard_address=None,
        ) as cluster,
        ResultStore(path) as store,
    ):
        run_tasks(tasks(), store, backend="dask", scheduler=cluster.scheduler_address)
        assert values(store, tasks()) == whole


def die_once(mark, task, timeout, threads):
    """Runs a task, but the first worker that comes by is killed."""
    try:
        mark.touch(exist_ok=False)
    except FileExistsError:
        return schedule_run_task(task, timeout, threads)
    os.kill(os.getpid(), signal.SIGKILL)


def die_on_greedy(task, timeout, threads):
    """A task that takes its worker with it, every time."""
    if task.method.name == "greedy-rls" and task.split == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return schedule_run_task(task, timeout, threads)


schedule_run_task = schedule.run_task


def test_a_killed_worker_is_survived(path, whole, tmp_path, monkeypatch):
    mark = tmp_path / "mark"
    monkeypatch.setattr(schedule, "run_task", functools.partial(die_once, mark))
    with ResultStore(path) as store:
        run_tasks(tasks(), store, jobs=2)
        assert mark.exists()
        assert values(store, tasks()) == whole


def test_a_task_that_kills_every_worker_is_a_row_with_its_error(path, monkeypatch):
    monkeypatch.setattr(schedule, "run_task", die_on_greedy)
    plan = tasks(splits=2)
    with ResultStore(path) as store:
        assert run_tasks(plan, store, jobs=2) == len(plan)
        failed = [r for r in store.records(t.key for t in plan) if r.status != "done"]
    assert [record.status for record in failed] == ["failed"]
    assert "worker died" in failed[0].error


def fails(task, timeout, threads):
    return schedule.Outcome(task.key, task.content, "failed", error="No luck.")


def test_failed_tasks_are_kept_and_run_again_when_asked(path, monkeypatch):
    plan = tasks(methods=("fisher",), splits=2)
    with ResultStore(path) as store:
        with monkeypatch.context() as patch:
            patch.setattr(schedule, "run_task", fails)
            run_tasks(plan, store)
        assert run_tasks(plan, store) == 0
        assert set(store.statuses().values()) == {"failed"}
        assert run_tasks(plan, store, retry_failed=True) == 2
        assert set(store.statuses().values()) == {"done"}


def test_progress_is_told_and_noted(path):
    told = []
    with ResultStore(path) as store:
        run_tasks(
            tasks(methods=("fisher",)),
            store,
            on_done=lambda done, total, outcome: told.append((done, total)),
        )
        assert told == [(1, 3), (2, 3), (3, 3)]
        assert store.notes()["done"] == 3


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"backend": "slurm"}, "use 'loky' or 'dask'"),
        ({"backend": "dask"}, "needs the address"),
    ],
)
def test_bad_backends(path, more, sentence):
    with (
        ResultStore(path) as store,
        pytest.raises(ValueError, match=sentence),
    ):
        run_tasks(tasks(), store, **more)


def test_time_left():
    assert time_left(2, 6, 10.0) == 20.0
    assert str(time_left(0, 6, 1.0)) == "nan"
