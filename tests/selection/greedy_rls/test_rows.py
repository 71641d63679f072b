# SPDX-License-Identifier: BSD-3-Clause
"""Exact leave-one-out on blocks of rows: as in one memory, whatever is lost."""

import numpy as np
import pytest
import scipy.sparse as sp

from labelsift.selection.greedy_rls.problem import Problem
from labelsift.selection.greedy_rls.rows import (
    Block,
    LocalRows,
    added,
    passed_by,
)
from labelsift.selection.greedy_rls.rows_model import RowsModel
from labelsift.selection.greedy_rls.search import select_by_loo
from labelsift.selection.greedy_rls.steps import Rule, grow

ALPHA, STEPS = 3.0, 9
CUTS = {"one": [], "even": [40, 80], "uneven": [1, 1, 7, 100]}


class Recorded(LocalRows):
    """Blocks that are compared, at every step, with ones built from the plan."""

    def __init__(self, parts):
        super().__init__(parts)
        self.rows, self.worst = list(parts), 0.0

    def scores(self, plan, change):
        answers = list(super().scores(plan, change))
        for block, rows in zip(self._blocks, self.rows, strict=True):
            for kept, built in zip(
                block.arrays, Block(plan, *rows).arrays, strict=True
            ):
                self.worst = max(self.worst, np.abs(kept - built).max(initial=0.0))
        return answers


class Forgetful:
    """No block is kept, and rows are built a few at a time."""

    def __init__(self, parts):
        self.rows = list(parts)

    def scores(self, plan, change):
        return [passed_by(plan, *rows) for rows in self.rows]


@pytest.fixture
def data(rng):
    X = rng.normal(size=(130, 170)) + 2
    Y = (X[:, :4] @ rng.normal(size=(4, 3)) > 2).astype(float) * 2 - 1
    return X, Y


def cut(where, *arrays):
    parts = [np.split(array, where) for array in arrays]
    return list(zip(*parts, strict=True))


def select(problem, rows):
    """The selection on blocks, and by the dense form."""
    gram = problem.gram()
    model = RowsModel(problem, ALPHA, gram.__getitem__, rows, steps=STEPS)
    d = problem.shape[1]
    rule = Rule(np.ones(d, int), np.zeros(d, bool), STEPS)
    [dense] = select_by_loo(problem, np.array([ALPHA]), rule, "dense")
    return grow(model, rule), dense, model


def assert_equal(steps, dense):
    np.testing.assert_array_equal(steps.order, dense.order)
    np.testing.assert_allclose(steps.errors, dense.errors, rtol=1e-9)
    np.testing.assert_allclose(steps.margins, dense.margins, rtol=1e-6)
    np.testing.assert_allclose(steps.slack, dense.slack, rtol=1e-9)


@pytest.mark.parametrize("where", CUTS.values(), ids=CUTS)
@pytest.mark.parametrize("kind", [Recorded, Forgetful])
def test_blocks_equal_the_dense_form(data, where, kind):
    X, Y = data
    rows = kind(cut(where, X, Y))
    steps, dense, _ = select(Problem.from_rows(X, Y, 1.0), rows)
    assert_equal(steps, dense)
    assert getattr(rows, "worst", 0) < 1e-10


def test_weights_of_rows(data, rng):
    X, Y = data
    weights = rng.choice([0.5, 1.0, 2.0, 3.5], size=len(X))
    problem = Problem.from_rows(X, Y, 1.0, weights)
    root = problem.root[:, np.newaxis]
    centred = root * (X - problem.x_mean)
    rows = Recorded(cut([50], X, Y, weights))
    model = RowsModel(
        problem, ALPHA, (centred.T @ centred).__getitem__, rows, steps=STEPS
    )
    rule = Rule(np.ones(170, int), np.zeros(170, bool), STEPS)
    [dense] = select_by_loo(problem, np.array([ALPHA]), rule, "dense")
    assert_equal(grow(model, rule), dense)
    assert rows.worst < 1e-10


def test_sparse_blocks(data):
    X, Y = data
    X = X * (np.abs(X) > 2)
    parts = [(sp.csr_array(x), y) for x, y in cut([40, 80], X, Y)]
    steps, dense, _ = select(Problem.from_rows(X, Y, 1.0), Recorded(parts))
    assert_equal(steps, dense)


def test_a_block_that_was_interrupted_is_of_no_step(data):
    X, Y = data
    rows = LocalRows([(X, Y)])
    _, _, model = select(Problem.from_rows(X, Y, 1.0), rows)
    block = Block(model.plan, X, Y)
    assert block.step == STEPS

    def fail(*_):
        raise KeyboardInterrupt

    block._pass = fail
    with pytest.raises(KeyboardInterrupt):
        block.advance(model._change)
    assert block.step == -1


def test_no_rows_add_nothing(data):
    X, Y = data
    plan = RowsModel(
        Problem.from_rows(X, Y, 1.0), ALPHA, None, LocalRows([]), steps=1
    ).plan
    none = passed_by(plan, X[:0], Y[:0])
    some = passed_by(plan, X, Y)
    both = added([none, some, none], 170)
    assert none.error == 0
    assert both.error == some.error
    np.testing.assert_array_equal(both.errors, some.errors)
    np.testing.assert_array_equal(both.slack, some.slack)
