# SPDX-License-Identifier: BSD-3-Clause
import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC

from labelsift.classification import BinaryRidge, BinarySVM
from labelsift.datasets import make_planted
from reference.binary_relevance import svm_minimum, svm_objective


@pytest.fixture(params=[(60, 8), (15, 40)], ids=str)
def planted(request):
    n, d = request.param
    return make_planted(n, d, 4, n_relevant=4, random_state=1)


def test_svm_reaches_the_minimum_of_its_objective(planted):
    model = BinarySVM(0.5, tol=1e-6, max_iter=10**5, random_state=0)
    model.fit(planted.X, planted.Y)
    for label in range(4):
        y = planted.Y[:, label]
        weights = model.coef_[label], model.intercept_[label]
        value = svm_objective(*weights, planted.X, y, 0.5)
        assert value == pytest.approx(svm_minimum(planted.X, y, 0.5), rel=1e-4)


def test_svm_is_linear_svc_per_label(planted):
    model = BinarySVM(0.1, random_state=0).fit(planted.X, planted.Y)
    for label in range(4):
        one = LinearSVC(C=0.1, random_state=0).fit(planted.X, planted.Y[:, label])
        np.testing.assert_allclose(model.coef_[label], one.coef_[0], atol=1e-3)


def test_svm_does_not_depend_on_the_number_of_jobs(planted):
    alone, together = (
        BinarySVM(10.0, random_state=3, n_jobs=jobs).fit(planted.X, planted.Y)
        for jobs in (None, 2)
    )
    np.testing.assert_array_equal(alone.coef_, together.coef_)


def test_svm_says_when_it_has_not_converged(planted):
    model = BinarySVM(1e3, max_iter=1, tol=1e-12, random_state=0)
    with pytest.warns(ConvergenceWarning, match="failed to converge"):
        model.fit(planted.X, planted.Y)
    assert model.n_iter_ == 1


@pytest.mark.parametrize("model", [BinaryRidge(), BinarySVM(random_state=0)], ids=repr)
class TestBoth:
    def test_precision_of_x_is_kept(self, model, planted):
        X = planted.X.astype(np.float32)
        assert model.fit(X, planted.Y).decision_function(X).dtype == np.float32

    def test_a_label_with_one_positive_is_learned(self, model, planted):
        Y = planted.Y.copy()
        Y[:, 0] = np.arange(len(Y)) == 5
        scores = model.fit(planted.X, Y).decision_function(planted.X)
        assert np.ptp(scores[:, 0]) > 0


@pytest.mark.parametrize("C", [1e-300, 1e-31, 1e31, 1e300, np.inf])
def test_a_weight_at_which_liblinear_does_not_end_is_refused(C):
    X, Y = np.eye(4), np.eye(4, 2, dtype=int)
    with pytest.raises(ValueError, match=r"'C' parameter of BinarySVM must be .*1e-30"):
        BinarySVM(C=C).fit(X, Y)


def test_values_and_weight_that_are_too_large_together():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 4))
    Y = (X[:, :2] > 0).astype(int)
    with pytest.raises(ValueError, match=r"C=1e\+30 and values of X of size [23]e\+70"):
        BinarySVM(C=1e30).fit(X * 1e70, Y)
    small = BinarySVM(C=1e-30, random_state=0).fit(X * 1e-70, Y)
    assert np.isfinite(small.coef_).all()


def test_ctrl_c_is_heard_while_liblinear_runs():
    """Some seconds of compiled code, which the signal does not wait for."""
    script = (
        "import os, signal, threading, time\n"
        "import numpy as np\n"
        "from labelsift.classification import BinarySVM\n"
        "rng = np.random.default_rng(0)\n"
        "X = rng.normal(size=(500, 501)) * np.logspace(-4, 4, 501)\n"
        "Y = rng.integers(0, 2, size=(500, 1))\n"
        "BinarySVM().fit(X[:9], np.eye(9, 1, dtype=int))  # everything is loaded\n"
        "svm = BinarySVM(C=1e10, tol=1e-12, max_iter=10**7, random_state=0)\n"
        "def strike():\n"
        "    strike.at = time.perf_counter()\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "threading.Timer(0.5, strike).start()\n"
        "try:\n"
        "    svm.fit(X, Y)\n"
        "    print('done')\n"
        "except KeyboardInterrupt:\n"
        "    print(time.perf_counter() - strike.at)\n"
        "os._exit(0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=200
    )
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < 5


def test_svm_takes_sparse_data_with_long_indices():
    rng = np.random.default_rng(0)
    X = sp.csr_array(rng.normal(size=(40, 6)) * (rng.random((40, 6)) < 0.5))
    Y = rng.random((40, 2)) < 0.5
    long = X.copy()
    long.indices, long.indptr = X.indices.astype("i8"), X.indptr.astype("i8")
    assert long.indices.dtype == np.int64
    expected = BinarySVM(random_state=0).fit(X, Y).decision_function(X)
    found = BinarySVM(random_state=0).fit(long, Y).decision_function(long)
    np.testing.assert_array_equal(found, expected)
