# SPDX-License-Identifier: BSD-3-Clause
from dataclasses import replace

import pytest

from labelsift.experiment.task import Protocol, Tuning
from labelsift.tables.protocol_words import Design, protocol_words, statistics_words

DESIGN = Design(
    data=["scene", "yeast"],
    methods={"mine": 4, "fisher": 1, "random": 1},
    measures=["macro_auc", "micro_f1"],
    protocols=[Protocol("stratified", 5, seed=3)],
    splits=5,
    budgets=["5%", "10%"],
    readouts=["ridge", "mypkg.mod:Trees"],
    thresholds=["oof"],
    tuning=Tuning("micro_f1", 3),
    scales=["none", "minmax"],
)


def test_a_protocol_in_one_paragraph():
    assert protocol_words(DESIGN) == (
        "3 methods (mine, fisher and random) were compared on 2 data sets (scene and "
        "yeast). Rows were split into training and test part by 5 folds that preserve "
        "the share of every label (seed 3). Columns were scaled (minmax) and features "
        "chosen on the training part alone, at 5% and 10% of the features. The chosen "
        "features were read out by ridge regression, one label at a time (ridge) and "
        "mypkg.mod:Trees (mypkg.mod:Trees). The random ranking is the mean of 8 draws "
        "on every split. Parameters of mine were chosen from at most 4 settings by "
        "micro F1 by 3-fold cross-validation within the training part. The measures "
        "are macro AUC and micro F1; scores are cut where F1 of each label is best on "
        "out-of-fold scores of the training part."
    )


@pytest.mark.parametrize(
    ("protocol", "words"),
    [
        (Protocol("folds", 10), "by 10 folds, rows shuffled with seed 0."),
        (
            Protocol("sample", 5, train_size=1000),
            "by 5 random training parts of 1000 rows, every label in both parts",
        ),
        (Protocol("published"), "by the split published with each set."),
        (
            Protocol("published", 3, train_size=90),
            "by samples of 90 rows of the training part of the split published",
        ),
        (Protocol("all"), "by all rows, without a test part."),
        (Protocol("rows", 4), "by 4 splits (rows)."),
    ],
)
def test_every_kind_of_split(protocol, words):
    assert words in protocol_words(
        replace(DESIGN, protocols=[protocol], splits=protocol.splits)
    )


def test_a_reduced_run_says_so():
    assert "; the first 2 of the 5 splits were run." in protocol_words(
        replace(DESIGN, splits=2)
    )


def test_several_training_sizes():
    sizes = [Protocol("sample", 1, train_size=size) for size in (50, 90)]
    words = protocol_words(replace(DESIGN, protocols=sizes, splits=1))
    assert "of 50 rows" in words
    assert " or 1 random training parts of 90 rows" in words


def test_nothing_tuned_chosen_scaled_or_drawn():
    words = protocol_words(
        replace(
            DESIGN,
            methods={"svm": 1},
            budgets=[],
            readouts=["self"],
            scales=["none"],
            data=["scene"],
        )
    )
    assert words.startswith("1 method (svm) were compared on 1 data set (scene).")
    assert "Features were chosen on the training part alone." in words
    assert "Parameters were fixed beforehand." in words
    for absent in ("random ranking", "read out by", "scaled"):
        assert absent not in words


def test_many_budgets_are_summed_up():
    many = [f"{k}%" for k in (20, 1, 3, 5, 7, 9, 11)]
    words = protocol_words(replace(DESIGN, budgets=many))
    assert ", at 7 numbers of features from 1% to 20%." in words
    assert ", at 5 and 10% features." in protocol_words(
        replace(DESIGN, budgets=["5", "10%"])
    )


def test_one_quarter_may_be_held_out():
    words = protocol_words(replace(DESIGN, tuning=Tuning("macro_auc", 1)))
    assert "by macro AUC on a quarter of the training part that was held out." in words


def test_the_tests_are_named():
    words = statistics_words()
    for name in ("Friedman", "Nemenyi", "Wilcoxon", "Holm", "Hodges", "one block"):
        assert name in words
