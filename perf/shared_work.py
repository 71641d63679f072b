# SPDX-License-Identifier: BSD-3-Clause
"""What the methods of a fold could still share, and what that would save.

    LABELSIFT_DATA=FOLDER python perf/shared_work.py [text emotions traits ...]

A comparison of the frozen methods of ``perf/compare.py`` in two folds runs under a
profiler. The scaled copy of a fold is shared, and so is the factor of the models of
nested budgets; each method bins the features and forms products of them for itself.
For each such function: calls, their processor seconds, and the share of the
comparison's that is saved if every call but one in a fold costs nothing. This is a
bound: methods scale features differently, and need products of different ones.

Thresholds and measures are computed for all budgets of a method at once; their lines
bound what one computation for all methods could save.

The second table is about the eight random rankings of a fold: the seconds of one by
one, and at once, as a comparison runs them, and what that saves of the comparison.
"""

import cProfile
import pstats
import sys
import time
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory

from compare import CASES, data_of
from labelsift.compare import compare
from labelsift.compare.request import make_setup
from labelsift.datasets import write_npz
from labelsift.experiment.run import run_at_once, run_task
from labelsift.experiment.task import DataSpec

FOLDS, REPEATS = 2, 5
FUNCTIONS = {
    ("inputs.py", "scaled_rows"): "scaled copy",
    ("bins.py", "bin_features"): "bins of the features",
    ("bins.py", "count"): "counts by labels and features",
    ("least_squares.py", "inner"): "products of features, least squares",
    ("robust.py", "_gram"): "products of features, weighted",
    ("threshold.py", "scut_thresholds"): "thresholds of the labels",
    ("run.py", "measured"): "measures of labels and scores",
    ("curves.py", "label_areas"): "areas under the curves",
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


def drawn(data):
    """Processor seconds of the random rankings of a comparison: alone, at once."""
    with TemporaryDirectory() as folder:
        source = Path(folder, "data.npz")
        write_npz(data, source)
        spec = DataSpec(str(source), checksum=data.checksum)
        setup = make_setup(
            spec, data, methods=["fisher"], budgets=None, readout="ridge", cv=FOLDS
        )
        tasks = [each.task for each in setup.tasks() if each.method == "random"]
        folds = [
            [task for task in tasks if task.split == split] for split in range(FOLDS)
        ]
        alone = fastest(lambda: [run_task(task) for task in tasks])
        batch = fastest(lambda: [run_at_once(fold) for fold in folds])
    return alone, batch


def fastest(call):
    """The least processor seconds of some calls."""
    seconds = []
    for _ in range(REPEATS):
        start = time.process_time()
        call()
        seconds.append(time.process_time() - start)
    return min(seconds)


def main(names):
    warnings.simplefilter("ignore")
    print(f"{'data':16} {'function':36} {'calls':>6} {'seconds':>8} {'saved':>6}")
    draws = ["", f"{'data':16} {'draws one by one':>16} {'at once':>8} {'saved':>6}"]
    for name in names or CASES:
        data, methods = data_of(name), CASES[name][0]
        total, spent = profiled(data, methods)
        print(f"{name:16} {'the comparison':36} {'':6} {total:8.2f}")
        for title, (calls, seconds) in spent.items():
            saved = seconds * max(0, calls - FOLDS) / max(1, calls) / total
            print(f"{'':16} {title:36} {calls:6} {seconds:8.2f} {100 * saved:5.1f}%")
        start = time.process_time()
        compare(data, methods=methods, cv=FOLDS)
        total = time.process_time() - start
        alone, batch = drawn(data)
        saved = 100 * (alone - batch) / (total + alone - batch)
        draws.append(f"{name:16} {alone:16.2f} {batch:8.2f} {saved:5.1f}%")
    print(*draws, sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
