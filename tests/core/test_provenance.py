# SPDX-License-Identifier: BSD-3-Clause
import json
import platform
from importlib.metadata import version

import labelsift
from labelsift.core.provenance import provenance, versions


def test_versions_of_what_is_required():
    known = versions()
    assert known["python"] == platform.python_version()
    assert known["labelsift"] == labelsift.__version__
    assert known["scikit-learn"] == version("scikit-learn")
    assert set(known) == {
        "python", "labelsift", "numpy", "scipy", "scikit-learn", "numba", "joblib",
        "defusedxml",
    }  # fmt: skip


def test_provenance_is_plain_and_names_the_machine():
    origin = provenance()
    assert json.loads(json.dumps(origin)) == origin
    assert origin["versions"] == versions()
    assert origin["machine"]["system"] == platform.system()
    assert origin["machine"]["cores"] >= 1
