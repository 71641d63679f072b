# SPDX-License-Identifier: BSD-3-Clause
"""Suites from Python."""

import pytest

from bench.small_suite import SMALL
from labelsift.bench import SuiteResult, read_suite, run_suite
from labelsift.bench.runs import stored_results
from labelsift.bench.suite import DataPart
from labelsift.experiment import pool
from labelsift.experiment.results import Outcome
from labelsift.experiment.task import DataSpec

METHODS = {"fisher", "random", "all-features", "ridge", "rfs"}


@pytest.fixture
def suite(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    return str(path)


@pytest.fixture
def store(tmp_path):
    return tmp_path / "runs.sqlite"


def test_a_suite_is_run_once_and_read_from_the_ledger(suite, store):
    ran = []
    for _ in range(2):
        result = run_suite(
            suite, store=store, on_done=lambda k, n, outcome: ran.append(outcome.key)
        )
    assert len(ran) == len(set(ran)) == 24
    assert isinstance(result, SuiteResult)
    assert set(result.absent) == {"absent-set"}
    assert result.failed.empty
    assert set(result.results.values["method"]) == METHODS
    assert set(result.results.values["suite"]) == {"small"}
    assert len(result.results.tasks) == 24
    assert result.claims[0].verdict == "not shown"  # two blocks cannot show it
    [stored] = stored_results([read_suite(suite)], store)
    assert stored.results.values.equals(result.results.values)
    assert stored.results.tasks.equals(result.results.tasks)
    assert stored.absent == result.absent


def test_a_part_of_a_suite_and_an_unknown_one(suite, store):
    part = run_suite(suite, store=store, methods=["fisher"])
    assert set(part.results.values["method"]) == {"fisher"}
    assert set(run_suite(suite, store=store, data=["absent-set"]).absent) == {
        "absent-set"
    }
    with pytest.raises(ValueError, match="There is no suite"):
        run_suite("nothing", store=store)


def test_tasks_that_fail_are_listed(suite, store, monkeypatch):
    def fails(task, *limits):
        return Outcome(task.key, task.content, "failed", error="No luck.")

    with monkeypatch.context() as patch:
        patch.setattr(pool, "run_task", fails)
        result = run_suite(suite, store=store, methods=["fisher"])
    assert set(result.failed["method"]) == {"fisher"}
    assert result.failed["error"].tolist() == ["No luck."] * 2
    assert result.results.values.empty
    again = run_suite(suite, store=store, methods=["fisher"], retry_failed=True)
    assert again.failed.empty
    assert len(again.results.tasks) == 2


def test_suites_in_one_ledger_are_told_apart(suite, store, tmp_path):
    other = tmp_path / "other.toml"
    other.write_text(SMALL.replace("[data.absent-set]", ""))
    run_suite(suite, store=store, methods=["fisher"])
    one, two = stored_results([read_suite(suite), read_suite(str(other))], store)
    assert set(one.absent) == {"absent-set"}
    assert two.absent == {}
    for result in (one, two):  # the tasks are the same: they are run once
        assert set(result.results.values["suite"]) == {result.suite.name}
        assert set(result.results.values["method"]) == {"fisher"}


def test_the_results_as_a_table_with_ranks_tests_and_figures(suite, store, monkeypatch):
    three = SMALL.replace("[data.absent-set]", "[data.copy]").replace(
        "[methods.fisher]", "[methods.fisher]\n[methods.mdmr]"
    )
    with open(suite, "w") as file:
        file.write(three)
    monkeypatch.setattr(DataPart, "spec", lambda part, data_home="": DataSpec("traits"))
    result = run_suite(suite, store=store)
    assert set(result.results.values["data"]) == {"traits", "copy"}
    table = result.table()
    assert list(table.mean.index) == ["traits", "copy"]
    assert set(table.ranks.ranks) == {"fisher", "mdmr", "random", "rfs"}
    assert set(table.ranks.left_out) == {"all-features", "ridge"}
    assert table.title == (
        "macro AUC (higher is better), read-out ridge, mean over numbers of features"
    )
    assert result.table(budget="20%").title.endswith("20% of the features")
    ranks = result.ranks()
    assert ranks["budget"].tolist() == ["mean", "5%", "20%"]
    assert result.ranks(budgets=[])["budget"].tolist() == ["mean"]
    assert {(t.first, t.second) for t in result.tests(control="random")} == {
        ("random", name) for name in ("fisher", "mdmr", "rfs")
    }
    assert len(result.tests()) == 6
    figure = result.plot()
    assert [ax.get_title() for ax in figure.axes] == ["traits", "copy"]
    assert result.plot(kind="ranks", budget="5%").axes
    with pytest.raises(ValueError, match="kind='pie' is not known: use 'curves' or"):
        result.plot(kind="pie")


def test_a_part_of_the_results(suite, store):
    result = run_suite(suite, store=store)
    part = result.only(methods=["fisher", "random"], budgets=["20%"])
    values = part.results.where(measure="macro_auc").values
    assert set(values["method"]) == {"fisher", "random"}
    assert set(values["budget"]) == {12}
    assert len(part.results.tasks) == 2 + 16
    assert part.table(budget="20%").mean.shape == (1, 2)
    assert part.absent == result.absent
    assert not result.only(data=["traits"]).absent
    readout = result.only(readouts=["ridge"]).results.values
    assert "ridge" in set(readout["method"])  # which has only its own predictions
    assert part.suite.claims == result.suite.claims
