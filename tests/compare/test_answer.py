# SPDX-License-Identifier: BSD-3-Clause
import math
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from scipy import stats

from compare.measured import answer_of, results, rows_of
from labelsift.compare import recommend
from labelsift.stats import corrected_resampled_t, holm

# What pandas says of a slow lookup would reach the user of the command line.
pytestmark = pytest.mark.filterwarnings("error")


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


@pytest.mark.parametrize(("measure", "sign"), [("macro_auc", 1), ("hamming_loss", -1)])
@pytest.mark.parametrize("seed", range(20))
def test_the_choice_follows_the_rule(seed, measure, sign):
    rng = np.random.default_rng(seed)
    means = {
        (method, budget): rng.uniform(0.6, 0.9)
        for method in "abc"
        for budget in (1, 3, 7, 20)
    }
    rows = rows_of(means, measure=measure, spread=0.05, seed=seed)
    answer = recommend(results(rows), measure)
    expected = slow_choice(rows, sign)
    assert (answer.method, answer.budget) == expected
    assert answer.value == pytest.approx(means[expected])
    rng.shuffle(rows)
    again = recommend(results(rows), measure)
    assert (again.method, again.budget) == expected


def test_of_equal_means_that_of_fewer_features_is_the_best():
    means = {("b", 9): 0.9, ("a", 9): 0.9, ("b", 4): 0.9, ("a", 4): 0.9}
    answer = answer_of(means, spread=0)
    assert (answer.best_method, answer.best_budget) == ("b", 4)
    assert (answer.method, answer.budget) == ("b", 4)


def test_share_and_reference():
    answer = answer_of({("a", 12): 0.882, ("all-features", 72): 0.9})
    assert answer.share_kept == pytest.approx(0.98)
    assert answer.n_features == 72
    assert answer.reference_value == pytest.approx(0.9)


def test_the_reference_and_chance_are_never_recommended():
    answer = answer_of({("a", 5): 0.7, ("random", 5): 0.8, ("all-features", 9): 0.9})
    assert answer.method == "a"
    assert answer.better_than_random is False


def word_by_hand(differences, p, margin=0.01):
    """The four words, as the specification has them."""
    k = len(differences)
    m = np.mean(differences)
    se = math.sqrt(1 / k + 1 / (k - 1)) * np.std(differences, ddof=1)
    if m + stats.t.ppf(0.95, k - 1) * se <= margin:
        return "as good"
    if p <= 0.05 and m > margin:
        return "worse"
    return "behind" if m > 3 * margin else "cannot tell"


@pytest.mark.parametrize("seed", range(10))
def test_verdicts_follow_the_definition(seed):
    means = {"a": 0.9, "b": 0.899, "c": 0.88, "d": 0.85, "e": 0.7}
    spread = 0.002 * 3**seed
    rows = rows_of({(m, 5): v for m, v in means.items()}, spread=spread, seed=seed)
    answer = recommend(results(rows), "macro_auc")
    values = {
        name: np.array([row["value"] for row in rows if row["method"] == name])
        for name in means
    }
    assert {verdict.method for verdict in answer.verdicts} == {*"bcde"}
    for verdict in answer.verdicts:
        differences = values["a"] - values[verdict.method]
        assert verdict.word == word_by_hand(differences, verdict.p_value)
        assert verdict.low <= verdict.difference <= verdict.high
        assert verdict.difference == pytest.approx(np.mean(differences))
    ordered = [verdict.difference for verdict in answer.verdicts]
    assert ordered == sorted(ordered)


def test_a_method_far_behind_is_never_called_as_good_or_unclear():
    answer = answer_of({("a", 5): 0.9, ("b", 5): 0.7}, spread=0.3)
    assert answer.verdicts[0].word == "behind"


def test_the_margin_of_a_measure_beyond_one_is_a_share_of_its_value():
    means = {("a", 5): 20.0, ("b", 5): 20.1}
    answer = answer_of(means, measure="coverage", spread=0.001)
    assert answer.margin == pytest.approx(0.2)
    assert answer.verdicts[0].word == "as good"


@pytest.mark.parametrize("ratio", [None, 0.1])
def test_p_values_are_those_of_the_corrected_test_by_holm(ratio):
    rows = rows_of(
        {("a", 5): 0.9, ("b", 5): 0.899, ("c", 5): 0.898, ("random", 5): 0.8}
    )
    answer = recommend(results(rows), "macro_auc", test_over_train=ratio)
    values = {
        name: np.array([row["value"] for row in rows if row["method"] == name])
        for name in ("a", "b", "c", "random")
    }
    tests = [corrected_resampled_t(values["a"] - values[m], ratio) for m in "bc"]
    verdicts = {other.method: other for other in answer.verdicts}
    for name, test, p in zip(
        "bc", tests, holm([t.p_value for t in tests]), strict=True
    ):
        assert verdicts[name].p_value == pytest.approx(p)
        width = verdicts[name].high - verdicts[name].low
        reach = 2 * stats.t.ppf(0.95, 4)
        assert width == pytest.approx(reach * test.std_error)
    random = [
        corrected_resampled_t(values[m] - values["random"], ratio).p_greater
        for m in "abc"
    ]
    assert answer.random_p == pytest.approx(holm(random)[0])


