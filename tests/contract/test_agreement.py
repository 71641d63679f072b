# SPDX-License-Identifier: BSD-3-Clause
"""select, compare and apply agree: every method, by count and by cost."""

import json

import numpy as np
import pandas as pd
import pytest

from labelsift.cli import app
from labelsift.compare import Comparison, compare
from labelsift.compare.page import page_html
from labelsift.compare.page.data import page_data
from labelsift.compare.request import as_data, make_setup
from labelsift.datasets import write_npz
from labelsift.experiment.catalogue import CATALOGUE, RANDOM
from labelsift.experiment.ledger import Ledger
from labelsift.experiment.pool import run_tasks
from labelsift.experiment.task import DataSpec
from labelsift.model_selection import load_selection

METHODS = [name for name, m in CATALOGUE.items() if m.selects and name != RANDOM]
LABELS = ["tag_a", "tag_b", "tag_c"]
GROUPS = {"n0": "lab", "n1": "lab"}
pytestmark = pytest.mark.filterwarnings("ignore")


def made_table():
    """Numbers, a category that is taken whole, yes/no, gaps, an id, three labels."""
    rng = np.random.default_rng(0)
    n = 120
    numbers = rng.normal(size=(n, 6))
    plan = rng.choice(["free", "pro", "team"], n)
    vip = rng.choice(["yes", "no"], n)
    tags = np.column_stack(
        [
            numbers[:, 0] + (plan == "pro") > 0.4,
            numbers[:, 2] + (vip == "yes") > 0.5,
            numbers[:, 4] + 0.5 * rng.normal(size=n) > 0,
        ]
    )
    numbers[rng.random(n) < 0.1, 3] = np.nan
    columns = {f"n{i}": numbers[:, i] for i in range(6)} | {"plan": plan, "vip": vip}
    table = pd.DataFrame({"id": [f"T{i}" for i in range(n)], **columns})
    table[LABELS] = tags.astype(int)
    return table


