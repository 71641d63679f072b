# SPDX-License-Identifier: BSD-3-Clause
"""The page of the leaderboard, its downloads, and what method pages say of it.

Everything comes from the rows in ``docs/results/leaderboard``, which ``tools/board.py``
wrote: building the documentation runs no method.
"""

import json
import shutil
import warnings
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt

from generators.board import READOUTS, read_summary, table_lines
from labelsift.experiment.catalogue import RANDOM
from labelsift.metrics import MEASURES
from labelsift.plots import critical_difference
from labelsift.stats import friedman_nemenyi

MAIN = ("macro_auc", "ridge", "10%")
# A test of ranks needs some data sets.
LEAST_SETS = 2
APP = """
```{raw} html
<div id="board-app"></div>
```
"""
PLOTS = """
## Curves of a data set

The measure and read-out are those chosen above.

```{raw} html
<div id="board-curve-controls" class="board-controls"></div>
<div id="board-curves" class="board-plot"></div>
```

## Quality against seconds

Mean rank over the data sets that are ticked, against the median processor time of a fit for all budgets. Methods on the dashed line are the front: no other one
is both faster and better.

```{raw} html
<div id="board-pareto" class="board-plot"></div>
<p id="board-front"></p>
<script src="_static/leaderboard/data.js"></script>
<script src="_static/leaderboard.js"></script>
```
"""
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
SECOND = {
    "leaderboard-tuned": (
        "Tuned",
        "Every method may try four settings, judged on a quarter of the training part by the macro AUC of ridge at 10 %. Values at 10 % of the features with ridge, "
        "the mean over the data sets of this table; beside them those of the defaults on the same splits.",
    ),
    "leaderboard-wide": (
        "Wide data",
        "The same protocol on data sets with more than 2,000 features; this table grows as its runs are resumed. A fit serves all budgets up to 50 % of the features, "
        "which are thousands here: methods that are quick up to a thousand features may run out of time.",
    ),
}
DOWNLOADS = """
## Raw rows

```{raw} html
<ul>
<li><a href="_static/leaderboard/rows.csv.gz" download>rows.csv.gz</a>: a row for every fitted model, with all digits (CSV)</li>
<li><a href="_static/leaderboard/rows.parquet" download>rows.parquet</a>: the same (Parquet)</li>
<li><a href="_static/leaderboard/tasks.csv.gz" download>tasks.csv.gz</a>: how every task ended, seconds, memory</li>
<li><a href="_static/leaderboard/stability.csv" download>stability.csv</a>: how much the splits agree on the features</li>
</ul>
```

How the rows were measured, how to submit a method, and what was corrected: [the rules](leaderboard_rules.md).
"""


def write_leaderboard(results, page, static):
    """Write the page and the files that it loads and offers.

    Parameters
    ----------
    results : Path
        Folder of the rows.
    page : Path
        Markdown file to write.
    static : Path
        Folder of what the page loads.
    """
    summary = read_summary(results)
    if summary is None:
        text = "# Leaderboard\n\nNo rows are stored: see [the rules](leaderboard_rules.md).\n"
    else:
        _write_files(summary, Path(results), static)
        text = "\n".join(_lines(summary, static, Path(results))) + "\n"
    if not page.exists() or page.read_text() != text:
        page.write_text(text)


def _write_files(summary, results, static):
    from generators.board import as_json

    static.mkdir(parents=True, exist_ok=True)
    for name in ("rows.csv.gz", "tasks.csv.gz", "stability.csv"):
        shutil.copyfile(results / name, static / name)
    summary.board.rows.to_parquet(static / "rows.parquet", index=False)
    content = json.dumps(as_json(summary), separators=(",", ":"))
    (static / "data.js").write_text(f"window.LEADERBOARD = {content};\n")


