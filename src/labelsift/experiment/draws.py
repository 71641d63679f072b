# SPDX-License-Identifier: BSD-3-Clause
"""The random control is drawn several times, with another seed on every split."""

from dataclasses import replace

from labelsift.experiment.catalogue import RANDOM
from labelsift.experiment.task import MethodSpec

# What is called the random ranking is the mean of so many.
RANDOM_DRAWS = 8
# Seeds of one split: there is room for so many draws.
_APART = 1000


def draws_of(method: str) -> range:
    """How often a method of the catalogue is measured on a split."""
    return range(RANDOM_DRAWS if method == RANDOM else 1)


def with_seed(spec: MethodSpec, split: int, draw: int) -> MethodSpec:
    """The random ranking with the seed of a split and draw; others as they are.

    No two splits and draws share a seed; a ``random_state`` of the spec moves all.
    """
    if spec.name != RANDOM:
        return spec
    first = spec.params.get("random_state", 0)
    seed = first + _APART * split + draw
    return replace(spec, params={**spec.params, "random_state": seed})
