# SPDX-License-Identifier: BSD-3-Clause
"""The columns of a table by name, and what users say about them."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import scipy.sparse as sp
from sklearn.utils import check_array

from labelsift.core.cells import Cells, is_frame, read_cells
from labelsift.core.data import numbered_names
from labelsift.core.validation import check_local
from labelsift.datasets.columns import check_unique
from labelsift.datasets.textfile import shown
from labelsift.prepare.kinds import KINDS


class NamedColumns:
    """Columns of a DataFrame, or of an array, whose columns have the names given."""

    def __init__(self, X: Any, names: Sequence[str] | None = None) -> None:
        check_local(X, "X")
        if sp.issparse(X):
            raise TypeError(
                "Sparse data is no table: pass a DataFrame, or use sparse data as it "
                "is."
            )
        if is_frame(X):
            self._columns = list(X.columns)
            self.names = [str(column) for column in self._columns]
            check_unique(self.names, "The table")
        else:
            X = check_array(X, dtype=None, ensure_all_finite=False)
            self.names = list(names or numbered_names("x", X.shape[1]))
            if len(self.names) != X.shape[1]:
                raise ValueError(
                    f"X has {X.shape[1]} features, but TablePreparation is expecting "
                    f"{len(self.names)} features as input."
                )
            self._columns = [(slice(None), i) for i in range(X.shape[1])]
        self._X = X
        self.n_rows = len(X)
        # A part of a longer table knows where it begins.
        self.first_row = int(getattr(getattr(X, "index", None), "start", 0))
        self._position = {name: i for i, name in enumerate(self.names)}

    def cells(self, name: str) -> Cells:
        """The cells of a column."""
        if name not in self._position:
            raise ValueError(
                f"The table has no column {shown(name)}, which the selection needs."
            )
        return read_cells(self._X[self._columns[self._position[name]]])


def checked_kinds(
    kinds: Mapping[str, str] | None, names: Sequence[str]
) -> dict[str, str]:
    """Kinds that are told, of columns that exist."""
    told = {str(name): kind for name, kind in (kinds or {}).items()}
    known = set(names)
    for name, kind in told.items():
        if name not in known:
            close = get_close_matches(name, names[:10_000], n=1)
            hint = f" (did you mean {shown(close[0])}?)" if close else ""
            raise ValueError(
                f"kinds names the column {shown(name)}, which the table does not have"
                f"{hint}: check the spelling."
            )
        if kind not in KINDS:
            raise ValueError(
                f"kinds calls {shown(name)} {kind!r}: use {', '.join(KINDS)}."
            )
    return told
