# SPDX-License-Identifier: BSD-3-Clause
"""Races replayed from full runs: how often the answer is within the margin.

    LABELSIFT_DATA=FOLDER python perf/race_replay.py --store FOLDER [NAMES]

``perf/racing.py`` stores the full comparisons of data sets in FOLDER. Here they are
raced many times without a clock: a task of a race takes the seconds that it took in the
full run and gives the values that it gave, and the splits come in another order each
time. Printed are, for several shares of the full run's seconds: how
many of the races end within the margin (.01) of the full answer, by how much the value
of the answer (its mean in the full run) is below the full one in the mean and at worst,
and the mean share of the tasks that had time.
"""

import warnings
from dataclasses import replace

import numpy as np

from labelsift.compare import race
from labelsift.experiment.results import Results
from racing import MARGIN, arguments, full_run, value_in

SHARES = (0.1, 0.25, 0.5)


class Clock:
    """Stands for the module time."""

    def __init__(self):
        self.now = 0.0

    def time(self):
        return self.now


class Stored:
    """A ledger that learns the results of a full run one by one, splits renamed."""

    def __init__(self, full, planned, order):
        renamed = {int(old): new for new, old in enumerate(order)}
        self.rows = [
            part.assign(split=part["split"].map(renamed))
            for part in (full.results.values, full.results.tasks)
        ]
        tasks = self.rows[1].set_index(["method", "draw", "split"])
        self.seconds, self.status = tasks["seconds"], tasks["status"]
        self.places = {i.task.key: (i.method, i.draw, i.task.split) for i in planned}
        self.known = {}

    def learn(self, key):
        self.known[key] = self.status[self.places[key]]

    def statuses(self):
        return dict(self.known)

    def results(self, _):
        places = {self.places[key] for key in self.known}
        return Results(*(part[_are_in(part, places)] for part in self.rows))


def _are_in(rows, places):
    own = zip(rows["method"], rows["draw"], rows["split"], strict=True)
    return [place in places for place in own]


class Replayed(race.Race):
    """A race whose tasks are looked up."""

    def _call(self, planned, until, jobs=None):
        clock = race.time
        for item in planned:
            seconds = self.ledger.seconds[self.ledger.places[item.task.key]]
            if clock.now + seconds > until:
                clock.now = max(clock.now, until)
                return
            clock.now += seconds
            self.ledger.learn(item.task.key)


def replayed(full, share, order):
    """The answer of a race within a share of the seconds; the share of tasks done."""
    within = share * float(full.results.tasks["seconds"].sum())
    race.time = Clock()
    setup = replace(full.setup, within=within)
    stored = Stored(full, setup.tasks(), order)
    run = Replayed(setup, stored, {}, None, within)
    run.all_rounds()
    results = run.results(finished=True)
    done = (results.tasks["status"] == "done").mean()
    return setup.answer(results, setup.metric), done


def line(name, store, n_races):
    full = full_run(name, store)
    best, rng, cells = full.recommend().value, np.random.default_rng(0), []
    for share in SHARES:
        losses, shares = [], []
        for _ in range(n_races):
            answer, done = replayed(full, share, rng.permutation(full.setup.cv))
            losses.append(best - value_in(full, answer.method, answer.budget))
            shares.append(done)
        hits = np.mean(np.array(losses) <= MARGIN)
        cells.append(
            f"{hits:10.0%} {np.mean(losses):8.4f} {max(losses):7.4f} "
            f"{np.mean(shares):5.0%}"
        )
    return f"{name:16} {best:.4f} {''.join(cells)}"


def main():
    asked = arguments(n_races=20).parse_args()
    warnings.simplefilter("ignore")
    heads = [f"{share:9.0%} {'loss':>9} {'worst':>7} {'done':>5}" for share in SHARES]
    print(f"{'data':16} {'full':>6} {''.join(heads)}")
    for name in asked.names:
        print(line(name, asked.store, asked.races), flush=True)


if __name__ == "__main__":
    main()
