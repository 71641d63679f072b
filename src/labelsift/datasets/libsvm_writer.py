# SPDX-License-Identifier: BSD-3-Clause
"""Writing LIBSVM files.

Why a writer of our own: scikit-learn's ``dump_svmlight_file`` (1.9) writes 16 digits,
which do not restore every float64.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelsift.core.data import MultiLabelData
from labelsift.datasets.atomic import replacing
from labelsift.datasets.textfile import exact_text


def write_libsvm(data: MultiLabelData, path: str | Path) -> None:
    """Write a LIBSVM file: labels by position from 0, features from 1.

    Numbers are written so that they are read back exactly; a zero is written where
    the number of features, or a row, would otherwise be lost. Names, the published
    split and labels that no row has are not written. NaN is an error.

    Parameters
    ----------
    data : MultiLabelData
        The data to write.
    path : str or Path
        The file; an existing one is replaced only after a complete write.
    """
    X = sp.csr_array(data.X)
    if not np.isfinite(X.data).all():
        raise ValueError(
            f"{data.name} has missing or infinite values, which LIBSVM files cannot "
            "hold: write ARFF or npz."
        )
    with replacing(Path(path)) as part, part.open("w", encoding="utf-8") as file:
        file.writelines(_lines(X, data.Y))


def _lines(X: Any, Y: NDArray[np.int8]) -> Iterator[str]:
    for i, y in enumerate(Y):
        entries = slice(X.indptr[i], X.indptr[i + 1])
        pairs = dict(
            zip(X.indices[entries].tolist(), X.data[entries].tolist(), strict=True)
        )
        labels = np.flatnonzero(y).tolist()
        if i == 0 or not (pairs or labels):
            pairs.setdefault(X.shape[1] - 1, 0.0)
        words = [",".join(map(str, labels))] if labels else []
        words += [f"{j + 1}:{exact_text(value)}" for j, value in sorted(pairs.items())]
        yield " ".join(words) + "\n"
