# SPDX-License-Identifier: BSD-3-Clause
"""Results made up for a test, and the answer that they give."""

import numpy as np
import pandas as pd

from labelsift.compare import recommend
from labelsift.experiment.results import VALUES, Results


def results(rows):
    """Results of rows that say what matters; the other columns are empty."""
    empty = {name: kind() for name, kind in VALUES.items()} | {"readout": "ridge"}
    return Results(pd.DataFrame([empty | row for row in rows], columns=list(VALUES)))


def rows_of(means, *, spread=0.01, measure="macro_auc", splits=5, seed=0):
    """Rows with exactly these means: every cell has a spread of its own."""
    rng = np.random.default_rng(seed)
    rows = []
    for (method, budget), mean in means.items():
        noise = rng.normal(size=splits)
        noise = (noise - noise.mean()) * spread if splits > 1 else np.zeros(1)
        rows += [
            {
                "method": method,
                "budget": budget,
                "measure": measure,
                "split": split,
                "value": mean + noise[split],
            }
            for split in range(splits)
        ]
    return rows


def answer_of(means, *, measure="macro_auc", **options):
    """The recommendation from means by method and budget."""
    return recommend(results(rows_of(means, measure=measure, **options)), measure)
