# SPDX-License-Identifier: BSD-3-Clause
"""Every number printed in the tables of the papers, as data.

One file per paper: ``gu`` (CMLFS), ``ji`` (MLLS), ``jian`` (MIFS), ``rlefs`` and
``naula`` (greedy RLS). Data sets, methods and measures have our names, to be
joined to our results; ``yahoo-NAME-full`` is the whole vocabulary
and ``yahoo-NAME`` the reduced one, whether or not the set is available. The Topics of
``jian`` are ``rcv1-subset1``. Methods other than single selectors:

- ``svm`` tunes C, ``svm-c1`` has C = 1 (``ji``);
- ``cca-ridge``, ``cca-svm``, ``fisher-svm``: one after the other;
- ``ppt-mi``, ``ppt-chi2``: the two scores of ``PPT``;
- ``aso``, ``mlls``, ``mlknn``, ``larank-svm``, ``clarank-svm``: our classes.

Numbers are as printed: those of ``gu`` are percentages. The text of ``gu``'s table
has lost its column of methods; they are identified by their order and by the paper's
text. The averages over data sets in the tables of ``rlefs`` are left out.
"""

from importlib.resources import as_file, files

import pandas as pd

from labelsift.experiment.results import read_csv

PAPERS: dict[str, str] = {
    "gu": "Gu, Li, Han (2011), Correlated multi-label feature selection",
    "ji": "Ji, Tang, Yu, Ye (2008), Extracting shared subspace for multi-label "
    "classification",
    "jian": "Jian, Li, Shu, Liu (2016), Multi-label informed feature selection",
    "rlefs": "Li, Hu, Gao, Robust multi-label feature selection with shared label "
    "enhancement",
    "naula": "Naula, Airola, Salakoski, Pahikkala (2014), Multi-label learning under "
    "feature extraction budgets",
}
COLUMNS: dict[str, type] = {
    **dict.fromkeys(("paper", "table", "data", "method", "measure", "setting"), str),
    **dict.fromkeys(("mean", "std"), float),
}
# Papers whose numbers are percentages.
_PERCENT = ("gu",)


def published_cells(paper: str | None = None) -> pd.DataFrame:
    """Read the printed cells of one paper, or of all.

    Parameters
    ----------
    paper : str or None, default=None
        A key of ``PAPERS``; None for all papers.

    Returns
    -------
    DataFrame
        A row for every cell, in the order of the tables: paper, table ("table2" and so
        on), data, method, measure (a key of ``labelsift.metrics.MEASURES``, "seconds"
        or "rank"), setting (a budget: "10%" of the features or "50" of them; or a
        read-out: "svm", "3nn"; empty where the table has no such distinction), mean and
        std as printed (NaN where none is), and scale: what our value is multiplied by
        to have the printed scale, 100 for percentages and otherwise 1.

    Examples
    --------
    >>> from labelsift.bench import published_cells
    >>> cell = published_cells("naula").iloc[0]
    >>> cell.data, cell.method, cell.setting, cell.measure, float(cell["mean"])
    ('scene', 'greedy-rls', '10%', 'zero_one_loss', 0.6)
    """
    if paper is None:
        return pd.concat(map(published_cells, PAPERS), ignore_index=True)
    if paper not in PAPERS:
        raise ValueError(f"There is no paper {paper!r}: use {', '.join(PAPERS)}.")
    with as_file(files(__name__) / f"{paper}.csv") as path:
        cells = read_csv(path, COLUMNS)
    return cells.assign(scale=100.0 if paper in _PERCENT else 1.0)