def test_better_than_random_needs_more_than_a_higher_mean():
    clear = answer_of({("a", 5): 0.9, ("random", 5): 0.6})
    assert clear.better_than_random
    assert clear.random_p <= 0.05
    vague = answer_of({("a", 5): 0.9, ("random", 5): 0.899})
    assert vague.better_than_random is False
    unknown = answer_of({("a", 5): 0.9, ("random", 4): 0.6})
    assert unknown.better_than_random is None
    assert unknown.random_p is None


def test_the_best_of_many_equal_methods_is_not_called_better_than_random(rng):
    """Ten methods that are random themselves: a false claim is rare."""
    claims = 0
    for _ in range(200):
        shared = rng.normal(size=(11, 1)) * np.sqrt(0.2)
        values = shared + rng.normal(size=(11, 5)) * np.sqrt(0.8)
        rows = [
            {"method": m, "budget": 1, "measure": "accuracy", "split": s, "value": v}
            for m, line in zip(["random", *"abcdefghij"], values.tolist(), strict=True)
            for s, v in enumerate(line)
        ]
        claims += recommend(results(rows), "accuracy").any_better_than_random
    assert claims <= 20


def test_unfinished_cells_take_no_part():
    rows = rows_of({("a", 5): 0.8, ("b", 5): 0.99})
    rows = [row for row in rows if row["method"] == "a" or row["split"] < 1]
    assert recommend(results(rows), "macro_auc").method == "a"


def test_of_an_unfinished_run_most_values_are_used():
    """One method was done, the others not: they are compared on what they share."""
    rows = rows_of({(name, 5): 0.8 for name in "abcde"} | {("all-features", 9): 0.9})
    rows = [row for row in rows if row["method"] in "a" or row["split"] < 3]
    answer = recommend(results(rows), "macro_auc")
    assert (answer.n_splits, answer.n_methods) == (3, 5)
    assert answer.n_features == 9
    late = [row for row in rows if row["method"] != "all-features" or row["split"] < 2]
    answer = recommend(results(late), "macro_auc")
    assert (answer.n_splits, answer.reference_value) == (3, None)


def test_values_that_are_missing_and_cells_with_several():
    rows = rows_of({("a", 5): 0.8})
    rows += rows_of({("a", 5): 0.6})
    rows += [rows[0] | {"value": None}, rows[0] | {"value": math.nan}]
    answer = recommend(results(rows), "macro_auc")
    assert answer.value == pytest.approx(0.7)
    assert answer.n_splits == 5


def test_one_split_tells_nothing_apart():
    answer = answer_of(
        {("a", 5): 0.9, ("b", 5): 0.1, ("a", 3): 0.89, ("random", 5): 0.5}, splits=1
    )
    assert answer.budget == 5
    assert math.isnan(answer.std_error)
    assert [(v.method, v.word) for v in answer.verdicts] == [("b", "cannot tell")]
    assert answer.better_than_random is False
    assert "one split only" in answer.sentence


@pytest.mark.parametrize(
    "means", [{("a", 1): 1}, {("random", 1): 1, ("all-features", 3): 1}, {}]
)
def test_nothing_to_recommend(means):
    measure = "macro_auc" if ("random", 1) in means else "coverage"
    with pytest.raises(ValueError, match=f"no values of '{measure}' of any method"):
        recommend(results(rows_of(means)), measure)


def test_where_fewer_features_show_the_difference_it_is_said():
    """Equal to chance with many features, far better with few."""
    rng = np.random.default_rng(0)
    rows = [
        row | {"method": method, "measure": "macro_auc", "split": split}
        for split in range(5)
        for method, few, many in (("good", 0.9, 0.95), ("random", 0.6, 0.949))
        for row in (
            {"budget": 2, "value": few + 0.003 * rng.normal()},
            {"budget": 20, "value": many + 0.01 * rng.normal()},
        )
    ]
    answer = recommend(results(rows), "macro_auc")
    assert answer.budget == 20
    assert answer.better_than_random is False
    assert answer.fewer.budget == 2
    assert "With fewer features the choice matters" in answer.sentence
    assert answer.fewer.p_value < 0.05


@pytest.fixture
def plain():
    return answer_of(
        {("a", 5): 0.8, ("a", 9): 0.9, ("all-features", 20): 0.9}, spread=0
    )


def test_the_sentence_is_headline_and_detail(plain):
    assert plain.sentence == f"{plain.headline} {plain.detail}"
    assert "9 of 20 features" in plain.headline
    assert "5 of 20 features" in replace(plain, budget=5).headline


def test_an_answer_cannot_be_changed(plain):
    with pytest.raises(FrozenInstanceError):
        plain.budget = 3
