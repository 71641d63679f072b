# SPDX-License-Identifier: BSD-3-Clause
"""ARFF files of Mulan (with an XML of label names) and of MEKA (``-C`` in the header).

Why a reader of our own: ``scipy.io.arff`` (1.17) has no sparse rows and fails on
enron. liac-arff (2.5.0) reads all five sets of the tests, but is hardly maintained: its
last release is of August 2020. It rejects a file with a date attribute, even one that
is to be dropped, and makes a Python object of every cell. Neither knows labels, gzip
or limits. Both files of scene (6.2 MB) take 0.20 s and 8.7 MB here, 0.28 s and 17 MB
with scipy, 0.29 s and 30 MB with liac-arff (``perf/readers.py``).
"""

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any, cast

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from labelsift.core.data import MultiLabelData
from labelsift.core.files import check_file
from labelsift.datasets.arff_header import Attribute, read_header
from labelsift.datasets.arff_rows import Column, Role, RowParser, SparseRows, finite
from labelsift.datasets.columns import Patterns, as_patterns, split_columns
from labelsift.datasets.memory import Size
from labelsift.datasets.mulan_xml import read_label_names
from labelsift.datasets.textfile import LineReader, bare_stem, shown
from labelsift.datasets.values import check_target

_MEKA_COUNT = re.compile(r"(?:^|[\s:])-[Cc]\s+(-?\d{1,9})(?:\s|$)")
_PART = re.compile(r"[-_](train|test)$", re.IGNORECASE)
# Bytes that writing out one omitted category takes: masks, indices and values.
_FILL_BYTES = 64
_LABEL_CODES = ({"0": 0.0, "1": 1.0}, {"false": 0.0, "true": 1.0})

Labels = Patterns | Path | int | None


def read_arff(
    path: str | Path,
    labels: Labels = None,
    *,
    drop: Patterns = (),
    target: str | None = None,
    memory: Size = None,
) -> MultiLabelData:
    """Read a multi-label or multi-target data set from an ARFF file.

    Rows may be dense or sparse (X is then a csr_array); the file may
    be gzip. A nominal value becomes its number where every category is a number, else
    its position in the declaration. ``?`` becomes NaN. A label is 0 or 1 (or false
    and true). Columns keep the order of the file, also where the XML has another.

    Time and memory are linear in the file: at most 24 bytes a cell of dense rows, 72 a
    pair of sparse ones, 1 kB an attribute and 256 bytes a category.

    Parameters
    ----------
    path : str or Path
        The file.
    labels : str, Path, iterable of str, int or None, default=None
        Which attributes are labels: an XML file of Mulan (a path that ends in .xml),
        names or patterns such as ``"tag_*"``, or a count, the first n or, negative,
        the last n. None: the XML file of the same name in its folder (``scene.xml`` for
        ``scene.arff``, ``scene-train.arff`` and ``scene-test.arff``), else MEKA's
        count ``-C n`` in the name of the relation.
    drop : str or iterable of str, default=()
        Names or patterns of attributes to leave out, such as strings and dates.
    target : {"labels", "values"} or None, default=None
        What the attributes of ``labels`` hold; values in Mulan's regression sets. None:
        labels.
    memory : int, str or None, default=None
        What reading may take, in bytes or as "8G"; None: 2G. More is a ValueError.

    Returns
    -------
    MultiLabelData
        The data, X in float64.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from labelsift.datasets import read_arff
    >>> header = "@relation 'r: -C 1'\\n@attribute y {0,1}\\n@attribute x real\\n"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "small.arff")
    ...     _ = file.write_text(header + "@data\\n1,.5")
    ...     data = read_arff(file)
    >>> data.label_names, data.X.tolist(), data.Y.tolist()
    (('y',), [[0.5]], [[1]])
    """
    path = Path(path)
    check_file(path)
    lines = LineReader(path, memory)
    every_line = iter(lines)
    header = read_header(lines, every_line)
    names = [attribute.name for attribute in header.attributes]
    wanted = _label_patterns(path, header.relation, names, labels)
    features, chosen = split_columns(names, wanted, drop, str(path))
    check_target(target)
    values = target == "values"  # numbers, as features are
    read, bits = ([*features, *chosen], []) if values else (features, chosen)
    columns = _columns(lines, header.attributes, read, bits)
    form = np.float64 if values else np.int8
    X, Y = _matrices(lines, every_line, columns, features, chosen, form)
    if values:
        _check_known(path, Y)
    return MultiLabelData(
        X=X,
        Y=Y,
        feature_names=tuple(names[i] for i in features),
        label_names=tuple(names[i] for i in chosen),
        name=bare_stem(path),
        target=target or "labels",
    )


def _check_known(path: Path, Y: NDArray[Any]) -> None:
    gaps = np.flatnonzero(np.isnan(Y).any(axis=1))
    if len(gaps):
        raise ValueError(
            f"{path}: {len(gaps):,} rows have a target that is missing, row "
            f"{gaps[0] + 1} for one: leave them out, or drop that target."
        )


