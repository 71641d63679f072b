# SPDX-License-Identifier: BSD-3-Clause
"""The protocol of an experiment in words: the paragraph that a paper needs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from labelsift.core.budget import parse_budget
from labelsift.experiment.catalogue import RANDOM, RANDOM_DRAWS
from labelsift.experiment.task import Protocol, Tuning
from labelsift.tables.result_table import measure_title

_SPLITS: dict[str, Callable[[Protocol], str]] = {
    "folds": lambda p: f"{p.splits} folds, rows shuffled with seed {p.seed}",
    "stratified": lambda p: (
        f"{p.splits} folds that preserve the share of every label (seed {p.seed})"
    ),
    "sample": lambda p: (
        f"{p.splits} random training parts of {p.train_size} rows, every label in both "
        f"parts (seed {p.seed})"
    ),
    "all": lambda p: "all rows, without a test part",
    "file": lambda p: f"the {p.splits} splits in a file of each set",
}
_READOUTS = {
    "self": "the methods' own predictions",
    "ridge": "ridge regression, one label at a time",
    "svm": "a linear SVM for each label",
    "knn": "ML-kNN",
    "3nn": "three nearest neighbours",
}
_CUTS = {
    "zero": "at 0",
    "train": "where F1 of each label is best on the training scores",
    "oof": "where F1 of each label is best on out-of-fold scores of the training part",
    "left-out": "where F1 of each label is best on scores of training rows by fits "
    "without them (ridge on data that is not large: leave-one-out; otherwise out of "
    "fold)",
    "regression": "by a regression of the best threshold of each row on its features",
}

# More budgets than these are not named one by one.
_MANY = 6


@dataclass(frozen=True)
class Design:
    """What an experiment does, as far as a reader of its tables must know.

    Parameters
    ----------
    data, measures : sequence of str
        Names.
    methods : mapping of str to int
        Name to the number of settings that the method chooses from.
    protocols : sequence of Protocol
        How rows are split.
    splits : int
        How many of the splits are run.
    budgets, readouts, thresholds : sequence of str
        As in Task.
    tuning : Tuning
        How methods choose.
    scales : sequence of str
        Scalings of the columns.
    """

    data: Sequence[str]
    methods: Mapping[str, int]
    measures: Sequence[str]
    protocols: Sequence[Protocol]
    splits: int
    budgets: Sequence[str]
    readouts: Sequence[str]
    thresholds: Sequence[str]
    tuning: Tuning
    scales: Sequence[str] = ()


def protocol_words(design: Design) -> str:
    """State a protocol in one paragraph.

    Parameters
    ----------
    design : Design
        What is done.

    Returns
    -------
    str
        Sentences for the section "experimental setup" of a paper.
    """
    sentences = [
        f"{_count(len(design.methods), 'method')} ({_listed(design.methods)}) were "
        f"compared on {_count(len(design.data), 'data set')} ({_listed(design.data)}).",
        *_split_sentences(design),
        *_choice_sentences(design),
        *_tuning_sentences(design),
        *_measure_sentences(design),
    ]
    return " ".join(sentences)


def statistics_words() -> str:
    """Which tests the tables rest on."""
    return (
        "Values are means over splits, and a data set is one block of every test. "
        "Average ranks are tested by Friedman's test with Nemenyi's critical "
        "difference, pairs of methods by Wilcoxon's signed ranks with Holm's "
        "correction; r is the matched-pairs rank-biserial correlation, the shift "
        "Hodges and Lehmann's estimate with its exact interval. Only methods that were "
        "measured on the same splits with the same read-out and numbers of features "
        "are ranked together."
    )


def _split_sentences(design: Design) -> list[str]:
    ways = dict.fromkeys(_split_words(protocol) for protocol in design.protocols)
    text = f"Rows were split into training and test part by {_listed(ways, 'or')}"
    whole = max(protocol.splits for protocol in design.protocols)
    if design.splits < whole:
        text += f"; the first {design.splits} of the {whole} splits were run"
    return [text + "."]


def _split_words(protocol: Protocol) -> str:
    if protocol.kind == "published":
        sample = f"samples of {protocol.train_size} rows of the training part of "
        return (
            f"{sample if protocol.train_size else ''}the split published with each set"
        )
    known = _SPLITS.get(protocol.kind)
    return known(protocol) if known else _cv_words(protocol)


def _cv_words(protocol: Protocol) -> str:
    """Words for "5x4", "holdout:0.3x10" and "blocks:5"."""
    kind, _, rest = protocol.kind.partition(":")
    folds, _, repeats = (rest or kind).partition("x")
    if kind == "holdout":
        share = f"{100 * float(folds):g} % of the rows as test part"
        return f"{protocol.splits} random splits, {share} (seed {protocol.seed})"
    if kind == "blocks":
        return f"{protocol.splits} folds of neighbouring rows"
    if folds.isdecimal():
        times = f", {repeats} times" if repeats else ""
        return (
            f"{folds} folds that preserve the share of every label{times} (seed "
            f"{protocol.seed})"
        )
    return f"{protocol.splits} splits ({protocol.kind})"


def _choice_sentences(design: Design) -> list[str]:
    scales = [scale for scale in dict.fromkeys(design.scales) if scale != "none"]
    learned = "Features were chosen"
    if scales:
        learned = f"Columns were scaled ({_listed(scales)}) and features chosen"
    text = [f"{learned} on the training part alone{_budget_words(design.budgets)}."]
    readouts = [name for name in design.readouts if name != "self"]
    words = [f"{_READOUTS.get(name, name)} ({name})" for name in readouts]
    if words:
        text.append(f"The chosen features were read out by {_listed(words)}.")
    if RANDOM in design.methods:
        text.append(
            f"The random ranking is the mean of {RANDOM_DRAWS} draws on every split."
        )
    return text


def _budget_words(budgets: Sequence[str]) -> str:
    if not budgets:
        return ""
    if len(budgets) > _MANY:
        first, *_, last = sorted(budgets, key=parse_budget)
        return f", at {len(budgets)} numbers of features from {first} to {last}"
    of = " of the" if all("%" in budget for budget in budgets) else ""
    return f", at {_listed(budgets)}{of} features"


def _tuning_sentences(design: Design) -> list[str]:
    tuned = {name: size for name, size in design.methods.items() if size > 1}
    if not tuned:
        return ["Parameters were fixed beforehand."]
    tuning = design.tuning
    how = (
        "on a quarter of the training part that was held out"
        if tuning.folds == 1
        else f"by {tuning.folds}-fold cross-validation within the training part"
    )
    most = max(tuned.values())
    return [
        f"Parameters of {_listed(tuned)} were chosen from at most {most} settings by "
        f"{measure_title(tuning.measure)} {how}."
    ]


def _measure_sentences(design: Design) -> list[str]:
    names = [measure_title(measure) for measure in design.measures]
    cuts = [_CUTS.get(cut, cut) for cut in design.thresholds]
    what = "measure is" if len(names) == 1 else "measures are"
    return [f"The {what} {_listed(names)}; scores are cut {_listed(cuts, 'or')}."]


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _listed(names: "Mapping[str, object] | Sequence[str]", word: str = "and") -> str:
    """Names with commas and a word before the last."""
    *first, last = [str(name) for name in names] or ["nothing"]
    return f"{', '.join(first)} {word} {last}" if first else last
