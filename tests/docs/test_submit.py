# SPDX-License-Identifier: BSD-3-Clause
"""A submission tried from outside, as somebody with a ranking or a class would."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from labelsift.bench.board import Board
from labelsift.datasets import load_dataset

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "docs" / "results" / "leaderboard"
CLASS = """
import numpy as np
from labelsift.core.base import BaseSelector
from labelsift.core.result import Ranking


class Spread(BaseSelector):
    def __init__(self, n_features_to_select=None):
        self.n_features_to_select = n_features_to_select

    def _rank(self, X, Y):
        return Ranking.from_scores(np.abs(X - X.mean(axis=0)).max(axis=0))
"""


@pytest.fixture
def submit(tmp_path):
    shutil.copytree(RESULTS, tmp_path / "board")

    def call(*options):
        return subprocess.run(
            [sys.executable, ROOT / "tools" / "submit.py", *options,
             "--out", tmp_path / "board"],
            cwd=tmp_path, capture_output=True, text=True, check=False,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        )  # fmt: skip

    return call


def orders(path, n_features=64, splits=5, **changed):
    rng = np.random.default_rng(0)
    rows = [
        {"data": "traits", "split": split, "feature": feature} | changed
        for split in range(splits)
        for feature in rng.permutation(64)[:n_features]
    ]
    pd.DataFrame(rows).to_csv(path, index=False)


def test_a_ranking_file_gets_its_rows_and_leaves_the_others_alone(submit, tmp_path):
    orders(tmp_path / "orders.csv")
    done = submit("shuffled", "--ranking", "orders.csv")
    assert done.returncode == 0, done.stderr
    assert "'done': 5" in done.stdout
    board, before = Board.read(tmp_path / "board"), Board.read(RESULTS)
    own = board.rows[board.rows["method"] == "shuffled"]
    assert set(own["data"]) == {"traits"}
    assert set(own["readout"]) == {"ridge", "knn", "forest"}
    assert own["macro_auc"].between(0.4, 1).all()
    others = board.rows[board.rows["method"] != "shuffled"].reset_index(drop=True)
    pd.testing.assert_frame_equal(others, before.rows, check_exact=True)
    about = json.loads((tmp_path / "board" / "about.json").read_text())
    assert about["submissions"] == [
        {"name": "shuffled", "by": "ranking", "data": ["traits"]}
    ]


def test_a_class_is_run_on_the_frozen_splits(submit, tmp_path):
    (tmp_path / "mine.py").write_text(CLASS)
    done = submit("spread", "--class", "mine:Spread", "--data", "traits")
    assert done.returncode == 0, done.stderr
    board = Board.read(tmp_path / "board")
    own = board.tasks[board.tasks["method"] == "spread"]
    assert list(own["split"]) == [0, 1, 2, 3, 4]
    assert set(own["status"]) == {"done"}


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"splits": 4}, "traits has no order of split 4"),
        ({"n_features": 9}, "9 of 64 are ranked, half is needed"),
        ({"feature": 3}, "a feature is ranked twice"),
        ({"feature": 64}, "features are whole numbers from 0 to 63"),
        ({"data": "nothing"}, "ranks 'nothing': choose from"),
    ],
)
def test_what_breaks_a_rule_is_refused(changed, sentence, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "tools")
    import submit as tool

    assert load_dataset("traits").n_features == 64
    orders(tmp_path / "orders.csv", **changed)
    with pytest.raises(ValueError, match=sentence):
        tool.submit("mine", ranking=tmp_path / "orders.csv", data=["traits"])


def test_a_name_of_labelsift_is_taken(monkeypatch, tmp_path, capsys):
    monkeypatch.syspath_prepend(ROOT / "tools")
    import submit as tool

    monkeypatch.setattr(sys, "argv", ["submit.py", "fisher", "--class", "mine:Spread"])
    with pytest.raises(SystemExit, match="2"):
        tool.main()
    assert "'fisher' is a method of labelsift" in capsys.readouterr().err
