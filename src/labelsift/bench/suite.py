# SPDX-License-Identifier: BSD-3-Clause
"""A table or figure of a paper: data sets, methods, a protocol and the claims."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from labelsift.bench.published import PAPERS
from labelsift.experiment.catalogue import READOUTS
from labelsift.experiment.inputs import PREPARE, SCALES, SPLITS
from labelsift.experiment.run import THRESHOLDS
from labelsift.experiment.task import MethodSpec, Protocol, Tuning
from labelsift.metrics import MEASURES


@dataclass(frozen=True)
class DataPart:
    """A data set of a suite.

    Parameters
    ----------
    name : str
        Registered name.
    prepare : tuple of str
        Steps before the split.
    scale : str
        Scaling learned on the training part.
    budgets : tuple of str
        Replace the suite's budgets.
    params, grids : mapping
        Parameters and grids of methods on this set, replacing their own.
    extra : bool
        Not in the paper.
    """

    name: str
    prepare: tuple[str, ...] = ()
    scale: str = "none"
    budgets: tuple[str, ...] = ()
    params: Mapping[str, Any] = field(default_factory=dict)
    grids: Mapping[str, Any] = field(default_factory=dict)
    extra: bool = False


@dataclass(frozen=True)
class MethodPart:
    """A method of a suite.

    Parameters
    ----------
    name : str
        Name in the tables; the catalogue may have another.
    spec : MethodSpec
        What to run.
    scale : str
        Replaces the data set's; empty: that of the data set.
    readouts : tuple of str
        Replace the suite's; empty: those of the suite.
    budgets : tuple of str or None
        Replace the suite's; None: those of the suite.
    """

    name: str
    spec: MethodSpec
    scale: str = ""
    readouts: tuple[str, ...] = ()
    budgets: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Suite:
    """A suite at one effort.

    Parameters
    ----------
    name, title : str
        Its name, and what it regenerates.
    paper, table : str
        As in the published cells; table is empty for a figure.
    effort : {"quick", "full"}
        Reduced or full protocol of the paper.
    splits : int
        How many of the protocol's splits are run.
    protocols : tuple of Protocol
        More than one where the training size varies.
    data, methods : tuple
        The data sets and methods.
    budgets, readouts, thresholds, measures : tuple of str
        As in Task.
    tuning : Tuning
        How methods choose from their grids.
    cut : str
        The threshold whose values are compared with the paper's.
    claims : tuple of dict
        What the paper says and how it is tested.
    notes : tuple of str
        How this effort differs from the paper.
    """

    name: str
    title: str
    paper: str
    table: str
    effort: str
    splits: int
    protocols: tuple[Protocol, ...]
    data: tuple[DataPart, ...]
    methods: tuple[MethodPart, ...]
    budgets: tuple[str, ...]
    readouts: tuple[str, ...]
    thresholds: tuple[str, ...]
    measures: tuple[str, ...]
    tuning: Tuning
    cut: str
    claims: tuple[dict[str, Any], ...]
    notes: tuple[str, ...]

    def __post_init__(self) -> None:
        for what, given, allowed in _named(self):
            for value in given:
                if value not in allowed:
                    raise ValueError(
                        f"Suite {self.name} has an unknown {what} {value!r}: choose "
                        f"from {', '.join(allowed)}."
                    )

    def grid(self, part: DataPart, method: MethodPart) -> dict[str, Any]:
        """The grid of a method on a data set.

        Parameters
        ----------
        part : DataPart
            The data set; values of its grid replace the method's.
        method : MethodPart
            The method.

        Returns
        -------
        dict
            Values by parameter.
        """
        return {**method.spec.grid, **part.grids.get(method.name, {})}

    @property
    def most_settings(self) -> int:
        """Points of the largest grid that a method of the suite chooses from."""
        sizes = [
            count_settings(self.grid(part, method))
            for part in self.data
            for method in self.methods
        ]
        return max(sizes, default=1)


def count_settings(grid: Mapping[str, Any]) -> int:
    """Points of a grid."""
    return math.prod(map(len, grid.values()))


def _named(suite: Suite) -> list[tuple[str, Any, Any]]:
    """What a suite names: the kind of thing, the names and those that are known."""
    methods = [method.name for method in suite.methods]
    readouts = [name for method in suite.methods for name in method.readouts]
    steps = [step.partition(":")[0] for part in suite.data for step in part.prepare]
    scales = [part.scale for part in suite.data]
    scales += [method.scale for method in suite.methods if method.scale]

    def claimed(entry: str) -> list[str]:
        return [claim[entry] for claim in suite.claims if entry in claim]

    return [
        ("paper", [suite.paper] if suite.table else [], PAPERS),
        (
            "measure",
            [*suite.measures, suite.tuning.measure, *claimed("measure")],
            MEASURES,
        ),
        ("threshold", [*suite.thresholds, suite.cut], THRESHOLDS),
        (
            "read-out",
            [*suite.readouts, *readouts, *claimed("readout")],
            ("self", *READOUTS),
        ),
        ("method", [*claimed("better"), *claimed("worse")], methods),
        ("method", [name for part in suite.data for name in part.params], methods),
        ("method", [name for part in suite.data for name in part.grids], methods),
        ("kind of protocol", [p.kind for p in suite.protocols], SPLITS),
        ("scale", scales, ("none", *SCALES)),
        ("preparation", steps, PREPARE),
    ]
