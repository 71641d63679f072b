# SPDX-License-Identifier: BSD-3-Clause
"""Seconds to import labelsift, its packages and scikit-learn; best of 7.

Run: python perf/import_time.py
"""

import subprocess
import sys
import time

STATEMENTS = (
    "pass",
    "import sklearn",
    "import labelsift",
    "import sklearn.feature_selection",
    "import labelsift.selection",
    "import labelsift.selection, labelsift.classification, labelsift.subspace, "
    "labelsift.metrics, labelsift.datasets, labelsift.model_selection",
)


def seconds(statement):
    """Best of 7 fresh interpreters."""
    times = []
    for _ in range(7):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", statement], check=True)
        times.append(time.perf_counter() - start)
    return min(times)


def main():
    for statement in STATEMENTS:
        print(f"{seconds(statement):6.3f} s  {statement}")


if __name__ == "__main__":
    main()
