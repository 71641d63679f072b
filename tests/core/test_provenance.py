# SPDX-License-Identifier: BSD-3-Clause
import json
import platform
from importlib.metadata import version

from threadpoolctl import threadpool_info

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


def test_provenance_names_the_linear_algebra():

    loaded = [it for it in threadpool_info() if it["user_api"] == "blas"]
    named = provenance()["machine"]["linear_algebra"]
    assert len(named) == len(set(named)) > 0
    for library in loaded:
        own = [library["internal_api"], library["version"]]
        assert any(set(own) <= set(name.split()) for name in named)
        architecture = library.get("architecture")
        assert not architecture or any(architecture in name for name in named)
