# SPDX-License-Identifier: BSD-3-Clause
"""What a comparison does where the user says nothing: budgets, methods, scaling."""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from labelsift.bench.inputs import resolve_count
from labelsift.bench.methods import CATALOGUE
from labelsift.bench.suite import expand_budgets
from labelsift.core.data import MultiLabelData
from labelsift.selection import METHODS

# A method is fast where one fit is estimated to take at most so many seconds.
FAST_SECONDS = 10.0
# Below so many features a comparison looks at budgets up to half of them.
FEW_FEATURES = 100


@dataclass(frozen=True)
class LeftOut:
    """A method that is not run.

    Parameters
    ----------
    method : str
        Its name.
    why : str
        One sentence.
    """

    method: str
    why: str


def default_budgets(n_features: int) -> tuple[str, ...]:
    """Budgets that show where a curve flattens.

    Parameters
    ----------
    n_features : int
        Of the data.

    Returns
    -------
    tuple of str
        For few features about a dozen counts up to half of them, denser where they are
        small; otherwise shares from 1 to 20 %.
    """
    if n_features > FEW_FEATURES:
        shares = (1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 17, 20)
        return tuple(f"{share}%" for share in shares)
    half = max(1, n_features // 2)
    counts = np.unique(np.geomspace(1, half, 16).round().astype(int))
    return tuple(str(count) for count in counts)


def counts_of(budgets: tuple[str, ...], n_features: int) -> list[int]:
    """The budgets as counts, each once, in order."""
    return sorted({resolve_count(budget, n_features) for budget in budgets})


def read_budgets(budgets: str | list[str] | None, n_features: int) -> tuple[str, ...]:
    """Budgets as the user gave them, or the default ones.

    Parameters
    ----------
    budgets : str, list of str or None
        "1%:20%", "5,10,20", a list of such, or None.
    n_features : int
        Of the data.

    Returns
    -------
    tuple of str
        Counts and shares.
    """
    if budgets is None:
        return default_budgets(n_features)
    texts = budgets.split(",") if isinstance(budgets, str) else list(map(str, budgets))
    return expand_budgets([text.strip() for text in texts])


def default_scale(data: MultiLabelData) -> str:
    """Dense columns are standardised; sparse ones divided by their largest value."""
    return "minmax" if sp.issparse(data.X) else "standardize"


def estimated_seconds(method: str, n: int, d: int, t: int, nnz: int, k: int) -> float:
    """Seconds of one fit, within a factor of a few.

    Constants were read off fits on emotions, scene, enron, yahoo-arts-full and
    rcv1-subset1 by ``perf/defaults.py``.

    Parameters
    ----------
    method : str
        A selector's name.
    n, d, t : int
        Rows, features, labels.
    nnz : int
        Stored values of X.
    k : int
        The largest budget.

    Returns
    -------
    float
        Seconds on one core.
    """
    small, large = min(n, d), max(n, d)
    estimates = {
        "greedy-rls": 2e-9 * nnz * (k + t),
        "fisher": 1e-8 * nnz * t,
        "random": 1e-8 * d,
        "rfs": 3e-9 * small**2 * large + 1e-7 * nnz * t,
        "csfs": 1e-7 * nnz * t,
        "sfus": 2e-9 * small**2 * large + 1e-6 * nnz * t,
        "mifs": 1e-6 * nnz * t + 2e-9 * n**2 * min(d, 1000),
        "rlefs": 3e-7 * nnz * t,
        "ralm": 3e-9 * small**2 * large * 10,
        "mt-lasso": 1e-7 * nnz * t * 10,
        "ppt": 1e-8 * nnz * t,
        "mdmr": 2e-9 * n * d * (t + k),
        "lrfs": 2e-9 * n * d * t,
        "mrmr": 2e-9 * n * d * k,
        "mlfs": 1e-6 * nnz * t,
        "cmlfs": 2e-6 * nnz * t,
    }
    return estimates[method]


def choose_methods(
    wanted: str | list[str], data: MultiLabelData, largest: int
) -> tuple[list[str], list[LeftOut]]:
    """Names of the selectors to run.

    Parameters
    ----------
    wanted : {"fast", "all"} or list of str
        Names of ``labelsift methods``; "fast" leaves out what would take long.
    data : MultiLabelData
        Its size decides what is fast.
    largest : int
        The largest budget.

    Returns
    -------
    methods : list of str
        Without the random ranking, which is always run.
    left_out : list of LeftOut
        What was left out, and why.
    """
    known = [name for name in METHODS if name != "random"]
    if isinstance(wanted, str) and wanted not in ("fast", "all"):
        wanted = [name.strip() for name in wanted.split(",")]
    if not isinstance(wanted, str):
        unknown = [name for name in wanted if name not in METHODS]
        if unknown:
            raise ValueError(
                f"There is no method {unknown[0]!r}: choose from {', '.join(METHODS)}, "
                "or say fast or all."
            )
        return [name for name in dict.fromkeys(wanted) if name != "random"], []
    if wanted == "all":
        return known, []
    n, d, t = data.n_samples, data.n_features, data.n_labels
    nnz = data.X.nnz if sp.issparse(data.X) else n * d
    seconds = {m: estimated_seconds(m, n, d, t, nnz, largest) for m in known}
    left_out = [
        LeftOut(
            name,
            f"One fit would take about {_rounded(value)}; ask for it by name or with "
            "--methods all.",
        )
        for name, value in seconds.items()
        if value > FAST_SECONDS
    ]
    return [name for name in known if seconds[name] <= FAST_SECONDS], left_out


def _rounded(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.0f} h"


def scale_of(method: str, default: str) -> str:
    """The scaling of a method: its own where it needs one."""
    return CATALOGUE[method].scale or default
