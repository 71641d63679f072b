# SPDX-License-Identifier: BSD-3-Clause
"""From a comparison to the plain data of its page."""

import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np

from labelsift.bench.compare import Comparison
from labelsift.bench.comparison_setup import RANDOM
from labelsift.bench.methods import ALL_FEATURES
from labelsift.bench.schedule import made
from labelsift.bench.spec import read_task
from labelsift.core.data import MultiLabelData
from labelsift.core.optional import import_extra
from labelsift.metrics import MEASURES
from labelsift.report.page_curves import curves
from labelsift.report.page_data import PageData

# Labels in the picture of co-occurrence, and weights in that of the chosen features.
MOST_LABELS = 40
TITLES = {
    "zero_one_loss": "0/1 loss",
    "hamming_loss": "Hamming loss",
    "accuracy": "accuracy",
    "one_error": "one-error",
    "coverage": "coverage",
    "ranking_loss": "ranking loss",
    "macro_auc": "macro AUC",
    "micro_f1": "micro F1",
    "macro_f1": "macro F1",
}


def page_data(found: Comparison) -> PageData:
    """Everything that the page shows.

    Parameters
    ----------
    found : Comparison
        What was measured.

    Returns
    -------
    PageData
        Plain values.
    """
    setup, rows = found.setup, _curve_rows(found)
    data = _data(setup.data)
    measured = {row["method"] for row in rows}
    methods = [m for m in (*setup.methods, RANDOM, ALL_FEATURES) if m in measured]
    names = sorted(MEASURES, key=lambda name: name != setup.metric)
    answer = found.recommend() if measured & set(setup.methods) else None
    size = answer.budget if answer else setup.counts[-1]
    return PageData(
        title=f"Which features of {setup.data.name}, and how many",
        recommendation=answer,
        metric=setup.metric,
        measures={
            name: {
                "title": TITLES[name],
                "higher_is_better": MEASURES[name].greater_is_better,
            }
            for name in names
        },
        data=data,
        rows=rows,
        methods=methods,
        selections={
            name: _selection(found, name, size, data["cooccurrence_labels"])
            for name in methods
            if name in setup.methods
        },
        label_values={name: _label_values(found, name) for name in methods},
        costs=_costs(found),
        made=_made(found),
    )


def _curve_rows(found: Comparison) -> list[dict[str, Any]]:
    """One value per method, budget, measure and split: random draws are averaged."""
    groups: dict[tuple[Any, ...], list[float]] = defaultdict(list)
    for row in found.rows:
        if row["measure"] in MEASURES:
            place = (row["method"], row["budget"], row["measure"], row["split"])
            groups[place].append(row["value"])
    names = ("method", "budget", "measure", "split")
    return [
        dict(zip(names, place, strict=True)) | {"value": float(np.mean(values))}
        for place, values in groups.items()
    ]


def _data(data: MultiLabelData) -> dict[str, Any]:
    counts = data.Y.sum(axis=0, dtype=np.int64)
    frequent = np.argsort(-counts, kind="stable")[:MOST_LABELS]
    part = data.Y[:, frequent].astype(np.int64)
    return {
        "name": data.name,
        "n_samples": data.n_samples,
        "n_features": data.n_features,
        "n_labels": data.n_labels,
        "sparse": not isinstance(data.X, np.ndarray),
        "label_names": list(data.label_names),
        "label_counts": counts.tolist(),
        "cooccurrence": (part.T @ part).tolist(),
        "cooccurrence_labels": frequent.tolist(),
        "image_shape": image_shape(data.feature_names),
    }


def image_shape(names: Sequence[str]) -> list[int] | None:
    """Rows and columns of pixels, where features are called pixel_ROW_COLUMN."""
    places = [re.fullmatch(r"pixel_(\d+)_(\d+)", name) for name in names]
    if not all(places):
        return None
    found = [(int(place[1]), int(place[2])) for place in places if place]
    height, width = (1 + max(pixel[k] for pixel in found) for k in (0, 1))
    expected = [(row, column) for row in range(height) for column in range(width)]
    return [height, width] if found == expected else None


