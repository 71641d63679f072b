# SPDX-License-Identifier: BSD-3-Clause
"""What the papers' tables would take in full effort, and what changed against quick.

    python tools/full_effort.py [--store full.sqlite]

For every suite of a paper: the tasks of the full protocol on the data that is present,
how many are missing (in ``docs/results/full`` and in a ledger), and hours on one core,
from the seconds of the quick runs in ``docs/results``, times the settings and folds
that the full protocol adds; data sets without quick runs count as the mean of the
others. What the finished tasks took, over what was expected of them, corrects the
others of the same method (ASO, for one, has more rounds in full effort). Then the
verdicts on the claims of the suites that are complete, in quick and in full effort.
"""

import argparse
from pathlib import Path

from labelsift.bench.export import read_export
from labelsift.bench.plan import find_data, plan
from labelsift.bench.suite import count_settings
from labelsift.bench.suite_file import list_suites, quick_is_full, read_suite
from labelsift.experiment.ledger import Ledger

RESULTS = Path(__file__).parents[1] / "docs" / "results"
SECONDS = ("fit_seconds", "readout_seconds", "tune_seconds")


def cost(task):
    """Fits of a task: settings on folds, and the last one."""
    settings = count_settings(task.method.grid)
    return 1 + (settings * task.tuning.folds if settings > 1 else 0)


def quick_seconds(quick, present, values):
    """Seconds of one fit in the quick runs, by (data, method), and by method."""
    spent = values[values["measure"].isin(SECONDS)]
    place = ["data", "method", "split", "draw", "n_train"]
    tasks = spent.groupby(place)["value"].sum().reset_index(name="seconds")
    fits = {(item.data, item.method): cost(item.task) for item in plan(quick, present)}
    means = tasks.groupby(["data", "method"])["seconds"].mean().dropna()
    known = {at: s / fits[at] for at, s in means.items() if at in fits}
    by_method = {}
    for (_, method), seconds in known.items():
        by_method.setdefault(method, []).append(seconds)
    return known, {name: sum(own) / len(own) for name, own in by_method.items()}


def expected(suite, present, known, by_method):
    """Every task of a suite, and its seconds by the quick runs."""
    return [
        (
            item,
            known.get((item.data, item.method), by_method.get(item.method, 0.0))
            * cost(item.task),
        )
        for item in plan(suite, present)
    ]


def corrections(tasks, taken):
    """By method, what finished tasks took over what was expected of them."""
    sums = {}
    for name, seconds_of in taken.items():
        for item, seconds in tasks[name]:
            if seconds > 0 and place(item) in seconds_of:
                both = sums.setdefault(item.method, [0.0, 0.0])
                both[0] += seconds_of[place(item)]
                both[1] += seconds
    return {method: real / guess for method, (real, guess) in sums.items()}


def place(item):
    """Names of a task within its suite."""
    return item.data, item.method, item.draw, item.task.split


def seconds_of_tasks(results):
    """Seconds of the tasks of a suite, by their places."""
    rows = results.tasks
    columns = (rows[name] for name in ("data", "method", "draw", "split"))
    return dict(zip(zip(*columns, strict=True), rows["seconds"], strict=True))


def verdicts(results):
    """{(suite, claim): verdict}."""
    return {
        (result.suite.name, claim.claim): claim.verdict
        for result in results
        for claim in result.claims
    }


def print_verdicts(before, after):
    """The claims of suites with their verdicts in quick and in full effort."""
    print("\nclaims of suites that are complete in full effort: quick -> full")
    for at, verdict in after.items():
        change = "changed" if before[at] != verdict else "the same"
        print(f"{at[0]}: {at[1]} {before[at]} -> {verdict} ({change})")


def main():
    parser = argparse.ArgumentParser(description="The papers' tables in full effort.")
    parser.add_argument("--store", type=Path, help="the ledger of a full run")
    store = parser.parse_args().store
    names = [name for name in list_suites() if read_suite(name).paper]
    full = [read_suite(name, "full") for name in names]
    present, absent = find_data(full)
    exported = {result.suite.name: result for result in read_export(RESULTS)}
    complete = {result.suite.name: result for result in read_export(RESULTS / "full")}
    complete |= {name: exported[name] for name in names if quick_is_full(name)}
    tasks = {}
    for suite in full:
        quick = exported[suite.name]
        known = quick_seconds(quick.suite, present, quick.results.values)
        tasks[suite.name] = expected(suite, present, *known)
    taken = {name: seconds_of_tasks(own.results) for name, own in complete.items()}
    if store is not None:
        with Ledger(store, readonly=True) as ledger:
            for name, pairs in tasks.items():
                stored = ledger.results([item for item, _ in pairs])
                taken[name] = seconds_of_tasks(stored) | taken.get(name, {})
    factors = corrections(tasks, taken)
    print("suite           tasks  missing   hours  absent data")
    for suite in full:
        missing = [
            seconds * factors.get(item.method, 1.0)
            for item, seconds in tasks[suite.name]
            if place(item) not in taken.get(suite.name, {})
        ]
        lacking = [part.name for part in suite.data if part.name in absent]
        print(
            f"{suite.name:14}{len(tasks[suite.name]):7}{len(missing):9}"
            f"{sum(missing) / 3600:8.1f}  {', '.join(lacking) or '-'}"
        )
    print_verdicts(verdicts(exported.values()), verdicts(complete.values()))


if __name__ == "__main__":
    main()
