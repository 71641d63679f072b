# SPDX-License-Identifier: BSD-3-Clause
"""Which methods, read-outs and measures take weights of rows; loaded where some are."""

from collections.abc import Iterable, Mapping
from inspect import signature
from typing import Any

from sklearn.utils.validation import has_fit_parameter

from labelsift.classification import LabelScorer
from labelsift.experiment.catalogue import CATALOGUE, Chosen, readouts_of, selectors_of
from labelsift.metrics import EVERY_MEASURE

WHY = "Takes no weights of rows."


def takes_weights(estimator: Any) -> bool:
    """Whether a fit takes weights; of what scores labels, whether that of its model."""
    if isinstance(estimator, LabelScorer):
        return estimator.estimator is None or takes_weights(estimator.estimator)
    return bool(has_fit_parameter(estimator, "sample_weight"))


def able(names: Iterable[str]) -> list[str]:
    """Those methods of the catalogue that take weights."""
    return [name for name in names if takes_weights(CATALOGUE[name].make(2))]


def check_methods(methods: Mapping[str, Chosen], kind: str) -> None:
    """Refuse a method that takes no weights; ``kind`` says what Y holds."""
    for name, chosen in methods.items():
        estimator = chosen.estimator or CATALOGUE[chosen.spec.name].make(2)
        if not takes_weights(estimator):
            raise ValueError(
                f"{name} takes no weights of rows: leave --weights (sample_weight) "
                f"out, or choose from {', '.join(able(selectors_of(kind)))}."
            )


def check_readouts(readouts: Mapping[str, Any], kind: str) -> None:
    """Refuse a read-out that takes no weights; ``kind`` says what Y holds."""
    known = readouts_of(kind)
    for name, readout in readouts.items():
        if not takes_weights(known[name]() if readout is None else readout):
            can = [other for other in known if takes_weights(known[other]())]
            raise ValueError(
                f"readout {name} takes no weights of rows: leave --weights "
                f"(sample_weight) out, or choose from {', '.join(can)}."
            )


def check_measures(names: Iterable[str]) -> None:
    """Refuse a measure of the user whose function takes no weights."""
    for name in names:
        if "sample_weight" not in signature(EVERY_MEASURE[name].function).parameters:
            raise ValueError(
                f"measure {name!r} takes no weights of rows: give its function an "
                "argument sample_weight, or leave the measure out."
            )