def _lines(summary, static, results):
    about = summary.board.about
    missing = about["missing"]
    total = len(summary.data) + len(missing)
    state = f"{len(summary.data)} of {total} data sets are complete: {', '.join(summary.data)}."
    if missing:
        state += f" **Not run yet: {', '.join(missing)}.** Ranks over few data sets are first impressions, not verdicts."
    return [
        "# Leaderboard",
        "",
        f"Every selector of labelsift and what people use today, with defaults, on the same frozen splits: {len(summary.selectors)} methods, a random ranking "
        "(the mean of eight draws) and all features. Five stratified folds, budgets from 1 to 50 % of the features, three read-outs; "
        f"failures and time-outs are shown, never dropped. {state}",
        "",
        f"Protocol {about['protocol']}, measured until {about['date']} on {about['machine']['cores']} cores; {len(summary.board.rows)} rows. "
        f"{_confirmed(about)}Which method to take is on the page [Choosing](choosing.md).",
        "",
        "## Ranks",
        APP,
        *_static_table(summary),
        *_differences(summary, static),
        PLOTS,
        *(line for name in SECOND for line in _second_table(name, summary, results)),
        *_submissions(about.get("submissions", [])),
        DOWNLOADS,
    ]


def _confirmed(about):
    """Sentences on code that is newer than the rows, or nothing."""
    methods = sorted(
        {name for part in about.get("confirmed", {}).values() for name in part}
    )
    words = ""
    if methods:
        words = (
            f"The code of {', '.join(f'`{name}`' for name in methods)} has changed since: the first split of each data set, run again, "
            "gave the same values bit for bit; their seconds here are those of the older code. "
        )
    if again := about.get("remeasured", {}):
        names = ", ".join(f"`{name}` ({day})" for name, day in sorted(again.items()))
        words += (
            f"Code that gives other values than before was measured anew: {names}. "
        )
    if samples := about.get("sampled", []):
        tasks = sum(sample["tasks"] for sample in samples)
        times = "once" if len(samples) == 1 else f"{len(samples)} times"
        words += f"Code, shared by all methods or their own, has changed {times} more until {samples[-1]['date']}: {tasks} tasks drawn from all methods gave the same values bit for bit. "
    return words


def _second_table(name, defaults, results):
    """Ranks of another suite, beside those of the defaults on the same data sets."""
    title, words = SECOND[name]
    other = read_summary(results.parent / name)
    if other is None:
        return [f"## {title}", "", f"{words} No data set is complete yet.", ""]
    missing = other.board.about["missing"]
    state = f"Complete: {', '.join(other.data)}."
    state += f" Not run yet: {', '.join(missing)}." if missing else ""
    state += "".join(lost_methods(other, other.selectors))
    ranks = other.ranks(*MAIN).mean(axis=1).sort_values()
    values = other.values(*MAIN).mean(axis=1, skipna=False)
    shared = [data for data in other.data if data in defaults.data]
    before = defaults.values(*MAIN)[shared].mean(axis=1, skipna=False)
    head = ["method", "mean rank", "mean value", *(["defaults"] if shared else [])]
    rows = [
        [method, f"{rank:.2f}", _shown(values[method])]
        + ([_shown(before.get(method))] if shared else [])
        for method, rank in ranks.items()
    ]
    return [f"## {title}", "", f"{words} {state}", *table_lines(head, rows)]


def lost_methods(summary, names):
    """Sentences: which methods ran out of time or failed, on how many data sets."""
    words = {"timeout": "Out of time after two minutes", "failed": "Failed"}
    for status, said in words.items():
        sets = {name: summary.endings.get(name, {}).get(status) for name in names}
        ended = [f"{name} on {in_words(len(on))}" for name, on in sets.items() if on]
        if ended:
            yield f" {said}: {', '.join(ended)}."


def in_words(count):
    """A number as text writes it."""
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def _shown(value):
    return "–" if value is None or np.isnan(value) else f"{value:.3f}"


def _submissions(submissions):
    """What was submitted, and whether it can be computed again."""
    if not submissions:
        return []
    rows = [
        (it["name"], "ranking file", "a submitted ranking: cannot be recomputed")
        if it["by"] == "ranking"
        else (it["name"], f"`{it['by']}`", "a class: run again when merged")
        for it in submissions
    ]
    return ["## Submissions", *table_lines(["name", "by", "what it is"], rows)]


