# SPDX-License-Identifier: BSD-3-Clause
"""What runs gave, what papers printed, and what may be said about it.

``store`` is the ledger of runs; ``published`` holds the numbers of the papers' tables;
``recommend`` turns values into an answer.
"""

from labelsift.results.published import PAPERS, PublishedCell, published_cells
from labelsift.results.recommend import recommend
from labelsift.results.recommendation import FewerFeatures, LevelMethod, Recommendation
from labelsift.results.schema import Record, StoreError
from labelsift.results.store import ResultStore

__all__ = [
    "PAPERS",
    "FewerFeatures",
    "LevelMethod",
    "PublishedCell",
    "Recommendation",
    "Record",
    "ResultStore",
    "StoreError",
    "published_cells",
    "recommend",
]
