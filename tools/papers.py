# SPDX-License-Identifier: BSD-3-Clause
"""Write the papers' tables from ledgers into ``docs/results`` and their pages.

    python tools/papers.py [--quick quick.sqlite] [--full full.sqlite]

A ledger has suites in quick or in full effort (``labelsift bench run --store``); those
that are complete in it take the place of what was there, others stay as they are. Full
effort goes into ``docs/results/full``, with a page of its own: those suites of which
quick effort leaves something out. Digests of all values go to
``tests/bench/committed_values.json``.
"""

import argparse
import hashlib
import json
from pathlib import Path

from labelsift.bench.export import (
    TASKS_FILE,
    origin_now,
    provenance_section,
    read_export,
    read_provenance,
    write_export,
)
from labelsift.bench.plan import find_data, plan
from labelsift.bench.runs import stored_results
from labelsift.bench.sections import report_sections
from labelsift.bench.suite_file import list_suites, quick_is_full, read_suite
from labelsift.cli.report import TITLE
from labelsift.experiment.ledger import Ledger
from labelsift.experiment.results import VALUES, Results
from labelsift.tables.document import as_markdown

ROOT = Path(__file__).parents[1]
DOCS, DIGESTS = ROOT / "docs", ROOT / "tests" / "bench" / "committed_values.json"
# Folder of the results and title of the page, by effort.
PAGES = {
    "quick": (DOCS / "results", TITLE, DOCS / "reproduce.md"),
    "full": (
        DOCS / "results" / "full",
        f"{TITLE} in full effort",
        DOCS / "reproduce_full.md",
    ),
}


def page_text(effort):
    """The page of the results in a folder."""
    folder, title, _ = PAGES[effort]
    sections = [provenance_section(folder), *report_sections(read_export(folder))]
    return as_markdown(title, sections)


def digests(effort):
    """Of every file of values: how many, and the sha256 of their sorted lines."""
    columns = [name for name in VALUES if name not in ("suite", "value")]
    of_file = {}
    for path in sorted(PAGES[effort][0].glob("*.csv")):
        if path.name == TASKS_FILE:
            continue
        rows = Results.read(path).values.to_dict("records")
        lines = sorted(
            "|".join(str(row[name]) for name in columns) + f"|{float(row['value'])!r}"
            for row in rows
        )
        text = "\n".join(lines).encode()
        digest = hashlib.sha256(text).hexdigest()
        of_file[path.stem] = {"rows": len(lines), "sha256": digest}
    return of_file


def complete_suites(effort, store):
    """The papers' suites of which a ledger has every task on the data present."""
    names = [name for name in list_suites() if read_suite(name).paper]
    if effort == "full":
        names = [name for name in names if not quick_is_full(name)]
    suites = [read_suite(name, effort) for name in names]
    present, _ = find_data(suites)
    with Ledger(store, readonly=True) as ledger:
        done = ledger.statuses()
    return [
        suite
        for suite in suites
        if all(item.task.key in done for item in plan(suite, present))
    ]


def write(effort, store):
    """Results and page of one effort."""
    folder, _, page = PAGES[effort]
    fresh = {
        result.suite.name: result
        for result in stored_results(complete_suites(effort, store), store)
    }
    versions = read_provenance(folder)["versions"]
    if versions != origin_now()["versions"]:
        raise SystemExit(f"{folder} was measured with {versions}: run all of it again.")
    both = {result.suite.name: result for result in read_export(folder)} | fresh
    write_export([both[name] for name in list_suites() if name in both], folder)
    page.write_text(page_text(effort), encoding="utf-8")
    print(f"{effort}: {', '.join(fresh)}")


def main():
    parser = argparse.ArgumentParser(description="Write the papers' tables.")
    for effort in PAGES:
        parser.add_argument(f"--{effort}", type=Path, help="a ledger")
    for effort, store in vars(parser.parse_args()).items():
        if store is not None:
            write(effort, store)
    known = {effort: digests(effort) for effort in PAGES}
    DIGESTS.write_text(json.dumps(known, indent=1) + "\n")


if __name__ == "__main__":
    main()
