# SPDX-License-Identifier: BSD-3-Clause
import math

import numpy as np
import pytest

from labelsift.core import peak_memory
from labelsift.core.peak_memory import PeakMemory


def test_memory_of_a_piece_of_work():
    memory = PeakMemory()
    if math.isnan(memory.before):
        pytest.skip("this system does not tell the peak of a process")
    block = np.ones(8_000_000)
    assert block.sum() == 8_000_000
    del block
    assert 50 < memory.mib() < 200
    assert PeakMemory().mib() < 50  # an earlier peak does not count


def test_memory_is_nan_where_the_system_does_not_tell(monkeypatch, tmp_path):
    monkeypatch.setattr(peak_memory, "_CLEAR", tmp_path / "absent" / "clear_refs")
    assert math.isnan(PeakMemory().mib())
    monkeypatch.setattr(peak_memory, "_CLEAR", tmp_path / "clear_refs")
    (tmp_path / "status").write_text("Name: x\n")
    monkeypatch.setattr(peak_memory, "_STATUS", tmp_path / "status")
    assert math.isnan(PeakMemory().mib())
