# SPDX-License-Identifier: BSD-3-Clause
"""How long a minimisation over the rows of W will take, said before it starts."""

from labelsift.core.warning import warn
from labelsift.solvers.row_sparse.least_squares import RowLoss

# From so many seconds on a forecast is said.
_LONG = 60.0


def warn_if_long(loss: RowLoss, passes: float, owner: str, remedy: str) -> None:
    """Warn of a long fit, from the time of one product of X and the targets.

    ``passes`` is how many such products a fit of the owner costs, about: measured with
    default parameters on sparse sets of text (yahoo-arts-full, yahoo-science-full, of
    MTLasso also rcv1-subset1), where it was right within a factor of two. Other
    penalties, other data or a busy machine can be further off.
    """
    seconds = passes * loss.pass_seconds
    if seconds >= _LONG:
        n_features, n_labels = loss.cross.shape
        warn(
            f"{owner} will take about {seconds / 60:.0f} minutes on {n_features} "
            f"features and {n_labels} labels ({passes:.0f} products with X of "
            f"{loss.pass_seconds:.2g} s each): {remedy}"
        )
