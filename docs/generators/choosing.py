# SPDX-License-Identifier: BSD-3-Clause
"""The guide "choosing a method", written from the leaderboard and nothing else.

Every method stands on the same blocks: each data set at each budget with each read-out.
A method that failed or ran out of time on a data set shares the last rank there.
"""

from pathlib import Path

from generators.board import READOUTS, SHARES, read_summary, shares_of, table_lines
from labelsift.experiment.catalogue import RANDOM

FEW = ("1%", "2%")
# A method is recommended for its speed only from the best part of all.
GOOD_PART = 1 / 3
# Methods whose mean ranks differ by less are called level: the fastest goes first.
LEVEL = 1.0


def write_choosing(results, page):
    """Write the page from the rows of the leaderboard.

    Parameters
    ----------
    results : Path
        The folder ``docs/results/leaderboard``, or one without rows.
    page : Path
        Markdown file to write.
    """
    summary = read_summary(results)
    lines = ["# Choosing a method", ""]
    if summary is None:
        lines.append(
            "This page is a summary of the leaderboard, and `docs/results/leaderboard` "
            "holds no rows. `labelsift bench run leaderboard` measures them, "
            "`tools/board.py` stores them."
        )
    else:
        lines += [*_advice(summary), *_evidence(summary)]
    text = "\n".join(lines) + "\n"
    if not page.exists() or page.read_text() != text:
        page.write_text(text)


def mean_ranks(summary, measure, readouts=tuple(READOUTS), shares=SHARES):
    """Mean rank of every method over data sets, read-outs and budgets, best first."""
    tables = [
        summary.ranks(measure, readout, share).mean(axis=1)
        for readout in readouts
        for share in shares
        if share in shares_of(readout)
    ]
    return (sum(tables) / len(tables)).sort_values(kind="stable")


def _link(method):
    """A method with its page; options of GreedyRLS are on that of the class."""
    name = "greedy-rls" if method.startswith("greedy-") else method
    page = Path(__file__).parents[1] / "methods" / f"{name}.md"
    return f"[{method}](methods/{name}.md)" if page.exists() else f"`{method}`"


def _best(ranks, count=3):
    """The first few selectors in words, with their mean ranks."""
    names = [name for name in ranks.index if name != RANDOM][:count]
    return ", ".join(f"{_link(name)} ({ranks[name]:.1f})" for name in names)


def fast_and_good(summary):
    """The fastest method among the best part, with its seconds."""
    ranks = mean_ranks(summary, "macro_auc").drop(RANDOM)
    good = ranks.index[: max(1, round(GOOD_PART * len(ranks)))]
    seconds = summary.seconds.loc[good].median(axis=1, skipna=False)
    name = seconds.idxmin()
    return name, float(seconds[name]), float(ranks[name])


def level_best(summary):
    """The methods level with the best, the fastest first."""
    ranks = mean_ranks(summary, "macro_auc").drop(RANDOM)
    names = ranks.index[ranks < ranks.iloc[0] + LEVEL]
    return list(summary.seconds.loc[names].median(axis=1).sort_values().index)


def weak(summary):
    """Methods below the mean random ranking in half of the blocks or more.

    Each with the number of blocks in which it is above, and in which it has no value.
    """
    blocks = [(readout, share) for readout in READOUTS for share in shares_of(readout)]
    count = len(blocks) * len(summary.data)
    above = sum(summary.above_random("macro_auc", *block) for block in blocks)
    lost = sum(
        summary.values("macro_auc", *block).isna().sum(axis=1) for block in blocks
    )
    below = [name for name in summary.selectors if above[name] * 2 <= count]
    return {
        name: f"{above[name]} of {count}"
        + (f", no answer in {lost[name]}" if lost[name] else "")
        for name in sorted(below, key=above.get)
    }


def _words(level, ranks):
    if not level:
        return ""
    names = ", ".join(f"{_link(name)} ({ranks[name]:.1f})" for name in level)
    return f", the fastest of those within {LEVEL:g} rank of the best; level with it: {names}"


