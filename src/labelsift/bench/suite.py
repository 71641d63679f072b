# SPDX-License-Identifier: BSD-3-Clause
"""A table or figure of a paper: data sets, methods, a protocol and the claims."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

from labelsift.experiment.task import DataSpec, MethodSpec, Protocol, Tuning


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
    path, test : str
        A file, and one with the rows of the test part; empty: a registered name.
    splits : str
        A file of splits; empty: the protocol makes them.
    digest : str
        The sha256 of its splits; empty: not checked.
    labels, drop : tuple of str
        Patterns of the label columns and of columns to leave out, for files.
    """

    name: str
    prepare: tuple[str, ...] = ()
    scale: str = "none"
    budgets: tuple[str, ...] = ()
    params: Mapping[str, Any] = field(default_factory=dict)
    grids: Mapping[str, Any] = field(default_factory=dict)
    extra: bool = False
    path: str = ""
    test: str = ""
    splits: str = ""
    digest: str = ""
    labels: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()

    def spec(self, data_home: str = "") -> DataSpec:
        """Where the data is; see ``find_data`` for its checksum."""
        return DataSpec(
            self.path or self.name,
            labels=self.labels,
            drop=self.drop,
            data_home=data_home,
            test=self.test,
            splits=self.splits,
        )


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
    estimator : estimator or None
        What the user brings; None: the catalogue makes it.
    """

    name: str
    spec: MethodSpec
    scale: str = ""
    readouts: tuple[str, ...] = ()
    budgets: tuple[str, ...] | None = None
    estimator: Any = None


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
    readout_budgets : mapping of str to tuple of str
        Budgets of read-outs that are not trained at all of them.
    fit_limit : float
        Seconds of processor time for a fit; 0: any.
    artifacts : tuple of str
        What is stored with the values, as in Task.
    own_readouts : mapping of str to estimator
        Read-outs that the user brings.
    own_measures : mapping of str to Measure
        Measures that the user brings.
    content : mapping
        The file that it was read from, merged with what that extends.
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
    readout_budgets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    fit_limit: float = 0.0
    artifacts: tuple[str, ...] = ()
    own_readouts: Mapping[str, Any] = field(default_factory=dict)
    own_measures: Mapping[str, Any] = field(default_factory=dict)
    content: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)

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

    def most_settings(self, method: MethodPart) -> int:
        """Points of the largest grid of a method on any of the data sets."""
        sizes = [count_settings(self.grid(part, method)) for part in self.data]
        return max(sizes, default=1)

    @property
    def all_budgets(self) -> tuple[str, ...]:
        """The budgets of the suite; where it has none, those of its data sets."""
        of_data = [budget for part in self.data for budget in part.budgets]
        return self.budgets or tuple(dict.fromkeys(of_data))

    @property
    def all_readouts(self) -> tuple[str, ...]:
        """The read-outs of the suite, then those that only some methods have."""
        own = (name for method in self.methods for name in method.readouts)
        return tuple(dict.fromkeys((*self.readouts, *own)))

    @property
    def sweeps(self) -> bool:
        """Whether it shows every setting of a method: a study, no comparison."""
        return any(method.spec.sweep for method in self.methods)

    def only(
        self,
        data: Collection[str] = (),
        methods: Collection[str] = (),
        measures: Collection[str] = (),
        readouts: Collection[str] = (),
        budgets: Collection[str] = (),
    ) -> Self:
        """A part of the suite; what is empty stays whole.

        Parameters
        ----------
        data, methods, measures, readouts : collection of str
            Names; an unknown one is a ValueError.
        budgets : collection of str
            In place of the suite's and of its data sets'.

        Returns
        -------
        Suite
            Without the claims about other methods, measures or read-outs.
        """
        sets = _chosen("data set", [part.name for part in self.data], data)
        names = _chosen("method", [part.name for part in self.methods], methods)
        measures = _chosen("metric", self.measures, measures)
        fitted = self.readouts
        if readouts:
            fitted = _chosen("read-out", self.all_readouts, readouts)
        parts = [part for part in self.data if part.name in sets]
        if budgets:
            parts = [replace(part, budgets=()) for part in parts]
        return replace(
            self,
            data=tuple(parts),
            methods=tuple(part for part in self.methods if part.name in names),
            measures=measures,
            readouts=fitted,
            budgets=tuple(budgets) or self.budgets,
            claims=tuple(
                claim
                for claim in self.claims
                if {claim["better"], claim["worse"]} <= {*names}
                and claim["measure"] in measures
                and claim.get("readout", fitted[0]) in fitted
            ),
        )


def _chosen(
    what: str, known: Sequence[str], wanted: Collection[str]
) -> tuple[str, ...]:
    """The known names that are wanted, in their order; all where none is named."""
    for name in wanted:
        if name not in known:
            raise ValueError(
                f"There is no {what} {name!r} in the suite: choose from "
                f"{', '.join(known)}."
            )
    return tuple(name for name in known if not wanted or name in wanted)


def count_settings(grid: Mapping[str, Any]) -> int:
    """Points of a grid."""
    return math.prod(map(len, grid.values()))
