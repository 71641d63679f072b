# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of other libraries than numpy: torch, cupy, and all that follow the array API.

Such an array may lie on an accelerator. Work follows X: y and weights are moved to its
library and device, and what an estimator keeps is numpy. An array is copied from the
host to a device, never from one device to another or back, unless it is a result.
"""

from typing import Any

import numpy as np
import scipy.sparse as sp
import sklearn
from numpy.typing import NDArray

# Tensors of these do not announce the standard in all versions.
_LIBRARIES = ("torch", "cupy")
_TURN_ON = "with sklearn.config_context(array_api_dispatch=True):"


def is_foreign(array: Any) -> bool:
    """Whether this is an array, and of another library than numpy or scipy."""
    if isinstance(array, np.ndarray | np.generic) or sp.issparse(array):
        return False
    if hasattr(type(array), "__dask_graph__"):
        return False
    if type(array).__module__.partition(".")[0] in _LIBRARIES:
        return hasattr(array, "shape")
    return hasattr(array, "__array_namespace__")


def namespace(array: Any) -> Any:
    """The functions of the array API for this array; numpy for its own."""
    if isinstance(array, np.ndarray):
        return np
    from sklearn.externals.array_api_compat import array_namespace

    return array_namespace(array)


def library(array: Any) -> str:
    """The name of the library that an array belongs to."""
    return type(array).__module__.partition(".")[0]


def check_foreign(array: Any, name: str = "X") -> None:
    """Raise, in a sentence with the remedy, for an array that cannot be used."""
    check_dispatch(array, name)
    xp, dtype = namespace(array), dtype_name(array)
    if dtype in ("float16", "bfloat16"):
        raise ValueError(
            f"{name} is {dtype}, whose sums of squares have no digits left: convert it "
            "to float32 or float64."
        )
    if dtype.startswith("complex"):
        raise ValueError(f"Complex data not supported: {name} must hold real numbers.")
    device = array_device(array)
    if "float64" not in xp.__array_namespace_info__().dtypes(device=device):
        raise ValueError(
            f"{name} is on {device_text(array)}, which has no float64, and sums of "
            "float32 lose too many digits: move it to the CPU or to another device."
        )


def check_dispatch(array: Any, name: str) -> None:
    """Raise unless scikit-learn was told to work with arrays of other libraries."""
    if not hasattr(sklearn, "config_context") or not _can_dispatch():
        raise ValueError(
            f"{name} is an array of {library(array)}, which needs scikit-learn 1.7 or "
            f"later, and this is {sklearn.__version__}: upgrade it, or pass a numpy "
            "array."
        )
    if not sklearn.get_config()["array_api_dispatch"]:
        raise ValueError(
            f"{name} is an array of {library(array)} and array_api_dispatch is off: "
            f"fit inside `{_TURN_ON}`, or pass a numpy array."
        )


def _can_dispatch() -> bool:
    """Whether this scikit-learn brings the array API along."""
    major, minor = (int(part) for part in sklearn.__version__.split(".")[:2])
    return (major, minor) >= (1, 7)


def dtype_name(array: Any) -> str:
    """The name of an array's dtype: "float64", "int8", ..."""
    return str(array.dtype).rpartition(".")[2]


def array_device(array: Any) -> Any:
    """The device that an array is on."""
    from sklearn.externals.array_api_compat import device

    return device(array)


def device_text(array: Any) -> str:
    """The name of an array's device, for a sentence."""
    return "the CPU" if not is_foreign(array) else str(array_device(array))


def to_numpy(array: Any) -> NDArray[Any]:
    """An array as numpy, copied from its device where it has one."""
    if not is_foreign(array):
        return np.asarray(array)
    owner = library(array)
    if owner == "torch":
        return np.asarray(array.detach().cpu().numpy())
    if owner == "cupy":
        return np.asarray(array.get())
    if owner == "array_api_strict":
        array = array.to_device(namespace(array).Device("CPU_DEVICE"))
        return np.asarray(array)
    return np.asarray(np.from_dlpack(array, device="cpu"))


def like(array: Any, X: Any) -> Any:
    """A numpy array in the library and on the device of X."""
    if not is_foreign(X):
        return array
    return namespace(X).asarray(
        np.ascontiguousarray(array), device=array_device(X), copy=True
    )


def follow(array: Any, X: Any, name: str) -> Any:
    """An array for use with X: on its device, or as numpy where X is numpy.

    What lies on the host is copied to the device of X. Everything else must be there.
    """
    if not is_foreign(array):
        return like(np.asarray(array), X)
    check_dispatch(array, name)
    if library(array) == library(X) and array_device(array) == array_device(X):
        return array
    if not _on_host(array):
        raise ValueError(
            f"X is on {device_text(X)} and {name} on {device_text(array)}: move "
            f"{name} to the device of X first."
        )
    return like(to_numpy(array), X)


def _on_host(array: Any) -> bool:
    return "cpu" in str(array_device(array)).lower()
