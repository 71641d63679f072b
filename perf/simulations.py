# SPDX-License-Identifier: BSD-3-Clause
"""Data with known truth, and results that survive an interruption; run the others.

``stability_selection.py``, ``knockoffs.py`` and ``explain.py`` share it. Labels are
signs of noisy linear scores: each true feature serves about half of the labels, the
score explains a share of .3 to .6 (R2) of its noisy version, prevalences are .12 to .5.
"""

import hashlib
import json
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.linalg import block_diag, toeplitz

R2, PREVALENCE = (0.3, 0.6), (0.12, 0.5)


@dataclass(frozen=True)
class Simulated:
    """Rows, labels, and the features that the labels were made from."""

    X: np.ndarray
    Y: np.ndarray
    true: np.ndarray
    serves: np.ndarray  # true features x labels
    unrelated: np.ndarray  # mask: correlation below .05 with every true feature


class Outcomes:
    """Outcomes of simulations by key, one line of JSON each; finished ones are kept."""

    def __init__(self, place):
        self.place = Path(place)
        self.place.parent.mkdir(parents=True, exist_ok=True)
        lines = self.place.read_text().splitlines() if self.place.exists() else []
        self.known = dict(json.loads(line) for line in lines)

    def get(self, function, *arguments):
        """The outcome of a call, computed unless it is known."""
        key = json.dumps([function.__name__, *map(str, arguments)])
        if key not in self.known:
            self.known[key] = function(*arguments)
            with self.place.open("a") as file:
                file.write(json.dumps([key, self.known[key]]) + "\n")
        return self.known[key]


def kept_in(script):
    """Where a script keeps its outcomes: with its own text, in the temporary folder."""
    text = Path(script).read_bytes() + Path(__file__).read_bytes()
    version = hashlib.sha256(text).hexdigest()[:12]
    name = f"{Path(script).stem}-{version}.jsonl"
    return Path(tempfile.gettempdir()) / "labelsift-perf" / name


def correlation(kind, d):
    """AR, blocks of five, pairs of copies, or independent: "ar.5", "blocks.7", ..."""
    if kind == "independent":
        return np.eye(d)
    family, _, digits = kind.partition(".")
    level = float(f".{digits}")
    if family == "ar":
        return toeplitz(level ** np.arange(d))
    size = {"blocks": 5, "copies": 2}[family]
    return block_diag(*[(1 - level) * np.eye(size) + level] * (d // size))


def gaussian(rng, n, matrix):
    """Rows with this correlation."""
    return rng.normal(size=(n, len(matrix))) @ np.linalg.cholesky(matrix).T


def labels(rng, X, t, r2=R2, prevalence=PREVALENCE):
    """Labels from columns that are all true, and which column serves which label."""
    serves = rng.random((X.shape[1], t)) < 0.5
    serves[np.arange(X.shape[1]), rng.integers(t, size=X.shape[1])] = True
    weights = serves * rng.choice([-1.0, 1.0], size=serves.shape)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    score = X @ weights
    score /= np.maximum(score.std(axis=0), 1e-12)
    share = rng.uniform(*r2, size=t)
    noisy = np.sqrt(share) * score + np.sqrt(1 - share) * rng.normal(size=score.shape)
    rates = rng.uniform(*prevalence, size=t)
    cuts = [np.quantile(noisy[:, label], 1 - rates[label]) for label in range(t)]
    return (noisy > cuts).astype(np.int8), serves


def simulated(seed, n, d, t, n_true, kind, r2=R2):
    """Gaussian rows; true features stand five apart at least: one in a block."""
    rng = np.random.default_rng(seed)
    matrix = correlation(kind, d)
    true = np.sort(rng.permutation(np.arange(0, d, 5))[:n_true])
    X = gaussian(rng, n, matrix)
    Y, serves = labels(rng, X[:, true], t, r2)
    related = np.abs(matrix[:, true]).max(axis=1) >= 0.05
    return Simulated(X, Y, true, serves, ~related)


def mean_text(values, digits=2):
    """Mean with its standard error."""
    values = np.asarray(values, dtype=float)
    error = values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.nan
    return f"{values.mean():.{digits}f} ({error:.{digits}f})"
