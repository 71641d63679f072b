# SPDX-License-Identifier: BSD-3-Clause
"""What the methods of a fold could still share, and what that would save.

    LABELSIFT_DATA=FOLDER python perf/shared_work.py [text emotions traits ...]

A comparison of the frozen methods of ``perf/compare.py`` in two folds runs under a
profiler. The scaled copy of a fold is shared, and so is the factor of the models of
nested budgets; each method bins the features and forms products of them for itself.
For each such function: calls, their processor seconds, and the share of the
comparison's that is saved if every call but one in a fold costs nothing. This is a
bound: methods scale features differently, and need products of different ones.

Thresholds and measures are computed model by model, for each budget of each method and
of the eight random rankings. Their lines bound what one computation for all budgets or
all draws could save; besides, draws could share the checks of X: their features are
different, and so are their models.
"""

import cProfile
import pstats
import sys
import time
import warnings

from compare import CASES, data_of
from labelsift.compare import compare

FOLDS = 2
FUNCTIONS = {
    ("inputs.py", "scaled_rows"): "scaled copy",
    ("bins.py", "bin_features"): "bins of the features",
    ("bins.py", "count"): "counts by labels and features",
    ("least_squares.py", "inner"): "products of features, least squares",
    ("robust.py", "_gram"): "products of features, weighted",
    ("threshold.py", "scut_thresholds"): "thresholds of the labels",
    ("catalogue.py", "judge"): "measures of labels and rankings",
    ("areas.py", "label_areas"): "areas under the curves",
    ("validation.py", "validate_features"): "checks of X",
}


def profiled(data, methods):
    """Seconds of a comparison, and by function (file, name) its calls and seconds."""
    profile = cProfile.Profile(time.process_time)
    profile.runcall(compare, data, methods=methods, cv=FOLDS)
    stats = pstats.Stats(profile)
    spent = {title: [0, 0.0] for title in FUNCTIONS.values()}
    for (file, _, name), (_, calls, _, seconds, _) in stats.stats.items():
        title = FUNCTIONS.get((file.rsplit("/", 1)[-1], name))
        if title is not None:
            spent[title][0] += calls
            spent[title][1] += seconds
    return stats.total_tt, spent


def main(names):
    warnings.simplefilter("ignore")
    print(f"{'data':16} {'function':36} {'calls':>6} {'seconds':>8} {'saved':>6}")
    for name in names or CASES:
        total, spent = profiled(data_of(name), CASES[name][0])
        print(f"{name:16} {'the comparison':36} {'':6} {total:8.2f}")
        for title, (calls, seconds) in spent.items():
            saved = seconds * max(0, calls - FOLDS) / max(1, calls) / total
            print(f"{'':16} {title:36} {calls:6} {seconds:8.2f} {100 * saved:5.1f}%")


if __name__ == "__main__":
    main(sys.argv[1:])
