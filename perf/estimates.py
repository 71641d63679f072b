# SPDX-License-Identifier: BSD-3-Clause
"""Estimated over measured seconds of one fit of every selector, on real shapes.

    LABELSIFT_DATA=FOLDER python perf/estimates.py [--limit 40] [--json FILE]
        [--methods a,b] [DATA ...]
    python perf/estimates.py --from FILE [FILE ...]
    LABELSIFT_DATA=FOLDER python perf/estimates.py --folds --from FILE [FILE ...]

``labelsift compare`` leaves out and orders methods by the estimates of
``labelsift.selection.estimates``. Here each is compared with the processor time of a
fit at the largest default budget, compiled before. Cells are estimate over measured,
so 1.0 is right and 2.0 too long by a factor of two; ">": the fit was given up at the
limit; fits under five hundredths of a second count as right, as nothing depends on
them. The last lines are the shares within a factor of two: on the sets to which the
constants of the estimates were fitted, and on others.
``--json`` stores what was measured, ``--from`` compares it with estimates that have
changed since, and ``--folds`` shows how well the fit of a first fold foretells that of
the second, which is what ``labelsift compare --within`` goes by once it has one.
"""

import argparse
import json
import sys
import time
import warnings
from pathlib import Path

import numpy as np

from compare import text_like
from labelsift.core.budget import counts_of, read_budgets
from labelsift.datasets import load_dataset
from labelsift.experiment.catalogue import CATALOGUE, RANDOM, SELECTORS
from labelsift.experiment.run import TaskTimeoutError, time_limit
from labelsift.prepare.array_scaling import default_scale, scaled
from labelsift.selection.estimates import Size

FITTED = (
    "flags", "emotions", "traits", "yeast", "scene", "text", "CAL500", "enron",
    "yahoo-arts", "yahoo-science", "yahoo-education", "yahoo-reference", "tmc2007-500",
    "bibtex", "yahoo-arts-full", "rcv1-subset1",
)  # fmt: skip
NEW = ("yahoo-health-full", "yahoo-science-full")
# Below so many seconds an estimate decides nothing.
SHORT = 0.05


def seconds_of(method, X, Y, k, limit):
    """Processor seconds of a fit; infinite beyond the limit, None where it fails."""
    selector = CATALOGUE[method].make(Y.shape[1])
    selector.set_params(n_features_to_select=k)
    try:
        with time_limit(limit, processor=True):
            start = time.process_time()
            selector.fit(X, Y)
            took = time.process_time() - start
            if took < 0.5:  # again, the second time without what is done once
                start = time.process_time()
                selector.fit(X, Y)
                took = min(took, time.process_time() - start)
            return took
    except TaskTimeoutError:
        return float("inf")
    except Exception as error:
        print(f"{method}: {error}", file=sys.stderr)
        return None


def measured(name, methods, limit):
    """(method, size, estimate, seconds) of every selector on a data set."""
    data = text_like() if name == "text" else load_dataset(name)
    k = counts_of(read_budgets(None, data.n_features), data.n_features)[-1]
    size = Size.of(data, k)
    for method in methods:
        entry = CATALOGUE[method]
        estimate = entry.seconds(size)
        if estimate > 3 * limit:
            continue
        X, _ = scaled(data.X, data.X[:0], entry.scale or default_scale(data))
        seconds_of(method, X[:60], data.Y[:60], min(5, k), limit)  # compile
        yield method, size, estimate, seconds_of(method, X, data.Y, k, limit)


def cell(estimate, seconds, limit):
    """Estimate over measured, and whether it is within a factor of two."""
    if seconds == float("inf"):
        return f">{estimate / limit:.2g}", estimate > limit / 2
    ratio = estimate / seconds
    near = 0.5 <= ratio <= 2 or max(estimate, seconds) < SHORT
    return f"{ratio:.2g}{'' if near else ' *'}", near


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", default=(*FITTED, *NEW))
    parser.add_argument("--limit", type=float, default=40.0)
    parser.add_argument("--methods", default="", help="only these, with commas")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--from", dest="stored", type=Path, nargs="*")
    parser.add_argument("--folds", action="store_true")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    # "anova-max" costs what "anova" costs.
    same = (RANDOM, "-max", "-robin")
    methods = [name for name in SELECTORS if not name.endswith(same)]
    methods = [name for name in asked.methods.split(",") if name] or methods
    rows = []
    for path in asked.stored or ():
        rows += json.loads(path.read_text())
    for name in () if asked.stored else asked.names:
        for method, size, _, seconds in measured(name, methods, asked.limit):
            if seconds is not None:
                rows.append([method, name, list(size), asked.limit, seconds])
        print(f"{name}: {len(rows)} fits", file=sys.stderr, flush=True)
        if asked.json:
            asked.json.write_text(json.dumps(rows))
    if asked.folds:
        folds([row for row in rows if SHORT <= row[4] <= 3])
        return
    show([row for row in rows if row[0] in methods], methods)


def show(rows, methods):
    """Print the table, and the share of estimates that are right."""
    cells, right = {}, {}
    for method, name, size, limit, seconds in rows:
        estimate = CATALOGUE[method].seconds(Size(*size))
        cells[method, name], right[method, name] = cell(estimate, seconds, limit)
    names = list(dict.fromkeys(row[1] for row in rows))
    print(f"{'estimate / measured':20}" + "".join(f"{name[:10]:>11}" for name in names))
    for method in methods:
        row = [cells.get((method, name), "") for name in names]
        print(f"{method:20}" + "".join(f"{text:>11}" for text in row))
    print("\nwithin a factor of two:")
    for what, sets in (("fitted to", FITTED), ("new", NEW)):
        near = [value for (_, name), value in right.items() if name in sets]
        share = 100 * sum(near) / max(1, len(near))
        print(f"{what:9} {sum(near)} of {len(near)} ({share:.0f} %): {', '.join(sets)}")


def folds(rows):
    """Print how often the first fold is within a factor of two of the second."""
    by_set = {}
    for method, name, size, limit, _ in rows:
        data = text_like() if name == "text" else load_dataset(name)
        entry, parts = CATALOGUE[method], []
        for rest in (slice(0, None, 5), slice(1, None, 5)):
            kept = np.delete(np.arange(data.n_samples), rest)
            X, _ = scaled(data.X[kept], data.X[:0], entry.scale or default_scale(data))
            parts.append(seconds_of(method, X, data.Y[kept], size[-1], limit))
        by_set.setdefault(name, []).append(parts[0] / parts[1])
        print(f"{method:15} {name:15} {parts[0]:7.3f} {parts[1]:7.3f}", flush=True)
    ratios = np.concatenate(list(by_set.values()))
    near = (ratios >= 0.5) & (ratios <= 2)
    print(f"first over second fold: {near.sum()} of {len(ratios)} within a factor of 2")


if __name__ == "__main__":
    main()
