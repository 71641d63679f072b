# SPDX-License-Identifier: BSD-3-Clause
"""From bytes to MultiLabelData."""

from labelsift.core.data import MultiLabelData
from labelsift.datasets.npz import read_npz
from labelsift.datasets.registry import DatasetInfo, list_datasets, load_dataset
from labelsift.datasets.source import open_data
from labelsift.datasets.synthetic import PlantedData, make_planted

__all__ = [
    "DatasetInfo",
    "MultiLabelData",
    "PlantedData",
    "list_datasets",
    "load_dataset",
    "make_planted",
    "open_data",
    "read_npz",
]
