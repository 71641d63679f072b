# SPDX-License-Identifier: BSD-3-Clause
from labelsift.experiment.draws import RANDOM_DRAWS, draws_of, with_seed
from labelsift.experiment.task import MethodSpec


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
