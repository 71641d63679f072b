# SPDX-License-Identifier: BSD-3-Clause
"""What importing costs, and what the package asks for."""

import re
import subprocess
import sys
from importlib.metadata import requires

EXTRAS = ("click", "rich", "pandas", "polars", "pyarrow", "plotly", "matplotlib")


def _modules_after(statement):
    code = f"{statement}; import sys; print(' '.join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    return {name.partition(".")[0] for name in done.stdout.split()}


def test_importing_the_package_loads_nothing_heavy():
    loaded = _modules_after("import labelsift")
    assert not loaded & {"numpy", "scipy", "sklearn", "numba", *EXTRAS}


def test_importing_the_library_part_loads_neither_numba_nor_extras():
    rooms = (
        "selection", "subspace", "classification", "metrics", "datasets",
        "model_selection",
    )  # fmt: skip
    statement = "; ".join(f"import labelsift.{room}" for room in rooms)
    loaded = _modules_after(statement)
    assert "sklearn" in loaded
    # scikit-learn loads pandas and rich by itself where they are installed.
    by_scikit_learn = _modules_after("import sklearn.feature_selection")
    assert not (loaded - by_scikit_learn) & {"numba", *EXTRAS}


def test_rooms_are_reached_through_the_package():
    loaded = _modules_after("import labelsift; labelsift.selection.FisherScore")
    assert "sklearn" in loaded


def test_the_package_declares_six_dependencies():
    needed = [line for line in requires("labelsift") if "extra ==" not in line]
    names = {re.split(r"[<>=~! ;\[]", line)[0] for line in needed}
    assert names == {
        "numpy", "scipy", "scikit-learn", "numba", "joblib", "defusedxml",
    }  # fmt: skip
