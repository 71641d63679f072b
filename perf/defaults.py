# SPDX-License-Identifier: BSD-3-Clause
"""Estimated beside measured seconds of one fit, method by method.

``python perf/defaults.py emotions scene enron`` for registered data sets. The estimates
decide which methods ``labelsift compare`` calls fast. Budget: a fifth of the features.
Fits that are estimated above a minute are left out.
"""

import sys
import time
import warnings

import scipy.sparse as sp

from labelsift.bench.defaults import default_scale, estimated_seconds, scale_of
from labelsift.bench.inputs import scaled
from labelsift.bench.methods import CATALOGUE
from labelsift.datasets import load_dataset
from labelsift.selection import METHODS

LONGEST = 60.0


def selector(method, n_labels, count):
    made = CATALOGUE[method].make(n_labels).set_params(n_features_to_select=count)
    return made.set_params(refit=False) if "refit" in made.get_params() else made


def seconds(method, X, Y, count):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        start = time.perf_counter()
        selector(method, Y.shape[1], count).fit(X, Y)
        return time.perf_counter() - start


def main(names):
    print(f"{'data':16}{'method':12}{'estimated':>10}{'measured':>10}")
    for name in names:
        data = load_dataset(name)
        nnz = data.X.nnz if sp.issparse(data.X) else data.X.size
        count = max(1, data.n_features // 5)
        for method in METHODS:
            X, _ = scaled(data.X, data.X[:0], scale_of(method, default_scale(data)))
            size = (data.n_samples, data.n_features, data.n_labels, nnz, count)
            estimate = estimated_seconds(method, *size)
            shown = f"{name:16}{method:12}{estimate:10.2f}"
            if estimate > LONGEST:
                print(f"{shown}{'left out':>10}", flush=True)
                continue
            seconds(method, X[:200], data.Y[:200], min(count, 5))  # compiles kernels
            print(f"{shown}{seconds(method, X, data.Y, count):10.2f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or ["traits"])
