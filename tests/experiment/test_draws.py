# SPDX-License-Identifier: BSD-3-Clause
import numpy as np

from labelsift.experiment.draws import RANDOM_DRAWS, draws_of, with_seed
from labelsift.experiment.run import run_task
from labelsift.experiment.task import DataSpec, MethodSpec, Protocol, Task


def test_only_the_random_ranking_is_drawn_more_than_once():
    assert list(draws_of("random")) == list(range(RANDOM_DRAWS))
    assert RANDOM_DRAWS >= 8
    assert list(draws_of("fisher")) == [0]


def test_every_split_and_draw_has_a_seed_of_its_own():
    spec = MethodSpec("random")
    seeds = {
        with_seed(spec, split, draw).params["random_state"]
        for split in range(50)
        for draw in range(40)
    }
    assert len(seeds) == 50 * 40
    moved = with_seed(MethodSpec("random", {"random_state": 7}), 2, 3)
    assert moved.params["random_state"] == 2010


def test_other_methods_stay_as_they_are():
    spec = MethodSpec("mifs", {"random_state": 0})
    assert with_seed(spec, 3, 0) is spec


def test_eight_draws_are_near_forty_and_one_draw_is_not():
    """Macro AUC of three pixels; perf/random_draws.py has more data and budgets."""

    def value(draw):
        spec = with_seed(MethodSpec("random", scale="standardize"), 0, draw)
        folds = Protocol("stratified", 5)
        task = Task(DataSpec("traits"), folds, 0, spec, budgets=("3",),
                    readouts=("ridge",))  # fmt: skip
        values = run_task(task).values
        return values[values["measure"] == "macro_auc"]["value"].item()

    draws = np.array([value(draw) for draw in range(40)])
    eights = draws.reshape(5, 8).mean(axis=1)
    far = np.abs(draws - draws.mean())
    near = np.abs(eights - draws.mean())
    print(f"one draw is off by {far.mean():.4f}, eight by {near.mean():.4f}")
    # The error of a mean of eight is that of one over the root of eight.
    assert near.mean() < far.mean() / 2
    assert near.max() < 3 * draws.std(ddof=1) / np.sqrt(8)
    assert far.max() > 2 * near.max()
