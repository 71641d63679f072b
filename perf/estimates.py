# SPDX-License-Identifier: BSD-3-Clause
"""Estimated over measured seconds of one fit of every selector, on ten real shapes.

    LABELSIFT_DATA=FOLDER python perf/estimates.py [--limit 40] [--json FILE] [DATA ...]
    python perf/estimates.py --from FILE [FILE ...]

``labelsift compare`` leaves out and orders methods by the estimates of
``labelsift.experiment.catalogue``. Here each is compared with the processor time of a
fit at the largest default budget, compiled before. Cells are estimate over measured,
so 1.0 is right and 2.0 too long by a factor of two; ">": the fit was given up at the
limit; fits under five hundredths of a second count as right, as nothing depends on
them. The last line is the share within a factor of two. ``--json`` stores what was
measured, and ``--from`` compares it with estimates that have changed since.
"""

import argparse
import json
import sys
import time
import warnings
from pathlib import Path

from compare import text_like
from labelsift.core.budget import counts_of, read_budgets
from labelsift.datasets import load_dataset
from labelsift.experiment.catalogue import CATALOGUE, RANDOM, SELECTORS, Size
from labelsift.experiment.run import TaskTimeoutError, time_limit
from labelsift.prepare.array_scaling import default_scale, scaled

DATA = (
    "flags", "emotions", "traits", "yeast", "scene", "CAL500", "enron", "text",
    "yahoo-science", "rcv1-subset1",
)  # fmt: skip
# Below so many seconds an estimate decides nothing.
SHORT = 0.05


def seconds_of(method, X, Y, k, limit):
    """Processor seconds of a fit; infinite beyond the limit, None where it fails."""
    selector = CATALOGUE[method].make(Y.shape[1])
    selector.set_params(n_features_to_select=k)
    try:
        with time_limit(limit):
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
    parser.add_argument("names", nargs="*", default=DATA)
    parser.add_argument("--limit", type=float, default=40.0)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--from", dest="stored", type=Path, nargs="*")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    # "anova-max" costs what "anova" costs.
    same = (RANDOM, "-max", "-robin")
    methods = [name for name in SELECTORS if not name.endswith(same)]
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
    show([row for row in rows if row[0] in methods], methods)


def show(rows, methods):
    """Print the table, and the share of estimates that are right."""
    cells, right = {}, []
    for method, name, size, limit, seconds in rows:
        estimate = CATALOGUE[method].seconds(Size(*size))
        cells[method, name], near = cell(estimate, seconds, limit)
        right.append(near)
    names = list(dict.fromkeys(row[1] for row in rows))
    print(f"{'estimate / measured':20}" + "".join(f"{name[:10]:>11}" for name in names))
    for method in methods:
        row = [cells.get((method, name), "") for name in names]
        print(f"{method:20}" + "".join(f"{text:>11}" for text in row))
    share = 100 * sum(right) / max(1, len(right))
    print(f"\n{sum(right)} of {len(right)} within a factor of two ({share:.0f} %)")


if __name__ == "__main__":
    main()