TABLE = made_table()
COSTS = dict(
    zip(TABLE.columns[1:9], [4.0, 1.0, 3.0, 1.0, 2.0, 0.5, 2.0, 1.0], strict=True)
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("agreement")
    TABLE.to_csv(place / "table.csv", index=False)
    costs, groups = pd.Series(COSTS), pd.Series(GROUPS)
    costs.rename_axis("feature").rename("cost").to_csv(place / "costs.csv")
    groups.rename_axis("feature").rename("group").to_csv(place / "groups.csv")
    return place


def features(table):
    return table.drop(columns=LABELS)


def selected(folder, method, *options):
    """What the command chooses, and its file."""
    saved = folder / "selected.json"
    arguments = [
        "select",
        folder / "table.csv",
        "--labels",
        "tag_*",
        "--method",
        method,
    ]
    code = app.run([*map(str, arguments), *options, "--save", str(saved)])
    assert code == 0
    return load_selection(saved)


def compared(X, Y, budget, folder, **options):
    """A comparison of all methods whose folds were left out: its fits on all rows."""
    data = as_data(X, Y)
    source = folder / f"{data.checksum[:16]}.npz"
    write_npz(data, source)
    setup = make_setup(
        DataSpec(str(source), checksum=data.checksum), data, methods=METHODS,
        budgets=str(budget), readout="ridge", cv=2, metric="macro_auc", **options,
    )  # fmt: skip
    planned = [setup.final_task(method, budget) for method in METHODS]
    with Ledger(folder / f"{len(options)}{data.checksum[:8]}.sqlite") as ledger:
        run_tasks([item.task for item in planned], ledger)
        final = setup.of_first_readout(ledger.artifacts(planned))
        return Comparison(setup, ledger.results([]), final[:0], final)


@pytest.fixture(scope="module")
def by_count(folder):
    """Every method at four features."""
    return compared(features(TABLE), TABLE[LABELS], 4, folder)


@pytest.fixture(scope="module")
def by_cost(folder):
    """Every method for at most 6, with a group."""
    told = {"costs": COSTS, "feature_groups": GROUPS}
    return compared(features(TABLE), TABLE[LABELS], 6, folder, **told)


def names_of(saved):
    return [saved.feature_names[i] for i in saved.order]


@pytest.mark.parametrize("method", METHODS)
def test_by_count(method, by_count, folder, tmp_path):
    found = selected(folder, method, "-k", "4")
    assert names_of(found) == by_count.features(method)
    by_count.save(tmp_path / "compared.json", method)
    same_file(found, load_selection(tmp_path / "compared.json"))


@pytest.mark.parametrize("method", METHODS)
def test_under_a_cost(method, by_cost, folder, tmp_path):
    told = ("--costs", folder / "costs.csv", "--groups", folder / "groups.csv")
    found = selected(folder, method, *map(str, told), "--max-cost", "6")
    assert names_of(found) == by_cost.features(method)
    by_cost.save(tmp_path / "compared.json", method)
    same_file(found, load_selection(tmp_path / "compared.json"))
    assert found.total_cost == by_cost.total_cost(method) <= 6
    assert {"n0", "n1"} & set(names_of(found)) in (set(), {"n0", "n1"})


def same_file(one, other):
    assert names_of(one) == names_of(other)
    for field in ("scores", "coef", "intercept", "thresholds", "costs"):
        values = getattr(one, field), getattr(other, field)
        assert (values[0] is None) == (values[1] is None)
        if values[0] is not None:
            np.testing.assert_allclose(*values, rtol=1e-9, atol=1e-12)
    assert one.preparation.columns_ == other.preparation.columns_


def test_what_apply_writes_is_what_python_predicts(folder, tmp_path):
    """From the selected columns alone, in any order, with the id carried through."""
    found = selected(folder, "greedy-rls", "-k", "4")
    new = TABLE[["id", *reversed(names_of(found))]].iloc[::-1]
    new.to_csv(tmp_path / "new.csv", index=False)
    for what, expected in (
        ("--predict", found.predict(new)),
        ("--scores", found.decision_function(new)),
    ):
        out = tmp_path / f"{what}.csv"
        arguments = [folder / "selected.json", tmp_path / "new.csv", "--out", out]
        assert app.run(["apply", *map(str, arguments), what, "--carry", "id"]) == 0
        written = pd.read_csv(out)
        assert list(written.columns) == ["id", *LABELS]
        assert written["id"].tolist() == new["id"].tolist()
        np.testing.assert_allclose(written[LABELS], expected, rtol=1e-12)


def test_the_download_of_the_page_is_the_saved_file(tmp_path):
    told = {"costs": COSTS, "feature_groups": GROUPS, "max_cost": 6.0, "cv": 2}
    result = compare(features(TABLE), TABLE[LABELS], methods=["fisher"], **told)
    parts = (result.setup, result.results, result.artifacts, result.final)
    html = page_html(page_data(*parts, result.recommend()))
    start = html.index('data-file="selection.json">') + len(
        'data-file="selection.json">'
    )
    document = json.loads(html[start : html.index("</script>", start)])
    result.save(tmp_path / "saved.json")
    assert document == json.loads((tmp_path / "saved.json").read_text())


def test_arrays_agree_too(tmp_path):
    rng = np.random.default_rng(1)
    X = 100 * rng.random((80, 9)) * np.arange(1, 10)
    Y = (X[:, [1, 5]] > X[:, [1, 5]].mean(axis=0)).astype(int)
    result = compared(X, Y, 3, tmp_path)
    np.savez(tmp_path / "raw.npz", X=X, Y=Y)
    frame = pd.DataFrame(
        np.hstack([X, Y]),
        columns=[*map("feature{}".format, range(9)), "tag_0", "tag_1"],
    )
    frame.to_csv(tmp_path / "raw.csv", index=False)
    for method in METHODS:
        saved = tmp_path / f"{method}.json"
        arguments = ["select", tmp_path / "raw.csv", "--labels", "tag_*", "-k", "3"]
        options = ["--prepare", "none", "--method", method, "--save", saved]
        assert app.run(list(map(str, [*arguments, *options]))) == 0
        assert names_of(load_selection(saved)) == result.features(method), method
