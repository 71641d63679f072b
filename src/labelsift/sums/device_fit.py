# SPDX-License-Identifier: BSD-3-Clause
"""``fit`` on arrays of other libraries than numpy: sums are made where the rows are."""

from typing import Any, ClassVar, Self

from labelsift.core.arrays import is_foreign, library
from labelsift.core.validation import validate_parameters
from labelsift.sums.device import DeviceBlock
from labelsift.sums.sums import Sums


class DeviceFitMixin:
    """A ``fit`` that takes such arrays, for estimators with ``fit_sums``."""

    takes_device = True
    _products: ClassVar[tuple[bool, bool]]

    def _fit_weighted(self, X: Any, y: Any, sample_weight: Any) -> Self:
        """Fit; rows on a device are summed there."""
        if not is_foreign(X):
            return super()._fit_weighted(X, y, sample_weight)  # type: ignore[misc]
        validate_parameters(self)
        block = DeviceBlock.read(X, y, sample_weight, getattr(self, "target", "labels"))
        return self._fit_device(block)

    def _fit_device(self, block: DeviceBlock) -> Self:
        """Fit from the sums; methods that need more ask the rows again."""
        calibration = getattr(self, "calibration", None)
        if calibration is not None:
            raise ValueError(
                f"calibration={calibration!r} is not possible on arrays of "
                f"{library(block.X)}: pass calibration=None, or pass numpy arrays."
            )
        self._check_sums_options()  # type: ignore[attr-defined]
        sums: Sums = self._new_sums()  # type: ignore[attr-defined]
        return self.fit_sums(sums.update_device(block))  # type: ignore[attr-defined]
