# SPDX-License-Identifier: BSD-3-Clause
"""In a process of its own: threads that are let go spin for a while, and other tests
measure processor time.
"""

import subprocess
import sys

import pytest

START = """
import numba
from threadpoolctl import threadpool_info
from labelsift.core.threads import limited_threads

most = numba.config.NUMBA_NUM_THREADS
numba.set_num_threads(most)  # loads what it needs

def in_use():
    return [it["num_threads"] for it in threadpool_info()], numba.get_num_threads()

before = in_use()
"""
LIMITED = """
with limited_threads(1):
    libraries, compiled = in_use()
assert set(libraries) == {1}, libraries
assert compiled == 1
"""
FAILED = """
try:
    with limited_threads(1):
        raise KeyError("own")
except KeyError:
    pass
"""
MORE = """
with limited_threads(most + 1):
    assert numba.get_num_threads() == most
"""


@pytest.mark.parametrize("work", [LIMITED, FAILED, MORE], ids=["1", "error", "more"])
def test_threads_are_limited_for_a_while(work):
    code = f"{START}{work}\nassert in_use() == before, in_use()"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
