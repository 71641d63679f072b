# SPDX-License-Identifier: BSD-3-Clause
"""Pages to look at: from real fits, with hostile names, large, and empty."""

from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import scipy.sparse as sp

from compare.measured import results
from labelsift.compare import compare, recommend
from labelsift.compare.page.data import page_data
from labelsift.compare.setup import Chosen, Setup
from labelsift.core.data import MultiLabelData
from labelsift.datasets import from_frame, load_dataset, make_planted
from labelsift.experiment.results import TASKS, Results
from labelsift.experiment.task import DataSpec, MethodSpec, Protocol
from labelsift.metrics.catalogue import BUILT_IN
from labelsift.prepare import Doubt
from prepare.tables import raw_table

NINE = BUILT_IN[:9]  # those of the papers
METHODS = ("greedy-rls", "rfs", "fisher", "mdmr")
BUDGETS = (1, 2, 3, 4, 6, 8, 10, 13, 16, 20)
SPLITS = range(5)
HOSTILE = (
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script>",
    "<!-- --><img src=x onerror=alert(3)>",
    "<b>bold</b> <a href='https://example.com'>link</a> &lt;i&gt;",
    "длинное имя " * 25,
    "標籤／特徴量 🎼",
    "اسم بالعربية \u202eevil",
    "tab\tnewline\nnull\x00 lone \ud800",
    "%{x} ${y} {{ 7*7 }} @ink $\\alpha$",
    '" onmouseover="alert(4)',
)
# A name of a method stands in a table of results, which holds no lone surrogate.
HOSTILE_METHODS = tuple(name for name in HOSTILE if "\ud800" not in name)[:8]
_ARTIFACTS = ["method", "split", "budget", "name", "value"]


@cache
def traits_comparison():
    """Four methods on the embedded pixels."""
    return compare(load_dataset("traits"), methods=METHODS, budgets=BUDGETS)


def page_of(result, **changes):
    """The page of a comparison, some of its parts replaced."""
    parts = {
        "setup": result.setup,
        "results": result.results,
        "artifacts": result.artifacts,
        "final": result.final,
        "answer": result.recommend(),
    }
    return page_data(**(parts | changes))


@cache
def traits_page():
    return page_of(traits_comparison())


@cache
def costs_comparison():
    """Three methods under costs, some features bought together."""
    data = make_planted(150, 12, 3, n_relevant=4, random_state=0)
    names = [f"feature{i}" for i in range(12)]
    costs = dict(zip(names, [8, 1, 0.5, 2, 4, 1, 3, 1, 6, 1, 2, 2.5], strict=True))
    groups = {"feature1": "lab", "feature2": "lab"}
    methods = ["greedy-rls", "fisher", "mrmr"]
    told = {"costs": costs, "feature_groups": groups, "max_cost": 20.0}
    return compare(data.X, data.Y, methods=methods, cv=3, **told)


@cache
def costs_page():
    return page_of(costs_comparison())


@cache
def small_comparison():
    data = make_planted(150, 12, 4, n_relevant=4, random_state=0)
    return compare(data, methods=["fisher"], budgets="2,4,6", cv=3)


@cache
def trusted_page():
    """A small page whose features were examined, however slow the machine is."""
    page = page_of(small_comparison())
    order = page.selections["fisher"].order
    trust = small_comparison().setup.examined("fisher", order, 0.0)
    return replace(page, trust=trust)


@cache
def raw_comparison():
    """Two methods on a table with faults."""
    data = from_frame(raw_table(), "tag_*", name="raw")
    return compare(data, methods=["greedy-rls", "fisher"], budgets="1,2,4", cv=3)


@cache
def raw_page():
    """Doubts of every sort, some with long options."""
    result = raw_comparison()
    return page_of(result, doubts=result.doubts)


def _levels(methods):
    """How good each method and control is."""
    levels = [*np.linspace(0.9, 0.7, len(methods)), 0.6, 0.92]
    return dict(zip([*methods, "random", "all-features"], levels, strict=True))


