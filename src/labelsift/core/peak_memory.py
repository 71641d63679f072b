# SPDX-License-Identifier: BSD-3-Clause
"""Peak memory of a piece of work."""

import math
from pathlib import Path

_STATUS, _CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")


class PeakMemory:
    """Peak memory of the process above what was in use at creation.

    On Linux the kernel resets the peak, so that earlier work does not count; elsewhere
    it is not measured.
    """

    def __init__(self) -> None:
        self.before = math.nan
        try:
            _CLEAR.write_text("5")
            self.before = _kib("VmRSS")
        except OSError:
            return

    def mib(self) -> float:
        """MiB so far; NaN where the system does not report it."""
        if math.isnan(self.before):
            return math.nan
        return max(0.0, _kib("VmHWM") - self.before) / 1024


def _kib(name: str) -> float:
    for line in _STATUS.read_text().splitlines():
        if line.startswith(f"{name}:"):
            return float(line.split()[1])
    raise OSError(f"{_STATUS} has no {name}.")
