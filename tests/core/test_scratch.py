# SPDX-License-Identifier: BSD-3-Clause
"""A large array that is used again."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from labelsift.core import scratch
from labelsift.core.scratch import release_scratch, scratch_zeros


@pytest.fixture(autouse=True)
def released():
    release_scratch()
    yield
    release_scratch()


def test_zeros_each_time_in_the_same_memory():
    with scratch_zeros(3, 4) as first:
        first += 7
    for shape in [(3, 4), (2, 5), (12,)]:
        with scratch_zeros(*shape) as array:
            assert array.shape == shape
            assert array.flags.c_contiguous
            np.testing.assert_array_equal(array, 0)
            assert np.shares_memory(array, first)
            array += 7


def test_a_few_rows_more_fit_into_the_same_memory():
    with scratch_zeros(100, 100) as smaller:
        pass
    with scratch_zeros(102, 102) as larger:
        assert np.shares_memory(smaller, larger)


def test_more_takes_new_memory_which_is_used_from_then_on():
    with scratch_zeros(2, 2) as small:
        pass
    with scratch_zeros(5, 5) as large:
        assert not np.shares_memory(small, large)
    with scratch_zeros(2, 2) as small:
        assert np.shares_memory(small, large)


def test_blocks_inside_others_have_their_own():
    with scratch_zeros(4) as outer:
        outer += 1
        with scratch_zeros(4) as inner:
            assert not np.shares_memory(inner, outer)
            np.testing.assert_array_equal(inner, 0)
    assert len(scratch._free) == 1


def test_threads_have_their_own():
    def work(number):
        for _ in range(200):
            with scratch_zeros(50) as array:
                array += number
                np.testing.assert_array_equal(array, number)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(work, range(1, 9)))
    assert len(scratch._free) == 1


def test_an_error_loses_no_memory():
    with pytest.raises(ZeroDivisionError), scratch_zeros(4) as failed:
        raise ZeroDivisionError
    with scratch_zeros(4) as array:
        assert np.shares_memory(array, failed)


def test_release():
    with scratch_zeros(4):
        pass
    release_scratch()
    assert scratch._free == []
