# SPDX-License-Identifier: BSD-3-Clause
"""Sentences about the leaderboard in pages that are otherwise written by hand.

A page marks them: ``<!-- board:NAME -->`` before, ``<!-- /board -->`` after. What is
between is written from the rows, so that no figure is ever typed.
"""

import re

from scipy.stats import spearmanr

from generators.board import FOLDER, READOUTS, read_summary
from generators.choosing import fast_and_good, mean_ranks, weak
from generators.leaderboard import MAIN, in_words, lost_methods
from labelsift.bench.export import read_export
from labelsift.bench.suite_file import list_suites, quick_is_full, read_suite
from labelsift.experiment.catalogue import RANDOM
from labelsift.selection.familiar import FAMILIAR

MARKED = re.compile(r"(<!-- board:([\w-]+) -->).*?(<!-- /board -->)", re.DOTALL)
# Selectors of papers after 2016, with the names of the catalogue.
NEWER = ("grro", "scls", "mdfs", "rfsfs", "mfs-mcdm", "lrfs", "rlefs")
TUNED = FOLDER.parent / "leaderboard-tuned"
WIDE = FOLDER.parent / "leaderboard-wide"


def filled(text, summary):
    """A page with the marked sentences written from the rows."""
    return MARKED.sub(lambda hit: hit[1] + SENTENCES[hit[2]](summary) + hit[3], text)


def _sets(summary):
    return f"{in_words(len(summary.data))} data sets"


def _listed(names, ranks):
    return ", ".join(f"{name} {ranks[name]:.1f}" for name in names)


def _readme(summary):
    ranks = mean_ranks(summary, "macro_auc")
    missing = len(summary.board.about["missing"])
    state = f". Not run yet: {in_words(missing)} more" if missing else ""
    return (
        f"On the same frozen splits of {_sets(summary)}, at six budgets and with three models, `greedy-rls` has mean rank {ranks['greedy-rls']:.1f} "
        f"of {len(ranks)} methods (1 is the best) by macro AUC (area under the ROC curve, averaged over labels); importances of a forest have "
        f"{ranks['forest']:.1f}, `SelectKBest` with the F test {ranks['anova']:.1f}, a random ranking {ranks[RANDOM]:.1f}{state} "
        "([leaderboard](docs/leaderboard.md))."
    )


def _quick(summary):
    name, seconds, rank = fast_and_good(summary)
    return f"`{name}` (mean rank {rank:.1f}, {seconds:.2g} s a fit)"


def _greedy(summary):
    ranks = mean_ranks(summary, "macro_auc")
    ahead = [name for name in ranks.index if ranks[name] < ranks["greedy-rls"]]
    newer = [name for name in ranks.index if name in NEWER]
    words = f"ahead of it are {_listed(ahead, ranks)}" if ahead else "none is ahead"
    return (
        f"by macro AUC over all read-outs and budgets, GreedyRLS of 2014 has a mean rank of {ranks['greedy-rls']:.1f} among {len(ranks)} on "
        f"{_sets(summary)}; {words}. The best of the methods published after 2016: {_listed(newer[:3], ranks)}."
    )


def _random(summary):
    names = [f"{name} ({blocks})" for name, blocks in weak(summary).items()]
    ranks = mean_ranks(summary, "macro_auc")
    place = f"it has mean rank {ranks[RANDOM]:.1f} of {len(ranks)}; "
    if not names:
        return f"{place}with its defaults, every method beats it in more than half of the blocks"
    return (
        f"{place}methods that, with their defaults, do not beat it in more than half of the blocks: {in_words(len(names))} "
        f"of {len(summary.selectors)}, {', '.join(names)}"
    )


def _familiar(summary):
    ranks = mean_ranks(summary, "macro_auc")
    forest = mean_ranks(summary, "macro_auc", ("forest",))
    ridge = mean_ranks(summary, "macro_auc", ("ridge",))
    lost = "".join(lost_methods(summary, FAMILIAR))
    return (
        f"Mean ranks of {len(ranks)} on {_sets(summary)}: `SelectKBest` with an F test, its scores averaged over labels, {ranks['anova']:.1f}, by the best label "
        f"{ranks['anova-max']:.1f}, by labels in turn {ranks['anova-robin']:.1f}; with chi2 {ranks['chi2']:.1f}, {ranks['chi2-max']:.1f} and "
        f"{ranks['chi2-robin']:.1f}; mutual information by neighbours {ranks['mutual-info']:.1f}. Importances of a forest have {forest['forest']:.1f} where the "
        f"read-out is a forest and {ridge['forest']:.1f} where it is ridge; GreedyRLS has {forest['greedy-rls']:.1f} and {ridge['greedy-rls']:.1f}.{lost}"
    )


def _claims():
    """The papers' claims in the stored runs of their suites, by verdict."""
    results = read_export(FOLDER.parent)
    # Suites that are views of one run make its claims once.
    claims = dict.fromkeys(claim for result in results for claim in result.claims)
    return {
        verdict: [claim for claim in claims if claim.verdict == verdict]
        for verdict in ("holds", "the opposite holds", "not shown")
    }


