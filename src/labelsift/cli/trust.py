# SPDX-License-Identifier: BSD-3-Clause
"""Which chosen features can be trusted, and what each is for: options and tables."""

import math
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from labelsift.cli.terminal import errors, show, show_table

if TYPE_CHECKING:
    from labelsift.core.data import MultiLabelData
    from labelsift.experiment.all_rows import AllRows, Selected
    from labelsift.experiment.catalogue import Chosen
    from labelsift.model_selection.trust import Trust


def trusting(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options about errors in the choice; they reach the command as ``asked``."""

    @wraps(command)
    def called(
        pfer: float | None, fdr: float | None, explain: bool, **rest: Any
    ) -> Any:
        return command(**rest, asked=Asked(pfer, fdr, explain))

    decorated: Callable[..., Any] = called
    for decorate in (
        click.option("--explain", is_flag=True,
                     help="Say how often each feature is chosen again on random halves "
                     "of the rows, what could replace it, and which labels it serves."),
        click.option("--fdr", type=click.FloatRange(0, 1, True, True), metavar="SHARE",
                     help="Choose as many features as can be named with at most about "
                     "this share of errors (knockoffs; dense data)."),
        click.option("--pfer", type=click.FloatRange(0, min_open=True),
                     metavar="NUMBER",
                     help="Choose as many features as are chosen again on random "
                     "halves with at most so many by luck (stability selection)."),
    ):  # fmt: skip
        decorated = decorate(decorated)
    return decorated


class Asked:
    """What is asked about the errors of a choice, and what became of it."""

    def __init__(self, pfer: float | None, fdr: float | None, explain: bool) -> None:
        self._pfer, self._fdr, self._explain = pfer, fdr, explain
        self.sentence = ""
        self.columns: dict[str, list[Any]] = {}
        self._trust: Trust | None = None

    @property
    def controls(self) -> bool:
        """Whether a bound decides how many features are chosen."""
        return self._pfer is not None or self._fdr is not None

    def given(self) -> dict[str, Any]:
        """The options by their names."""
        return {"--pfer": self._pfer, "--fdr": self._fdr, "--explain": self._explain}

    def method(self, name: str) -> str:
        """What chooses: knockoffs have a statistic of their own."""
        return name if self._fdr is None else "knockoffs"

    def check(self, given: dict[str, Any]) -> None:
        """Refuse what decides the number of features too."""
        if not self.controls:
            return
        option = "--pfer" if self._pfer is not None else "--fdr"
        if self._pfer is not None and self._fdr is not None:
            raise ValueError("--pfer and --fdr are two kinds of bounds: give one.")
        for name, value in given.items():
            if value is not None:
                raise ValueError(
                    f"{option} decides which features are chosen: leave {name} out."
                )

    def check_data(self, data: "MultiLabelData") -> None:
        """Refuse what halves of the rows, and knockoffs, are not made for."""
        if not (self.controls or self._explain):
            return
        option = "--pfer" if self._pfer is not None else "--fdr"
        option = option if self.controls else "--explain"
        if data.weights is not None:
            raise ValueError(f"{option} takes no weights of rows: leave --weights out.")
        if data.kind != data.target:
            raise ValueError(
                f"{option} needs every label, and some are unknown: leave it out, or "
                "choose another --label-missing."
            )

    def select(self, ready: "AllRows", chosen: "Chosen") -> "Selected | None":
        """The features; None where there are none to name."""
        from labelsift.model_selection.trust import named_features, stable_features

        fitted = ready.fitted(chosen)
        if self._pfer is not None:
            features, values, self.sentence = stable_features(fitted, self._pfer)
            self.columns = {"chosen again": [_percent(share) for share in values]}
        else:
            assert self._fdr is not None
            features, values, self.sentence = named_features(fitted, self._fdr)
            self.columns = {"draws": [_percent(share) for share in values]}
        return ready.of_features(features, chosen) if features else None

    def examine(self, ready: "AllRows", chosen: "Chosen", features: list[int]) -> None:
        """Examine the chosen features where that is asked for."""
        from labelsift.model_selection.trust import N_PAIRS, examine

        if self._explain:
            with errors.status(f"Halving the rows {N_PAIRS} times ..."):
                self._trust = examine(ready.fitted(chosen), features)

    def show(self) -> None:
        """Print what follows the table of features."""
        if self.sentence:
            show(self.sentence)
        if self._trust is not None:
            show_trust(self._trust)

    def document(self) -> dict[str, Any]:
        """What a program is told."""
        told: dict[str, Any] = {"meaning": self.sentence} if self.sentence else {}
        if self._trust is not None:
            told["explanation"] = trust_document(self._trust)
        return told


def show_trust(trust: "Trust") -> None:
    """Print the sentence and a row for each feature."""
    from labelsift.model_selection.trust import listed

    show(trust.meaning)
    columns: dict[str, list[Any]] = {
        "feature": [], "chosen again": [], "without it": [], "best substitute": [],
        "stands for": [], "serves": [],
    }  # fmt: skip
    for row in trust.rows:
        columns["feature"].append(row["name"])
        columns["chosen again"].append(_percent(row["again"]))
        columns["without it"].append(_percent(row["removal_loss"], "+"))
        loss = _percent(row["substitution_loss"], "+")
        substitute = f"{row['substitute']} ({loss})" if row["substitute"] else ""
        columns["best substitute"].append(substitute)
        columns["stands for"].append(listed(row["stands_for"]))
        columns["serves"].append(listed(row["serves"]) or "no label alone")
    title = (
        "What each is for: shares of random halves that choose it; how much the "
        "leave-one-out error rises without it, and with its best substitute"
    )
    show_table(title, columns, zip(*columns.values(), strict=True))
    show(
        "Substitutes are for what only you know, such as a cheaper sensor: swapping "
        "until the error here falls no more makes it worse on new rows."
    )


def trust_document(trust: "Trust") -> dict[str, Any]:
    """The same for a program."""
    bound = trust.bound
    return {
        "meaning": trust.meaning,
        "false_selections_bound": None if bound is None else bound.expected,
        "threshold": None if bound is None else bound.threshold,
        "features": [_plain(row) for row in trust.rows],
    }


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """NaN, which JSON does not have, as null."""
    return {
        name: None if isinstance(value, float) and math.isnan(value) else value
        for name, value in row.items()
    }


def _percent(share: float, sign: str = "") -> str:
    if not math.isfinite(share):
        return "–"
    return f"{100 * share:{sign}.{1 if sign else 0}f} %"
