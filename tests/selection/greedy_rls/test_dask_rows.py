# SPDX-License-Identifier: BSD-3-Clause
"""Exact leave-one-out on dask workers: the same answer, whatever they forget."""

import os
import signal

import numpy as np
import pytest

from labelsift.core.dask_blocks import DaskBlocks, Worker
from labelsift.selection.greedy_rls import dask_rows
from labelsift.selection.greedy_rls.dask_rows import DaskRows
from labelsift.selection.greedy_rls.problem import Problem
from labelsift.selection.greedy_rls.rows_model import RowsModel
from labelsift.selection.greedy_rls.search import select_by_loo
from labelsift.selection.greedy_rls.steps import Rule, grow

da = pytest.importorskip("dask.array")
distributed = pytest.importorskip("distributed")
clusters = pytest.importorskip("clusters")

ALPHA, STEPS = 2.0, 6


@pytest.fixture(scope="module")
def workers():
    with clusters.threads() as started:
        yield started


@pytest.fixture
def client(workers):
    with distributed.Client(workers) as client:
        yield client


@pytest.fixture(scope="module")
def problem():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 30)) + 1
    Y = (X[:, :5] @ rng.normal(size=(5, 4)) > 1) * 2.0 - 1
    return Problem.from_rows(X, Y, 1.0)


RULE = Rule(np.ones(30, int), np.zeros(30, bool), STEPS)


def as_they_are(X, y, weights):
    return X, y, weights


def blocks_of(problem):
    X, Y = (da.from_array(data, chunks=(100, -1)) for data in (problem.X, problem.Y))
    return DaskBlocks.read(X, Y)


def select(problem, blocks, before=None):
    """The steps, and how many blocks were passed by in each."""
    gram = problem.gram()
    with DaskRows(blocks, as_they_are, [100] * 4, 30) as rows:
        model = RowsModel(problem, ALPHA, gram.__getitem__, rows, steps=STEPS)
        if before is not None:
            add = model.add

            def disturbed(candidate):
                add(candidate)
                before(model.plan.step)

            model.add = disturbed
        return grow(model, RULE), rows


def assert_dense(steps, problem):
    [dense] = select_by_loo(problem, np.array([ALPHA]), RULE, "dense")
    np.testing.assert_array_equal(steps.order, dense.order)
    np.testing.assert_allclose(steps.errors, dense.errors, rtol=1e-9)
    np.testing.assert_allclose(steps.slack, dense.slack, rtol=1e-9)


def kept_here(run):
    return sum(key[0] == run for key in dask_rows._KEPT)


def test_without_a_cluster(problem):
    steps, rows = select(problem, blocks_of(problem))
    assert_dense(steps, problem)
    assert rows.passed == [0] * STEPS
    assert kept_here(rows._run) == 0


def test_workers_keep_blocks_and_forget_them(problem, client):
    steps, rows = select(problem, blocks_of(problem))
    assert_dense(steps, problem)
    assert rows.passed[-1] == 0  # dask may move a task of the first steps
    assert set(rows._homes.values()) == set(client.scheduler_info()["workers"])
    assert set(client.run(kept_here, rows._run).values()) == {0}


def test_what_is_lost_is_built_again(problem, client):
    def lose_all(step):
        if step % 3 == 0:
            dask_rows._KEPT.clear()

    steps, _ = select(problem, blocks_of(problem), lose_all)
    assert_dense(steps, problem)


def test_what_is_out_of_date_is_built_again(problem, client):
    def spoil_one(step):
        for kept in list(dask_rows._KEPT.values())[:2]:
            kept.block.step = -1

    steps, _ = select(problem, blocks_of(problem), spoil_one)
    assert_dense(steps, problem)


def test_a_task_that_is_run_twice_does_no_harm(problem, client, monkeypatch):
    once = dask_rows.follow

    def twice(key, change):
        once(key, change)
        return once(key, change)

    monkeypatch.setattr(dask_rows, "follow", twice)
    steps, _ = select(problem, blocks_of(problem))
    assert_dense(steps, problem)


@pytest.mark.slow
def test_a_worker_that_is_killed_costs_no_digit(problem):
    def kill_one(step):
        if step == 3:
            pids = client.run(os.getpid)
            os.kill(next(iter(pids.values())), signal.SIGKILL)

    with clusters.processes() as started, distributed.Client(started) as client:
        steps, _ = select(problem, blocks_of(problem), kill_one)
    assert_dense(steps, problem)


@pytest.mark.parametrize(("room", "passed"), [(0, 4), (1, 3), (2.5, 2)])
def test_blocks_without_room_are_passed_by(problem, room, passed, monkeypatch):
    size = 16 * 100 * 30
    work = dask_rows._BARE + dask_rows._WORK * size / 2
    memory = (work + room * size) / dask_rows._SHARE
    here = DaskBlocks.workers(blocks_of(problem))[0].address
    alone = [Worker(here, memory + 1, 1)]
    monkeypatch.setattr(DaskBlocks, "workers", lambda _: alone)
    steps, rows = select(problem, blocks_of(problem))
    assert_dense(steps, problem)
    assert rows.passed == [passed] * STEPS


def test_an_error_leaves_nothing_behind(problem):
    def fail(step):
        raise RuntimeError("stop")

    before = len(dask_rows._KEPT)
    with pytest.raises(RuntimeError):
        select(problem, blocks_of(problem), fail)
    assert len(dask_rows._KEPT) == before
