# SPDX-License-Identifier: BSD-3-Clause
"""LRFS with both weights of its redundancy, against Table 3 of the RLEFS paper.

    LABELSIFT_DATA=... python perf/calibrate_lrfs.py [--store FILE] [--data enron ...]

The RLEFS paper prints LRFS and writes the redundancy inside the sum over labels
(``redundancy_weight="labels"``), the paper of LRFS outside of it ("once"). The protocol
is that of the suite rlefs-table3, with every budget: micro F1 of a linear SVM (C = 1)
on the published split, mean over the top 1 to 20 %.
"""

import argparse
from dataclasses import replace

from labelsift.bench.plan import find_data, plan
from labelsift.bench.suite import MethodPart
from labelsift.bench.suite_file import read_suite
from labelsift.bench.suite_result import SuiteResult
from labelsift.experiment.ledger import Ledger
from labelsift.experiment.pool import run_tasks
from labelsift.experiment.task import MethodSpec

COLUMNS = ["data", "ours", "ours_std", "mean", "std", "deviations", "verdict"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--store", default="calibrate_lrfs.sqlite")
    parser.add_argument("--data", nargs="+", default=())
    arguments = parser.parse_args()
    full = read_suite("rlefs-table3", "full")
    for weight in ("once", "labels"):
        lrfs = MethodPart("lrfs", MethodSpec("lrfs", {"redundancy_weight": weight}))
        suite = replace(full, methods=(lrfs,), claims=())
        present, absent = find_data([suite], arguments.data)
        planned = plan(suite, present)
        with Ledger(arguments.store) as ledger:
            run_tasks([item.task for item in planned], ledger)
            result = SuiteResult(suite, ledger.results(planned), absent)
        cells = result.cells[result.cells["n_splits"] > 0]
        print(f"\nredundancy_weight = {weight!r}")
        print(cells[COLUMNS].to_string(index=False, float_format="{:.3f}".format))


if __name__ == "__main__":
    main()