def _advice(summary):
    n = len(summary.selectors) + 1
    overall = mean_ranks(summary, "macro_auc")
    first, *level = level_best(summary)
    quick, seconds, rank = fast_and_good(summary)
    rare = mean_ranks(summary, "lowest_tenth_auc")
    missing = summary.board.about["missing"]
    stable = summary.stability.reindex(overall.index[: n // 3]).dropna()
    steady = stable.idxmax() if len(stable) else first
    lines = [
        f"Mean ranks are in brackets: 1 is the best of {n}, a random ranking has {overall[RANDOM]:.1f}.",
        "",
        f"- **Start with** {_link(first)} ({overall[first]:.1f}){_words(level, overall)}. Next: {_best(overall.drop([first, *level]))}.",
        f"- **If speed is all:** {_link(quick)}, the fastest of the best third: {seconds:.2g} s for a fit (median over data sets), mean rank {rank:.1f}.",
        f"- **If labels are rare**, or the worst served matter: {_best(rare)}, by the AUC of the lowest tenth of the labels.",
        f"- **If your model is a forest:** {_best(mean_ranks(summary, 'macro_auc', ('forest',)))}.",
        f"- **If it is linear:** {_best(mean_ranks(summary, 'macro_auc', ('ridge',)))}. **If it is a neighbour method:** {_best(mean_ranks(summary, 'macro_auc', ('knn',)))}.",
        f"- **If you can afford 1 or 2 % of the features:** {_best(mean_ranks(summary, 'macro_auc', shares=FEW))}.",
        f"- **If the same features should come out again:** {_link(steady)}, the most stable of the best third ({summary.stability.get(steady, float('nan')):.2f}; 1: the same features on every split).",
    ]
    weaklings = weak(summary)
    if weaklings:
        shown = ", ".join(
            f"{_link(name)} ({blocks})" for name, blocks in weaklings.items()
        )
        lines.append(
            f"- **Not without a reason of your own**, as with their defaults they beat the mean random ranking in half of the blocks or less: {shown}."
        )
    state = f"Every method stands on the same blocks: {', '.join(summary.data)}"
    if missing:
        state += f" (not measured yet: {', '.join(missing)}; this advice is as good as {len(summary.data)} data sets)"
    lines += [
        "",
        f"{state}, each at {len(SHARES)} budgets with ridge and ML-kNN and at 3 with a forest, judged by macro AUC. The sentences above are generated from the "
        "[leaderboard](leaderboard.md) by `docs/generators/choosing.py`; nothing else went into them. A comparison on your own data (`labelsift compare`) beats any of them.",
        "",
    ]
    return lines


def _evidence(summary):
    overall = mean_ranks(summary, "macro_auc")
    by_readout = {r: mean_ranks(summary, "macro_auc", (r,)) for r in READOUTS}
    rare = mean_ranks(summary, "lowest_tenth_auc")
    seconds = summary.seconds.median(axis=1)
    rows = []
    for name in overall.index:
        ended = summary.endings.get(name, {})
        lost = sum(len(sets) for sets in ended.values())
        stable = summary.stability.get(name)
        rows.append([
            _link(name), f"{overall[name]:.1f}",
            *(f"{by_readout[readout][name]:.1f}" for readout in READOUTS),
            f"{rare[name]:.1f}", f"{seconds[name]:.2g}",
            "" if stable is None else f"{stable:.2f}", lost or "",
        ])  # fmt: skip
    head = [
        "method",
        "all",
        *READOUTS.values(),
        "lowest tenth",
        "seconds",
        "stability",
        "data sets lost",
    ]
    lines = [
        "## Evidence",
        "",
        "Mean ranks over all data sets and budgets.",
        *table_lines(head, rows),
    ]
    lines += ["## By budget", ""]
    rows = [
        (
            share.replace("%", " %"),
            _best(mean_ranks(summary, "macro_auc", shares=(share,)), 5),
        )
        for share in SHARES
    ]
    lines += table_lines(["features", "lowest mean ranks"], rows)
    lines += [
        "## By data set",
        "",
        "Mean macro AUC over read-outs and budgets; the best five.",
    ]
    rows = []
    for data in summary.data:
        means = sum(
            summary.values("macro_auc", readout, share)[data]
            for readout in READOUTS
            for share in shares_of(readout)
        ) / sum(len(shares_of(readout)) for readout in READOUTS)
        best = means[summary.selectors].sort_values(ascending=False)[:5]
        shown = ", ".join(f"{_link(name)} {value:.3f}" for name, value in best.items())
        rows.append(
            (data, shown, f"{means[RANDOM]:.3f}", f"{means['all-features']:.3f}")
        )
    lines += table_lines(["data", "best", "random", "all features"], rows)
    return lines