def _static_table(summary):
    """The main view for readers without scripts."""
    measure, readout, share = MAIN
    ranks = summary.ranks(*MAIN).mean(axis=1).sort_values()
    values = summary.values(*MAIN).mean(axis=1, skipna=False)
    lines = [
        "<div id='board-static'>",
        f"<p>{MEASURES[measure].title}, {READOUTS[readout]}, {share} of the features.</p>",
        "<table><tr><th>method</th><th>mean rank</th><th>mean value</th></tr>",
    ]
    for name, rank in ranks.items():
        cells = f"<td>{rank:.2f}</td><td>{_shown(values[name])}</td>"
        lines.append(f"<tr><td>{name}</td>{cells}</tr>")
    return ["```{raw} html", *lines, "</table></div>", "```", ""]


def _differences(summary, static):
    """Critical-difference diagrams of the three read-outs."""
    if len(summary.data) < LEAST_SETS:
        return []
    lines = [
        "## Critical differences",
        "",
        "Average ranks by macro AUC at 10 % of the features. A bar joins methods that Nemenyi's test cannot tell apart at level 0.05 "
        f"over {len(summary.data)} data sets; with so many methods and few data sets, it can tell few apart.",
        "",
    ]
    for readout, title in READOUTS.items():
        table = summary.values("macro_auc", readout, "10%")
        table = table.loc[[*summary.selectors, RANDOM]].fillna(-1.0)
        test = friedman_nemenyi(table.T)
        file = static / f"ranks-{readout}.svg"
        with mpl.rc_context({"svg.hashsalt": "labelsift"}), warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            axes = critical_difference(
                test.ranks, test.critical_difference, title=title
            )
            axes.figure.savefig(file, metadata={"Date": None}, bbox_inches="tight")
            plt.close(axes.figure)
        best = ", ".join(sorted(test.ranks, key=test.ranks.get)[:5])
        lines += [
            "```{raw} html",
            f'<div class="board-figure"><img src="_static/leaderboard/{file.name}" '
            f'alt="Average ranks with {title}; the best five: {best}; critical difference {test.critical_difference:.1f}"></div>',
            "```",
            "",
        ]
    return lines


def method_section(summary, name):
    """What the page of a method says of its place; empty where it has none."""
    if summary is None or name not in summary.selectors:
        return ""
    lines = ["", "", "## On the leaderboard", ""]
    n = len(summary.selectors) + 1
    lines += [
        f"With its defaults on {len(summary.data)} data sets ({', '.join(summary.data)}), macro AUC; "
        f"mean rank among {n}, a random ranking included ([all rows](../leaderboard.md)).",
        "",
        "| read-out | 2 % | 10 % | 20 % | above random at 10 % |",
        "|---|---:|---:|---:|---:|",
    ]
    for readout, title in READOUTS.items():
        ranks = [
            summary.ranks("macro_auc", readout, share).loc[name].mean()
            for share in ("2%", "10%", "20%")
        ]
        above = summary.above_random("macro_auc", readout, "10%")[name]
        cells = " | ".join(f"{rank:.1f}" for rank in ranks)
        lines.append(f"| {title} | {cells} | {above} of {len(summary.data)} |")
    seconds = summary.seconds.loc[name].median()
    stable = summary.stability.get(name)
    ended = summary.endings.get(name, {})
    words = [f"A fit takes {seconds:.2g} s of processor time (median over data sets)"]
    if stable is not None:
        words.append(
            f"the splits agree on the chosen 10 % to {stable:.2f} (1: the same features, 0: as chance)"
        )
    lost = [f"{status} on {', '.join(sets)}" for status, sets in ended.items() if sets]
    words += [f"ended by {text}" for text in lost]
    return "\n".join([*lines, "", "; ".join(words) + "."]) + "\n"
