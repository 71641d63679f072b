# SPDX-License-Identifier: BSD-3-Clause
import numba
import pytest
from threadpoolctl import threadpool_info

from labelsift.core.threads import limited_threads


def in_use():
    """Threads of linear algebra, and of numba."""
    return [library["num_threads"] for library in threadpool_info()], (
        numba.get_num_threads()
    )


def test_threads_are_limited_for_a_while():
    numba.set_num_threads(numba.get_num_threads())  # loads what it needs
    before = in_use()
    with limited_threads(1):
        libraries, compiled = in_use()
        assert set(libraries) == {1}
        assert compiled == 1
    assert in_use() == before


def test_the_limit_ends_with_an_error():
    numba.set_num_threads(numba.get_num_threads())
    before = in_use()
    with pytest.raises(KeyError), limited_threads(1):
        raise KeyError("own")
    assert in_use() == before


def test_more_threads_than_numba_has_are_as_many_as_it_has():
    with limited_threads(10_000):
        assert numba.get_num_threads() == numba.config.NUMBA_NUM_THREADS
