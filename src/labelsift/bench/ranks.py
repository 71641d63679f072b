# SPDX-License-Identifier: BSD-3-Clause
"""Which methods of a suite differ over its data sets: Friedman, Nemenyi, a diagram."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from labelsift.bench.suite import Suite
from labelsift.metrics import MEASURES
from labelsift.plots import critical_difference
from labelsift.stats import RankTest, friedman_nemenyi

Rows = Sequence[Mapping[str, Any]]


def rank_methods(suite: Suite, rows: Rows) -> RankTest | None:
    """Average ranks of the methods of a suite over its data sets.

    A block is a data set, its value the mean over splits, budgets and read-outs of the
    suite's first measure; splits of one data set share rows and are no blocks of their
    own. Methods that lack a data set are left out.

    Parameters
    ----------
    suite : Suite
        The suite.
    rows : sequence of mapping
        Its tidy rows.

    Returns
    -------
    RankTest or None
        None with fewer than three methods or two data sets, where nothing can be
        ranked, and for a study of settings.
    """
    if any(part.spec.sweep for part in suite.methods):
        return None
    measure = suite.measures[0]
    groups: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if row["measure"] == measure and row["threshold"] in ("", suite.cut):
            groups[row["method"]][row["data"]].append(row["value"])
    data = sorted({name for of in groups.values() for name in of})
    values = {
        method: [float(np.mean(of[name])) for name in data]
        for method, of in groups.items()
        if set(of) == set(data)
    }
    values = {m: v for m, v in values.items() if np.isfinite(v).all()}
    if len(values) < 3 or len(data) < 2:
        return None
    if len({tuple(of) for of in values.values()}) == 1:
        return None  # all the same, as a loss that is 1 everywhere
    gains = MEASURES[measure].greater_is_better
    return friedman_nemenyi(values, greater_is_better=gains)


def rank_sentence(suite: Suite, test: RankTest) -> str:
    """Ranks and tests in words."""
    ranks = sorted(test.ranks.items(), key=lambda item: item[1])
    shown = ", ".join(f"{method} {rank:.1f}" for method, rank in ranks)
    verdict = (
        f"ranks further apart than {test.critical_difference:.1f} differ (Nemenyi)"
        if test.p_value < test.alpha
        else "no difference is shown"
    )
    return (
        f"Average ranks by {suite.measures[0]} over {test.n_blocks} data sets: "
        f"{shown}. Friedman's p = {test.p_value:.2g}: {verdict}."
    )


def draw_ranks(suite: Suite, rows: Rows, folder: Path) -> Path | None:
    """Draw the critical-difference diagram of a suite.

    Parameters
    ----------
    suite : Suite
        The suite.
    rows : sequence of mapping
        Its tidy rows.
    folder : Path
        Where SUITE.png goes; made where it does not exist.

    Returns
    -------
    Path or None
        The picture; None where nothing can be ranked.
    """
    test = rank_methods(suite, rows)
    if test is None:
        return None
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{suite.name}.png"
    title = f"{suite.name}: {suite.measures[0]} on {test.n_blocks} data sets"
    ax = critical_difference(test.ranks, test.critical_difference, title=title)
    ax.figure.savefig(path)
    return path
