# SPDX-License-Identifier: BSD-3-Clause
"""What a comparison does where the user says nothing: budgets, methods, scaling."""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from labelsift.bench.inputs import resolve_count
from labelsift.bench.methods import CATALOGUE, GREEDY_GCV
from labelsift.core.budget import expand_budgets
from labelsift.core.data import MultiLabelData

# A method is fast where one fit is estimated to take at most so many seconds.
FAST_SECONDS = 30.0
# Below so many features a comparison looks at budgets up to half of them.
FEW_FEATURES = 100
# Beyond so many, nobody wants a fifth of them: budgets end at a thousand features.
MANY_FEATURES = 5000


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
        small; for very many 10 to 1000 of them; otherwise shares from 1 to 20 %.
    """
    if n_features > MANY_FEATURES:
        return _spread(10, 1000)
    if n_features > FEW_FEATURES:
        shares = (1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 17, 20)
        return tuple(f"{share}%" for share in shares)
    return _spread(1, max(1, n_features // 2))


def _spread(low: int, high: int) -> tuple[str, ...]:
    """Counts whose ratios are about equal."""
    counts = np.unique(np.geomspace(low, high, 15).round().astype(int))
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
    """Seconds of one fit, roughly: what decides is whether it is ten or a thousand.

    ``perf/defaults.py`` shows estimates beside fits; the constants were read off
    emotions, scene and enron, and off rcv1-subset1 for the methods that are fast there.

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
    values, square = nnz * t, min(n, d) ** 2 * max(n, d)
    cube = min(n, d) ** 3
    estimates = {
        "greedy-rls": 2.5e-9 * n * d * (k + t),
        GREEDY_GCV: 1e-9 * d * k**2 + 2e-8 * nnz,
        "fisher": 5e-9 * values,
        "random": 1e-8 * d,
        "rfs": 1e-10 * cube + 1e-7 * values,
        "csfs": 2e-7 * values,
        "sfus": 3e-10 * cube + 1e-7 * values,
        "mifs": 2e-7 * values + 2e-10 * n**2 * min(d, 1000),
        "rlefs": 1.5e-7 * values,
        "ralm": 5e-9 * square,
        "mt-lasso": 1.5e-7 * values + 1e-7 * k**2 * t,
        "ppt": 5e-9 * values,
        "mdmr": 1e-9 * nnz * (t + k) + 3e-8 * d * t * k,
        "lrfs": 1.5e-9 * values * t,
        "mrmr": 2e-9 * nnz * k + 1e-7 * d * k,
        "mlfs": 2e-7 * values,
        "cmlfs": 5e-7 * values,
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
    selectors = [name for name, method in CATALOGUE.items() if method.selects]
    known = [name for name in selectors if name != "random"]
    if isinstance(wanted, str) and wanted not in ("fast", "all"):
        wanted = [name.strip() for name in wanted.split(",")]
    if not isinstance(wanted, str):
        unknown = [name for name in wanted if name not in selectors]
        if unknown:
            raise ValueError(
                f"There is no method {unknown[0]!r}: choose from "
                f"{', '.join(selectors)}, or say fast or all."
            )
        return [name for name in dict.fromkeys(wanted) if name != "random"], []
    if wanted == "all":
        return known, []
    n, d, t = data.n_samples, data.n_features, data.n_labels
    nnz = data.X.nnz if sp.issparse(data.X) else n * d
    seconds = {m: estimated_seconds(m, n, d, t, nnz, largest) for m in known}
    if seconds["greedy-rls"] <= FAST_SECONDS:
        known.remove(GREEDY_GCV)  # it stands in for the other one only
        seconds.pop(GREEDY_GCV)
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
