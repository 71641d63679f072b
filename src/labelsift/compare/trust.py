# SPDX-License-Identifier: BSD-3-Clause
"""Which features of the answer can be trusted: what the page shows of it, and when."""

from collections.abc import Sequence

from labelsift.compare.setup import Setup
from labelsift.experiment.all_rows import AllRows
from labelsift.experiment.trust import N_PAIRS, Trust, examine
from labelsift.prepare.parts import from_parameters_text

# What halving the rows may take; beyond, the page says how to ask for it.
MOST_SECONDS = 30.0


def examined(
    setup: Setup, method: str, features: Sequence[int], seconds: float
) -> Trust | str:
    """Examine the features that a method chose on all rows.

    Parameters
    ----------
    setup : Setup
        Of the comparison.
    method : str
        Which.
    features : sequence of int
        What it chose, best first.
    seconds : float
        What one of its fits took.

    Returns
    -------
    Trust or str
        Or why not.
    """
    chosen = setup.methods[method]
    if not features or chosen.spec.grid:
        return ""
    if not N_PAIRS * seconds <= MOST_SECONDS:
        return (
            f"How often each feature is chosen again was not examined, as {method} "
            f"would be fitted {2 * N_PAIRS} times: labelsift select with --explain "
            "does it."
        )
    told = setup.spec.preparation
    ready = AllRows(setup.data, from_parameters_text(told) if told else None)
    return examine(ready.fitted(chosen), features, seed=setup.protocol.seed)
