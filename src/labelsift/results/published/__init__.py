# SPDX-License-Identifier: BSD-3-Clause
"""Every number printed in the tables of the papers, as data.

One file per paper: ``gu`` (CMLFS), ``ji`` (MLLS), ``jian`` (MIFS), ``rlefs`` and
``naula`` (greedy RLS). Data sets, methods and measures bear our names, so that a
result of ours is found by the same words; ``yahoo-NAME-full`` is the whole vocabulary
and ``yahoo-NAME`` the reduced one, whether or not the set is at hand. The Topics of
``jian`` are ``rcv1-subset1``. Methods that are no selector of ours alone:

- ``svm`` tunes C, ``svm-c1`` has C = 1 (``ji``);
- ``cca-ridge``, ``cca-svm``, ``fisher-svm``: first the one, then the other;
- ``ppt-mi``, ``ppt-chi2``: the two scores of ``PPT``;
- ``aso``, ``mlls``, ``mlknn``, ``larank-svm``, ``clarank-svm``: our classes.

Numbers stand as printed: those of ``gu`` are percentages. The text of ``gu``'s table
has lost its column of methods; they are told by their order and by what the paper says
of them. The averages over data sets in the tables of ``rlefs`` are left out.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files

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


@dataclass(frozen=True)
class PublishedCell:
    """A cell of a printed table.

    Parameters
    ----------
    paper : str
        A key of ``PAPERS``.
    table : str
        ``table2`` and so on.
    data : str
        Data set.
    method : str
        Method.
    measure : str
        A key of ``labelsift.metrics.MEASURES``, ``seconds`` or ``rank``.
    setting : str
        Budget (``10%`` of the features, or ``50`` of them) or read-out (``svm``,
        ``3nn``); empty where the table has no such distinction.
    mean : float
        The number, as printed.
    std : float or None
        Its standard deviation, as printed; None where there is none.
    """

    paper: str
    table: str
    data: str
    method: str
    measure: str
    setting: str
    mean: float
    std: float | None

    @property
    def scale(self) -> float:
        """What to divide by to have our scale: 100 for percentages, otherwise 1."""
        return 100.0 if self.paper == "gu" else 1.0


def published_cells(paper: str | None = None) -> list[PublishedCell]:
    """Read the printed cells of one paper, or of all.

    Parameters
    ----------
    paper : str or None, default=None
        A key of ``PAPERS``; None for all papers.

    Returns
    -------
    list of PublishedCell
        In the order of the tables, row by row.

    Examples
    --------
    >>> from labelsift.results import published_cells
    >>> cell = published_cells("naula")[0]
    >>> cell.data, cell.method, cell.setting, cell.measure, cell.mean, cell.std
    ('scene', 'greedy-rls', '10%', 'zero_one_loss', 0.6, 0.029)
    """
    if paper is None:
        return [cell for name in PAPERS for cell in _read(name)]
    if paper not in PAPERS:
        raise ValueError(f"There is no paper {paper!r}: known are {', '.join(PAPERS)}.")
    return list(_read(paper))


def _read(paper: str) -> Iterator[PublishedCell]:
    text = (files(__name__) / f"{paper}.csv").read_text(encoding="utf-8")
    for row in csv.DictReader(text.splitlines()):
        mean, std = row.pop("mean"), row.pop("std")
        yield PublishedCell(**row, mean=float(mean), std=float(std) if std else None)
