# SPDX-License-Identifier: BSD-3-Clause
"""A function that cannot be compiled runs as it is, after one warning of its kind."""

import warnings
from contextlib import nullcontext
from types import SimpleNamespace

import numpy as np
import pytest

from devices import there
from labelsift.core import compiled as room
from labelsift.core.compiled import compiled

__all__ = ["there"]


class OutOfMemoryError(RuntimeError):
    pass


class Torch(SimpleNamespace):
    """What of torch is used to compile; ``failing`` arguments raise ``error``."""

    def __init__(self, error):
        super().__init__(error=error, failing=(), compiled=0)
        for name in ("amin", "maximum", "reshape", "stack", "sum"):
            setattr(self, name, getattr(np, name))
        self.cuda = SimpleNamespace(OutOfMemoryError=OutOfMemoryError)
        config = SimpleNamespace(patch=lambda **options: nullcontext())
        self._dynamo = SimpleNamespace(config=config)

    __hash__ = object.__hash__

    def compile(self, function, **options):
        assert options == {"dynamic": False, "fullgraph": True}

        def fast(value):
            if value in self.failing:
                raise self.error
            self.compiled += 1
            return function(value)

        return fast


def double(xp, value):
    return 2 * value


@pytest.fixture
def torch(monkeypatch):
    fake = Torch(RuntimeError("no compiler\nand more"))
    monkeypatch.setattr(room, "library", lambda X: "torch")
    monkeypatch.setattr(room, "namespace", lambda X: np)
    monkeypatch.setattr(room, "import_extra", lambda *names: fake)
    monkeypatch.setattr(room, "_FAILED", set())
    return fake


X = SimpleNamespace(device=SimpleNamespace(type="cuda"))


def test_a_failing_kind_warns_once_and_leaves_others_alone(torch):
    torch.failing = (3,)
    with pytest.warns(UserWarning, match=r"\(no compiler\): steps on cuda run one"):
        assert compiled(double, X, "steps")(3) == 6
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert compiled(double, X, "steps")(3) == 6
        assert torch.compiled == 0
        assert compiled(double, X, "other steps")(4) == 8
    assert torch.compiled == 1
    with pytest.warns(UserWarning, match="other steps"):
        assert compiled(double, X, "other steps")(3) == 6


def test_too_little_memory_is_an_error(torch):
    torch.failing, torch.error = (3,), OutOfMemoryError("none left")
    with pytest.raises(OutOfMemoryError):
        compiled(double, X, "steps")(3)


def test_other_libraries_run_as_they_are(there):
    array = there(np.arange(3.0))

    def largest(xp, value):
        return float(xp.max(value))

    assert compiled(largest, array, "largest")(array) == 2
