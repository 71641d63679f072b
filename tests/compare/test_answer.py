# SPDX-License-Identifier: BSD-3-Clause
import math

import numpy as np
import pytest

from labelsift.results.recommend import recommend

SPLITS = 5


def rows_of(means, *, spread=0.01, measure="macro_auc", splits=SPLITS, seed=0):
    """Rows with exactly these means: every cell has a spread of its own."""
    rng = np.random.default_rng(seed)
    rows = []
    for (method, budget), mean in means.items():
        noise = rng.normal(size=splits)
        noise = (noise - noise.mean()) * spread if splits > 1 else np.zeros(1)
        rows += [
            {
                "method": method,
                "budget": budget,
                "measure": measure,
                "split": split,
                "value": mean + noise[split],
            }
            for split in range(splits)
        ]
    return rows


def auc(means, **options):
    return recommend(
        rows_of(means, **options), measure="macro_auc", higher_is_better=True
    )


def slow_choice(rows, sign):
    """The rule word for word."""
    table = {}
    for row in rows:
        table.setdefault((row["method"], row["budget"]), []).append(row["value"])
    best = max(table, key=lambda key: sign * np.mean(table[key]))
    bar = sign * np.mean(table[best]) - np.std(table[best], ddof=1) / math.sqrt(
        len(table[best])
    )
    near = [key for key in table if sign * np.mean(table[key]) >= bar]
    budget = min(key[1] for key in near)
    at_budget = [key for key in table if key[1] == budget]
    return max(at_budget, key=lambda key: sign * np.mean(table[key]))


@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("seed", range(20))
def test_the_choice_follows_the_rule(seed, higher):
    rng = np.random.default_rng(seed)
    means = {
        (method, budget): rng.uniform(0.6, 0.9)
        for method in "abc"
        for budget in (1, 3, 7, 20)
    }
    rows = rows_of(means, spread=0.05, seed=seed)
    found = recommend(rows, measure="macro_auc", higher_is_better=higher)
    expected = slow_choice(rows, 1 if higher else -1)
    assert (found.method, found.budget) == expected
    assert found.value == pytest.approx(means[expected])


def test_share_and_reference():
    found = auc({("a", 12): 0.882, ("all-features", 72): 0.9})
    assert found.share_kept == pytest.approx(0.98)
    assert found.n_features == 72
    assert found.reference_value == pytest.approx(0.9)


def test_the_reference_and_chance_are_never_recommended():
    found = auc({("a", 5): 0.7, ("random-ranking", 5): 0.8, ("all-features", 9): 0.9})
    assert found.method == "a"
    assert found.better_than_random is False


def test_a_clearly_worse_method_is_not_level():
    found = auc({("a", 5): 0.9, ("b", 5): 0.899, ("c", 5): 0.5})
    assert [other.method for other in found.level] == ["b"]
    assert found.level[0].difference == pytest.approx(0.001)
    assert found.level[0].p_value > 0.05
    assert found.n_methods == 3


def test_better_than_random_needs_more_than_a_higher_mean():
    clear = auc({("a", 5): 0.9, ("random-ranking", 5): 0.6})
    assert clear.better_than_random
    assert clear.random_p <= 0.05
    vague = auc({("a", 5): 0.9, ("random-ranking", 5): 0.899})
    assert vague.better_than_random is False
    unknown = auc({("a", 5): 0.9, ("random-ranking", 4): 0.6})
    assert unknown.better_than_random is None
    assert unknown.random_p is None


def test_the_best_of_many_equal_methods_is_not_called_better_than_random(rng):
    """Ten methods that are random themselves: a false claim is rare."""
    claims = 0
    for _ in range(200):
        shared = rng.normal(size=(11, 1)) * np.sqrt(0.2)
        values = shared + rng.normal(size=(11, 5)) * np.sqrt(0.8)
        rows = [
            {"method": m, "budget": 1, "measure": "x", "split": s, "value": v}
            for m, line in zip(
                ["random-ranking", *"abcdefghij"], values.tolist(), strict=True
            )
            for s, v in enumerate(line)
        ]
        found = recommend(rows, measure="x", higher_is_better=True)
        claims += found.any_better_than_random
    assert claims <= 20


def test_unfinished_cells_take_no_part():
    rows = rows_of({("a", 5): 0.8, ("b", 5): 0.99})
    rows = [row for row in rows if row["method"] == "a" or row["split"] < 1]
    assert recommend(rows, measure="macro_auc", higher_is_better=True).method == "a"


def test_of_an_unfinished_run_most_values_are_used():
    """One method was done, the others not: they are compared on what they share."""
    rows = rows_of({(name, 5): 0.8 for name in "abcde"} | {("all-features", 9): 0.9})
    rows = [row for row in rows if row["method"] in "a" or row["split"] < 3]
    found = recommend(rows, measure="macro_auc", higher_is_better=True)
    assert (found.n_splits, found.n_methods) == (3, 5)
    assert found.n_features == 9
    late = [row for row in rows if row["method"] != "all-features" or row["split"] < 2]
    found = recommend(late, measure="macro_auc", higher_is_better=True)
    assert (found.n_splits, found.reference_value) == (3, None)


def test_values_that_are_missing_and_cells_with_several():
    rows = rows_of({("a", 5): 0.8})
    rows += rows_of({("a", 5): 0.6})
    rows += [rows[0] | {"value": None}, rows[0] | {"value": math.nan}]
    found = recommend(rows, measure="macro_auc", higher_is_better=True)
    assert found.value == pytest.approx(0.7)
    assert found.n_splits == SPLITS


def test_one_split_tells_nothing_apart():
    found = auc(
        {("a", 5): 0.9, ("b", 5): 0.1, ("a", 3): 0.89, ("random-ranking", 5): 0.5},
        splits=1,
    )
    assert found.budget == 5
    assert math.isnan(found.std_error)
    assert [other.method for other in found.level] == ["b"]
    assert found.better_than_random is False
    assert "one split only" in found.sentence


def test_nothing_to_recommend():
    with pytest.raises(ValueError, match="no values of 'coverage'"):
        recommend(rows_of({("a", 1): 1}), measure="coverage", higher_is_better=False)


def test_where_fewer_features_show_the_difference_it_is_said():
    """Equal to chance with many features, far better with few."""
    rng = np.random.default_rng(0)
    rows = [
        row
        for split in range(5)
        for method, few, many in (("good", 0.9, 0.95), ("random-ranking", 0.6, 0.949))
        for row in (
            {"budget": 2, "value": few + 0.003 * rng.normal()},
            {"budget": 20, "value": many + 0.01 * rng.normal()},
        )
        for row in [row | {"method": method, "measure": "macro_auc", "split": split}]
    ]
    answer = recommend(rows, measure="macro_auc", higher_is_better=True)
    assert answer.budget == 20
    assert answer.better_than_random is False
    assert answer.fewer.budget == 2
    assert "With fewer features the choice matters" in answer.sentence
    assert answer.fewer.p_value < 0.05
