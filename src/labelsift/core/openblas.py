# SPDX-License-Identifier: BSD-3-Clause
"""The code that OpenBLAS runs: chosen when it is loaded, once for a process."""

import os
from pathlib import Path

# Where a user, or this module, says which code to take, and the one for AVX-512.
VARIABLE, AVX512 = "OPENBLAS_CORETYPE", "SkylakeX"
# What that code needs of a processor.
_NEEDED = {"avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl"}
_PROCESSOR = Path("/proc/cpuinfo")


def prefer_avx512() -> None:
    """Let OpenBLAS run its code for AVX-512 on AMD's processors that have it.

    OpenBLAS knows processors by their numbers, and takes those of AMD that are newer
    than itself for a Haswell, which has no AVX-512. It must not be loaded yet. A choice
    of the user stays, and so does OpenBLAS's own for processors of others.
    """
    if VARIABLE in os.environ:
        return
    about = _first_processor()
    flags = {*about.get("flags", "").split()}
    if about.get("vendor_id") == "AuthenticAMD" and flags >= _NEEDED:
        os.environ[VARIABLE] = AVX512


def _first_processor() -> dict[str, str]:
    """What Linux says about the first processor; nothing on other systems."""
    try:
        text = _PROCESSOR.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return {}
    lines = text.partition("\n\n")[0].splitlines()
    pairs = (line.partition(":") for line in lines)
    return {name.strip(): value.strip() for name, _, value in pairs}
