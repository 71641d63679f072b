# SPDX-License-Identifier: BSD-3-Clause
"""Who is near the best after some splits of a race, and who is surely worse.

Tables have a row for each (method, budget) and a column for each split; larger is
better. Loaded where a time was promised.
"""

import math

import pandas as pd

from labelsift.stats.resampled_t import verdicts

# Sizes are in question where a method comes within so many margins of the best.
_NEAR = 2


def in_question(table: pd.DataFrame, margin: float) -> pd.DataFrame:
    """The rows of sizes at which a method comes near the best; larger is better."""
    means = table.mean(axis=1)
    best = means.groupby(level="budget").max()
    n_splits = table.shape[1]
    error = table.loc[means.idxmax()].std(ddof=1) / math.sqrt(n_splits)
    slack = max(_NEAR * margin, 0.0 if math.isnan(error) else float(error))
    sizes = best.index[best >= best.max() - slack]
    return table[table.index.get_level_values("budget").isin(sizes)]


def behind(table: pd.DataFrame) -> dict[str, float]:
    """By how much each method is behind the best where it comes nearest to it."""
    means = table.mean(axis=1)
    gaps = means.groupby(level="budget").transform("max") - means
    return {str(name): float(gap) for name, gap in gaps.groupby("method").min().items()}


def surely_worse(
    table: pd.DataFrame, margin: float, test_over_train: float | None
) -> set[str]:
    """Methods that the test of the answer calls worse than the best at each size."""
    saved: set[str] = set()
    for _, part in table.groupby(level="budget"):
        part = part.droplevel("budget")
        best = part.mean(axis=1).idxmax()
        differences = {
            str(name): (part.loc[best] - row).to_numpy()
            for name, row in part.drop(best).iterrows()
        }
        judged = verdicts(differences, margin, test_over_train)
        saved |= {str(best)} | {v.method for v in judged if v.word != "worse"}
    return set(map(str, table.index.unique("method"))) - saved
