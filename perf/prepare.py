# SPDX-License-Identifier: BSD-3-Clause
"""TablePreparation beside ColumnTransformer on one mixed table, in one run.

``python perf/prepare.py``: 50,000 rows of 240 numbers (some with gaps), 50 categories
and 10 yes/no columns. Times are seconds by the clock, the best of three; a ratio below
1 means that TablePreparation is faster. ColumnTransformer is told which columns are
numbers; TablePreparation finds out.
"""

import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from labelsift.prepare import TablePreparation

ROWS, NUMBERS, CATEGORIES, ANSWERS = 50_000, 240, 50, 10


def mixed_table(seed: int = 0) -> pd.DataFrame:
    """Numbers with gaps, categories of 2 to 30 values, yes/no."""
    rng = np.random.default_rng(seed)
    numbers = rng.normal(size=(ROWS, NUMBERS)) * 10 ** rng.uniform(-3, 4, NUMBERS)
    numbers[:, ::4][rng.random((ROWS, NUMBERS // 4)) < 0.05] = np.nan
    columns = {f"number {j}": numbers[:, j] for j in range(NUMBERS)}
    for j in range(CATEGORIES):
        values = np.array([f"value {k}" for k in range(2 + j * 28 // CATEGORIES)])
        columns[f"category {j}"] = pd.Series(rng.choice(values, ROWS))
    for j in range(ANSWERS):
        columns[f"answer {j}"] = pd.Series(rng.choice(["yes", "no"], ROWS))
    return pd.DataFrame(columns)


def peer(table: pd.DataFrame) -> ColumnTransformer:
    """What scikit-learn's users write by hand."""
    numbers = [name for name in table if name.startswith("number")]
    texts = [name for name in table if not name.startswith("number")]
    filled = SimpleImputer(strategy="median", add_indicator=True)
    values = OneHotEncoder(
        handle_unknown="ignore",
        min_frequency=10,
        max_categories=30,
        sparse_output=False,
    )
    return ColumnTransformer(
        [
            ("numbers", make_pipeline(filled, StandardScaler()), numbers),
            ("texts", make_pipeline(values, StandardScaler()), texts),
        ]
    )


def seconds(work: Callable[[], Any]) -> float:
    """The best of three."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    table = mixed_table()
    other = pl.from_pandas(table)
    hand = peer(table)
    by_hand = seconds(lambda: hand.fit(table)), seconds(lambda: hand.transform(table))
    width = hand.transform(table[:5]).shape[1]
    print(f"{ROWS} x {table.shape[1]}: fit, transform, columns")
    print(f"ColumnTransformer        {by_hand[0]:6.2f} {by_hand[1]:6.2f} {width:6}")
    frames = {"pandas": table, "pandas, object": table.astype(object), "polars": other}
    for name, frame in frames.items():
        own = TablePreparation()
        times = (
            seconds(lambda own=own, frame=frame: own.fit(frame)),
            seconds(lambda own=own, frame=frame: own.transform(frame)),
        )
        ratio = [mine / theirs for mine, theirs in zip(times, by_hand, strict=True)]
        width = sum(map(len, own.groups_))
        print(
            f"{name:24} {times[0]:6.2f} {times[1]:6.2f} {width:6}  ratios "
            f"{ratio[0]:.2f} {ratio[1]:.2f}, both {sum(times) / sum(by_hand):.2f}"
        )
    size = len(json.dumps(own.to_document()))
    print(f"as JSON: {size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