def _selection(
    found: Comparison, method: str, size: int, frequent: Sequence[int]
) -> dict[str, Any]:
    """What a method chose from all rows, and in each fold at the same size."""
    setup, kept = found.setup, found.final.get(method, {})
    folds = [
        _largest(artifacts.get("order", {}))
        for (name, _), artifacts in sorted(found.artifacts.items())
        if name == method
    ]
    order = _largest(kept.get("order", {}))
    weights = _largest(kept.get("weights", {}))
    shown = None
    if weights:
        shown = [[row[label] for label in frequent] for row in weights]
    selection: dict[str, Any] = {
        "order": order,
        "names": [setup.data.feature_names[i] for i in order],
        "gain": _largest(kept.get("gain", {})) or [None] * len(order),
        "weights": shown,
        "weights_labels": list(frequent),
        "folds": [fold[:size] for fold in folds],
    }
    if setup.costs:
        selection["costs"] = [setup.costs[i] for i in order]
    return selection


def _largest(by_place: Mapping[str, Sequence[Any]]) -> list[Any]:
    """The value of the largest budget; places are "readout:budget"."""
    if not by_place:
        return []
    return list(by_place[max(by_place, key=lambda place: int(place.split(":")[1]))])


def _label_values(found: Comparison, method: str) -> dict[int, list[float | None]]:
    """Mean AUC of each label over the folds, by budget."""
    values: dict[int, list[list[float | None]]] = defaultdict(list)
    for (name, _), artifacts in found.artifacts.items():
        if name == method:
            for place, aucs in artifacts.get("label_auc", {}).items():
                values[int(place.split(":")[1])].append(aucs)
    return {
        budget: [_mean(label) for label in zip(*folds, strict=True)]
        for budget, folds in sorted(values.items())
    }


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None


def _costs(found: Comparison) -> dict[str, dict[str, Any]]:
    """Seconds for all budgets in one fold, and peak memory, mean over folds."""
    seconds: dict[str, list[float]] = defaultdict(list)
    memory: dict[str, list[float]] = defaultdict(list)
    for row in found.rows:
        if row["measure"] == "fit_seconds":
            seconds[row["method"]].append(row["value"])
    for record in found.records:
        if record.status == "done" and record.memory_mib is not None:
            name = _method_name(record)
            memory[name].append(record.memory_mib)
    folds = {
        m: len({r["split"] for r in found.rows if r["method"] == m}) for m in seconds
    }
    return {
        name: {
            "seconds": sum(values) / folds[name],
            "memory_mib": max(memory[name], default=None),
            "fits": folds[name],
        }
        for name, values in seconds.items()
        if name in found.setup.methods
    }


def _method_name(record: Any) -> str:
    name = read_task(record.content).method.name
    return RANDOM if name.startswith("random:") else name


def _made(found: Comparison) -> dict[str, Any]:
    setup = found.setup
    failed = {
        _method_name(record): record.error
        for record in found.records
        if record.status != "done"
    }
    said: dict[str, None] = {}
    for record in found.records:
        for warning in record.warnings:
            said.setdefault(f"{_method_name(record)}: {warning}")
    done = sum(record.status == "done" for record in found.records)
    return {
        "command": found.command or "labelsift.bench.compare",
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "versions": json.loads(json.dumps(made()["versions"])),
        "checksum": setup.data.checksum,
        "seed": setup.seed,
        "cv": setup.cv,
        "readout": setup.readout,
        "warnings": list(said),
        "left_out": [{"method": m.method, "why": m.why} for m in setup.left_out],
        "failed": [{"method": name, "error": text} for name, text in failed.items()],
        "finished": f"{done} of {len(setup.tasks())} tasks",
    }


def curve_plot(found: Comparison, metric: str, ax: Any = None) -> Any:
    """Draw the curves of one measure with matplotlib."""
    if ax is None:
        figure = import_extra("matplotlib.figure", "Comparison.plot").Figure(
            figsize=(6.4, 4.2), layout="constrained"
        )
        ax = figure.subplots()
    page = page_data(found)
    for method, curve in curves(page)[metric].items():
        means = np.array([point.mean for point in curve.values()])
        if method == ALL_FEATURES:
            ax.axhline(means[0], color="0.5", linestyle="--", label=method)
            continue
        errors = np.array([point.std_error for point in curve.values()])
        style = {"color": "0.5", "linestyle": ":"} if method == RANDOM else {}
        [line] = ax.plot(list(curve), means, marker="o", ms=3, label=method, **style)
        shade = {"color": line.get_color(), "alpha": 0.15, "linewidth": 0}
        ax.fill_between(list(curve), means - errors, means + errors, **shade)
    ax.set_xlabel("features")
    ax.set_ylabel(TITLES[metric])
    ax.legend(fontsize=8, frameon=False)
    return ax
