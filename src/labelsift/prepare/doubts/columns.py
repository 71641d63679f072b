# SPDX-License-Identifier: BSD-3-Clause
"""Columns that hide, count, repeat or say nothing: outliers, ids, copies, constants."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from labelsift.core.validation import constant_columns
from labelsift.prepare.column import robust_scale
from labelsift.prepare.doubts.doubt import Doubt, drop_option, listed, quoted
from labelsift.prepare.doubts.evidence import Evidence
from labelsift.prepare.kinds import counts_rows

# Standard deviation over robust scale.
OUTLIER_RATIO = 10.0
# Rank correlation of columns that say the same.
SAME = 0.98
# No ratio is larger.
_LARGEST = 1e300
# A far value that comes as often may be an error code.
_REPEATED = 5


def outliers(evidence: Evidence) -> Iterator[Doubt]:
    """Columns whose farthest values hide the rest where they are standardised."""
    columns, largest, far = [], 0.0, Counter[float]()
    for j, name in enumerate(evidence.names):
        ordered = sorted_values(evidence.X, j)
        ratio = spread_ratio(ordered)
        if ratio > OUTLIER_RATIO:
            columns.append(name)
            largest = max(largest, ratio)
            reach = 5 * robust_scale(ordered)
            beyond = np.abs(ordered - np.median(ordered)) > reach
            far.update(ordered[beyond].tolist())
    if not columns:
        return
    made = evidence.preparation
    clip = None if made is None else made.clip
    done = "not clipped" if clip is None else f"clipped at {clip:g} robust scales"
    one = len(columns) == 1
    subject = f"{quoted(columns[0])} holds" if one else f"{len(columns):,} columns hold"
    which = "" if one else f" ({listed(columns)})"
    value, times = far.most_common(1)[0] if far else (0.0, 0)
    code = f"{value:g}" if times >= _REPEATED else ""
    hint = f" Look for error codes such as {code}." if code else ""
    yield Doubt(
        "outliers",
        tuple(columns),
        (),
        largest,
        f"{subject} values so far out that they hide the rest{which}; "
        f"{'it was' if one else 'they were'} {done}.{hint}",
        f"--missing {code}" if code and made is not None else "",
    )


def sorted_values(X: Any, j: int) -> NDArray[np.float64]:
    """The sorted values of a column; none where most of a sparse one are 0."""
    if not sp.issparse(X):
        return np.sort(X[np.isfinite(X[:, j]), j])
    stored = X.data[X.indptr[j] : X.indptr[j + 1]]
    n_zeros = X.shape[0] - len(stored)
    if n_zeros >= X.shape[0] / 2:
        return stored[:0]
    return np.sort(np.concatenate([stored, np.zeros(n_zeros)]))


def spread_ratio(ordered: NDArray[np.float64]) -> float:
    """Standard deviation over robust scale; 0 where half of the values are one."""
    if len(ordered) < 2 or ordered[0] == ordered[-1]:
        return 0.0
    edges = np.flatnonzero(ordered[1:] != ordered[:-1])
    runs = np.diff(np.concatenate([[-1], edges, [len(ordered) - 1]]))
    scale = robust_scale(ordered)
    if scale == 0 or runs.max() >= len(ordered) / 2:
        return 0.0
    unit = float(np.abs(ordered).max())
    spread, least = float((ordered / unit).std()), scale / unit
    # A bulk that is nothing next to the farthest value has no finite ratio.
    return spread / least if spread < least * _LARGEST else _LARGEST


def ids(evidence: Evidence) -> Iterator[Doubt]:
    """Whole numbers that count the rows."""
    made = evidence.preparation
    if made is not None:
        columns = [c["name"] for c in made.columns_ if c.get("why") == "id"]
    elif sp.issparse(evidence.X):
        return
    else:
        X = evidence.data.X
        columns = [n for j, n in enumerate(evidence.names) if counts_rows(X[:, j])]
    if not columns:
        return
    one = len(columns) == 1
    subject = f"{listed(columns)} {'counts' if one else 'count'} the rows"
    kept = f"{columns[0]}=number"
    kept = kept if kept.replace("_", "").replace("=", "").isalnum() else f"'{kept}'"
    if made is None:
        sentence = f"{subject}: leave {'it' if one else 'them'} out."
        remedy = drop_option(columns)
    else:
        verb, object_ = ("was", "it") if one else ("were", "the first")
        sentence = f"{subject} and {verb} left out; --kind {kept} keeps {object_}."
        remedy = f"--kind {kept}"
    yield Doubt("id", tuple(columns), (), float(len(columns)), sentence, remedy)


def duplicates(evidence: Evidence) -> Iterator[Doubt]:
    """Groups of columns with the same ranks, or nearly so."""
    pairs = evidence.ranks.equal_pairs(SAME)
    if not pairs:
        return
    first, second = np.array(pairs).T
    d = len(evidence.names)
    graph = sp.coo_array((np.ones(len(pairs)), (first, second)), shape=(d, d))
    _, owner = connected_components(graph, directed=False)
    members: dict[int, list[str]] = {}
    for j in np.unique(np.concatenate([first, second])):
        members.setdefault(int(owner[j]), []).append(evidence.names[j])
    groups = list(members.values())
    shown = "; ".join(listed(group) for group in groups[:3])
    more = f"; and {len(groups) - 3} more" if len(groups) > 3 else ""
    subject = "1 group" if len(groups) == 1 else f"{len(groups)} groups"
    says = "says" if len(groups) == 1 else "say"
    yield Doubt(
        "duplicates",
        tuple(name for group in groups for name in group),
        (),
        float(len(groups)),
        f"{subject} of columns {says} the same ({shown}{more}): one of each is enough, "
        "and which one is chosen is chance.",
        drop_option([name for group in groups for name in group[1:]]),
    )


def constants(evidence: Evidence) -> Iterator[Doubt]:
    """Columns with one value."""
    made = evidence.preparation
    if made is None:
        names = evidence.data.feature_names
        columns = [names[j] for j in np.flatnonzero(constant_columns(evidence.data.X))]
    else:
        columns = [c["name"] for c in made.columns_ if c.get("why") == "constant"]
    if not columns:
        return
    one = len(columns) == 1
    subject = f"{quoted(columns[0])} holds" if one else f"{len(columns):,} columns hold"
    done = "" if made is None else f" and {'was' if one else 'were'} left out"
    which = "" if one else f" ({listed(columns)})"
    sentence = f"{subject} one value{done}{which}."
    yield Doubt("constant", tuple(columns), (), float(len(columns)), sentence)
