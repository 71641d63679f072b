# SPDX-License-Identifier: BSD-3-Clause
import sys

import pytest

from labelsift.core.optional import import_extra


def test_a_missing_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "plotly", None)
    with pytest.raises(ImportError, match=r"A page needs .*labelsift\[report\]"):
        import_extra("plotly", "A page")


def test_an_installed_extra_is_imported():
    assert import_extra("matplotlib.figure", "A picture").Figure
