# SPDX-License-Identifier: BSD-3-Clause
"""How far the random control of 8 draws is from one of 40, and one draw from both.

    LABELSIFT_DATA=FOLDER python perf/random_draws.py [--draws 40]

On each data set (its first stratified fold of five, ridge as read-out) the random
ranking is drawn 40 times. Printed are, in macro AUC: the draw of seed 0, the mean of
the first 8 and of all draws, the deviation of one draw, how far groups of 8 and single
draws are from the mean of all (root mean square), and the share of single draws that
beat Fisher's score, and of groups of 8.
"""

import argparse

import numpy as np

from labelsift.experiment.catalogue import RANDOM_DRAWS, with_seed
from labelsift.experiment.run import run_task
from labelsift.experiment.task import DataSpec, MethodSpec, Protocol, Task

DATA = ("traits", "flags", "emotions", "yeast", "scene", "enron")
BUDGETS = ("5%", "10%", "20%")


def values(data, method):
    """Macro AUC by number of features."""
    task = Task(
        DataSpec(data), Protocol("stratified", 5), 0, method,
        budgets=BUDGETS, readouts=("ridge",), measures=("macro_auc",),
    )  # fmt: skip
    outcome = run_task(task)
    assert outcome.status == "done", outcome.error
    table = outcome.values
    return table[table["measure"] == "macro_auc"].set_index("budget")["value"]


def groups(draws):
    """Means of groups of as many draws as the control has."""
    whole = len(draws) // RANDOM_DRAWS * RANDOM_DRAWS
    return draws[:whole].reshape(-1, RANDOM_DRAWS).mean(axis=1)


def show(data, count):
    plain = MethodSpec("random", scale="standardize")
    drawn = [values(data, with_seed(plain, 0, draw)) for draw in range(count)]
    fisher = values(data, MethodSpec("fisher", scale="standardize"))
    for budget, other in fisher.items():
        draws = np.array([own[budget] for own in drawn])
        mean, eights = draws.mean(), groups(draws)
        apart = [np.sqrt(((part - mean) ** 2).mean()) for part in (draws, eights)]
        beaten = [(part > other).mean() for part in (draws, eights)]
        print(
            f"{data:10}{budget:5}  {draws[0]:.4f} {draws[:RANDOM_DRAWS].mean():.4f} "
            f"{mean:.4f}  {draws.std(ddof=1):.4f}  {apart[0]:.4f} {apart[1]:.4f}  "
            f"{beaten[0]:6.0%} {beaten[1]:6.0%}"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=40)
    parser.add_argument("--data", nargs="+", default=DATA)
    given = parser.parse_args()
    print("data          k  macro AUC             std of  from mean of  beat Fisher's")
    print("                 seed 0 8      all     a draw  one    8      one      8")
    for data in given.data:
        show(data, given.draws)


if __name__ == "__main__":
    main()
