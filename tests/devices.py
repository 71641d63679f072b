# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of other libraries than numpy, for tests."""

import pytest
import sklearn
from sklearn.utils.fixes import parse_version

LIBRARIES = ("array_api_strict", "torch")


@pytest.fixture(params=LIBRARIES)
def there(request, monkeypatch):
    """Turns numpy arrays into those of a library, on a device that is not the host."""
    with dispatch(monkeypatch):
        yield on_device(request.param)


def dispatch(monkeypatch):
    """scikit-learn told to work with arrays of other libraries."""
    if parse_version(sklearn.__version__) < parse_version("1.7"):
        pytest.skip("arrays of other libraries need scikit-learn 1.7")
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")  # scikit-learn asks for it
    return sklearn.config_context(array_api_dispatch=True)


def on_device(library):
    """A function that moves a numpy array to a device of a library."""
    if library == "torch":
        reason = "torch is in the extra gpu: run make test-gpu"
        torch = pytest.importorskip("torch", reason=reason)
        device = "cuda" if torch.cuda.is_available() else "cpu"
        return lambda array: torch.asarray(array.copy(), device=device)
    strict = pytest.importorskip(library)
    return lambda array: strict.asarray(array, device=strict.Device("device1"))
