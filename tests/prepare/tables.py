# SPDX-License-Identifier: BSD-3-Clause
"""Small tables with every kind of column and fault, in every flavour of frame."""

import numpy as np
import pandas as pd
import polars as pl


def mixed(n=300, seed=0):
    """Plain Python columns: ids, dates, text, yes/no, gaps, outliers, constants."""
    rng = np.random.default_rng(seed)
    gaps = rng.random(n) < 0.1
    size = rng.normal(size=n)
    size[3] = 1e6
    plans = rng.choice(["free", "pro", "team"], n).tolist()
    return {
        "key": [f"T-{i}" for i in range(n)],
        "row": list(range(1000, 1000 + n)),
        "day": [f"2024-01-{1 + i % 28:02d} 10:00" for i in range(n)],
        "size": size.tolist(),
        "count": rng.poisson(0.3, n).tolist(),
        "age": _with_gaps(rng.integers(18, 90, n).tolist(), gaps),
        "plan": _with_gaps(plans, gaps),
        "vip": rng.choice(["yes", "no"], n, p=[0.2, 0.8]).tolist(),
        "flag": (rng.random(n) < 0.5).tolist(),
        "same": [7.0] * n,
        "empty": [1.0 if i < 5 else None for i in range(n)],
    }


def raw_table(n=300, seed=0):
    """A table with faults, as pandas reads it: ids, gaps, outliers, a leak; tags."""
    rng = np.random.default_rng(seed)
    tags = rng.random((n, 2)) < [0.3, 0.04]
    size = rng.normal(size=n).round(4)
    size[::30] = -9999
    columns = {
        "key": [f"T-{i}" for i in range(n)],
        "row": np.arange(n) + 7000,
        "day": pd.date_range("2024-01-01", periods=n).strftime("%Y-%m-%d"),
        "plan": np.where(rng.random(n) < 0.1, "", rng.choice(["free", "pro"], n)),
        "size": size,
        "x": rng.normal(size=n).round(4),
        "alarm": np.where(tags[:, 0], 7, 0),
        "tag_a": np.where(tags[:, 0], "yes", "no"),
        "tag_b": np.where(tags[:, 1], "yes", "no"),
    }
    return pd.DataFrame(columns)


def _with_gaps(cells, gaps):
    return [None if gap else cell for cell, gap in zip(cells, gaps, strict=True)]


def object_frame(columns):
    return pd.DataFrame({k: pd.Series(v, dtype=object) for k, v in columns.items()})


FLAVOURS = {
    "pandas object": object_frame,
    "pandas": pd.DataFrame,
    "pandas nullable": lambda columns: object_frame(columns).convert_dtypes(),
    "polars": pl.DataFrame,
}
