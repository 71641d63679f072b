# SPDX-License-Identifier: BSD-3-Clause
"""Every measure on large scores: seconds, and peak memory beyond that of the scores.

Run: python perf/measures.py [N_SAMPLES N_LABELS]
"""

import sys
import time
import tracemalloc
from functools import partial

import numpy as np
import scipy.sparse as sp

from labelsift.metrics import MEASURES, evaluate


def measured(call):
    """Seconds, best of 3, and the peak of memory in bytes that a call takes."""
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - start)
    tracemalloc.start()
    call()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return min(seconds), peak


def report(name, call, scores):
    seconds, peak = measured(call)
    share = peak / scores.nbytes
    print(f"{name:28}{seconds:8.2f} s{peak / 2**20:8.1f} MiB{share:8.2f}")


def main(n_samples=100_000, n_labels=100):
    rng = np.random.default_rng(0)
    Y = (rng.random((n_samples, n_labels)) < 0.1).astype(np.int8)
    scores = Y + rng.normal(size=Y.shape)
    tied = scores.round(1)
    print(f"{n_samples} x {n_labels} scores, float64, {scores.nbytes / 2**20:.1f} MiB")
    print(f"{'':28}{'seconds':>10}{'peak':>12}{'/scores':>8}")
    for name, measure in MEASURES.items():
        second = scores if measure.needs == "scores" else scores > 0
        report(name, partial(measure.function, Y, second), scores)
    for name in ("ranking_loss", "macro_auc"):
        call = partial(MEASURES[name].function, Y, tied)
        report(f"{name}, many ties", call, scores)
    report("all", partial(evaluate, Y, scores), scores)
    sparse = sp.csr_array(Y.astype(float))
    report("all, sparse Y", partial(evaluate, sparse, scores), scores)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
