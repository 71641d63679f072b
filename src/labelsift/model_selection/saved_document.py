# SPDX-License-Identifier: BSD-3-Clause
"""The file of a saved selection: its content, checked on reading."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from labelsift import __version__
from labelsift.core.files import read_document
from labelsift.core.schema import is_number
from labelsift.core.text import short
from labelsift.datasets.textfile import one_line
from labelsift.prepare.column import n_outputs
from labelsift.prepare.document import checked_document

FORMAT = "labelsift-selection"
VERSION = 3
# Version 1 had no preparation: it is read as data that are numbers already. Version 2
# predicted labels only.
_READABLE = (1, 2, VERSION)
# Beyond this a mask of the features would fill the memory.
_MOST_FEATURES = 2**31 - 1


def selection_document(
    *,
    method: str,
    parameters: Mapping[str, Any],
    n_features_in: int,
    order: Iterable[int],
    scores: Iterable[float],
    feature_names: Sequence[str] | None = None,
    label_names: Sequence[str] | None = None,
    labels_form: Sequence[str] = (),
    costs: Sequence[float] | None = None,
    readout: Mapping[str, Any] | None = None,
    data: str = "",
    checksum: str = "",
) -> dict[str, Any]:
    """The content of a file as plain values.

    Parameters
    ----------
    method, parameters, n_features_in, order, scores, feature_names, label_names
        As in ``SavedSelection``.
    labels_form : sequence of str
        How the labels of a table were told.
    costs : sequence of float or None
        What the selected features cost, in their order.
    readout : mapping or None
        "preparation", "coef", "intercept", "thresholds" and "value_columns", where
        known.
    data, checksum : str
        Of the data it was fitted on.

    Returns
    -------
    dict
        For ``json.dumps``.
    """
    model = ("preparation", "coef", "intercept", "thresholds", "value_columns")
    return {
        "format": FORMAT,
        "version": VERSION,
        "labelsift": __version__,
        "method": method,
        "parameters": plain(parameters),
        "data": data,
        "checksum": checksum,
        "n_features_in": int(n_features_in),
        "feature_names": _texts(feature_names),
        "order": [int(i) for i in order],
        "scores": [float(score) for score in scores],
        "costs": None if costs is None else [float(cost) for cost in costs],
        "label_names": _texts(label_names),
        "labels_form": [str(form) for form in labels_form],
        **dict.fromkeys(model),
        **(readout or {}),
    }


def among_selected(document: Mapping[str, Any]) -> dict[str, Any]:
    """The same selection by name alone: the other features are not mentioned."""
    names, places = document["feature_names"], sorted(document["order"])
    rank = {place: i for i, place in enumerate(places)}
    return {
        **document,
        "n_features_in": len(places),
        "feature_names": [names[place] for place in places],
        "order": [rank[place] for place in document["order"]],
    }


def _texts(names: Sequence[str] | None) -> list[str] | None:
    return None if names is None else [str(name) for name in names]


def plain(value: Any) -> Any:
    """A parameter as a JSON value; text where JSON has none."""
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float) and np.isfinite(value):
        return value
    return repr(value)


def read_saved(path: Path) -> dict[str, Any]:
    """Read and check a file of a saved selection.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    dict
        All fields of the format, of the right types and sizes.
    """
    content = read_document(path)
    try:
        document = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ValueError(
            f"{path} is not a selector file ({one_line(error)}): pass one that "
            "'labelsift select ... --save' or 'labelsift compare ... --save' wrote."
        ) from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ValueError(
            f"{path} is not a selector file: pass one that 'labelsift select ... "
            "--save' or 'labelsift compare ... --save' wrote."
        )
    if document.get("version") not in _READABLE:
        raise ValueError(
            f"{path} is a selector file of version "
            f"{short(document.get('version'), 20)}, and this labelsift reads version "
            f"{VERSION}: save the selection again."
        )
    if document["version"] == 1:
        document |= {"preparation": None, "labels_form": []}
        document |= {"costs": None, "thresholds": None}
    if document["version"] < VERSION:
        document["value_columns"] = None
    for key, is_right in _FIELDS.items():
        if key not in document or not is_right(document[key], document):
            raise ValueError(
                f"{path} is a damaged selector file, its {key!r} is missing or wrong: "
                "save the selection again."
            )
    return document


def _is_count(value: Any, _: Any) -> bool:
    return type(value) is int and 1 <= value <= _MOST_FEATURES


def _is_text(value: Any, _: Any) -> bool:
    return isinstance(value, str)


def _is_order(value: Any, document: dict[str, Any]) -> bool:
    return (
        isinstance(value, list)
        and all(type(i) is int and 0 <= i < document["n_features_in"] for i in value)
        and 0 < len(value) == len(set(value))
    )


def _are_numbers(value: Any, count: int) -> bool:
    return (
        isinstance(value, list) and len(value) == count and all(map(is_number, value))
    )


def _are_costs(value: Any, document: dict[str, Any]) -> bool:
    if value is None:
        return True
    return _are_numbers(value, len(document["order"])) and min(value) > 0


def _are_names(value: Any, count: int | None) -> bool:
    """None, or distinct strings of the required number."""
    if value is None:
        return True
    return (
        isinstance(value, list)
        and all(isinstance(name, str) for name in value)
        and len(value) == len(set(value))
        and count in (None, len(value))
    )


def _are_weights(value: Any, document: dict[str, Any]) -> bool:
    if value is None:
        return True
    columns = (document["preparation"] or {}).get("columns")
    count = len(document["order"]) if columns is None else sum(map(n_outputs, columns))
    return (
        isinstance(value, list)
        and len(value) > 0
        and all(_are_numbers(row, count) for row in value)
    )


def _is_preparation(value: Any, document: dict[str, Any]) -> bool:
    """None, or what is learned of the selected features and no others."""
    if value is None:
        return True
    try:
        columns = checked_document(value)["columns"]
    except ValueError:
        return False
    names = document["feature_names"]
    if names is None or any(column["kind"] == "drop" for column in columns):
        return False
    chosen = [names[i] for i in sorted(document["order"])]
    return [column["name"] for column in columns] == chosen


def _is_intercept(value: Any, document: dict[str, Any]) -> bool:
    coef = document["coef"]
    return value is None if coef is None else _are_numbers(value, len(coef))


def _are_flags(value: Any, document: dict[str, Any]) -> bool:
    """None, or one word of truth for each target."""
    if value is None:
        return True
    targets = document["coef"] or ()
    return isinstance(value, list) and [type(v) for v in value] == [bool] * len(targets)


# Checked in this order: later ones read earlier ones.
_FIELDS: dict[str, Callable[[Any, dict[str, Any]], bool]] = {
    "labelsift": _is_text,
    "method": _is_text,
    "parameters": lambda value, _: isinstance(value, dict),
    "data": _is_text,
    "checksum": _is_text,
    "n_features_in": _is_count,
    "feature_names": lambda value, all_: _are_names(value, all_["n_features_in"]),
    "order": _is_order,
    "scores": lambda value, all_: _are_numbers(value, len(all_["order"])),
    "costs": _are_costs,
    "label_names": lambda value, _: _are_names(value, None),
    "labels_form": lambda value, _: value is not None and _are_names(value, None),
    "preparation": _is_preparation,
    "coef": _are_weights,
    "intercept": _is_intercept,
    "thresholds": lambda value, all_: value is None or _is_intercept(value, all_),
    "value_columns": _are_flags,
}
