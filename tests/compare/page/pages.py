# SPDX-License-Identifier: BSD-3-Clause
"""Pages to look at: from real fits, with hostile names, large, and empty."""

import warnings
from dataclasses import replace
from functools import cache

import numpy as np
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import KFold

from labelsift.classification import BinaryRidge
from labelsift.datasets import describe, load_dataset
from labelsift.metrics import MEASURES, evaluate
from labelsift.report.page_data import PageData
from labelsift.results.recommend import in_words, recommend
from labelsift.selection import METHODS

BUDGETS = (1, 2, 3, 4, 6, 8, 10, 13, 16, 20)
_METHODS = ("greedy-rls", "rfs", "fisher", "mdmr")
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


def measures():
    return {
        name: {"title": in_words(name), "higher_is_better": m.greater_is_better}
        for name, m in MEASURES.items()
    }


def made(**changes):
    return {
        "command": "labelsift compare traits --methods greedy-rls,rfs,fisher,mdmr",
        "date": "2026-01-02 03:04 UTC",
        "versions": {"labelsift": "0.1.0", "numpy": "2.4.6"},
        "checksum": "9f86d081884c7d659a2feaa0c55ad015" * 2,
        "seed": 0,
        "cv": 5,
        "readout": "ridge",
        "warnings": [],
        "left_out": [],
        "failed": [],
        "finished": "25 of 25 tasks",
    } | changes


def data_facts(data, image_shape=None):
    summary = describe(data)
    labels = np.argsort(-summary.label_counts, kind="stable")[:40]
    return {
        "name": data.name,
        "n_samples": data.n_samples,
        "n_features": data.n_features,
        "n_labels": data.n_labels,
        "sparse": summary.sparse,
        "label_names": list(data.label_names),
        "label_counts": summary.label_counts.tolist(),
        "cooccurrence": summary.co_occurrence[np.ix_(labels, labels)].tolist(),
        "cooccurrence_labels": labels.tolist(),
        "image_shape": image_shape,
    }


def _judge(columns, train, test, data):
    model = BinaryRidge().fit(data.X[train][:, columns], data.Y[train])
    scores = model.decision_function(data.X[test][:, columns])
    aucs = [roc_auc_score(y, s) for y, s in zip(data.Y[test].T, scores.T, strict=True)]
    return evaluate(data.Y[test], scores), aucs


class _Collector:
    """Rows, values per label and choices of the splits, as they come."""

    def __init__(self, data):
        self.data, self.rows, self.aucs, self.folds = data, [], {}, {}

    def add(self, method, budget, split, parts, columns):
        values, aucs = _judge(columns, *parts, self.data)
        self.rows += [
            {
                "method": method,
                "budget": budget,
                "measure": m,
                "split": split,
                "value": v,
            }
            for m, v in values.items()
        ]
        self.aucs.setdefault(method, {}).setdefault(budget, []).append(aucs)

    def label_values(self):
        return {
            method: {k: np.mean(values, axis=0).tolist() for k, values in by.items()}
            for method, by in self.aucs.items()
        }


def _measure(data):
    found = _Collector(data)
    folds = KFold(5, shuffle=True, random_state=0).split(data.X)
    for split, parts in enumerate(folds):
        found.add("all-features", data.n_features, split, parts, slice(None))
        for method in (*_METHODS, "random-ranking"):
            name = method.removesuffix("-ranking")
            seed = {"random_state": split} if name == "random" else {}
            fitted = METHODS[name](n_features_to_select=max(BUDGETS), **seed)
            fitted.fit(data.X[parts[0]], data.Y[parts[0]])
            order = fitted.feature_order_[: max(BUDGETS)]
            found.folds.setdefault(method, []).append(order.tolist())
            for budget in BUDGETS:
                found.add(method, budget, split, parts, order[:budget])
    return found


def _choice(data, method, folds):
    fitted = METHODS[method](n_features_to_select=max(BUDGETS)).fit(data.X, data.Y)
    order = fitted.feature_order_[: max(BUDGETS)]
    weights = BinaryRidge().fit(data.X[:, order], data.Y).coef_.T
    return {
        "order": order.tolist(),
        "names": [data.feature_names[i] for i in order],
        "gain": [float(fitted.scores_[i]) for i in order],
        "weights": weights.tolist(),
        "weights_labels": list(range(data.n_labels)),
        "folds": folds,
    }