def _holding(_):
    """How many of the papers' claims hold."""
    by_verdict = _claims()
    total, hold = sum(map(len, by_verdict.values())), len(by_verdict["holds"])
    verb = "holds" if hold == 1 else "hold"
    return f"of {total} claims made by five papers, {in_words(hold)} {verb} on the same data"


def _verdicts(_):
    """What became of the papers' claims."""
    hold, opposite, rest = _claims().values()
    total, few = len(hold + opposite + rest), sum("too few" in c.reason for c in rest)
    return (
        f"of {total} claims tested, **{in_words(len(hold))} hold**{_quoted(hold)}, of **{in_words(len(opposite))} the opposite holds**{_quoted(opposite)}, "
        f"and {len(rest)} are not shown, {in_words(few)} of them for lack of data: fewer than six of their data sets are still available"
    )


def _full(_):
    """Which suites were run in full effort, and which verdicts that changed."""
    quick = {
        (result.suite.name, claim.claim): claim.verdict
        for result in read_export(FOLDER.parent)
        for claim in result.claims
    }
    full = read_export(FOLDER.parent / "full")
    changed = [
        f"{result.suite.name}, *{claim.claim.rstrip('.')}*: {quick[at]}, in full effort {claim.verdict}"
        for result in full
        for claim in result.claims
        if quick[at := (result.suite.name, claim.claim)] != claim.verdict
    ]
    names = ", ".join(result.suite.name for result in full)
    same = ", ".join(
        name for name in list_suites() if read_suite(name).paper and quick_is_full(name)
    )
    return (
        f"In full effort, as the papers describe it: {names} ([tables](reproduce_full.md)); in {same} quick effort is full effort. "
        f"Verdicts that changed against quick effort: {'; '.join(changed) or 'none'}."
    )


def _quoted(claims):
    words = "; ".join(f"*{claim.claim.rstrip('.')}*" for claim in claims)
    return f" ({words})" if words else ""


def _tuned(summary):
    """What four settings change against the defaults, on the sets that have both."""
    tuned = read_summary(TUNED)
    if tuned is None:
        return "the suite `leaderboard-tuned` exists and has not been run."
    sets = [name for name in tuned.data if name in summary.data]
    names = [name for name in tuned.selectors if name in summary.selectors]
    boards = (summary, tuned)
    ranks = [board.ranks(*MAIN, among=names)[sets].mean(axis=1) for board in boards]
    before, after = (
        board.values(*MAIN).loc[names, sets].mean(axis=1, skipna=False)
        for board in boards
    )
    gain = (after - before).dropna()
    first = [", ".join(rank.sort_values().index[:3]) for rank in ranks]
    return (
        f"on {', '.join(sets)}, where {len(names)} methods may try four settings each ([table](leaderboard.md#tuned)), the macro AUC of ridge at 10 % changes by "
        f"{gain.mean():+.4f} in the mean over methods (from {gain.min():+.4f}, {gain.idxmin()}, to {gain.max():+.4f}, {gain.idxmax()}), and the correlation of mean "
        f"ranks with those of the defaults is {spearmanr(*ranks).statistic:.2f} (Spearman). Tuned, the first three are {first[1]}; with defaults {first[0]}."
    )


def _wide(_):
    """Which methods are first on wide data, and which have no value there."""
    wide = read_summary(WIDE)
    if wide is None:
        return "the suite `leaderboard-wide` exists and has not been run."
    ranks = wide.ranks(*MAIN).mean(axis=1).sort_values()
    names = ", ".join(wide.data)
    lost = "".join(lost_methods(wide, wide.selectors))
    return (
        f"on {names} ([table](leaderboard.md#wide-data)), at 10 % of the features with ridge, the first five by macro AUC are {', '.join(ranks.index[:5])}. "
        f"A fit has two minutes there for all budgets up to half of the features.{lost}"
    )


def _state(summary):
    missing = summary.board.about["missing"]
    if not missing:
        return f"The leaderboard is complete: {_sets(summary)} with fewer than 2,000 features. Wide sets are a table of their own."
    return (
        f"The leaderboard is complete for {_sets(summary)}: {', '.join(summary.data)}. Not run yet: {', '.join(missing)}. "
        "Nothing on this page about *all* methods rests on more than these."
    )


def _against_random(method, readout="ridge", share="10%"):
    """On how many data sets a method is above random, and where it is not."""

    def sentence(summary):
        table = summary.values("macro_auc", readout, share)
        below = [d for d in summary.data if not table[d][method] > table[d][RANDOM]]
        count = len(summary.data) - len(below)
        rest = f" (not on {', '.join(below)})" if below else ""
        return f"above the random ranking on {count} of {len(summary.data)} data sets at 10 % with {READOUTS[readout]}{rest}"

    return sentence


SENTENCES = {
    "readme": _readme,
    "quick": _quick,
    "holding": _holding,
    "greedy": _greedy,
    "random": _random,
    "familiar": _familiar,
    "state": _state,
    "verdicts": _verdicts,
    "full": _full,
    "tuned": _tuned,
    "wide": _wide,
    "rlefs": _against_random("rlefs"),
    "pmu": _against_random("pmu"),
    "relief": _against_random("relief-ml"),
}
