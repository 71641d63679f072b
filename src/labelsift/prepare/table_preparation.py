# SPDX-License-Identifier: BSD-3-Clause
"""A raw table as numbers that every method can learn from."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from labelsift.core.cells import Cells, is_frame
from labelsift.core.validation import (
    Interval,
    validate_parameters,
    validate_weights,
)
from labelsift.datasets.textfile import shown
from labelsift.prepare.column import (
    CellError,
    Entry,
    as_numbers,
    as_text,
    fit_category,
    fit_number,
    n_outputs,
    output_names,
    write_column,
)
from labelsift.prepare.document import checked_document
from labelsift.prepare.kinds import decide, missing_texts, settled
from labelsift.prepare.named_columns import NamedColumns, checked_kinds


class TablePreparation(TransformerMixin, BaseEstimator):
    r"""Make numbers of a table as people have it: text, yes/no, gaps, outliers, ids.

    Every column is looked at on its own and found again by its name:

    ========  =====================================  ==============================
    kind      which columns, the first that holds    what becomes of them
    ========  =====================================  ==============================
    drop      more than 90 % missing; one value;     nothing; ``columns_`` says why
              text with more values than half of
              its filled rows (ids, free text);
              whole numbers that count the rows
    date      dates and times                        nothing, unless told: seconds
    number    bool and numbers, also as text         the number; and "NAME is
                                                     missing" where 1 % and 10 rows
                                                     are
    category  other text                             one column per value with
                                                     ``min_frequency`` rows; two
                                                     values without gaps: one
    ========  =====================================  ==============================

    With s = (q75 - q25) / 1.349, or (q97.5 - q2.5) / 3.92 where that is 0, a number is
    filled with its median, clipped and standardised,

    .. math:: x \mapsto (\min(\max(x, m - c s), m + c s) - \mu) / \sigma,

    m the median, c ``clip``, \mu and \sigma the mean and the standard deviation of the
    training rows after filling and clipping. There is no clip where s = 0 or where a
    column has two values. A column of 0/1 is standardised. Rare values of a category
    and those not seen before give 0 in all of its columns. A time as a feature lets a
    method look up neighbours in time, hence dates are left out unless told.

    What is learned is plain JSON (``to_document``), safe to read from a stranger.

    Parameters
    ----------
    clip : float or None, default=5.0
        How many robust scales from its median a number may lie; None: no clip.
    max_categories : int, default=30
        The most columns of one category; its most frequent values get them.
    min_frequency : int, default=10
        Training rows that a value of a category needs.
    kinds : mapping of str to {"number", "category", "date", "drop"}, optional
        Kinds of columns that are told rather than found.
    missing : sequence of str, default=()
        Texts (or numbers, as "-9999") that stand for a missing value besides "", NA,
        N/A, NaN, null, None, -, ?, #N/A.

    Attributes
    ----------
    columns_ : list of dict
        Of each column its name, its kind and what was learned.
    groups_ : list of ndarray
        Output columns of each column that is used.
    group_names_ : list of str
        The columns that are used, in the order of ``groups_``.
    n_features_in_ : int
        Columns of the table.
    feature_names_in_ : ndarray of str
        Their names.

    See Also
    --------
    sklearn.compose.ColumnTransformer : Where you say what is done to each column.

    Examples
    --------
    >>> import pandas as pd
    >>> from labelsift.prepare import TablePreparation
    >>> plan, age = ["free", "pro"] * 10, [30, None, 41, 25] * 5
    >>> table = pd.DataFrame({"plan": plan, "age": age})
    >>> preparation = TablePreparation().fit(table)
    >>> preparation.get_feature_names_out().tolist()
    ['plan = pro', 'age']
    >>> preparation.transform(table.tail(1)).round(1).tolist()
    [[1.0, -1.1]]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "clip": [Interval(Real, 0, None, closed="neither"), None],
        "max_categories": [Interval(Integral, 1, None, closed="left")],
        "min_frequency": [Interval(Integral, 1, None, closed="left")],
        "kinds": [Mapping, None],
        "missing": [list, tuple],
    }

    def __init__(
        self,
        clip: float | None = 5.0,
        *,
        max_categories: int = 30,
        min_frequency: int = 10,
        kinds: Mapping[str, str] | None = None,
        missing: Sequence[str] = (),
    ) -> None:
        self.clip = clip
        self.max_categories = max_categories
        self.min_frequency = min_frequency
        self.kinds = kinds
        self.missing = missing

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the kinds of the columns and learn what is done to them.

        Parameters
        ----------
        X : DataFrame of pandas or polars, or array-like of shape (n_samples, n_columns)
            The training rows.
        y : None
            Not used.
        sample_weight : array-like of shape (n_samples,) or None, default=None
            How often each row counts in medians, bounds, means and scales; none is 0.
            Which columns are made is decided by counting rows.

        Returns
        -------
        self : TablePreparation
            Fitted.
        """
        validate_parameters(self)
        table = NamedColumns(X)
        weights = validate_weights(sample_weight, np.empty((table.n_rows, 1)))
        if not (table.n_rows and table.names):
            raise ValueError("The table has no rows or no columns: it is empty.")
        told = checked_kinds(self.kinds, table.names)
        absent = missing_texts(self.missing)
        self.columns_ = [
            self._entry(
                name, settled(table.cells(name), absent), told.get(name), weights
            )
            for name in table.names
        ]
        self._settle(table.names if is_frame(X) else None)
        return self

    def _entry(
        self,
        name: str,
        cells: Cells,
        told: str | None,
        weights: NDArray[np.float64] | None,
    ) -> Entry:
        """What is learned of a column, in plain values."""
        kind, why = decide(cells, self.min_frequency)
        if told is not None:
            kind, why = told, "told"
        elif kind == "date":
            kind = "drop"
        head = {"name": name, "kind": kind}
        if kind == "drop":
            return head | {"why": why}
        if kind == "category":
            limits = (self.max_categories, self.min_frequency)
            return head | fit_category(as_text(cells), *limits, weights)
        try:
            return head | fit_number(as_numbers(cells, kind), self.clip, weights)
        except CellError as error:
            form = "dates, as 2024-01-31," if kind == "date" else "numbers"
            raise ValueError(
                f"Column {shown(name)} is told to hold {form} and {error}: fix it, or "
                "call it a category."
            ) from None

    def _settle(self, names: Sequence[str] | None) -> None:
        """What follows from ``columns_``."""
        self.n_features_in_ = len(self.columns_)
        if names is not None:
            self.feature_names_in_ = np.array(names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        ends = np.cumsum([0, *map(n_outputs, self.columns_)])
        self._places = {
            entry["name"]: slice(int(start), int(end))
            for entry, start, end in zip(self.columns_, ends, ends[1:], strict=False)
            if end > start
        }
        self.group_names_ = list(self._places)
        self.groups_ = [
            np.arange(place.start, place.stop) for place in self._places.values()
        ]

    @property
    def _n_features_out(self) -> int:
        """How many columns come out; scikit-learn asks for it."""
        return sum(map(n_outputs, self.columns_))

    def transform(self, X: Any, only: Iterable[str] | None = None) -> NDArray[Any]:
        """Make numbers of a table.

        Parameters
        ----------
        X : DataFrame of pandas or polars, or array-like of shape (n_samples, n_columns)
            Columns of a DataFrame are found by name, in any order and with others
            between them; those of anything else by position.
        only : iterable of str, optional
            The columns to use; no other column is looked at.

        Returns
        -------
        ndarray of shape (n_samples, n_outputs)
            In the order of ``get_feature_names_out``.
        """
        check_is_fitted(self)
        table = NamedColumns(X, [entry["name"] for entry in self.columns_])
        wanted = self._wanted(only)
        absent = missing_texts(self.missing)
        out = np.empty((table.n_rows, sum(map(n_outputs, wanted))))
        start = 0
        for entry in wanted:
            end = start + n_outputs(entry)
            is_text = entry["kind"] == "category"
            cells = settled(table.cells(entry["name"]), absent, as_text=is_text)
            try:
                write_column(entry, cells, out[:, start:end])
            except CellError as error:
                place = CellError(table.first_row + error.row, error.text)
                raise ValueError(
                    f"Column {shown(entry['name'])} held {entry['kind']}s when the "
                    f"selection was made and {place}: fix it."
                ) from None
            start = end
        return out

    def _wanted(self, only: Iterable[str] | None) -> list[Entry]:
        """The columns that are used, in the order of the table."""
        names = set(self._places if only is None else map(str, only))
        unused = names.difference(self._places)
        if unused:
            raise ValueError(
                f"only names the column {shown(min(unused))}, which is not used: "
                "choose from group_names_."
            )
        return [entry for entry in self.columns_ if entry["name"] in names]

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names of the output columns, for display: never parse them.

        Parameters
        ----------
        input_features : None
            Not used: the names are those that ``fit`` saw.

        Returns
        -------
        ndarray of str
            "NAME", "NAME is missing" or "NAME = value".
        """
        check_is_fitted(self)
        names = [name for entry in self.columns_ for name in output_names(entry)]
        times = Counter[str]()
        for place, name in enumerate(names):  # "a = b" may be a column of its own
            times[name] += 1
            names[place] = f"{name} ({times[name]})" if times[name] > 1 else name
        return np.array(names, dtype=object)

    def with_kinds_told(self) -> "TablePreparation":
        """An unfitted preparation that makes the same of every column.

        For the parts of a table: kinds are decided by what all rows hold, everything
        else is learned again.
        """
        check_is_fitted(self)
        kinds = {entry["name"]: entry["kind"] for entry in self.columns_}
        return TablePreparation(**{**self.get_params(), "kinds": kinds})

    def to_document(self, only: Iterable[str] | None = None) -> dict[str, Any]:
        """What was learned as plain values that JSON keeps exactly.

        Parameters
        ----------
        only : iterable of str, optional
            The columns to write; by default all.

        Returns
        -------
        dict
            For ``from_document``.
        """
        check_is_fitted(self)
        columns = self.columns_ if only is None else self._wanted(only)
        return {"missing": list(self.missing), "columns": [dict(c) for c in columns]}

    @classmethod
    def from_document(cls, document: Any) -> "TablePreparation":
        """A fitted preparation of what ``to_document`` gave.

        Parameters
        ----------
        document : dict
            Types, signs, sizes and names are checked before anything is built.

        Returns
        -------
        TablePreparation
            Whose ``transform`` gives the same, bit by bit.
        """
        checked = checked_document(document)
        made = cls(missing=tuple(checked["missing"]))
        made.columns_ = checked["columns"]
        made._settle([entry["name"] for entry in made.columns_])
        return made

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags
