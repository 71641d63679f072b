# SPDX-License-Identifier: BSD-3-Clause
"""Processor time of a comparison: from the call to the answer, on one core.

    LABELSIFT_DATA=FOLDER python perf/compare.py [text emotions traits yahoo-arts-full]

Each data set is compared twice, with everything compiled: with the methods that were
"fast" on it in 0.1.0 (the list is frozen here), and with those that are now. Columns
are processor seconds of the process, seconds until all methods have a value on the
first fold, and the answer. "text" is bibtex cut to 489 rows, 1449 words and 14 labels.
"""

import sys
import time
import warnings
from dataclasses import replace

import numpy as np
import scipy.sparse as sp

from labelsift.compare import compare
from labelsift.datasets import load_dataset

SMALL = (
    "cmlfs", "csfs", "fisher", "greedy-rls", "lrfs", "mdmr", "mifs", "mlfs", "mrmr",
    "mt-lasso", "ppt", "ralm", "rfs", "rlefs", "sfus",
)  # fmt: skip
WIDE = (
    "cmlfs", "csfs", "fisher", "lrfs", "mdmr", "mifs", "mlfs", "mrmr", "mt-lasso",
    "ppt", "rlefs", "greedy-rls-gcv",
)  # fmt: skip
# Methods, processor seconds of 0.1.0, and wanted ones.
CASES = {
    "text": (SMALL, "115", 20),
    "emotions": (SMALL, "14", 5),
    "yahoo-arts-full": (WIDE, "480", 60),
    "traits": (SMALL, "12", 6),
}


def text_like():
    """A cut of bibtex of the shape that people have."""
    data = load_dataset("bibtex")
    rows = np.random.default_rng(0).permutation(data.n_samples)[:489]
    X, Y = sp.csr_array(data.X)[np.sort(rows)], data.Y[np.sort(rows)]
    used = np.diff(sp.csc_array(X).indptr)
    words = np.sort(np.argsort(-used, kind="stable")[:1449])
    labels = np.sort(np.argsort(-Y.sum(axis=0), kind="stable")[:14])
    return replace(
        data,
        X=X[:, words],
        Y=Y[:, labels],
        feature_names=tuple(data.feature_names[i] for i in words),
        label_names=tuple(data.label_names[i] for i in labels),
        train_idx=None,
        test_idx=None,
        name="text",
    )


def measured(data, methods):
    """Processor seconds, seconds to the end of the first fold, and the answer."""
    start, first = time.perf_counter(), []

    def on_done(done, total, outcome):
        if 5 * done >= total and not first:
            first.append(time.perf_counter() - start)

    before = time.process_time()
    answer = compare(data, methods=methods, on_done=on_done).recommend()
    return time.process_time() - before, first[0], answer


def main(names):
    warnings.simplefilter("ignore")
    head = ("data", "methods", "0.1.0", "wanted", "now", "first fold", "answer")
    print("{:16} {:>8} {:>6} {:>6} {:>7} {:>10}  {}".format(*head))
    for name in names or CASES:
        data = text_like() if name == "text" else load_dataset(name)
        frozen, before, wanted = CASES[name]
        compare(data.rows(slice(150)), methods=frozen, budgets="5", cv=2)  # compiles
        for methods in (frozen, "fast"):
            seconds, first, answer = measured(data, methods)
            told = (before, wanted) if methods is frozen else ("", "")
            kind = "frozen" if methods is frozen else "present"
            print(
                f"{name:16} {kind:>8} {told[0]:>6} {told[1]:>6} {seconds:7.1f} "
                f"{first:10.1f}  {answer.method}, {answer.budget} features, "
                f"{answer.value:.4f}",
                flush=True,
            )


if __name__ == "__main__":
    main(sys.argv[1:])