def _label_patterns(
    path: Path, relation: str, names: list[str], labels: Labels
) -> Patterns:
    """Names or patterns of the labels, from the argument or the files."""
    if isinstance(labels, int):
        return _counted(path, names, labels)
    if labels is None:
        xml = _neighbouring_xml(path)
        if xml is not None:
            return _from_xml(path, names, xml)
        count = _MEKA_COUNT.search(relation)
        if count:
            return _counted(path, names, int(count[1]))
        raise ValueError(
            f"{path} has no XML file in its folder and no -C in its @relation: its "
            "labels are unknown; pass labels=, their names or the XML file."
        )
    patterns = as_patterns(str(labels) if isinstance(labels, Path) else labels)
    if len(patterns) == 1 and patterns[0].lower().endswith(".xml"):
        return _from_xml(path, names, Path(patterns[0]))
    return patterns


def _neighbouring_xml(path: Path) -> Path | None:
    stem = bare_stem(path)
    for name in (stem, _PART.sub("", stem)):
        if (xml := path.with_name(f"{name}.xml")).exists():
            return xml
    return None


def _from_xml(path: Path, names: list[str], xml: Path) -> list[str]:
    wanted = read_label_names(xml)
    known = set(names)
    for name in wanted:
        if name not in known:
            raise ValueError(
                f"{xml} names the label {shown(name)}, which {path} does not have: "
                "check that the two files belong together."
            )
    return wanted


def _counted(path: Path, names: list[str], count: int) -> list[str]:
    """The first n names, or the last n of them for a negative count."""
    if not 0 < abs(count) < len(names):
        raise ValueError(
            f"{path} has {len(names)} attributes, so the number of labels cannot be "
            f"{count}: pass labels=, their names or their number."
        )
    return names[:count] if count > 0 else names[count:]


def _columns(
    lines: LineReader,
    attributes: list[Attribute],
    features: list[int],
    labels: list[int],
) -> list[Column]:
    roles: list[Role] = ["dropped"] * len(attributes)
    for i in features:
        roles[i] = "feature"
    for i in labels:
        roles[i] = "label"
    known: dict[tuple[Role, tuple[str, ...]], dict[str, float]] = {}
    columns = []
    for attribute, role in zip(attributes, roles, strict=True):
        values = None
        if role == "feature" and attribute.kind in ("string", "date"):
            raise lines.error(
                f"attribute {shown(attribute.name)} is a {attribute.kind} and not "
                f"numeric: leave it out with drop=[{shown(attribute.name)}]",
                attribute.line,
            )
        if role != "dropped" and attribute.kind == "nominal":
            key = (role, attribute.categories)
            if key not in known:
                known[key] = _category_values(lines, attribute, role)
            values = known[key]
        columns.append(Column(attribute.name, role, values))
    return columns


def _category_values(
    lines: LineReader, attribute: Attribute, role: Role
) -> dict[str, float]:
    """The number of each category: its own where all are numbers, else its position."""
    categories = attribute.categories
    if role == "feature":
        numbers = [finite(category) for category in categories]
        if None in numbers:
            return {category: float(i) for i, category in enumerate(categories)}
        return dict(zip(categories, cast(list[float], numbers), strict=True))
    for code in _LABEL_CODES:
        if all(category.lower() in code for category in categories):
            return {category: code[category.lower()] for category in categories}
    raise lines.error(
        f"label {shown(attribute.name)} has the categories "
        f"{', '.join(categories)[:60]}: a label must be 0 or 1",
        attribute.line,
    )


def _matrices(
    lines: LineReader,
    every_line: Iterator[str],
    columns: list[Column],
    features: list[int],
    labels: list[int],
    form: Any,
) -> tuple[Any, NDArray[Any]]:
    """X and Y from the lines after ``@data``; the first row decides whether sparse."""
    rows = (line for line in every_line if line and line[0] != "%")
    first = next(rows, None)
    if first is None:
        raise ValueError(
            f"{lines.path} has no rows after @data: it is empty or truncated."
        )
    parser = RowParser(lines, columns)
    if first[0] != "{":
        table = parser.dense(chain([first], rows))
        return table[:, features], table[:, labels].astype(form)
    entries = parser.sparse(chain([first], rows))
    n_bits = (len(entries.start) - 1) * len(labels)
    lines.check_implied(n_bits, "label matrix")
    lines.bound.check(3 * np.dtype(form).itemsize * n_bits, "its label matrix")
    matrix = _filled(lines, entries, columns)
    X = matrix[:, features]
    X.eliminate_zeros()
    X.sort_indices()
    return X, matrix[:, labels].astype(form).toarray()


def _filled(lines: LineReader, entries: SparseRows, columns: list[Column]) -> Any:
    """All entries as CSR, including defaults that are not zero."""
    shape = (len(entries.start) - 1, len(columns))
    matrix = sp.csr_array((entries.value, entries.column, entries.start), shape=shape)
    defaults = np.array([column.default for column in columns])
    filled = np.flatnonzero(defaults)
    if not len(filled):
        return matrix
    needed = _FILL_BYTES * shape[0] * len(filled)
    lines.check_implied(needed, "omitted first category")
    lines.bound.check(needed, "its omitted first category")
    place = np.full(len(columns), -1)
    place[filled] = np.arange(len(filled))
    omitted = np.ones((shape[0], len(filled)), dtype=bool)
    row = np.repeat(np.arange(shape[0]), np.diff(entries.start))
    given = place[entries.column] >= 0
    omitted[row[given], place[entries.column[given]]] = False
    row, which = np.nonzero(omitted)
    column = filled[which]
    return matrix + sp.csr_array((defaults[column], (row, column)), shape=shape)
