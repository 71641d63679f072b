# SPDX-License-Identifier: BSD-3-Clause
"""Seconds to import labelsift, its packages and scikit-learn, and of the help.

Best of 7 fresh interpreters. The last line hashes the code of every method, as a
command does that stores results; most of its time is the import before.

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
    "from labelsift.cli.app import run; run(['--help'])",
    "from labelsift.cli.app import run; run(['select', '--help'])",
    "import labelsift.experiment.catalogue",
    "from labelsift.experiment.catalogue import *; [code_of(it) for it in CATALOGUE]",
)


def seconds(statement):
    """Best of 7 fresh interpreters."""
    times = []
    for _ in range(7):
        start = time.perf_counter()
        command = [sys.executable, "-c", statement]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return min(times)


def main():
    for statement in STATEMENTS:
        print(f"{seconds(statement):6.3f} s  {statement}")


if __name__ == "__main__":
    main()
