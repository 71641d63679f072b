# SPDX-License-Identifier: BSD-3-Clause
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from labelsift.prepare.doubts.folds import fold_doubts, worst_label
from labelsift.stats import corrected_resampled_t

NAMES = ("often", "rarely", "never")
ANSWER = SimpleNamespace(method="good", budget=5)


def p_value(differences):
    return corrected_resampled_t(differences).p_greater


def artifacts(aucs, spread=0.01, splits=5, unknown=()):
    """Rows of label AUCs by (method, budget); other rows between them."""
    rng = np.random.default_rng(0)
    rows = []
    for (method, budget), means in aucs.items():
        for split in range(splits):
            values = (np.array(means) + spread * rng.normal(size=len(means))).tolist()
            values = [
                None if (split, i) in unknown else v for i, v in enumerate(values)
            ]
            rows += [(method, split, budget, "label_auc", values)]
            rows += [(method, split, budget, "order", [1, 2])]
    return pd.DataFrame(rows, columns=["method", "split", "budget", "name", "value"])


FINE = {("good", 5): [0.9, 0.8, 0.7], ("all-features", 64): [0.92, 0.85, 0.75]}


def test_nothing_to_doubt():
    assert fold_doubts(artifacts(FINE), NAMES, ANSWER, p_value) == ()


def test_a_label_that_nothing_predicts():
    aucs = {
        ("good", 5): [0.9, 0.8, 0.5],
        ("other", 5): [0.8, 0.7, 0.49],
        ("all-features", 64): [0.92, 0.85, 0.5],
        ("random", 5): [0.9, 0.9, 0.99],  # a control proves nothing
    }
    [doubt] = fold_doubts(artifacts(aucs), NAMES, ANSWER, p_value)
    assert (doubt.code, doubt.columns, doubt.labels) == ("chance-label", (), ("never",))
    assert doubt.sentence == (
        "No method is shown to predict 1 label better than chance ('never'): more rows "
        "or other columns would be needed."
    )
    assert doubt.remedy == ""
    assert 0.05 < doubt.number <= 1


def test_p_values_count_the_methods():
    """One method of ten is a little above chance: that may be luck."""
    aucs = {(f"m{i}", 5): [0.9, 0.9, 0.5] for i in range(9)}
    lone = {**aucs, ("good", 5): [0.9, 0.9, 0.57]}
    rows = artifacts(lone, spread=0.02)
    values = rows[(rows["method"] == "good") & (rows["name"] == "label_auc")]["value"]
    p = p_value(np.array([v[2] for v in values]) - 0.5)
    assert p < 0.05 < 10 * p
    [doubt] = fold_doubts(rows, NAMES, ANSWER, p_value)
    assert doubt.labels == ("never",)
    assert doubt.number == pytest.approx(min(1.0, 10 * p))


def test_a_label_that_the_answer_leaves_behind():
    aucs = {
        ("good", 3): [0.5, 0.5, 0.5],
        ("good", 5): [0.9, 0.55, 0.58],
        ("good", 9): [0.9, 0.9, 0.9],
        ("all-features", 64): [0.92, 0.85, 0.7],
    }
    [doubt] = fold_doubts(artifacts(aucs, 0.001), NAMES, ANSWER, p_value)
    assert (doubt.code, doubt.labels) == ("uneven-labels", ("rarely", "never"))
    assert doubt.sentence == (
        "At 5 features rarely is at 0.55 (0.85 with all); so is 'never': try "
        "greedy-fair, or more features."
    )
    assert doubt.remedy == "--methods greedy-fair"
    assert doubt.number == pytest.approx(0.55, abs=0.01)


def test_a_method_that_ended_early_counts_where_it_ended():
    aucs = {("good", 5): [0.9, 0.9, 0.5], ("short", 3): [0.9, 0.9, 0.8]}
    assert fold_doubts(artifacts(aucs), NAMES, ANSWER, p_value) == ()


def test_labels_that_no_split_knows_are_not_judged():
    unknown = {(split, 2) for split in range(5)}
    aucs = {("good", 5): [0.9, 0.8, 0.5], ("all-features", 64): [0.9, 0.8, 0.5]}
    rows = artifacts(aucs, unknown=unknown)
    assert fold_doubts(rows, NAMES, ANSWER, p_value) == ()
    assert worst_label(rows, NAMES, ANSWER).name == "rarely"
    every = {(split, i) for split in range(5) for i in range(3)}
    assert worst_label(artifacts(aucs, unknown=every), NAMES, ANSWER) is None


def test_one_split_proves_nothing_and_claims_nothing():
    rows = artifacts({("good", 5): [0.9, 0.8, 0.45]}, splits=1)
    assert fold_doubts(rows, NAMES, ANSWER, p_value) == ()


def test_the_label_that_is_served_worst():
    rows = artifacts(FINE)
    worst = worst_label(rows, NAMES, ANSWER)
    values = rows[(rows["method"] == "good") & (rows["name"] == "label_auc")]["value"]
    assert worst.name == "never"
    assert worst.auc == pytest.approx(np.mean([v[2] for v in values]))
    assert worst.with_all == pytest.approx(0.75, abs=0.02)
    assert worst.sentence == (
        f"The label that is served worst is never: AUC {worst.auc:.3f} "
        f"({worst.with_all:.3f} with all features)."
    )


def test_without_all_features_or_an_answer():
    rows = artifacts({("good", 5): [0.9, 0.8, 0.7]})
    worst = worst_label(rows, NAMES, ANSWER)
    assert np.isnan(worst.with_all)
    assert worst.sentence.endswith(f"AUC {worst.auc:.3f}.")
    assert worst_label(rows, NAMES, None) is None
    assert worst_label(rows[:0], NAMES, ANSWER) is None
