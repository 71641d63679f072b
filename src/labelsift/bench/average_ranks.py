# SPDX-License-Identifier: BSD-3-Clause
"""Which methods of a suite differ over its data sets: Friedman, Nemenyi, a diagram."""

from pathlib import Path

from labelsift.bench.comparison_with_paper import comparable
from labelsift.bench.suite import Suite
from labelsift.core.text import safe_name
from labelsift.datasets.atomic import replacing
from labelsift.experiment.results import Results
from labelsift.metrics import MEASURES
from labelsift.plots import critical_difference
from labelsift.stats import RankTest, friedman_nemenyi


def rank_methods(suite: Suite, results: Results) -> RankTest | None:
    """Average ranks of the methods of a suite over its data sets.

    A block is a data set, its value the mean over splits, budgets and read-outs of the
    suite's first measure; splits of one data set share rows and are not separate
    blocks. Methods that lack a data set are left out.

    Parameters
    ----------
    suite : Suite
        The suite.
    results : Results
        Its results.

    Returns
    -------
    RankTest or None
        None with fewer than three methods or two data sets, where nothing can be
        ranked, and for a study of settings.
    """
    if any(method.spec.sweep for method in suite.methods):
        return None
    measure = suite.measures[0]
    blocks = Results(comparable(suite, results)).by_block(measure)
    names = [method.name for method in suite.methods]
    blocks = blocks.reindex(columns=names).dropna(axis=1)
    if blocks.shape[0] < 2 or blocks.shape[1] < 3:
        return None
    if blocks.eq(blocks.iloc[:, 0], axis=0).all(axis=None):
        return None  # all equal, as a loss that is 1 everywhere
    gains = MEASURES[measure].greater_is_better
    return friedman_nemenyi(blocks, greater_is_better=gains)


def rank_sentence(suite: Suite, test: RankTest) -> str:
    """Ranks and tests as a sentence."""
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


def draw_ranks(suite: Suite, results: Results, folder: Path) -> Path | None:
    """Draw the critical-difference diagram of a suite.

    Parameters
    ----------
    suite : Suite
        The suite.
    results : Results
        Its results.
    folder : Path
        Folder of SUITE.png; created if missing.

    Returns
    -------
    Path or None
        The picture; None where nothing can be ranked.
    """
    path = folder / f"{safe_name(suite.name, 'The suite')}.png"
    test = rank_methods(suite, results)
    if test is None:
        return None
    title = f"{suite.name}: {suite.measures[0]} on {test.n_blocks} data sets"
    ax = critical_difference(test.ranks, test.critical_difference, title=title)
    with replacing(path) as part:
        ax.figure.savefig(part, format="png")
    return path
