# SPDX-License-Identifier: BSD-3-Clause
"""Methods, read-outs and measures of somebody else, wherever tasks run."""

import json
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelsift.classification import BinaryRidge, LabelScorer
from labelsift.compare import compare
from labelsift.datasets import make_planted
from labelsift.experiment import own
from labelsift.metrics import MEASURES, Measure
from labelsift.selection import FisherScore, ImportanceSelector
from outside.methods import (
    HITS,
    CorrelationImportance,
    PlainSelector,
    SpreadSelector,
)

OUTSIDE = Path(__file__).parents[1] / "outside"
OWN = {
    "mine": SpreadSelector(factor=2.0),
    "plain": PlainSelector(),
    "importance": CorrelationImportance(),
}
ASKED = {"budgets": "2,5", "cv": 2, "measures": ["macro_auc", HITS]}


@pytest.fixture(autouse=True)
def forget_own_measures():
    before = dict(MEASURES)
    yield
    MEASURES.clear()
    MEASURES.update(before)


@pytest.fixture(scope="module")
def data():
    return make_planted(80, 12, 3, n_relevant=4, random_state=0)


def values(result):
    """Values that do not depend on the clock, in one order."""
    frame = result.frame()
    frame = frame[~frame["measure"].str.endswith("seconds")]
    place = ["method", "draw", "split", "readout", "threshold", "budget", "measure"]
    return frame.sort_values(place, ignore_index=True)[[*place, "value"]]


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("outside.methods:SpreadSelector", True),
        ("outside.methods:A.B", True),
        ("greedy-rls", False),
        ("C:\\data", False),
        ("a b:C", False),
        (":C", False),
        ("a:", False),
    ],
)
def test_what_a_class_path_looks_like(name, answer):
    assert own.is_class_path(name) == answer


def test_names_that_cannot_be_imported():
    with pytest.raises(ValueError, match=r"'no.such:C' cannot be imported"):
        own.load("no.such:C")
    with pytest.raises(ValueError, match="has no 'Nothing'"):
        own.load("outside.methods:Nothing")
    with pytest.raises(ValueError, match="There is no method 'magic': choose from"):
        own.find_method("magic")


def test_installed_packages_offer_methods(monkeypatch):
    paths = {"spread": "outside.methods:SpreadSelector"}
    monkeypatch.setattr(own, "installed_methods", lambda: paths)
    assert isinstance(own.find_method("spread"), SpreadSelector)
    assert own.find_method("fisher") is None


def test_our_contract_is_used_as_it_is_and_others_are_wrapped():
    mine, fisher = SpreadSelector(), FisherScore()
    assert own.as_selector(mine) is mine
    assert own.as_selector(fisher) is fisher
    assert isinstance(own.as_selector(PlainSelector()), ImportanceSelector)
    assert own.as_readout(BinaryRidge()).alpha == 1.0
    assert isinstance(own.as_readout(LogisticRegression()), LabelScorer)


def test_parameters_are_described_in_plain_values():
    pipeline = make_pipeline(StandardScaler(), LogisticRegression(C=np.float64(0.5)))
    text = json.dumps(own.described(pipeline))
    assert '"C": 0.5' in text
    assert "sklearn.preprocessing" in text
    one, two = (own.described(_WithArray(np.arange(3) + k)) for k in (0, 1))
    assert one != two
    assert own.described(_WithArray(object())) is None
    infinite = own.described(_WithArray(float("inf")))
    assert json.loads(json.dumps(infinite, allow_nan=False)) == {"values": "inf"}


class _WithArray(LogisticRegression):
    def __init__(self, values=None):
        self.values = values


def test_code_that_cannot_be_read_is_run_every_time():
    namespace = {"__name__": "__main__"}
    exec("class Notebook:\n    pass", namespace)
    with pytest.warns(UserWarning, match=r"__main__:Notebook.*run every time"):
        first = own.code_of(namespace["Notebook"]())
    with pytest.warns(UserWarning, match="run every time"):
        assert own.code_of(namespace["Notebook"]()) != first
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert own.code_of(SpreadSelector()) == own.code_of(SpreadSelector(factor=3.0))


def test_measures_of_others_say_what_they_need():
    assert own.find_measure("outside.methods:HITS") is HITS
    assert MEASURES["hits"] is HITS
    with pytest.raises(ValueError, match=r"pass a labelsift.metrics.Measure"):
        own.find_measure(lambda truth, labels: 1.0)
    other = Measure("macro_auc", "mine", HITS.function, True, "labels")
    with pytest.raises(ValueError, match="has the name of a built-in measure"):
        own.find_measure(other)


def test_a_measure_that_is_defined_again_replaces_the_earlier_one(monkeypatch):
    monkeypatch.setattr(own, "MEASURES", dict(MEASURES))
    edited = Measure("hits", "hits", lambda truth, labels: 1.0, True, "labels")
    for value in (HITS, edited):
        assert own.find_measure(value) is value
        assert own.MEASURES["hits"] is value


