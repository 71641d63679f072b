# SPDX-License-Identifier: BSD-3-Clause
import pytest

from compare.measured import answer_of
from labelsift.compare.words import percent


def test_the_sentence_of_the_page():
    answer = answer_of(
        {
            ("greedy-rls", 12): 0.8825,
            ("rfs", 12): 0.882,
            ("mifs", 12): 0.6,
            ("random", 12): 0.6,
            ("all-features", 72): 0.9,
            ("mifs", 20): 0.7,
        }
    )
    assert answer.sentence == (
        "12 of 72 features keep 98 % of the macro AUC of all features (0.882 against "
        "0.900). greedy-rls has the best mean at that size. mifs is worse (by 0.283). "
        "rfs cannot be told apart from it by 5 splits; more (--repeats 4) may."
    )


def test_a_method_that_beats_all_others():
    two = answer_of({("a", 5): 0.9, ("b", 5): 0.5})
    assert two.sentence.endswith(
        "a is the best choice at that size, better than the other method."
    )
    three = answer_of({("a", 5): 0.9, ("b", 5): 0.5, ("c", 5): 0.4})
    assert "better than each of the other 2 methods" in three.sentence


def test_many_methods_of_one_verdict_are_counted():
    answer = answer_of({(name, 5): 0.9 for name in "abcdef"}, spread=0.0001)
    assert "b, c, d and 2 more are as good (within 0.01)." in answer.sentence


def test_behind_is_not_proved():
    answer = answer_of({("a", 5): 0.9, ("b", 5): 0.7}, spread=0.3)
    assert "b is 0.200 behind, which 5 splits do not prove." in answer.sentence


def test_when_chance_does_as_well_the_sentence_says_so():
    answer = answer_of({("a", 1): 0.9, ("random", 1): 0.9, ("all-features", 9): 0.9})
    assert answer.headline.endswith(
        "but no method is shown to do better than a random ranking."
    )
    assert "A random ranking of that size gives 0.900 (p = " in answer.detail
    assert answer.sentence.startswith("1 of 9 features reaches the macro AUC")
    assert "a is the only method that was measured" in answer.sentence


def test_reaching_all_features_is_not_called_better():
    answer = answer_of({("a", 5): 0.95, ("all-features", 9): 0.9})
    assert answer.sentence.startswith(
        "5 of 9 features reach the macro AUC of all features (0.950 against 0.900)."
    )


@pytest.mark.parametrize(
    ("whole", "more"), [(0.95, True), (0.9001, False), (0.85, False)]
)
def test_a_curve_that_still_rises_is_mentioned(whole, more):
    answer = answer_of({("a", 5): 0.8, ("a", 7): 0.9, ("all-features", 9): whole})
    assert answer.more_may_help == more
    assert answer.sentence.endswith("may keep more.") == more


def test_a_loss_has_no_share():
    answer = answer_of(
        {("a", 5): 0.2, ("all-features", 9): 0.1}, measure="hamming_loss"
    )
    assert answer.share_kept is None
    assert answer.sentence.startswith(
        "5 of 9 features give a Hamming loss of 0.200 against 0.100 with all features."
    )


def test_without_a_reference():
    assert answer_of({("a", 1): 0.9}).sentence.startswith(
        "1 feature gives a macro AUC of"
    )
    assert answer_of({("a", 2): 0.9}).sentence.startswith(
        "2 features give a macro AUC of"
    )


@pytest.mark.parametrize(
    ("share", "text"), [(0.9999, "99.9 %"), (0.98, "98 %"), (0.97555, "97.5 %")]
)
def test_percent_never_rounds_up(share, text):
    assert percent(share) == text
