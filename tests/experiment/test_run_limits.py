# SPDX-License-Identifier: BSD-3-Clause
import threading
import time

import pytest

from labelsift.core.time_limit import TaskTimeoutError, time_limit


def busy(seconds=20.0):
    """Work in Python that ends by itself, much later."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(0.001)


def test_work_that_takes_too_long_is_stopped():
    with pytest.raises(TaskTimeoutError), time_limit(0.05):
        busy()


def test_work_that_catches_every_error_is_stopped_all_the_same():
    def stubborn():
        for _ in range(3):
            try:
                busy()
            except Exception:
                continue

    with pytest.raises(TaskTimeoutError), time_limit(0.05):
        stubborn()


def test_a_thread_that_is_not_the_main_one_is_limited_too():
    ended = []

    def work():
        try:
            with time_limit(0.05):
                busy()
        except TaskTimeoutError:
            ended.append("timeout")

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(15)
    assert ended == ["timeout"]


def test_nothing_comes_after_work_that_was_in_time():
    with time_limit(0.05):
        pass
    busy(0.15)  # the time of the limit passes here


def test_errors_of_the_work_pass_and_end_the_limit():
    with pytest.raises(KeyError), time_limit(0.05):
        raise KeyError("own")
    busy(0.15)


def test_no_limit():
    with time_limit(None):
        busy(0.01)
