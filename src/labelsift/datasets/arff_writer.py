# SPDX-License-Identifier: BSD-3-Clause
"""Writing ARFF files as MEKA reads them."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from labelsift.core.data import MultiLabelData
from labelsift.datasets.arff_header import quoted
from labelsift.datasets.atomic import replacing
from labelsift.datasets.textfile import exact_text


def write_arff(data: MultiLabelData, path: str | Path) -> None:
    """Write an ARFF file as MEKA reads it, with ``-C`` for the labels.

    Labels come last. Rows are sparse where X is. Numbers are written so that they are
    read back exactly. The published split is not written.

    Parameters
    ----------
    data : MultiLabelData
        The data to write.
    path : str or Path
        The file; an existing one is replaced only after a complete write.
    """
    with replacing(Path(path)) as part, part.open("w", encoding="utf-8") as file:
        file.write(f"@relation {quoted(f'{data.name}: -C -{data.n_labels}')}\n\n")
        file.writelines(
            f"@attribute {quoted(name)} numeric\n" for name in data.feature_names
        )
        file.writelines(
            f"@attribute {quoted(name)} {{0,1}}\n" for name in data.label_names
        )
        file.write("\n@data\n")
        file.writelines(
            _sparse_rows(data) if sp.issparse(data.X) else _dense_rows(data)
        )


def _dense_rows(data: MultiLabelData) -> Iterator[str]:
    for x, y in zip(data.X, data.Y, strict=True):
        yield ",".join(chain(map(_cell, x.tolist()), map(str, y.tolist()))) + "\n"


def _sparse_rows(data: MultiLabelData) -> Iterator[str]:
    X = data.X.tocsr()
    for i, y in enumerate(data.Y):
        entries = slice(X.indptr[i], X.indptr[i + 1])
        pairs = zip(X.indices[entries].tolist(), X.data[entries].tolist(), strict=True)
        cells = [f"{j} {_cell(value)}" for j, value in sorted(pairs)]
        cells += [f"{data.n_features + j} 1" for j in np.flatnonzero(y).tolist()]
        yield "{" + ",".join(cells) + "}\n"


def _cell(value: float) -> str:
    return "?" if value != value else exact_text(value)
