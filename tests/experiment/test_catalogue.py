# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
from sklearn.base import clone

from experiment.tasks import planted
from labelsift.experiment.catalogue import (
    ALL_FEATURES,
    CATALOGUE,
    CONTROLS,
    GREEDY_FAIR,
    GREEDY_GCV,
    RANDOM_DRAWS,
    READOUTS,
    Size,
    draws_of,
    method_title,
    paper_rank,
    with_seed,
)
from labelsift.experiment.run import run_task
from labelsift.experiment.task import DataSpec, MethodSpec, Protocol, Task
from labelsift.prepare.array_scaling import SCALES
from labelsift.selection import METHODS, ImportanceSelector
from labelsift.selection.familiar import FAMILIAR


def test_every_selector_is_in_the_catalogue_under_its_name():
    for name, cls in METHODS.items():
        if name != "importance":  # stands there with the estimators that people use
            assert CATALOGUE[name].selects
            assert type(CATALOGUE[name].make(3)) is cls
    for name in FAMILIAR:
        assert CATALOGUE[name].selects
        assert type(CATALOGUE[name].make(3)) is ImportanceSelector


def test_what_selects_nothing_says_so():
    others = set(CATALOGUE) - {*METHODS, *FAMILIAR, GREEDY_GCV, GREEDY_FAIR}
    assert not any(CATALOGUE[name].selects for name in others)
    assert set(CONTROLS) <= set(CATALOGUE)
    assert CATALOGUE[ALL_FEATURES].make(3) is None


@pytest.mark.parametrize("name", [name for name in CATALOGUE if name != ALL_FEATURES])
def test_no_method_draws_without_a_seed(name):
    params = CATALOGUE[name].make(6).get_params()
    seeds = [value for key, value in params.items() if key.endswith("random_state")]
    assert None not in seeds


@pytest.mark.parametrize("name", [name for name in CATALOGUE if name != ALL_FEATURES])
def test_each_call_makes_a_new_estimator_with_defaults(name):
    one, other = CATALOGUE[name].make(6), CATALOGUE[name].make(6)
    assert one is not other
    assert repr(one) == repr(other) == repr(clone(one))


SMALL, LARGE = Size(100, 50, 5, 5000, 10), Size(1000, 500, 50, 500_000, 100)


@pytest.mark.parametrize("name", [n for n in CATALOGUE if CATALOGUE[n].selects])
def test_every_selector_estimates_its_seconds(name):
    seconds = CATALOGUE[name].seconds
    assert 0 < seconds(SMALL) < seconds(LARGE)


def test_a_gram_matrix_is_of_the_smaller_side():
    assert SMALL.square == 50**2 * 100
    assert SMALL.square == Size(50, 100, 5, 5000, 10).square
    assert SMALL.cube == 50**3


def test_controls_have_titles_and_methods_their_names():
    assert method_title("random") == "random ranking"
    assert method_title(ALL_FEATURES) == "all features"
    assert method_title("rfs") == "rfs"


def test_scales_of_the_catalogue_are_known():
    assert {entry.scale for entry in CATALOGUE.values()} <= {"", "none", *SCALES}


@pytest.mark.parametrize("name", READOUTS)
def test_readouts_score_every_label(name):
    data = planted(240)
    X = data.X[:, data.relevant]
    scores = READOUTS[name]().fit(X[:180], data.Y[:180]).decision_function(X[180:])
    assert scores.shape == (60, 4)
    assert ((scores > 0) == data.Y[180:]).mean() > 0.7


def test_neighbours_vote():
    X = np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]])
    Y = np.array([[1, 0], [1, 0], [0, 0], [0, 1], [0, 1], [1, 1]])
    scores = READOUTS["3nn"]().fit(X, Y).decision_function([[1.0], [11.0]])
    assert np.allclose(scores, [[2 / 3 - 0.5, -0.5], [1 / 3 - 0.5, 0.5]])


@pytest.mark.parametrize(
    ("labels", "rank"), [(1, 1), (5, 1), (6, 5), (11, 10), (26, 25)]
)
def test_rank_of_the_paper(labels, rank):
    assert paper_rank(labels) == rank


def test_pipelines_have_a_component_less_than_labels():
    assert CATALOGUE["cca-ridge"].make(6).named_steps["cca"].n_components == 5
    assert CATALOGUE["opls-ridge"].make(1).named_steps["opls"].n_components == 1


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
