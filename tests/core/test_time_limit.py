# SPDX-License-Identifier: BSD-3-Clause
import subprocess
import sys
import time

import pytest

from labelsift.core.time_limit import TaskTimeoutError, limited, time_limit


def work(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    return seconds


def test_waiting_costs_no_processor_time():
    with time_limit(0.1, processor=True):
        time.sleep(0.3)


def test_processor_time_is_limited_and_the_error_says_so():
    text = r"limit of 0\.05 s of processor time"
    with pytest.raises(TaskTimeoutError, match=text), time_limit(0.05, processor=True):
        work(60)


def test_the_outer_of_two_limits_speaks_for_itself():
    with (
        pytest.raises(TaskTimeoutError, match=r"limit of 0\.05 s\.$"),
        time_limit(0.05),
        time_limit(60, processor=True),
    ):
        work(60)


def test_each_item_has_its_own_limit():
    assert list(limited((work(0.06) for _ in range(3)), 0.15)) == [0.06] * 3
    with pytest.raises(TaskTimeoutError):
        list(limited((work(60) for _ in range(3)), 0.05))
    assert list(limited(iter([]), None)) == []


def test_what_compiled_code_makes_of_the_error_is_still_the_limit():
    def compiled():
        try:
            work(60)
        except TaskTimeoutError as error:
            raise SystemError("returned a result with an exception set") from error

    for inner in (None, 60):
        with (
            pytest.raises(TaskTimeoutError, match=r"limit of 0\.05 s\.$"),
            time_limit(0.05),
            time_limit(inner),
        ):
            compiled()
    with pytest.raises(SystemError, match="of its own"), time_limit(60):
        raise SystemError("of its own")


STRIKES = """
from labelsift.core.time_limit import TaskTimeoutError, time_limit

for k in range(100):
    try:
        with time_limit(2e-3 + 5e-5 * k):
            while True:
                with time_limit(60):
                    pass
    except TaskTimeoutError:
        continue
"""


def test_a_limit_that_strikes_while_a_thread_is_started():
    """The new thread must not be struck: its starter would wait for it forever."""
    subprocess.run([sys.executable, "-c", STRIKES], check=True, timeout=100)
