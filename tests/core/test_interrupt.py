# SPDX-License-Identifier: BSD-3-Clause
import threading
import time
import warnings

import pytest

from labelsift.core.interrupt import interruptible
from labelsift.core.time_limit import TaskTimeoutError, time_limit


def test_the_result_and_the_error_of_the_work_come_back():
    assert interruptible(lambda: 3) == 3

    def fails():
        raise TimeoutError("of the work")

    with pytest.raises(TimeoutError, match="of the work"):
        interruptible(fails)


def test_warnings_of_the_work_are_seen():
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        interruptible(lambda: warnings.warn("mine", UserWarning, stacklevel=1))
    assert [str(warning.message) for warning in told] == ["mine"]


def test_a_time_limit_is_heard_while_the_work_goes_on():
    end = threading.Event()
    start = time.perf_counter()
    with pytest.raises(TaskTimeoutError), time_limit(0.2):
        interruptible(lambda: end.wait(60))  # one call that does not listen
    assert time.perf_counter() - start < 20
    end.set()