def _values(methods, budgets, n_features, rng):
    """Rows that rise with the budget, and what their fits took."""
    levels = _levels(methods)
    return [
        {
            "method": method,
            "budget": budget,
            "measure": measure,
            "split": split,
            "value": levels[method] * (1 - 0.5 / (1 + budget)) + rng.normal(scale=0.01),
        }
        for method in levels
        for budget in ([n_features] if method == "all-features" else budgets)
        for measure in (*NINE, "fit_seconds")
        for split in SPLITS
    ]


def _tasks(setup):
    """Every task of a plan, done."""
    empty = {name: kind() for name, kind in TASKS.items()}
    rows = [
        {"method": item.method, "draw": item.draw, "split": item.task.split}
        for item in setup.tasks()
    ]
    table = pd.DataFrame([empty | row for row in rows])
    return table.assign(status="done", memory_mib=np.nan)


def _artifacts(methods, answer, n_features, n_labels, rng):
    """What the splits and the fits on all rows chose at the recommended budget."""
    budget = answer.budget

    def order():
        return rng.permutation(n_features)[:budget].tolist()

    aucs = [
        (method, split, count, "label_auc", [None, *rng.uniform(low, 1, n_labels - 1)])
        for method, count, low in (
            ("all-features", n_features, 0.9),
            (answer.method, budget, 0.6),
        )
        for split in SPLITS
    ]
    orders = [(m, split, budget, "order", order()) for m in methods for split in SPLITS]
    weights = rng.normal(size=(budget, n_labels)).round(4).tolist()
    gains = (0.9 ** np.arange(budget)).tolist()
    final = [
        (method, 0, budget, name, value)
        for method in methods
        for name, value in (("order", order()), ("gain", gains), ("weights", weights))
    ]
    return [pd.DataFrame(rows, columns=_ARTIFACTS) for rows in (aucs + orders, final)]


def made_up_page(methods, features, labels, budgets, *, budget=None, name="made-up"):
    """A page of values drawn at random, of any size; ``budget`` is recommended."""
    rng = np.random.default_rng(0)
    d, t = len(features), len(labels)
    Y = (rng.random((1000, t)) < rng.uniform(0.02, 0.4, t)).astype(np.int8)
    data = MultiLabelData(sp.csr_array((1000, d)), Y, features, labels, name=name)
    chosen = {name: Chosen(MethodSpec("fisher")) for name in methods}
    setup = Setup(
        DataSpec("made-up"), data, chosen, tuple(map(str, budgets)),
        readouts={"ridge": None}, metric="macro_auc", measures=NINE,
        protocol=Protocol("stratified", len(SPLITS)),
    )  # fmt: skip
    measured = results(_values(methods, budgets, d, rng))
    answer = recommend(measured, "macro_auc")
    answer = replace(answer, budget=budget or answer.budget)
    measured = Results(measured.values, _tasks(setup))
    artifacts = _artifacts(methods, answer, d, t, rng)
    return page_data(setup, measured, *artifacts, answer)


def with_provenance(page, **changes):
    return replace(page, provenance=page.provenance | changes)


@cache
def hostile_page():
    """Names that would like to be obeyed, everywhere."""
    first, second, third = HOSTILE[:3]
    page = made_up_page(
        HOSTILE_METHODS, (*HOSTILE, "plain"), HOSTILE, [1, 3, 6], name=first
    )
    doubts = tuple(Doubt("leak", (n,), (n,), 1.0, n, f"--drop {n}") for n in HOSTILE)
    return with_provenance(
        replace(page, doubts=doubts),
        command=second,
        date=third,
        versions={first: second},
        readout=first,
        warnings=list(HOSTILE),
        left_out=[(first, third)],
        failed=[(second, third)],
        n_done=3,
        n_planned=5,
    )  # fmt: skip


@cache
def large_page():
    """20 methods, 20 budgets, 5 splits, 9 measures; 1000 features, 60 labels."""
    return made_up_page(
        [f"method-{i}" for i in range(20)],
        [f"a feature called {i}" for i in range(1000)],
        [f"label {i}" for i in range(60)],
        list(range(10, 210, 10)),
    )


def empty_page():
    """Nothing was measured before Ctrl-C."""
    result = traits_comparison()
    nothing = {
        "results": Results(result.results.values[:0]),
        "artifacts": result.artifacts[:0],
        "final": result.final[:0],
    }
    return page_of(result, **nothing, answer=None)
