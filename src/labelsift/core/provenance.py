# SPDX-License-Identifier: BSD-3-Clause
"""Which software and which machine a result comes from."""

import os
import platform
import re
from functools import cache
from importlib.metadata import requires, version
from typing import Any

from threadpoolctl import threadpool_info


@cache
def versions() -> dict[str, str]:
    """Versions of Python, labelsift and the packages that labelsift requires."""
    required = [line for line in requires("labelsift") or [] if "extra ==" not in line]
    names = [re.split(r"[^\w.-]", line, maxsplit=1)[0] for line in required]
    return {"python": platform.python_version()} | {
        name: version(name) for name in ("labelsift", *names)
    }


def provenance() -> dict[str, Any]:
    """Versions and machine, in plain values."""
    return {
        "versions": versions(),
        "machine": {
            "system": platform.system(),
            "processor": platform.machine(),
            "cores": os.cpu_count() or 1,
            "linear_algebra": linear_algebra(),
        },
    }


def linear_algebra() -> list[str]:
    """Libraries of linear algebra that are loaded, with the processor they are for.

    One machine may use other instructions than the next: last digits then differ.
    """
    loaded = threadpool_info()
    parts = ("internal_api", "version", "architecture")
    names = (
        " ".join(str(it[part]) for part in parts if it.get(part))
        for it in loaded
        if it["user_api"] == "blas"
    )
    return sorted(set(names))
