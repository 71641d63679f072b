# SPDX-License-Identifier: BSD-3-Clause
"""The answer as a value: frozen, and its words are made from it alone."""

from dataclasses import FrozenInstanceError, replace

import pytest

from labelsift.results import recommend


@pytest.fixture
def answer():
    rows = [
        {"method": m, "budget": k, "measure": "macro_auc", "split": s, "value": value}
        for m, k, value in (("a", 5, 0.8), ("a", 9, 0.9), ("all-features", 20, 0.9))
        for s in range(3)
    ]
    return recommend(rows, measure="macro_auc", higher_is_better=True)


def test_the_sentence_is_headline_and_detail(answer):
    assert answer.sentence == f"{answer.headline} {answer.detail}"
    assert "9 of 20 features" in replace(answer, budget=9).headline


def test_an_answer_cannot_be_changed(answer):
    with pytest.raises(FrozenInstanceError):
        answer.budget = 3
