# SPDX-License-Identifier: BSD-3-Clause
import json

import numpy as np
import pandas as pd
import pytest

from labelsift.cli.select import methods as methods_command
from labelsift.model_selection import load_selection
from labelsift.selection import METHODS
from labelsift.selection.familiar import FAMILIAR
from prepare.tables import raw_table


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    """A table whose costs are known: a dear number and a cheap, noisy twin of it."""
    rng = np.random.default_rng(0)
    folder = tmp_path_factory.mktemp("shop")
    truth = rng.normal(size=(150, 2))
    table = pd.DataFrame(
        {
            "dear": truth[:, 0],
            "cheap": truth[:, 0] + 0.3 * rng.normal(size=150),
            "other": truth[:, 1],
            "plan": rng.choice(["a", "b", "c"], 150),
            "noise": rng.normal(size=150),
            "ref": [f"R{i}" for i in range(150)],
            "tag_x": (truth[:, 0] > 0).astype(int),
            "tag_y": (truth[:, 1] > 0).astype(int),
        }
    )
    table.to_csv(folder / "t.csv", index=False)
    costs = "feature,cost\ndear,10\ncheap,1\nother,2\nplan,3\nnoise,1\nref,1\n"
    (folder / "costs.csv").write_text(costs)
    (folder / "groups.csv").write_text("feature,group\nother,pair\nnoise,pair\n")
    return folder


@pytest.fixture
def select(command, shop):
    """Run select on the table; give the JSON it prints, or its error."""

    def call(*options, costs=True):
        told = ("--costs", shop / "costs.csv") if costs else ()
        place = (shop / "t.csv", "--labels", "tag_*", "--json")
        code, out, err = command("select", *place, *told, *options)
        return json.loads(out) if code == 0 else err

    return call


def names(document):
    return [row["name"] for row in document["selected"]]


def test_a_dear_feature_gives_way_under_a_cost(select):
    assert sorted(names(select("-k", 2, costs=False))) == ["dear", "other"]
    found = select("--max-cost", 4)
    assert {"cheap", "other"} <= set(names(found))
    assert found["total_cost"] == sum(row["cost"] for row in found["selected"]) == 4


def test_what_is_left_of_the_money_is_spent(select):
    """dear does not fit under 9; everything else does, one after the other."""
    for method in ("greedy-rls", "fisher", "mrmr", "greedy-fair", "anova"):
        found = select("--max-cost", 9, "--method", method)
        assert sorted(names(found)) == ["cheap", "noise", "other", "plan"], method
        assert found["total_cost"] == 7


def test_number_and_cost_together(select):
    found = select("-k", 1, "--max-cost", 9)
    assert len(names(found)) == 1
    assert found["total_cost"] <= 9


def test_costs_without_a_limit_are_told(command, shop, select):
    assert select("-k", 2)["total_cost"] == 12
    place = (shop / "t.csv", "--labels", "tag_*", "--costs", shop / "costs.csv")
    _, out, _ = command("select", *place, "-k", 2)
    assert "2 of 5 features of t (2 labels) by greedy-rls, total cost 12 of 17" in out
    head = out.splitlines()[1].split()
    assert head == ["rank", "feature", "gain", "cost"]


def test_groups_are_taken_whole(select, shop):
    found = select("--groups", shop / "groups.csv", "-k", 3, costs=False)
    assert set(names(found)) == {"dear", "other", "noise"}
    paid = select("--groups", shop / "groups.csv", "--max-cost", 4)
    assert set(names(paid)) == {"cheap", "other", "noise"}
    assert paid["total_cost"] == 4


def test_auto_takes_what_lowers_the_error(select):
    found = select("-k", "auto", costs=False)
    gains = [row["gain"] for row in found["selected"]]
    assert {"dear", "other"} <= set(names(found))
    assert len(gains) < 5
    more = select("-k", len(gains) + 1, costs=False)
    assert more["selected"][-1]["gain"] <= 0


def test_gains_are_what_is_shown_and_saved(select, tmp_path):
    found = select("-k", 2, "--save", tmp_path / "s.json", costs=False)
    saved = load_selection(tmp_path / "s.json")
    assert saved.scores.tolist() == [row["gain"] for row in found["selected"]]
    assert saved.labels_form == ("tag_*",)
    assert saved.total_cost is None
    assert 0 < saved.scores[0] < 1


@pytest.mark.parametrize(
    "method", ["extra-trees", "anova-robin", "sklearn.linear_model:RidgeClassifier"]
)
def test_methods_of_others_are_known(select, method):
    found = select("--method", method, "-k", 2, costs=False)
    assert "other" in names(found)
    assert found["method"] == method


def test_the_list_of_methods_has_all_of_them(command):
    assert methods_command is not None
    code, out, _ = command("methods")
    assert code == 0
    for name in (*METHODS, *FAMILIAR, "greedy-fair", "greedy-rls-gcv"):
        assert name in out


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--max-cost", "0.5"], "max_cost=0.5 is below the cheapest feature"),
        (["--drop", "noise", "--max-cost", "0.9"], "which costs 1: raise it"),
        (["--groups", "none.csv"], "none.csv does not exist"),
        (["--method", "ridge"], "'ridge' predicts and selects nothing"),
        (["--method", "fishr"], "There is no method 'fishr'"),
    ],
)
def test_mistakes(select, options, sentence):
    assert sentence in " ".join(select(*options).split())


def test_doubts_about_a_table_stand_beside_the_answer(command, tmp_path):
    raw_table().to_csv(tmp_path / "raw.csv", index=False)
    asked = ("--labels", "tag_*", "-k", "2", "--json")
    code, out, err = command("select", tmp_path / "raw.csv", *asked)
    assert code == 0
    assert json.loads(out)["selected"][0]["name"] == "alarm"
    assert "Doubt: 'alarm' alone tells tag_a (AUC 1.000)." in err
    assert "       Option: --missing -9999" in err
