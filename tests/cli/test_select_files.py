# SPDX-License-Identifier: BSD-3-Clause
"""labelsift select on files that are read in parts."""

import json

import numpy as np
import pandas as pd
import pytest

from labelsift.datasets import make_planted
from labelsift.model_selection import load_selection


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A table in one file, in four parts, and as text."""
    folder = tmp_path_factory.mktemp("files")
    planted = make_planted(800, 12, 3, n_relevant=4, noise=0.5, random_state=0)
    table = pd.DataFrame(planted.X, columns=[f"x{i}" for i in range(12)])
    table["x0"] = np.where(np.arange(800) % 50 == 7, np.nan, table["x0"])
    drawn = np.random.default_rng(0).choice(["free", "team"], 800)
    table["plan"] = np.where(planted.Y[:, 0] == 1, "pro", drawn)
    table["id"] = np.arange(800)
    for i in range(3):
        table[f"tag_{i}"] = planted.Y[:, i]
    table["y_0"] = planted.X[:, 1] + planted.X[:, 2] + 0.5
    table.to_parquet(folder / "all.parquet")
    (folder / "parts").mkdir()
    for i, rows in enumerate(np.array_split(np.arange(800), 4)):
        table.iloc[rows].to_parquet(folder / "parts" / f"p{i}.parquet")
        table.iloc[rows].to_csv(folder / "parts" / f"p{i}.csv", index=False)
    return folder


LABELS = ("--labels", "tag_*", "--drop", "y_0")


def _names(out):
    return [row["name"] for row in json.loads(out)["selected"]]


@pytest.mark.parametrize("source", ["parts/*.parquet", "parts/*.csv", "parts"])
def test_as_one_file_in_memory(command, folder, source, tmp_path):
    saved = tmp_path / "s.json"
    code, out, err = command(
        "select", folder / source, *LABELS, "-k", 5, "--json", "--save", saved
    )
    assert code == 0, err
    whole = ("select", folder / "all.parquet", *LABELS, "-k", 5, "--json")
    _, expected, _ = command(*whole, "--method", "greedy-rls-gcv")
    assert _names(out) == _names(expected)
    for sentence in (
        "Preparation: learned from 800 rows spread over all files",
        "Method: greedy-rls by generalised cross-validation",
        "Columns left out (whole numbers that count the rows): 'id'.",
        "Memory: about ",
    ):
        assert sentence in err
    selection = load_selection(saved)
    assert "plan" in selection.get_feature_names_out()
    code, _, err = command(
        "apply", saved, folder / "all.parquet", "--predict", "--out", tmp_path / "o.csv"
    )
    assert code == 0, err
    truth = pd.read_parquet(folder / "all.parquet")[["tag_0", "tag_1", "tag_2"]]
    predicted = pd.read_csv(tmp_path / "o.csv")
    assert (predicted.to_numpy() == truth.to_numpy()).mean() > 0.8


@pytest.mark.parametrize("method", ["fisher", "greedy-fair", "mt-lasso", "csfs"])
def test_methods_that_need_only_sums(command, folder, method):
    code, out, err = command(
        "select", folder / "parts", *LABELS, "-k", 4, "--json", "--method", method
    )
    assert code == 0, err
    one = ("select", folder / "all.parquet", *LABELS, "-k", 4, "--json")
    _, expected, _ = command(*one, "--method", method)
    assert _names(out) == _names(expected)


def test_values_and_numbers(command, folder, tmp_path):
    saved = tmp_path / "s.json"
    code, out, err = command(
        "select", folder / "parts", "--targets", "y_0", "--drop", "tag_*,plan,id,x0",
        "-k", 2, "--prepare", "none", "--json", "--save", saved,
    )  # fmt: skip
    assert code == 0, err
    assert sorted(_names(out)) == ["x1", "x2"]
    assert load_selection(saved).coef.shape == (1, 2)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--method", "rfs"), "rfs needs all rows in memory"),
        (("--method", "fisher", "--param", "beta=1"), "no parameter 'beta'"),
        (("--explain",), "--explain needs all rows in memory"),
        (("--max-cost", "3"), "--max-cost needs all rows in memory"),
        (("-k", "auto"), "-k auto needs rows in memory"),
        (("--label-missing", "no"), "--label-missing is for tables in memory"),
        (("--memory", "1k"), "features and 3 labels take about 64.1M"),
    ],
    ids=str,
)
def test_one_sentence_for_what_cannot_be(command, folder, options, sentence):
    code, _, err = command("select", folder / "parts", *LABELS, *options)
    assert code == 2
    assert sentence in err