@cache
def traits_page():
    """Four methods on the embedded pixels."""
    data = load_dataset("traits")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = _measure(data)
        choices = {m: _choice(data, m, found.folds[m]) for m in _METHODS}
    return PageData(
        title="Which pixels, and how many?",
        recommendation=recommend(
            found.rows, measure="macro_auc", higher_is_better=True
        ),
        metric="macro_auc",
        measures=measures(),
        data=data_facts(data, [8, 8]),
        rows=found.rows,
        methods=list(_METHODS),
        selections=choices,
        label_values=found.label_values(),
        costs={
            m: {"seconds": 0.1 * 4**i, "memory_mib": 12.5 * (i + 1), "fits": 6}
            for i, m in enumerate(_METHODS)
        },
        made=made(),
    )


def made_up_page(
    method_names,
    feature_names,
    label_names,
    budgets,
    *,
    measures_shown=tuple(MEASURES),
    seed=0,
):
    """A page of values drawn at random, of any size."""
    rng = np.random.default_rng(seed)
    d, t = len(feature_names), len(label_names)
    methods = [*method_names, "random-ranking"]
    levels = [*np.linspace(0.9, 0.7, len(method_names)), 0.6, 0.92]
    height = dict(zip([*methods, "all-features"], levels, strict=True))
    rows = [
        {
            "method": m,
            "budget": k,
            "measure": measure,
            "split": split,
            "value": height[m] * (1 - 0.5 / (1 + k)) + rng.normal(scale=0.01),
        }
        for measure in measures_shown
        for m, ks in [*((m, budgets) for m in methods), ("all-features", [d])]
        for k in ks
        for split in range(5)
    ]
    top = max(budgets)
    orders = {
        m: [rng.permutation(d)[:top].tolist() for _ in range(6)] for m in method_names
    }
    counts = rng.integers(20, 400, size=t)
    together = rng.integers(0, 20, size=(t, t))
    together = together + together.T
    np.fill_diagonal(together, counts)
    shown = list(range(min(t, 40)))
    answer = recommend(rows, measure="macro_auc", higher_is_better=True)
    return PageData(
        title=f"{len(methods)} methods",
        recommendation=answer,
        metric="macro_auc",
        measures={name: measures()[name] for name in measures_shown},
        data={
            "name": "made-up",
            "n_samples": 1000,
            "n_features": d,
            "n_labels": t,
            "sparse": False,
            "label_names": list(label_names),
            "label_counts": counts.tolist(),
            "cooccurrence": together[: len(shown), : len(shown)].tolist(),
            "cooccurrence_labels": shown,
            "image_shape": None,
        },
        rows=rows,
        methods=methods,
        selections={
            m: {
                "order": order,
                "names": [feature_names[i] for i in order],
                "gain": (0.9 ** np.arange(top)).tolist(),
                "weights": rng.normal(size=(top, t)).round(4).tolist(),
                "weights_labels": list(range(t)),
                "folds": folds,
            }
            for m, (order, *folds) in orders.items()
        },
        label_values={
            "all-features": {d: rng.uniform(0.8, 1, t).tolist()},
            answer.method: {
                answer.budget: [None, *rng.uniform(0.6, 0.9, t - 1).tolist()]
            },
        },
        costs={
            m: {"seconds": float(rng.exponential()), "memory_mib": None, "fits": 6}
            for m in method_names
        },
        made=made(),
    )


@cache
def hostile_page():
    """Names that would like to be obeyed, everywhere."""
    page = made_up_page(HOSTILE[:8], [*HOSTILE, "plain"], HOSTILE, [1, 3, 6])
    first = HOSTILE[0]
    return replace(
        page,
        title=first,
        measures=page.measures
        | {"macro_auc": {"title": HOSTILE[3], "higher_is_better": True}},
        data=page.data | {"name": first},
        made=made(
            command=HOSTILE[1],
            versions={first: HOSTILE[1]},
            readout=first,
            warnings=list(HOSTILE),
            left_out=[{"method": first, "why": HOSTILE[2]}],
            failed=[{"method": HOSTILE[1], "error": HOSTILE[2]}],
            finished="3 of 5 tasks",
        ),
    )


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
    page = traits_page()
    return replace(
        page,
        recommendation=None,
        rows=[],
        selections={},
        label_values={},
        costs={},
        made=made(finished="0 of 25 tasks"),
    )
