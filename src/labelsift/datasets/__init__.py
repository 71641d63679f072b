# SPDX-License-Identifier: BSD-3-Clause
"""Readers, writers and loaders of multi-label data sets."""

from labelsift.core.data import MultiLabelData
from labelsift.datasets.arff import read_arff
from labelsift.datasets.arff_writer import write_arff
from labelsift.datasets.columns import keep_features
from labelsift.datasets.example_table import write_example
from labelsift.datasets.excel import read_excel
from labelsift.datasets.frame import from_frame
from labelsift.datasets.libsvm import read_libsvm
from labelsift.datasets.libsvm_writer import write_libsvm
from labelsift.datasets.npz import read_npz, write_npz
from labelsift.datasets.parts import join_parts
from labelsift.datasets.registry import DatasetInfo, list_datasets, load_dataset
from labelsift.datasets.source import open_data
from labelsift.datasets.summary import Summary, describe
from labelsift.datasets.synthetic import PlantedData, make_planted
from labelsift.datasets.table import read_csv, read_feather, read_parquet
from labelsift.datasets.table_writer import write_csv, write_parquet
from labelsift.datasets.text_preparation import (
    keep_frequent_labels,
    keep_frequent_words,
    prepare_text,
    tfidf_rows,
)

__all__ = [
    "DatasetInfo",
    "MultiLabelData",
    "PlantedData",
    "Summary",
    "describe",
    "from_frame",
    "join_parts",
    "keep_features",
    "keep_frequent_labels",
    "keep_frequent_words",
    "list_datasets",
    "load_dataset",
    "make_planted",
    "open_data",
    "prepare_text",
    "read_arff",
    "read_csv",
    "read_excel",
    "read_feather",
    "read_libsvm",
    "read_npz",
    "read_parquet",
    "tfidf_rows",
    "write_arff",
    "write_csv",
    "write_example",
    "write_libsvm",
    "write_npz",
    "write_parquet",
]
