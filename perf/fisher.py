# SPDX-License-Identifier: BSD-3-Clause
"""FisherScore on rcv1-subset1: seconds, peak memory, agreement with a dense slice.

Run: LABELSIFT_DATA=FOLDER python perf/fisher.py
"""

import resource
import time

import numpy as np

from labelsift.datasets import load_dataset
from labelsift.selection import FisherScore


def main():
    data = load_dataset("rcv1-subset1")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds = []
    for _ in range(5):
        start = time.perf_counter()
        selector = FisherScore(200).fit(data.X, data.Y)
        seconds.append(time.perf_counter() - start)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    constant = np.diff(data.X.tocsc().indptr) == 0
    columns = np.flatnonzero(~constant)[::50]
    dense = FisherScore().fit(data.X[:, columns].toarray(), data.Y).scores_
    error = np.abs(selector.scores_[columns] / dense - 1).max()
    print(f"rcv1-subset1: {data.n_samples} x {data.n_features}, {data.n_labels} labels")
    print(f"fit, best of 5:               {min(seconds):.2f} s")
    print(f"peak memory of the process:   {peak / 1024:.0f} MiB")
    print(f"  of which before the fit:    {before / 1024:.0f} MiB")
    print(f"constant columns:             {constant.sum()}, all ranked last: ", end="")
    print(constant[selector.feature_order_[-constant.sum() :]].all())
    print(
        f"largest relative difference to the dense answer on {len(columns)} columns: "
    )
    print(f"                              {error:.1e}")


if __name__ == "__main__":
    main()