def test_own_methods_are_measured_with_the_others(data):
    result = compare(data, methods={**OWN, "fisher": "fisher"}, **ASKED)
    assert (result.results.tasks["status"] == "done").all()
    assert {*OWN, "fisher"} <= set(result.frame()["method"])
    hits = result.results.where(measure="hits")
    assert set(hits.values["method"]) == {*OWN, "fisher", "random", "all-features"}
    # The same selector under another name and place has the same values.
    alone = compare(data, methods={"else": SpreadSelector(factor=2.0)}, **ASKED)
    pair = [values(result), values(alone)]
    mine, other = (
        frame[frame["method"] == name]["value"].reset_index(drop=True)
        for frame, name in zip(pair, ("mine", "else"), strict=True)
    )
    pd.testing.assert_series_equal(mine, other)


def test_two_processes_give_the_same_values(data):
    asked = {
        "methods": OWN,
        "readout": {"trees": ExtraTreesClassifier(5, random_state=0)},
    }
    one, two = (compare(data, **asked, **ASKED, jobs=jobs) for jobs in (1, 2))
    assert (two.results.tasks["status"] == "done").all()
    pd.testing.assert_frame_equal(values(one), values(two))


def test_a_dask_cluster_gives_the_same_values(data, tmp_path):
    """The workers cannot import the package: its code travels with the tasks."""
    distributed = pytest.importorskip("distributed")
    from labelsift.compare.request import make_setup
    from labelsift.datasets import write_npz
    from labelsift.experiment.ledger import Ledger
    from labelsift.experiment.pool import run_tasks
    from labelsift.experiment.task import DataSpec

    write_npz(data, tmp_path / "data.npz")
    spec = DataSpec(str(tmp_path / "data.npz"), data.checksum)
    setup = make_setup(
        spec, data, methods=OWN, readout="ridge", metric="macro_auc", **ASKED
    )
    planned = setup.tasks()
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, host="127.0.0.1",
        dashboard_address="127.0.0.1:0", processes=True,
    )  # fmt: skip
    with cluster, Ledger(tmp_path / "runs.sqlite") as ledger:
        tasks = [item.task for item in planned]
        address = cluster.scheduler_address
        run_tasks(tasks, ledger, backend="dask", scheduler=address)
        there = ledger.results(planned).where(readout="ridge")
    here = compare(data, methods=OWN, **ASKED)
    assert (there.tasks["status"] == "done").all(), there.tasks["error"].unique()
    frame = there.values[~there.values["measure"].str.endswith("seconds")]
    place = ["method", "draw", "split", "readout", "threshold", "budget", "measure"]
    frame = frame.sort_values(place, ignore_index=True)
    assert frame["value"].tolist() == values(here)["value"].tolist()


RUN = """
import json, sys
from labelsift.compare import compare
from labelsift.datasets import make_planted
data = make_planted(60, 8, 2, n_relevant=3, random_state=0)
done = []
compare(data, methods=["strangers.methods:SpreadSelector", "strangers.plain:Plain",
                       "fisher"],
        budgets="2", cv=2, measures=["macro_auc"], store=sys.argv[1],
        on_done=lambda k, n, outcome: done.append(json.loads(outcome.content)))
print(json.dumps(sorted(content["method"]["name"] for content in done)))
"""


def test_editing_code_reruns_exactly_its_tasks(tmp_path):
    package = tmp_path / "strangers"
    shutil.copytree(OUTSIDE, package, ignore=shutil.ignore_patterns("__pycache__"))
    for file in package.glob("*.py"):
        file.write_text(file.read_text().replace("outside.", "strangers."))
    (package / "plain.py").write_text(
        "from sklearn.feature_selection import SelectKBest\n\n\n"
        "class Plain(SelectKBest):\n    pass\n"
    )

    def run():
        done = subprocess.run(
            [sys.executable, "-c", RUN, str(tmp_path / "runs.sqlite")],
            cwd=tmp_path, capture_output=True, text=True, check=True,
        )  # fmt: skip
        return json.loads(done.stdout.splitlines()[-1])

    spread, plain = "strangers.methods:SpreadSelector", "strangers.plain:Plain"
    first = run()
    assert first.count(spread) == first.count(plain) == 2
    assert run() == []
    shared = package / "weights.py"
    shared.write_text(shared.read_text().replace("Standard dev", "# A dev"))
    assert run() == []  # a docstring
    shared.write_text(shared.read_text().replace("POWER = 1.0", "POWER = 2.0"))
    assert run() == [spread, spread]
    (package / "plain.py").write_text(
        (package / "plain.py").read_text().replace("pass", "answer = 42")
    )
    assert run() == [plain, plain]


def test_a_readout_tunes_its_grid_on_the_rows_it_is_given(data):
    readout = own.tuned_readout(
        own.as_readout(LogisticRegression()), {"C": [1e-9, 1.0]}
    )
    fitted = readout.fit(data.X, data.Y)
    (search,) = fitted.estimators_
    assert search.best_params_ == {"estimator__C": 1.0}
    assert fitted.decision_function(data.X).shape == data.Y.shape
    ridge = BinaryRidge()
    assert own.tuned_readout(ridge, {}) is ridge
