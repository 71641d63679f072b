# SPDX-License-Identifier: BSD-3-Clause
"""What the papers' tables would take in full effort, and what changed against quick.

    python tools/full_effort.py [--store full.sqlite]

For every suite of a paper: the tasks of the full protocol on the data that is present,
how many the ledger lacks, and hours on one core, from the seconds of the quick runs in
``docs/results``, times the settings and folds that the full protocol adds; data sets
without quick runs count as the mean of the others. What the tasks in the ledger took,
over what was expected of them, corrects the others of the same method (ASO, for one,
has more rounds in full effort). With a ledger: the verdicts on the claims of those
suites that are complete in it, in quick and in full effort.
"""

import argparse
from pathlib import Path

from labelsift.bench.export import read_export
from labelsift.bench.plan import find_data, plan
from labelsift.bench.runs import stored_results
from labelsift.bench.suite import count_settings
from labelsift.bench.suite_file import list_suites, read_suite
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


def corrections(tasks, ledger):
    """By method, what its tasks in the ledger took over what was expected of them."""
    done, sums = ledger.statuses(), {}
    for of_suite in tasks.values():
        known = [pair for pair in of_suite if pair[0].task.key in done and pair[1] > 0]
        rows = ledger.results([item for item, _ in known]).tasks
        taken = rows.groupby("method")["seconds"].sum()
        for item, seconds in known:
            sums.setdefault(item.method, [0.0, 0.0])[1] += seconds
        for method, seconds in taken.items():
            sums[method][0] += seconds
    return {method: taken / guess for method, (taken, guess) in sums.items()}


def verdicts(results):
    """{(suite, claim): verdict}."""
    return {
        (result.suite.name, claim.claim): claim.verdict
        for result in results
        for claim in result.claims
    }


def print_verdicts(before, suites, store):
    """The claims of suites with their verdicts in quick and in full effort."""
    print("\nclaims of suites that are complete in full effort: quick -> full")
    for at, verdict in verdicts(stored_results(suites, store)).items():
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
    tasks = {}
    for suite in full:
        quick = exported[suite.name]
        known = quick_seconds(quick.suite, present, quick.results.values)
        tasks[suite.name] = expected(suite, present, *known)
    done, factors = {}, {}
    if store is not None and store.exists():
        with Ledger(store, readonly=True) as ledger:
            done, factors = ledger.statuses(), corrections(tasks, ledger)
    print("suite           tasks  missing   hours  absent data")
    complete = []
    for suite in full:
        missing = [
            seconds * factors.get(item.method, 1.0)
            for item, seconds in tasks[suite.name]
            if item.task.key not in done
        ]
        if not missing:
            complete.append(suite)
        lacking = [part.name for part in suite.data if part.name in absent]
        print(
            f"{suite.name:14}{len(tasks[suite.name]):7}{len(missing):9}"
            f"{sum(missing) / 3600:8.1f}  {', '.join(lacking) or '-'}"
        )
    if complete:
        print_verdicts(verdicts(exported.values()), complete, store)


if __name__ == "__main__":
    main()
